import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/kit/client.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import type { Workspace } from '../../../../test/kit/workspace.js';

const TASKS = '/api/v1/ext/tasks/tasks';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
});

const create = async (over: object = {}) => (await api.post(TASKS, { title: 'Task', ...over })).body;

describe('at the same moment', () => {
  it('fifty creations get fifty numbers, one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => api.post(TASKS, { title: `Task ${n}` })));
    const numbers = answers.map(({ body }) => Number(body.key.replace('ENG-', ''))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  it('a task goes under another and that one under the first: one is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await create(), await create()];
      const answers = await Promise.all([
        api.patch(`${TASKS}/${a.id}`, { parent_id: b.id }),
        api.patch(`${TASKS}/${b.id}`, { parent_id: a.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('parent_cycle');
    }
  });

  it('three tasks close a circle: one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [await create(), await create(), await create()];
      const moves = [
        [a, b],
        [b, c],
        [c, a],
      ];
      const answers = await Promise.all(moves.map(([child, parent]) => api.patch(`${TASKS}/${child.id}`, { parent_id: parent.id })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    }
  });

  it('two changes with the same If-Match: one wins', async () => {
    const task = await create();
    const answers = await Promise.all(['x', 'y'].map((title) => api.patch(`${TASKS}/${task.id}`, { title }, { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('twenty changes without If-Match: all are done, each raises the version', async () => {
    const task = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => api.patch(`${TASKS}/${task.id}`, { title: `Title ${n}` })));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
  });

  it('a parent is deleted while subtasks are created: none hangs in the air', async () => {
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

  it('two batches over the same tasks in opposite order both finish', async () => {
    const tasks = await Promise.all(Array.from({ length: 10 }, () => create()));
    const items = tasks.map(({ id }) => ({ action: 'update', id, data: { title: 'Changed' } }));
    const other = tasks.map(({ id }) => ({ action: 'update', id, data: { priority: 'high' } })).reverse();
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        api.post(`${TASKS}/batch`, { items }),
        api.post(`${TASKS}/batch`, { items: other, atomic: true }),
      ]);
      expect(answers.map(({ status, body }) => [status, body.succeeded])).toEqual([
        [200, 10],
        [200, 10],
      ]);
    }
  });
});

describe('the database refuses by itself', () => {
  it('what another writer gets wrong', async () => {
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
