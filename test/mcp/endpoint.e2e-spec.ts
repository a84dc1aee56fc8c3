import { describe, expect, test } from '@jest/globals';
import type { RequestLog } from '../../src/platform/request-log/request-log.js';
import { sharedApp, startApp } from '../harness/hosted-app.js';

const MCP = '/api/v1/ext/mcp';

const app = await sharedApp();
const workspace = await app.workspace();
const { client } = await workspace.key({ module: 'tasks' });

const rpc = (method: string, params?: object) => client.post(MCP, { jsonrpc: '2.0', id: 1, method, params });

describe('request log', () => {
  test.each([
    ['tools/list', undefined, { tool: null, status: 200, code: null }],
    ['no/such_method', undefined, { tool: null, status: 404, code: 'not_found' }],
    ['tools/call', { name: 'creat_task', arguments: {} }, { tool: '(unknown)', status: 404, code: 'not_found' }],
    ['tools/call', { name: 'create_task', arguments: { titel: 'x' } }, { tool: 'create_task', status: 400, code: 'validation_failed' }],
    ['tools/call', { name: 'get_task', arguments: {} }, { tool: 'get_task', status: 400, code: 'missing_fields' }],
    ['tools/call', { name: 'get_guide', arguments: { module: 'x' } }, { tool: 'get_guide', status: 400, code: 'validation_failed' }],
    ['tools/call', { name: 'create_task', arguments: { title: '' } }, { tool: 'create_task', status: 400 }],
  ])('records the result of %s %j', async (method, params, expected) => {
    const response = await rpc(method, params);
    await app.service<RequestLog>('RequestLog').flush();
    const { rows } = await app.sql.query('SELECT via, tool, status, code FROM request_logs WHERE request_id = $1', [
      response.headers['request-id'],
    ]);
    expect(response.status).toBe(200);
    expect(rows).toEqual([expect.objectContaining({ via: 'mcp', ...expected })]);
  });
});

test('allows calls from pages of MCP_ALLOWED_ORIGINS only', async () => {
  const page = 'https://agent.example';
  const other = await startApp({ env: { MCP_ALLOWED_ORIGINS: page } });
  const preflight = await fetch(other.url + MCP, { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'POST' } });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  const unauthorized = await fetch(other.url + MCP, {
    method: 'POST',
    headers: { origin: page, 'content-type': 'application/json' },
    body: '{}',
  });
  expect([unauthorized.status, unauthorized.headers.get('access-control-allow-origin')]).toEqual([401, page]);
  expect((await fetch(other.url + MCP, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(403);
  await other.close();
});

test('rejects an invalid if_match with that param', async () => {
  const { body } = await rpc('tools/call', {
    name: 'update_task',
    arguments: { id: '00000000-0000-7000-8000-000000000000', if_match: 'x' },
  });
  expect(body.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'validation_failed', param: 'if_match' } } });
});

test('names the look-ups for identifiers in the descriptions of write tools', async () => {
  const { tools } = (await rpc('tools/list')).body.result as { tools: { name: string; description: string }[] };
  const hints = Object.fromEntries(tools.map(({ name, description }) => [name, /Ids from (.*)\./.exec(description)?.[1]]));
  expect(hints).toMatchObject({
    create_task: 'get_tasks_context',
    update_task: 'get_tasks_context, list_tasks',
    delete_task: 'list_tasks',
    batch_tasks: 'get_tasks_context, list_tasks',
    create_task_comment: 'list_tasks',
    // no list has a deleted task
    restore_task: undefined,
    list_tasks: undefined,
  });

  const filtered = await client.post(`${MCP}?tools=create_task,list_task_labels`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const [create] = filtered.body.result.tools as { description: string }[];
  expect(create?.description).toMatch(/Ids from list_task_labels\.$/);
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('rejects %s with the error envelope and names the allowed methods', async (method) => {
  const response = await fetch(app.url + MCP, { method, headers: client.headers });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed', allowed: ['GET', 'POST'] } });
  // clients of older revisions send DELETE when they leave, and GET for a stream when they connect
  const isProbe = method === 'GET' || method === 'DELETE';
  await app.service<RequestLog>('RequestLog').flush();
  const entries = await app.sql.query('SELECT code FROM request_logs WHERE request_id = $1', [response.headers.get('request-id')]);
  expect(entries.rows).toEqual(isProbe ? [] : [{ code: 'method_not_allowed' }]);
});

test('a list of 25 tasks takes at most 12 KB, and its text is its structured content', async () => {
  const { client: own } = await (await app.workspace()).key({ module: 'tasks' });
  const projects = await own.get('/api/v1/ext/tasks/projects');
  const project_id = projects.body.data[0].id as string;
  const members = await own.get('/api/v1/ext/tasks/members');
  const assignee_ids = [members.body.data[0].id as string];
  const items = Array.from({ length: 25 }, (_, i) => ({
    action: 'create',
    data: { project_id, title: `Send the October invoice to customer ${i}`, assignee_ids, due_on: '2026-12-01', priority: 'high' },
  }));
  expect((await own.post('/api/v1/ext/tasks/tasks/batch', { items })).body).toMatchObject({ succeeded: 25 });
  const params = { name: 'list_tasks', arguments: {} };
  const { text, body } = await own.post(MCP, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { content, structuredContent } = body.result as { content: { text: string }[]; structuredContent: { data: object[] } };
  expect(structuredContent.data).toHaveLength(25);
  expect(structuredContent.data[0]).toMatchObject({
    status_name: 'Todo',
    assignee_names: [members.body.data[0].name],
    project_key: projects.body.data[0].key,
  });
  expect(content[0].text).toBe(JSON.stringify(structuredContent));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024);
});

describe('search_tools', () => {
  const found = async (query: string, caller = client): Promise<string[]> => {
    const params = { name: 'search_tools', arguments: { query } };
    const { body } = await caller.post(`${MCP}?mode=search`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return (body.result.structuredContent.data as { name: string }[]).map(({ name }) => name);
  };

  test.each([
    ['close a task', 'update_task'],
    ['complete a task', 'update_task'],
    ['mark a task as done', 'update_task'],
    ['finish', 'update_task'],
    ['move task to another status', 'update_task'],
    ['rename', 'update_task'],
    ['reopen', 'update_task'],
    ['archive a task', 'update_task'],
    ['who', 'list_task_members'],
    ['people', 'list_task_members'],
    ['users', 'list_task_members'],
    ['assign someone', 'list_task_members'],
    ['add note', 'create_task_comment'],
    ['read comments', 'list_task_comments'],
    ['make a task', 'create_task'],
    ['search tasks', 'list_tasks'],
    ['show task', 'get_task'],
    ['remove a task', 'delete_task'],
    ['change due date', 'update_task'],
    ['create many tasks', 'batch_tasks'],
    ['craete a taks', 'create_task'],
    ['delte a task', 'delete_task'],
    ['tsak sttaus', 'list_task_statuses'],
  ])('ranks for "%s" %s first', async (query, expected) => {
    expect((await found(query))[0]).toBe(expected);
  });

  test.each([
    ['NDA', 'get_document'],
    ['create an NDA', 'create_document'],
    ['sign', 'submit_document'],
    ['deadline', 'list_obligations'],
    ['summary of a contract', 'summarize_document'],
  ])('finds for "%s" the tool %s of documents', async (query, expected) => {
    const { client: documents } = await workspace.key({ module: 'documents' });
    expect((await found(query, documents)).slice(0, 3)).toContain(expected);
  });

  test.each([
    ['meeting', 'create_event'],
    ['book an appointment', 'create_event'],
    ['invite someone', 'add_event_invitees'],
    ['room', 'list_calendar_resources'],
    ['free time', 'get_calendar_availability'],
    ['recurring', 'create_event'],
  ])('finds for "%s" the tool %s of schedules', async (query, expected) => {
    const { client: schedule } = await workspace.key({ module: 'schedule' });
    expect((await found(query, schedule)).slice(0, 5)).toContain(expected);
  });

  test.each([
    ['tasks', 'taks', 'create_task'],
    ['tasks', 'colour of a label', 'list_task_labels'],
    ['schedule', 'bookng', 'list_bookings'],
    ['schedule', 'meetng', 'list_bookings'],
    ['accounting', 'pay', 'record_payment'],
    ['inventory', 'warehouse', 'list_stock_locations'],
    ['storefront', 'shipment', 'fulfill_order'],
    ['hr', 'vacation', 'list_absences'],
    ['desk', 'request', 'create_ticket'],
  ])('ranks for a key of %s that asks for "%s" %s first', async (module, query, expected) => {
    const { client: key } = await workspace.key({ module });
    expect((await found(query, key))[0]).toBe(expected);
  });

  test('returns both the look-up and the write tool for an assignment', async () => {
    expect((await found('assign a task to someone')).slice(0, 2).sort()).toEqual(['list_task_members', 'update_task']);
  });
});
