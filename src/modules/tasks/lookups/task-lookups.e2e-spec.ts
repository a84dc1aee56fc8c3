import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const AT = '/api/v1/ext/tasks';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ project_id: space.eng.id })).client;
});

describe('look-ups', () => {
  it('return the statuses of a new project in board order, with one default', async () => {
    const { body } = await api.get(`${AT}/statuses`);
    expect(body.data.map(({ name, group }: Record<string, string>) => `${name}: ${group}`)).toEqual([
      'Backlog: backlog',
      'Todo: unstarted',
      'In progress: started',
      'In review: started',
      'Done: completed',
      'Cancelled: cancelled',
    ]);
    expect(body.data.filter(({ is_default }: { is_default: boolean }) => is_default)).toHaveLength(1);
  });

  it('cover all projects without project_id', async () => {
    const { client } = await space.key();
    expect((await client.get(`${AT}/statuses?include_total=true`)).body.total_count).toBe(12);
    const ops = await client.get(`${AT}/statuses?project_id=${space.ops.id}`);
    expect(new Set(ops.body.data.map(({ project_id }: { project_id: string }) => project_id))).toEqual(new Set([space.ops.id]));
    expect((await api.get(`${AT}/statuses?project_id=${space.ops.id}`)).body.error.code).toBe('project_scope_mismatch');
  });

  it('return the labels of the organization, its active members and five priorities', async () => {
    const { client } = await space.key();
    const labels = (await client.get(`${AT}/labels`)).body.data;
    expect(labels).toHaveLength(5);
    expect(labels[0]).toMatchObject({ object: 'task_label', project_id: null });
    expect((await client.get(`${AT}/labels?project_id=${space.ops.id}`)).body.data).toHaveLength(5);
    const inactive = await space.member('member');
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [inactive.id]);
    expect((await client.get(`${AT}/members`)).body.data.map(({ id }: { id: string }) => id)).toEqual([space.owner.id]);
    expect((await client.get(`${AT}/priorities`)).body.data.map(({ id }: { id: string }) => id)).toEqual([
      'none',
      'low',
      'medium',
      'high',
      'urgent',
    ]);
  });

  it('are returned at once as the context, in brief and up to 50 items each', async () => {
    await app.sql.query(
      `INSERT INTO task_labels (id, organization_id, name, color)
       SELECT gen_random_uuid(), $1, 'Label ' || n, '#d73a4a' FROM generate_series(1, 60) AS n`,
      [space.organizationId],
    );
    const { status, body } = await api.get(`${AT}/context`);
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['object', 'projects', 'statuses', 'priorities', 'labels', 'members', 'custom_fields', 'omitted'],
    ]);
    expect([body.object, body.omitted, body.labels.data.length, body.labels.has_more]).toEqual(['tasks_context', [], 50, true]);
    expect(body.projects.data.map(({ key }: { key: string }) => key)).toEqual(['ENG']);
    const [status1] = (await api.get(`${AT}/statuses`)).body.data;
    const { id, project_id, name, group, position, is_default } = status1;
    expect(body.statuses).toMatchObject({ has_more: false, data: { length: 6 } });
    expect(body.statuses.data[0]).toEqual({ id, project_id, name, group, position, is_default });
    expect(body.priorities.data).toHaveLength(5);
    expect(body.members.data).toMatchObject([{ id: space.owner.id, name: 'Olga Owner' }]);

    const { client } = await space.key();
    expect((await client.get(`${AT}/context`)).body.statuses.data).toHaveLength(12);
    expect((await client.get(`${AT}/context?project_id=${space.ops.id}`)).body.statuses.data).toHaveLength(6);
    expect((await api.get(`${AT}/context?project_id=${space.ops.id}`)).body.error.code).toBe('project_scope_mismatch');
  });

  it('that the key may not read are left out of the context and named', async () => {
    const { client } = await space.key({ scopes: ['tasks:config:read'] });
    const { body } = await client.get(`${AT}/context`);
    expect(body).not.toHaveProperty('projects');
    expect(body.statuses.data).toHaveLength(12);
    expect(body.omitted).toEqual([{ section: 'projects', required_scope: 'tasks:project:read' }]);
    const without = (await space.key({ scopes: ['tasks:project:read'] })).client;
    expect((await without.get(`${AT}/context`)).body.error).toMatchObject({ code: 'insufficient_scope' });
  });

  it('are the answer of one tool, with the keys of projects', async () => {
    const { body } = await api.post('/api/v1/ext/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_tasks_context', arguments: {} },
    });
    const { content, structuredContent } = body.result;
    expect(structuredContent.statuses.data).toHaveLength(6);
    expect(structuredContent.statuses.data[0]).toMatchObject({ name: 'Backlog', project_key: structuredContent.projects.data[0].key });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  });

  it('let tools take the key of a project for its id, but no key of a project that the caller does not see', async () => {
    const names = async (caller: typeof api, project_id: unknown) => {
      const params = { name: 'list_task_statuses', arguments: { project_id } };
      const { body } = await caller.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const { data, error } = body.result.structuredContent;
      return error ?? [...new Set(data.map(({ project_key }: { project_key: string }) => project_key))];
    };
    const { client } = await space.key();
    const { key } = space.ops;
    expect(await names(client, key)).toEqual([key]);
    expect(await names(client, space.ops.id)).toEqual([key]);
    const refused = {
      code: 'validation_failed',
      param: 'project_id',
      message: expect.stringMatching(/is the key of no project that you can use.* list_projects/),
    };
    // a key that exists reads like one that does not
    expect(await names(client, 'NONESUCH')).toMatchObject(refused);
    expect(await names(api, key)).toMatchObject(refused);
  });

  it.each([
    ['statuses', 'name', ['Backlog', 'Cancelled', 'Done', 'In progress', 'In review', 'Todo'], '-position'],
    ['labels', 'name', undefined, '-name'],
    ['members', 'name', undefined, '-name'],
    ['priorities', 'rank', ['none', 'low', 'medium', 'high', 'urgent'], '-rank'],
  ])('support sorting, paging and time filters for %s', async (path, sort, expected, reverse) => {
    for (const name of ['Berta', 'Anton'])
      await app.sql.query('UPDATE members SET name = $2 WHERE id = $1', [(await space.member('member')).id, name]);
    const read = async (parameters: string) => {
      const { status, body } = await api.get(`${AT}/${path}?${parameters}`);
      return { status, ...body, names: body.data?.map(({ name, id }: { name?: string; id: string }) => name ?? id) };
    };
    const whole = await read(`sort=${sort}&include_total=true`);
    expect(whole).toMatchObject({ status: 200, has_more: false, next_cursor: null, total_count: whole.names.length });
    expect(whole.names).toEqual(expected ?? whole.names.toSorted());
    expect(whole.names.length).toBeGreaterThan(2);

    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = await read(`sort=${reverse}&limit=2${cursor}`);
      expect(page.names.length).toBe(Math.min(2, whole.names.length - paged.length));
      paged.push(...page.names);
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
      expect((await read(`sort=${sort}${cursor}`)).error).toMatchObject({ code: 'invalid_cursor', param: 'cursor' });
    }
    expect(paged).toEqual((await read('')).names.reverse());

    const kept = path === 'priorities' ? whole.names.length : 0;
    for (const filter of [
      'updated_after=2999-01-01T00:00:00Z',
      'created_after=2999-01-01T00:00:00Z',
      'created_before=2000-01-01T00:00:00Z',
    ]) {
      expect((await read(filter)).names).toHaveLength(kept);
    }
    expect((await read('updated_after=2000-01-01T00:00:00Z')).names).toHaveLength(whole.names.length);
    expect((await read('limit=101')).error).toMatchObject({ code: 'validation_failed', param: 'limit' });
  });

  it('return up to 100 items on the first page', async () => {
    await app.sql.query(
      `INSERT INTO task_labels (id, organization_id, name, color)
       SELECT gen_random_uuid(), $1, 'Label ' || n, '#d73a4a' FROM generate_series(1, 100) AS n`,
      [space.organizationId],
    );
    const { body } = await api.get(`${AT}/labels`);
    expect([body.data.length, body.has_more]).toEqual([100, true]);
    expect((await api.get(`${AT}/labels?cursor=${body.next_cursor}`)).body.data).toHaveLength(5);
  });

  it('show a key bound to a project only that project', async () => {
    const { client } = await space.key();
    expect((await client.get(`${AT}/projects`)).body.data.map(({ key }: { key: string }) => key)).toEqual(['ENG', 'OPS']);
    expect((await client.get(`${AT}/projects?key=OPS`)).body.data).toHaveLength(1);
    expect((await api.get(`${AT}/projects`)).body.data.map(({ key }: { key: string }) => key)).toEqual(['ENG']);
    expect((await api.get(`${AT}/projects/${space.eng.id}`)).body).toMatchObject({ object: 'project', key: 'ENG' });
    expect((await api.get(`${AT}/projects/${space.ops.id}`)).status).toBe(404);
  });

  it('let tools take the key of a project in a body, too, where it is nested as well', async () => {
    const { client } = await space.key();
    const call = async (name: string, args: object) => {
      const params = { name, arguments: args };
      const { body } = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return body.result.structuredContent;
    };
    const project_id = space.ops.key.toLowerCase();
    expect(await call('create_task', { project_id, title: 'One' })).toMatchObject({ project_id: space.ops.id, title: 'One' });
    const batch = await call('batch_tasks', { items: [{ action: 'create', data: { project_id, title: 'Two' } }] });
    expect(batch.results[0]).toMatchObject({ status: 201, task: { project_id: space.ops.id } });
    const unknown = await call('create_task', { project_id: 'NOPE', title: 'Three' });
    expect(unknown.error).toMatchObject({ param: 'project_id', message: expect.stringContaining('is the key of no project') });
  });
});
