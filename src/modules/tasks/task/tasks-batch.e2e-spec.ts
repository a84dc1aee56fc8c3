import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const TASKS = '/api/v1/ext/tasks/tasks';
const UNKNOWN_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
});

async function eventTypes(): Promise<string[]> {
  const { rows } = await app.sql.query<{ type: string }>('SELECT type FROM outbox_events WHERE organization_id = $1 ORDER BY sequence', [
    space.organizationId,
  ]);
  return rows.map(({ type }) => type);
}

async function titles(): Promise<string[]> {
  return (await api.get(`${TASKS}?sort=created_at`)).body.data.map(({ title }: { title: string }) => title);
}

describe('batch_tasks', () => {
  it('applies the items in order and returns a result for each', async () => {
    const { body: first } = await api.post(TASKS, { title: 'First' });
    const { body: second } = await api.post(TASKS, { title: 'Second' });
    const response = await api.post(`${TASKS}/batch`, {
      items: [
        { action: 'create', data: { title: 'Third' } },
        { action: 'update', id: first.id, data: { title: 'Changed', priority: 'high' } },
        { action: 'delete', id: second.id },
      ],
    });
    expect([response.status, response.body]).toMatchObject([200, { object: 'task_batch', succeeded: 3, failed: 0 }]);
    expect(response.body.results).toMatchObject([
      { index: 0, action: 'create', status: 201, task: { key: 'ENG-3', title: 'Third' }, error: null },
      { index: 1, action: 'update', status: 200, task: { id: first.id, title: 'Changed', priority: 'high', version: 2 }, error: null },
      { index: 2, action: 'delete', status: 204, task: null, error: null },
    ]);
    expect(await titles()).toEqual(['Changed', 'Third']);
    expect(await eventTypes()).toEqual(['task.created', 'task.created', 'task.created', 'task.updated', 'task.deleted']);
  });

  it('keeps the successful items and reports the failed ones if it is not atomic', async () => {
    const response = await api.post(`${TASKS}/batch`, {
      items: [
        { action: 'create', data: { title: 'Good' } },
        { action: 'create', data: { title: 'Bad', label_ids: [UNKNOWN_ID] } },
        { action: 'update', id: UNKNOWN_ID, data: { title: 'x' } },
        { action: 'update', data: { title: 'x' } },
        { action: 'create', data: {} },
        { action: 'create', data: { title: 'Late', start_on: '2026-12-02', due_on: '2026-12-01' } },
        { action: 'create', data: { title: 'Also good' } },
      ],
    });
    expect(response.body).toMatchObject({ succeeded: 2, failed: 5 });
    expect(
      response.body.results.map(({ status, error }: { status: number; error: { code: string; param: string } | null }) => [
        status,
        error?.code,
        error?.param,
      ]),
    ).toEqual([
      [201, undefined, undefined],
      [400, 'validation_failed', 'items.1.data.label_ids'],
      [404, 'not_found', 'items.2.id'],
      [400, 'missing_fields', 'items.3.id'],
      [400, 'missing_fields', 'items.4.data.title'],
      [400, 'validation_failed', 'items.5.data.due_on'],
      [201, undefined, undefined],
    ]);
    expect(await titles()).toEqual(['Good', 'Also good']);
    expect(await eventTypes()).toEqual(['task.created', 'task.created']);
  });

  it('rolls back and returns the error of the failed item if it is atomic', async () => {
    const { body: kept } = await api.post(TASKS, { title: 'Kept' });
    const response = await api.post(`${TASKS}/batch`, {
      atomic: true,
      items: [
        { action: 'create', data: { title: 'Gone' } },
        { action: 'delete', id: kept.id },
        { action: 'create', data: { title: 'Bad', assignee_ids: [UNKNOWN_ID] } },
      ],
    });
    expect([response.status, response.body.error]).toMatchObject([
      400,
      { code: 'validation_failed', param: 'items.2.data.assignee_ids', index: 2 },
    ]);
    expect(await titles()).toEqual(['Kept']);
    expect(await eventTypes()).toEqual(['task.created']);
  });

  it('runs once for the same Idempotency-Key', async () => {
    const body = {
      items: [
        { action: 'create', data: { title: 'Once' } },
        { action: 'update', id: UNKNOWN_ID, data: {} },
      ],
    };
    const first = await api.post(`${TASKS}/batch`, body, { 'idempotency-key': 'batch-1' });
    const second = await api.post(`${TASKS}/batch`, body, { 'idempotency-key': 'batch-1' });
    expect([second.headers['idempotent-replayed'], second.body]).toEqual(['true', first.body]);
    expect(await titles()).toEqual(['Once']);
  });

  it('accepts 1 to 100 valid items and rejects any other body as a whole', async () => {
    const item = { action: 'create', data: { title: 'x' } };
    expect((await api.post(`${TASKS}/batch`, { items: [] })).body.error.param).toBe('items');
    expect((await api.post(`${TASKS}/batch`, { items: Array(101).fill(item) })).body.error.param).toBe('items');
    expect((await api.post(`${TASKS}/batch`, { items: [item, { action: 'drop' }] })).body.error.param).toBe('items.1.action');
    expect((await api.post(`${TASKS}/batch`, { items: [item, { action: 'create', data: { title: 7 } }] })).body.error.param).toBe(
      'items.1.data.title',
    );
    expect(await titles()).toEqual([]);
    const full = await api.post(`${TASKS}/batch`, { items: Array(100).fill(item) });
    expect(full.body).toMatchObject({ succeeded: 100, failed: 0 });
    expect(full.body.results.at(-1).task.key).toBe('ENG-100');
  });

  it('deletes only with the scope tasks:task:delete', async () => {
    const { client } = await space.key({ project_id: space.eng.id, scopes: ['tasks:task:read', 'tasks:task:write'] });
    const { body: task } = await client.post(TASKS, { title: 'Stays' });
    const items = [{ action: 'delete', id: task.id }];
    expect((await client.post(`${TASKS}/batch`, { items })).body.results[0]).toMatchObject({
      status: 403,
      error: { code: 'insufficient_scope' },
    });
    expect((await client.post(`${TASKS}/batch`, { items, atomic: true })).body.error).toMatchObject({
      code: 'insufficient_scope',
      required_scope: 'tasks:task:delete',
    });
    expect(await titles()).toEqual(['Stays']);
  });
});
