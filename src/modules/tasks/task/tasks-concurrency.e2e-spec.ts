import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const TASKS = '/api/v1/ext/tasks/tasks';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
});

const create = async (over: object = {}) => (await api.post(TASKS, { title: 'Task', ...over })).body;

describe('concurrent requests', () => {
  it('number fifty new tasks without gaps or duplicates', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, (_, n) => api.post(TASKS, { title: `Task ${n}` })));
    const numbers = responses.map(({ body }) => Number(body.key.replace('ENG-', ''))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  it('cannot make two tasks the parents of each other', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await create(), await create()];
      const responses = await Promise.all([
        api.patch(`${TASKS}/${a.id}`, { parent_id: b.id }),
        api.patch(`${TASKS}/${b.id}`, { parent_id: a.id }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(responses.find(({ status }) => status === 400)?.body.error.code).toBe('parent_cycle');
    }
  });

  it('cannot form a cycle of three tasks', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [await create(), await create(), await create()];
      const moves = [
        [a, b],
        [b, c],
        [c, a],
      ];
      const responses = await Promise.all(moves.map(([child, parent]) => api.patch(`${TASKS}/${child.id}`, { parent_id: parent.id })));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    }
  });

  it('succeed only once for the same If-Match', async () => {
    const task = await create();
    const responses = await Promise.all(['x', 'y'].map((title) => api.patch(`${TASKS}/${task.id}`, { title }, { 'if-match': '"1"' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('all succeed without If-Match and each raises the version', async () => {
    const task = await create();
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => api.patch(`${TASKS}/${task.id}`, { title: `Title ${n}` })));
    expect(responses.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
  });

  it('leave no subtask with a parent that is being deleted', async () => {
    const parent = await create();
    const [deleted, ...created] = await Promise.all([
      api.delete(`${TASKS}/${parent.id}`),
      ...Array.from({ length: 6 }, () => api.post(TASKS, { title: 'Subtask', parent_id: parent.id })),
    ]);
    expect(deleted.status).toBe(204);
    expect(created.every(({ status }) => status === 201 || status === 400)).toBe(true);
    expect((await api.get(`${TASKS}?parent_id=${parent.id}`)).body.data).toEqual([]);
    expect((await api.get(`${TASKS}?parent_id=none`)).body.data).toHaveLength(created.filter(({ status }) => status === 201).length);
  });

  it('do not deadlock as batches over the same tasks in opposite order', async () => {
    const tasks = await Promise.all(Array.from({ length: 10 }, () => create()));
    const items = tasks.map(({ id }) => ({ action: 'update', id, data: { title: 'Changed' } }));
    const other = tasks.map(({ id }) => ({ action: 'update', id, data: { priority: 'high' } })).reverse();
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all([
        api.post(`${TASKS}/batch`, { items }),
        api.post(`${TASKS}/batch`, { items: other, atomic: true }),
      ]);
      expect(responses.map(({ status, body }) => [status, body.succeeded])).toEqual([
        [200, 10],
        [200, 10],
      ]);
    }
  });
});

describe('database constraints', () => {
  it('reject inconsistent rows from any writer', async () => {
    const [a, b] = [await create(), await create()];
    await api.patch(`${TASKS}/${b.id}`, { parent_id: a.id });
    const set = (sql: string, id: string) => app.sql.query(`UPDATE tasks SET ${sql} WHERE id = $1`, [id]);
    await expect(set(`parent_id = '${b.id}'`, a.id)).rejects.toThrow('cycle');
    await expect(set('parent_id = id', a.id)).rejects.toThrow('cycle');
    await expect(set(`mode = 'test'`, b.id)).rejects.toThrow('tasks_parent_id_fkey');
    await expect(set(`status_group = 'completed', completed_at = now()`, a.id)).rejects.toThrow('tasks_status_id_fkey');
    await expect(set('completed_at = now()', a.id)).rejects.toThrow('tasks_completed_at_check');
    await expect(set(`project_id = '${space.ops.id}'`, a.id)).rejects.toThrow('tasks_');
    await expect(set('assignee_ids = ARRAY[id]', a.id)).rejects.toThrow('unknown assignee');
    await expect(set('label_ids = ARRAY[id]', a.id)).rejects.toThrow('unknown label');
    await expect(set(`start_on = '2026-12-02', due_on = '2026-12-01'`, a.id)).rejects.toThrow('tasks_due_on_check');
    await expect(set(`key = 'ENG-2'`, a.id)).rejects.toThrow('tasks_key_key');
    await expect(app.sql.query('DELETE FROM tasks WHERE id = $1', [a.id])).rejects.toThrow('tasks_parent_id_fkey');
  });
});
