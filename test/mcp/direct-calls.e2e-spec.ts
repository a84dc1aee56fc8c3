import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestLog } from '../../src/platform/request-log/request-log.js';
import { eventually } from '../harness/eventually.js';
import { sharedApp } from '../harness/hosted-app.js';

const MCP = '/api/v1/ext/mcp';

const app = await sharedApp();
const workspace = await app.workspace();
const key = await workspace.key({ module: 'tasks' });
// the key is cached from now on
await key.client.get('/api/v1/ext/tasks/projects');

const message = (method: string, params?: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const call = message('tools/call', { name: 'list_projects', arguments: {} });

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function head(length: number | null, secret = key.secret): string {
  const size = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [
    `POST ${MCP} HTTP/1.1`,
    `Host: ${new URL(app.url).host}`,
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Connection: close',
    size,
    '\r\n',
  ].join('\r\n');
}

async function responseOn(socket: Socket): Promise<{ status: number; headers: string; body: string }> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await once(socket, 'end');
  const [headers, body] = text.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body };
}

async function logged(requestId: string): Promise<unknown[]> {
  await app.service<RequestLog>('RequestLog').flush();
  const { rows } = await app.sql.query('SELECT via, tool, status, route FROM request_logs WHERE request_id = $1', [requestId]);
  return rows;
}

describe('a tool call of a known key', () => {
  test('has the headers of its route and one log entry', async () => {
    const response = await key.client.post(MCP, JSON.parse(call));
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'svc-mode': 'live',
      'ratelimit-limit': expect.any(String),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.body).toMatchObject({ jsonrpc: '2.0', id: 7, result: { structuredContent: { object: 'list' } } });
    expect(await logged(response.headers['request-id'])).toEqual([
      { via: 'mcp', tool: 'list_projects', status: 200, route: '/api/v1/ext/tasks/projects' },
    ]);
  });

  test('is logged with the status of its route, although the response is a result', async () => {
    const body = message('tools/call', { name: 'get_task', arguments: { id: 'NO-1' } });
    const response = await key.client.post(MCP, JSON.parse(body));
    expect([response.status, response.body.result.isError]).toEqual([200, true]);
    expect(await logged(response.headers['request-id'])).toEqual([
      { via: 'mcp', tool: 'get_task', status: 404, route: '/api/v1/ext/tasks/tasks/{id}' },
    ]);
  });

  test('may arrive in pieces', async () => {
    const socket = await open();
    const response = responseOn(socket);
    socket.write(head(call.length));
    for (const piece of [call.slice(0, 3), call.slice(3, 40), call.slice(40)]) {
      socket.write(piece);
      await sleep(20);
    }
    const { status, body } = await response;
    expect([status, JSON.parse(body).result.isError]).toEqual([200, undefined]);
  });

  test('may arrive without its length', async () => {
    const socket = await open();
    const response = responseOn(socket);
    socket.write(`${head(null)}${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`);
    expect((await response).status).toBe(200);
  });

  test('that its client gives up leaves the server as it was', async () => {
    const socket = await open();
    socket.write(head(call.length) + call.slice(0, 20));
    await sleep(20);
    socket.destroy();
    expect((await key.client.post(MCP, JSON.parse(call))).status).toBe(200);
  });

  test('is logged when its client goes while the route runs', async () => {
    const { body: task } = await key.client.post('/api/v1/ext/tasks/tasks', { project_id: workspace.eng.id, title: 'Held' });
    const body = message('tools/call', { name: 'update_task', arguments: { id: task.id, title: 'Changed' } });
    const other = await app.sql.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [task.id]);
    const socket = await open();
    socket.write(head(Buffer.byteLength(body)) + body);
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      async () => (await app.sql.query(blocked)).rowCount,
      (count) => count === 1,
    );
    socket.destroy();
    // the server has noticed it once another request is answered
    await key.client.get('/api/v1/ext/tasks/projects');
    await other.query('COMMIT');
    other.release();
    const entries = async () => {
      await app.service<RequestLog>('RequestLog').flush();
      const logged = `SELECT via, status FROM request_logs WHERE api_key_id = $1 AND tool = 'update_task'`;
      return (await app.sql.query(logged, [key.id])).rows;
    };
    expect(await eventually(entries, (rows) => rows.length > 0)).toEqual([{ via: 'mcp', status: 200 }]);
  });

  test('ends with 401 and a challenge when the key has been revoked meanwhile', async () => {
    const { id, secret, client } = await workspace.key({ module: 'tasks' });
    expect((await client.post(MCP, JSON.parse(call))).status).toBe(200);
    expect((await client.post(MCP, JSON.parse(call))).status).toBe(200);
    await (await workspace.signIn()).post(`/api/v1/org/developer/api-keys/${id}/revoke`);
    const socket = await open();
    const response = responseOn(socket);
    socket.write(head(call.length, secret) + call);
    const { status, headers, body } = await response;
    expect([status, JSON.parse(body).error.code]).toEqual([401, 'api_key_revoked']);
    expect(headers).toContain('www-authenticate: bearer');
  });
});

describe('every other body is left to Fastify', () => {
  test.each([
    ['another method', message('tools/list'), 200, 'tools'],
    ['a batch', `[${call}]`, 200, 'jsonrpc'],
    ['an unknown tool', message('tools/call', { name: 'no_such_tool', arguments: {} }), 200, 'Unknown tool'],
    ['bad arguments', message('tools/call', { name: 'get_task', arguments: {} }), 200, 'missing_fields'],
    ['broken JSON', '{"method":"tools/call"', 400, 'error'],
    ['a notification', JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_projects' } }), 202, ''],
  ])('%s', async (_, body, status, text) => {
    const socket = await open();
    const response = responseOn(socket);
    socket.write(head(Buffer.byteLength(body)) + body);
    const received = await response;
    expect(received.status).toBe(status);
    expect(received.body).toContain(text);
    expect(received.headers).toContain('request-id: req_');
  });

  const title = Buffer.from([0x62, 0xff, 0xc3, 0x7a]);
  const invalidUtf8 = Buffer.concat([Buffer.from(call.slice(0, -1)), Buffer.from(',"x":"'), title, Buffer.from('"}')]);
  test.each([
    ['invalid UTF-8', invalidUtf8, {}, 400, 'not valid UTF-8'],
    ['an encoded body', call, { 'content-encoding': 'gzip' }, 415, 'Content-Encoding'],
    ['another charset', call, { 'content-type': 'application/json; charset=iso-8859-1' }, 415, 'UTF-8'],
  ])('which rejects %s', async (_, body, headers, status, text) => {
    const given = { ...key.client.headers, 'content-type': 'application/json', accept: '*/*', ...headers };
    const response = await fetch(app.url + MCP, { method: 'POST', body, headers: given });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  });
});
