import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const AT = '/api/v1/ext/tasks';

const app = await sharedApp();
let space: Workspace;
let api: Client;
let pinned: Client;
let labels: { id: string; name: string }[];
let statuses: { id: string; name: string }[];
let helper: { id: string };
/** ENG-1 to ENG-6, then OPS-1, by key. */
const tasks = new Map<string, { id: string; version: number; created_at: string; parent_id: string | null }>();

async function add(body: object) {
  const response = await api.post(`${AT}/tasks`, body);
  if (response.status !== 201) throw new Error(response.text);
  tasks.set(response.body.key, response.body);
}

beforeAll(async () => {
  space = await app.workspace();
  api = (await space.key()).client;
  pinned = (await space.key({ project_id: space.eng.id })).client;
  helper = await space.member('member');
  labels = (await api.get(`${AT}/labels`)).body.data;
  statuses = (await api.get(`${AT}/statuses?project_id=${space.eng.id}`)).body.data;
  const eng = { project_id: space.eng.id };
  await add({ ...eng, title: 'Renew the certificate', due_on: '2026-12-03', priority: 'low', position: 30 });
  await add({
    ...eng,
    title: 'Größere Rechnung',
    description: 'See shop.example.com/e-mail and ticket #4711',
    priority: 'urgent',
    assignee_ids: [space.owner.id],
    position: 10,
  });
  await add({
    ...eng,
    title: 'Invoice for Acme',
    due_on: '2026-12-01',
    status_id: statuses[4].id,
    label_ids: [labels[0].id],
    position: 20,
  });
  await add({
    ...eng,
    title: 'Invoice for Brightside',
    due_on: '2026-12-02',
    parent_id: tasks.get('ENG-3')?.id,
    priority: 'high',
    assignee_ids: [space.owner.id, helper.id],
    label_ids: [labels[1].id, labels[0].id],
  });
  await add({ ...eng, title: 'Call Acme', status_id: statuses[5].id, due_on: '2026-12-02', assignee_ids: [helper.id] });
  await add({ ...eng, title: 'Plan the stocktake', status_id: statuses[2].id, priority: 'urgent' });
  await add({ project_id: space.ops.id, title: 'Invoice of the landlord' });
});

const id = (key: string) => tasks.get(key)?.id as string;

async function keys(query: string, client = api): Promise<string[]> {
  const response = await client.get(`${AT}/tasks?${query}`);
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data.map(({ key }: { key: string }) => key);
}

describe('list_tasks filters', () => {
  it.each<[string, () => string, string[]]>([
    ['project', () => `project_id=${space.ops.id}`, ['OPS-1']],
    ['key', () => 'key=ENG-2,OPS-1', ['ENG-2', 'OPS-1']],
    ['status', () => `status_id=${statuses[4].id}`, ['ENG-3']],
    ['status group', () => 'status_group=completed,cancelled', ['ENG-3', 'ENG-5']],
    ['priority', () => 'priority=urgent,high', ['ENG-2', 'ENG-4', 'ENG-6']],
    ['assignee', () => `assignee_id=${helper.id}`, ['ENG-4', 'ENG-5']],
    ['no assignee', () => 'assignee_id=none', ['ENG-1', 'ENG-3', 'ENG-6', 'OPS-1']],
    ['an assignee or none', () => `assignee_id=none,${helper.id}`, ['ENG-1', 'ENG-3', 'ENG-4', 'ENG-5', 'ENG-6', 'OPS-1']],
    ['label', () => `label_id=${labels[1].id}`, ['ENG-4']],
    ['no label', () => 'label_id=none&status_group=started', ['ENG-6']],
    ['parent', () => `parent_id=${id('ENG-3')}`, ['ENG-4']],
    ['no parent', () => `parent_id=none&assignee_id=${helper.id}`, ['ENG-5']],
    ['due from', () => 'due_after=2026-12-02', ['ENG-1', 'ENG-4', 'ENG-5']],
    ['due before', () => 'due_before=2026-12-02', ['ENG-3']],
    ['due before the day of a time', () => 'due_before=2026-12-02T09:00:00Z', ['ENG-3']],
    ['due between', () => 'due_after=2026-12-02&due_before=2026-12-03', ['ENG-4', 'ENG-5']],
    ['created from', () => `created_after=${tasks.get('ENG-6')?.created_at}`, ['ENG-6', 'OPS-1']],
    ['created before', () => `created_before=${tasks.get('ENG-2')?.created_at}`, ['ENG-1']],
    ['several filters together', () => `assignee_id=${helper.id}&priority=high`, ['ENG-4']],
  ])('by %s', async (_, query, expected) => {
    expect(await keys(`${query()}&sort=created_at`)).toEqual(expected);
  });

  it('shows a key bound to a project only that project and rejects other project ids', async () => {
    expect(await keys('sort=created_at', pinned)).toEqual(['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4', 'ENG-5', 'ENG-6']);
    expect((await pinned.get(`${AT}/tasks?project_id=${space.ops.id}`)).body.error.code).toBe('project_scope_mismatch');
    expect((await pinned.get(`${AT}/tasks/${id('OPS-1')}`)).status).toBe(404);
  });

  it('rejects unknown parameters and values', async () => {
    expect((await api.get(`${AT}/tasks?assignee=x`)).body.error).toMatchObject({ code: 'validation_failed', param: 'assignee' });
    expect((await api.get(`${AT}/tasks?priority=blocker`)).body.error).toMatchObject({
      param: 'priority',
      allowed: ['none', 'low', 'medium', 'high', 'urgent'],
    });
    expect((await api.get(`${AT}/tasks?due_after=soon`)).body.error.param).toBe('due_after');
  });
});

describe('list_tasks sort', () => {
  it.each<[string, string[]]>([
    ['created_at', ['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4', 'ENG-5', 'ENG-6']],
    ['-created_at', ['ENG-6', 'ENG-5', 'ENG-4', 'ENG-3', 'ENG-2', 'ENG-1']],
    ['due_on', ['ENG-3', 'ENG-4', 'ENG-5', 'ENG-1', 'ENG-2', 'ENG-6']],
    ['-due_on', ['ENG-1', 'ENG-5', 'ENG-4', 'ENG-3', 'ENG-6', 'ENG-2']],
    ['priority', ['ENG-3', 'ENG-5', 'ENG-1', 'ENG-4', 'ENG-2', 'ENG-6']],
    ['-priority', ['ENG-6', 'ENG-2', 'ENG-4', 'ENG-1', 'ENG-5', 'ENG-3']],
    ['position', ['ENG-2', 'ENG-3', 'ENG-1', 'ENG-4', 'ENG-5', 'ENG-6']],
    ['updated_at', ['ENG-1', 'ENG-2', 'ENG-3', 'ENG-4', 'ENG-5', 'ENG-6']],
  ])('by %s, in one page and across pages', async (sort, expected) => {
    expect(await keys(`sort=${sort}&project_id=${space.eng.id}`)).toEqual(expected);
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await pinned.get(`${AT}/tasks?sort=${sort}&limit=2${cursor}`);
      walked.push(...body.data.map(({ key }: { key: string }) => key));
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
    } while (cursor);
    expect(walked).toEqual(expected);
  });

  it('by position requires one project', async () => {
    expect((await api.get(`${AT}/tasks?sort=position`)).body.error).toMatchObject({ code: 'validation_failed', param: 'sort' });
    expect((await pinned.get(`${AT}/tasks?sort=position`)).status).toBe(200);
  });
});

describe('list_tasks q', () => {
  it.each<[string, string[]]>([
    ['invoice', ['ENG-3', 'ENG-4', 'OPS-1']],
    ['INVO acm', ['ENG-3']],
    ['größe', ['ENG-2']],
    ['example', ['ENG-2']],
    ['e-mail', ['ENG-2']],
    ['4711', ['ENG-2']],
    ['ENG-3', ['ENG-3']],
    ['eng-1', ['ENG-1']],
    ['voice', []],
    ['***', []],
  ])('%s finds %j', async (q, expected) => {
    expect(await keys(`q=${encodeURIComponent(q)}&sort=created_at`)).toEqual(expected);
  });

  it('finds compounds however they are written', async () => {
    await api.patch(`${AT}/tasks/${id('OPS-1')}`, { description: 'Customers cannot log in' });
    await api.patch(`${AT}/tasks/${id('ENG-1')}`, { description: 'The login is slow' });
    for (const q of ['login', 'log in', 'Log In'])
      expect([q, (await keys(`q=${encodeURIComponent(q)}`)).toSorted()]).toEqual([q, ['ENG-1', 'OPS-1']]);
    expect(await keys('q=logon')).toEqual([]);
  });

  it('finds text that an update added', async () => {
    await api.patch(`${AT}/tasks/${id('OPS-1')}`, { description: 'Kilometerpauschale' });
    expect(await keys('q=kilometer')).toEqual(['OPS-1']);
  });
});

describe('list_tasks and get_task expand', () => {
  it('adds the related resources', async () => {
    const { body } = await api.get(`${AT}/tasks/${id('ENG-4')}?expand=status,assignees,labels`);
    expect(body).toMatchObject({ status: { object: 'task_status', name: 'Todo' }, status_id: statuses[1].id });
    expect(body.assignees.map((member: { id: string }) => member.id)).toEqual([space.owner.id, helper.id]);
    expect(body.labels.map(({ name }: { name: string }) => name)).toEqual([labels[1].name, labels[0].name]);
    expect(body).not.toHaveProperty('project');
  });

  it('works on lists and returns null for a missing parent', async () => {
    const { body } = await api.get(`${AT}/tasks?expand=project,parent&sort=created_at`);
    const byKey = new Map<string, { parent: object | null; project: { key: string } }>(
      body.data.map((task: { key: string }) => [task.key, task]),
    );
    expect(byKey.get('ENG-4')?.parent).toMatchObject({ object: 'task', key: 'ENG-3' });
    expect(byKey.get('ENG-1')?.parent).toBeNull();
    expect(byKey.get('OPS-1')?.project).toMatchObject({ object: 'project', key: 'OPS' });
  });

  it('accepts at most three known names', async () => {
    expect((await api.get(`${AT}/tasks?expand=status,project,labels,parent`)).body.error.param).toBe('expand');
    expect((await api.get(`${AT}/tasks?expand=comments`)).body.error).toMatchObject({
      param: 'expand',
      allowed: expect.arrayContaining(['assignees']),
    });
  });
});

describe('list_tasks pages', () => {
  it('neither repeat nor skip tasks while others are created', async () => {
    const other = await app.workspace();
    const { client } = await other.key({ project_id: other.eng.id });
    for (let n = 0; n < 6; n++) await client.post(`${AT}/tasks`, { title: `Before ${n}` });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await client.get(`${AT}/tasks?limit=2${cursor}`);
      seen.push(...body.data.map(({ key }: { key: string }) => key));
      await client.post(`${AT}/tasks`, { title: 'Meanwhile' });
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
    } while (cursor);
    expect(seen).toEqual(['ENG-6', 'ENG-5', 'ENG-4', 'ENG-3', 'ENG-2', 'ENG-1']);
  });

  it('reject a cursor of another filter or key', async () => {
    const { body } = await api.get(`${AT}/tasks?limit=1`);
    expect((await api.get(`${AT}/tasks?limit=1&priority=high&cursor=${body.next_cursor}`)).body.error.code).toBe('invalid_cursor');
    expect((await pinned.get(`${AT}/tasks?limit=1&cursor=${body.next_cursor}`)).body.error.code).toBe('invalid_cursor');
  });
});
