import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { eventsOf } from '../../../test/harness/outbox.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import { taskBody } from './task/task.factory.js';

const AT = '/api/v1/ext/tasks';
const UNKNOWN_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

const app = await sharedApp();
let space: Workspace;
let api: Client;
let statuses: Record<string, { id: string; group: string }>;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
  const { body } = await api.get(`${AT}/statuses`);
  statuses = Object.fromEntries(body.data.map((status: { name: string }) => [status.name, status]));
});

async function create(over: object = {}, client = api) {
  const response = await client.post(`${AT}/tasks`, { ...taskBody(1), ...over });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}

async function call(name: string, args: object) {
  const { body } = await api.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  return body.result.structuredContent;
}

const events = () => eventsOf(app, space);

describe('a task', () => {
  it('is created with the given fields and defaults for the others', async () => {
    const response = await api.post(`${AT}/tasks`, { title: 'Send the invoice' });
    expect(response.status).toBe(201);
    expect(response.headers.etag).toBe('"1"');
    expect(response.body).toMatchObject({
      object: 'task',
      key: 'ENG-1',
      project_id: space.eng.id,
      title: 'Send the invoice',
      description: null,
      status_id: statuses.Todo.id,
      status_group: 'unstarted',
      priority: 'none',
      assignee_ids: [],
      label_ids: [],
      parent_id: null,
      start_on: null,
      due_on: null,
      completed_at: null,
      version: 1,
    });
    expect(response.body.created_by).toMatchObject({ type: 'api_key' });
    expect((await api.get(`${AT}/tasks/${response.body.id}`)).body).toMatchObject(response.body);
  });

  it('stores every writable field', async () => {
    const labels = (await api.get(`${AT}/labels`)).body.data;
    const parent = await create();
    const sent = {
      title: 'Größe prüfen 🙂',
      description: '# Heading\n\n"quoted"',
      status_id: statuses['In review'].id,
      priority: 'urgent',
      assignee_ids: [space.owner.id],
      label_ids: [labels[1].id, labels[0].id],
      parent_id: parent.id,
      start_on: '2026-11-23',
      due_on: '2026-11-30',
      position: 12.5,
    };
    const task = await create(sent);
    expect(task).toMatchObject({ ...sent, status_group: 'started' });
    expect((await api.get(`${AT}/tasks/${task.id}`)).body).toEqual(task);
  });

  it('has the names beside the ids in every response and event', async () => {
    const [label] = (await api.get(`${AT}/labels`)).body.data;
    const about = { assignee_ids: [space.owner.id], label_ids: [label.id] };
    const names = { status_name: 'Todo', assignee_names: ['Olga Owner'], label_names: [label.name] };
    const task = await create(about);
    expect(task).toMatchObject(names);
    const moved = (await api.patch(`${AT}/tasks/${task.id}`, { status_id: statuses.Done.id, label_ids: [] })).body;
    expect(moved).toMatchObject({ status_name: 'Done', assignee_names: ['Olga Owner'], label_names: [] });
    const items = [
      { action: 'create', data: { title: 'In a batch', ...about } },
      { action: 'update', id: task.id, data: { status_id: statuses.Todo.id, label_ids: [label.id] } },
      { action: 'update', id: task.id, data: { status_id: statuses.Done.id } },
      { action: 'delete', id: task.id },
    ];
    const { results } = (await api.post(`${AT}/tasks/batch`, { items })).body;
    expect(results).toMatchObject([{ task: names }, { task: names }, { task: { ...names, status_name: 'Done' } }, { task: null }]);
    expect(await call('create_task', { title: 'By an agent', ...about })).toMatchObject(names);
    const written = await events();
    expect(written.filter(({ data }) => data.object.id === task.id)).toMatchObject([
      { data: { object: names } },
      { data: { object: { ...names, status_name: 'Done', label_names: [] }, previous_attributes: { status_name: 'Todo' } } },
      { data: { object: names, previous_attributes: { status_name: 'Done' } } },
      { data: { object: { ...names, status_name: 'Done' } } },
      { type: 'task.deleted', data: { object: { ...names, status_name: 'Done' } } },
    ]);
  });

  it('gets a number that is never reused and counts per project', async () => {
    const [first, second] = [await create(), await create()];
    expect([first.key, second.key]).toEqual(['ENG-1', 'ENG-2']);
    await api.delete(`${AT}/tasks/${second.id}`);
    expect((await create()).key).toBe('ENG-3');
    const { client } = await space.key();
    const ops = await create({ project_id: space.ops.id }, client);
    expect(ops.key).toBe('OPS-1');
    const below = await client.post(`${AT}/tasks`, { title: 'Task', parent_id: ops.key });
    expect(below.body).toMatchObject({ key: 'OPS-2', parent_id: ops.id });
    const { body } = await client.post(`${AT}/tasks`, { title: 'Task', status_id: UNKNOWN_ID });
    expect(body.error).toMatchObject({ param: 'status_id', message: expect.stringContaining('the project ENG was assumed') });
  });

  it('is added at the end of the board', async () => {
    const [first, second] = [await create(), await create()];
    expect(second.position).toBeGreaterThan(first.position);
  });

  it('has completed_at while its status is completed or cancelled', async () => {
    const task = await create();
    const move = async (name: string) => (await api.patch(`${AT}/tasks/${task.id}`, { status_id: statuses[name].id })).body;
    const done = await move('Done');
    expect(done).toMatchObject({ status_group: 'completed', version: 2 });
    expect(Date.parse(done.completed_at)).toBeGreaterThan(0);
    expect((await move('Cancelled')).completed_at).toBe(done.completed_at);
    expect(await move('In progress')).toMatchObject({ completed_at: null, status_group: 'started', version: 4 });
    expect((await create({ status_id: statuses.Done.id })).completed_at).not.toBeNull();
  });

  it('is patched: absent fields are unchanged, null clears, lists are replaced', async () => {
    const task = await create({ assignee_ids: [space.owner.id], due_on: '2026-12-01' });
    const patched = await api.patch(`${AT}/tasks/${task.id}`, { description: null, due_on: null, assignee_ids: [] });
    expect(patched.body).toEqual({
      ...task,
      description: null,
      due_on: null,
      assignee_ids: [],
      assignee_names: [],
      version: 2,
      updated_at: patched.body.updated_at,
    });
    expect((await api.patch(`${AT}/tasks/${task.id}`, { title: null })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'title',
    });
  });

  it('keeps its version and emits no event if a patch changes nothing', async () => {
    const task = await create();
    expect((await api.patch(`${AT}/tasks/${task.id}`, { title: task.title, priority: task.priority })).body).toEqual(task);
    expect(await events()).toHaveLength(1);
  });

  it('ignores project_id in a patch', async () => {
    const task = await create();
    const response = await api.patch(`${AT}/tasks/${task.id}`, { project_id: space.eng.id, title: 'New' });
    expect(response.headers['svc-ignored-fields']).toBe('project_id');
    expect(response.body.project_id).toBe(space.eng.id);
  });

  it('is deleted with its comments but without its subtasks', async () => {
    const parent = await create();
    const subtask = await create({ parent_id: parent.id });
    await api.post(`${AT}/tasks/${parent.id}/comments`, { body: 'Soon gone' });
    expect((await api.delete(`${AT}/tasks/${parent.id}`)).status).toBe(204);
    expect((await api.delete(`${AT}/tasks/${parent.id}`)).status).toBe(404);
    expect((await api.get(`${AT}/tasks/${subtask.id}`)).body).toMatchObject({ parent_id: null, version: 2 });
    expect((await app.sql.query('SELECT FROM task_comments WHERE task_id = $1', [parent.id])).rowCount).toBe(0);
  });

  it('rejects an If-Match of another version with 412', async () => {
    const task = await create();
    const stale = { 'if-match': '"7"' };
    expect((await api.patch(`${AT}/tasks/${task.id}`, { title: 'x' }, stale)).status).toBe(412);
    expect((await api.delete(`${AT}/tasks/${task.id}`, stale)).status).toBe(412);
    expect((await api.patch(`${AT}/tasks/${task.id}`, { title: 'x' }, { 'if-match': '"1"' })).headers.etag).toBe('"2"');
  });
});

describe('invalid tasks', () => {
  const cases: [string, () => object | Promise<object>, object][] = [
    [
      'a status of another project',
      async () => ({ status_id: (await (await space.key()).client.get(`${AT}/statuses?project_id=${space.ops.id}`)).body.data[0].id }),
      { param: 'status_id' },
    ],
    ['an unknown status', () => ({ status_id: UNKNOWN_ID }), { param: 'status_id' }],
    [
      'an unknown assignee',
      () => ({ assignee_ids: [UNKNOWN_ID] }),
      { param: 'assignee_ids', message: expect.stringContaining(UNKNOWN_ID) },
    ],
    ['an assignee of another organization', async () => ({ assignee_ids: [(await app.workspace()).owner.id] }), { param: 'assignee_ids' }],
    [
      'an inactive assignee',
      async () => {
        const { id } = await space.member('member');
        await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [id]);
        return { assignee_ids: [id] };
      },
      { param: 'assignee_ids' },
    ],
    ['an unknown label', () => ({ label_ids: [UNKNOWN_ID] }), { param: 'label_ids' }],
    ['an unknown parent', () => ({ parent_id: UNKNOWN_ID }), { param: 'parent_id' }],
    [
      'a parent in another project',
      async () => ({ parent_id: (await create({ project_id: space.ops.id }, (await space.key()).client)).id }),
      { param: 'parent_id' },
    ],
    [
      'a parent in the other mode',
      async () => ({ parent_id: (await create({ project_id: space.eng.id }, (await space.key({ mode: 'test' })).client)).id }),
      { param: 'parent_id' },
    ],
    ['a due date before the start', () => ({ start_on: '2026-12-02', due_on: '2026-12-01' }), { param: 'due_on' }],
    ['a date that does not exist', () => ({ due_on: '2026-02-30' }), { param: 'due_on' }],
    ['a blank title', () => ({ title: '  ' }), { param: 'title' }],
    ['a title of 256 characters', () => ({ title: 'x'.repeat(256) }), { param: 'title' }],
    ['a description of 20,001 characters', () => ({ description: 'x'.repeat(20_001) }), { param: 'description' }],
    ['an unknown priority', () => ({ priority: 'blocker' }), { param: 'priority', allowed: ['none', 'low', 'medium', 'high', 'urgent'] }],
    [
      '21 assignees',
      () => ({ assignee_ids: Array.from({ length: 21 }, (_, n) => UNKNOWN_ID.slice(0, -2) + (10 + n)) }),
      { param: 'assignee_ids' },
    ],
  ];

  it.each(cases)('reject %s on create and on update', async (_, over, error) => {
    const wrong = await over();
    const before = await create();
    const created = await api.post(`${AT}/tasks`, { title: 'Wrong', ...wrong });
    expect([created.status, created.body.error]).toMatchObject([400, { code: 'validation_failed', ...error }]);
    const changed = await api.patch(`${AT}/tasks/${before.id}`, wrong);
    expect([changed.status, changed.body.error]).toMatchObject([400, { code: 'validation_failed', ...error }]);
    expect((await api.get(`${AT}/tasks/${before.id}`)).body).toMatchObject(before);
  });

  it('list the valid statuses in the error', async () => {
    const { body } = await api.post(`${AT}/tasks`, { title: 'Wrong', status_id: UNKNOWN_ID });
    expect(body.error.allowed).toEqual(Object.values(statuses).map(({ id }) => id));
    expect(body.error.message).toContain(`Done is ${statuses.Done.id}`);
  });

  it('keep an inactive assignee but do not accept a new one', async () => {
    const { id } = await space.member('member');
    const task = await create({ assignee_ids: [id] });
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [id]);
    expect((await api.patch(`${AT}/tasks/${task.id}`, { assignee_ids: [id, space.owner.id] })).status).toBe(200);
    await api.patch(`${AT}/tasks/${task.id}`, { assignee_ids: [] });
    expect((await api.patch(`${AT}/tasks/${task.id}`, { assignee_ids: [id] })).status).toBe(400);
  });

  it('reject a due date before the stored start date', async () => {
    const task = await create({ start_on: '2026-12-02' });
    expect((await api.patch(`${AT}/tasks/${task.id}`, { due_on: '2026-12-01' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'due_on',
    });
  });

  it('reject a cycle and more than ten levels', async () => {
    const chain = [await create()];
    for (let level = 2; level <= 10; level++) chain.push(await create({ parent_id: chain.at(-1).id }));
    expect((await api.post(`${AT}/tasks`, { title: 'Eleventh', parent_id: chain[9].id })).body.error).toMatchObject({
      code: 'parent_too_deep',
      param: 'parent_id',
    });
    for (const below of [0, 1, 9]) {
      expect((await api.patch(`${AT}/tasks/${chain[0].id}`, { parent_id: chain[below].id })).body.error).toMatchObject({
        code: 'parent_cycle',
        param: 'parent_id',
      });
    }
    const single = await create();
    expect((await api.patch(`${AT}/tasks/${chain[0].id}`, { parent_id: single.id })).body.error.code).toBe('parent_too_deep');
    expect((await api.patch(`${AT}/tasks/${chain[1].id}`, { parent_id: single.id })).status).toBe(200);
  });
});

describe('comments', () => {
  it('are created and listed in order of creation', async () => {
    const task = await create();
    const added = await api.post(`${AT}/tasks/${task.id}/comments`, { body: 'First' });
    expect([added.status, added.body]).toMatchObject([
      201,
      { object: 'task_comment', task_id: task.id, body: 'First', author: { type: 'api_key' } },
    ]);
    await api.post(`${AT}/tasks/${task.id}/comments`, { body: 'Second' });
    await api.post(`${AT}/tasks/${(await create()).id}/comments`, { body: 'Elsewhere' });
    const first = (await api.get(`${AT}/tasks/${task.id}/comments?limit=1`)).body;
    expect([first.data[0].body, first.has_more]).toEqual(['First', true]);
    const second = (await api.get(`${AT}/tasks/${task.id}/comments?limit=1&cursor=${first.next_cursor}`)).body;
    expect([second.data[0].body, second.has_more]).toEqual(['Second', false]);
    expect((await api.get(`${AT}/tasks/${UNKNOWN_ID}/comments`)).status).toBe(404);
    expect((await api.post(`${AT}/tasks/${UNKNOWN_ID}/comments`, { body: 'x' })).status).toBe(404);
    expect((await api.post(`${AT}/tasks/${task.id}/comments`, { body: 'x'.repeat(10_001) })).body.error.param).toBe('body');
  });
});

describe('events', () => {
  it('are emitted once per change with the previous values', async () => {
    const task = await create();
    await api.patch(`${AT}/tasks/${task.id}`, { title: 'Renamed' });
    await api.patch(`${AT}/tasks/${task.id}`, { status_id: statuses.Done.id, priority: 'low' });
    await api.post(`${AT}/tasks/${task.id}/comments`, { body: 'Done' });
    const subtask = await create({ parent_id: task.id });
    await api.delete(`${AT}/tasks/${task.id}`);
    const written = await events();
    expect(written.map(({ type, data }) => `${type} ${data.object.key}`)).toEqual([
      'task.created ENG-1',
      'task.updated ENG-1',
      'task.status_changed ENG-1',
      'task.comment_added ENG-1',
      'task.created ENG-2',
      'task.updated ENG-2',
      'task.deleted ENG-1',
    ]);
    expect(task).toEqual(written[0].data.object);
    expect(written[1].data.previous_attributes).toEqual({ title: task.title });
    expect(written[2].data.previous_attributes).toEqual({
      status_id: statuses.Todo.id,
      status_group: 'unstarted',
      status_name: 'Todo',
      priority: task.priority,
      completed_at: null,
    });
    expect(written[2].data.context).toEqual({
      from: { id: statuses.Todo.id, group: 'unstarted' },
      to: { id: statuses.Done.id, group: 'completed' },
    });
    expect(written[3].data.context).toMatchObject({ comment: { body: 'Done' } });
    expect(written[5].data).toMatchObject({ object: { id: subtask.id, parent_id: null }, previous_attributes: { parent_id: task.id } });
  });

  it('are not emitted for rejected changes', async () => {
    await api.post(`${AT}/tasks`, { title: 'Wrong', label_ids: [UNKNOWN_ID] });
    await api.post(`${AT}/tasks`, { title: 'Wrong', status_id: UNKNOWN_ID });
    expect(await events()).toEqual([]);
    expect((await api.get(`${AT}/tasks`)).body.data).toEqual([]);
  });
});

describe('test mode and live mode', () => {
  it('cannot see or change each other on any route', async () => {
    const { client: test } = await space.key({ mode: 'test', project_id: space.eng.id });
    const live = await create();
    const own = await create({}, test);
    expect([live.key, own.key]).toEqual(['ENG-1', 'TEST-ENG-1']);
    for (const [client, foreign] of [
      [test, live],
      [api, own],
    ] as const) {
      const at = `${AT}/tasks/${foreign.id}`;
      const responses = [
        await client.get(at),
        await client.patch(at, { title: 'x' }),
        await client.delete(at),
        await client.get(`${at}/comments`),
        await client.post(`${at}/comments`, { body: 'x' }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
      const batch = await client.post(`${AT}/tasks/batch`, {
        items: [
          { action: 'update', id: foreign.id, data: { title: 'x' } },
          { action: 'delete', id: foreign.id },
        ],
      });
      expect(batch.body.results.map(({ status }: { status: number }) => status)).toEqual([404, 404]);
      const list = (await client.get(`${AT}/tasks?include_total=true`)).body;
      expect([list.total_count, list.data.map(({ id }: { id: string }) => id)]).toEqual([1, [client === api ? live.id : own.id]]);
      expect((await client.get(`${AT}/tasks?key=${foreign.key}`)).body.data).toEqual([]);
      expect((await client.get(`${AT}/tasks?q=${foreign.key}`)).body.data.map(({ id }: { id: string }) => id)).not.toContain(foreign.id);
    }
  });
});

describe('a task key', () => {
  it('works wherever an id does: path, query, body, batch and MCP', async () => {
    const parent = await create({ title: 'Parent' });
    const task = await create({ title: 'Child', parent_id: parent.key });
    expect(task.parent_id).toBe(parent.id);
    for (const key of [task.key, task.key.toLowerCase()]) expect((await api.get(`${AT}/tasks/${key}`)).body).toEqual(task);
    expect((await api.get(`${AT}/tasks?parent_id=${parent.key}`)).body.data.map(({ id }: { id: string }) => id)).toEqual([task.id]);
    expect((await api.get(`${AT}/tasks?parent_id=ENG-999`)).body.data).toEqual([]);
    expect((await api.patch(`${AT}/tasks/${task.key}`, { parent_id: null })).body.parent_id).toBeNull();
    expect((await api.post(`${AT}/tasks/${task.key}/comments`, { body: 'Done' })).body.task_id).toBe(task.id);
    expect((await api.get(`${AT}/tasks/${task.key}/comments`)).body.data).toHaveLength(1);
    const items = [
      { action: 'update', id: task.key, data: { parent_id: parent.key } },
      { action: 'delete', id: 'ENG-999' },
    ];
    const { results } = (await api.post(`${AT}/tasks/batch`, { items })).body;
    expect(results).toMatchObject([{ status: 200, task: { id: task.id, parent_id: parent.id } }, { status: 404 }]);
    expect(await call('get_task', { id: task.key })).toMatchObject({ id: task.id });
    const moved = await call('update_task', { id: task.key, title: null, clear: ['parent_id'] });
    expect([moved.id, moved.parent_id]).toEqual([task.id, undefined]);
    expect((await api.delete(`${AT}/tasks/${task.key}`)).status).toBe(204);
    expect((await api.get(`${AT}/tasks/${task.key}`)).status).toBe(404);
  });

  it('of another project or mode does not exist', async () => {
    const ops = (await space.key({ project_id: space.ops.id })).client;
    const { key } = await create({}, ops);
    const test = (await space.key({ mode: 'test' })).client;
    const { key: testKey } = await create({}, test);
    expect(testKey).toMatch(/^TEST-ENG-/);
    expect((await test.get(`${AT}/tasks/${testKey}`)).body.key).toBe(testKey);
    for (const hidden of [key, testKey]) expect((await api.get(`${AT}/tasks/${hidden}`)).status).toBe(404);
    const rejected = await api.post(`${AT}/tasks`, { ...taskBody(1), parent_id: key });
    expect(rejected.body.error).toMatchObject({ code: 'validation_failed', param: 'parent_id' });
  });
});
