import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const FIELDS = '/api/v1/org/custom-fields';
const ENDPOINTS = '/api/v1/org/developer/webhook-endpoints';
const TASKS = '/api/v1/ext/tasks/tasks';

const app = await sharedApp();
let space: Workspace;
let owner: Client;
let api: Client;

beforeAll(async () => {
  space = await app.workspace();
  owner = await space.signIn();
  api = (await space.key()).client;
});

async function define(body: object, by = owner) {
  const response = await by.post(FIELDS, { resource: 'task', label: 'Label', type: 'text', ...body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}

const errorOf = async (call: Promise<{ body: { error: unknown } }>) => (await call).body.error;

/** What this test has made, in a workspace of its own. */
async function own() {
  const other = await app.workspace();
  return { space: other, owner: await other.signIn(), api: (await other.key()).client };
}

describe('definitions', () => {
  it('are made by members with the permission, and looked up with a key', async () => {
    const { space: other, owner: boss, api: key } = await own();
    const member = await other.signIn((await other.member('member')).email);
    expect(await errorOf(member.post(FIELDS, { resource: 'task', key: 'a', label: 'A', type: 'text' }))).toMatchObject({
      code: 'permission_denied',
    });
    const region = await define({ key: 'region', type: 'choice', options: ['emea', 'apac'], project_id: other.eng.id }, boss);
    expect(region).toMatchObject({ object: 'custom_field', key: 'region', options: ['emea', 'apac'], index: 'none', position: 1 });
    const size = await define({ key: 'size', type: 'integer', default_value: 3, group: 'Sales' }, boss);
    expect(size).toMatchObject({ default_value: 3, group: 'Sales', position: 2, project_id: null });
    // a form sends text
    expect((await boss.patch(`${FIELDS}/${size.id}`, { default_value: '4' })).body).toMatchObject({ default_value: 4, version: 2 });
    await boss.post(`${FIELDS}/order`, { ids: [size.id, region.id] });
    const named = async (query = '') =>
      (await key.get(`/api/v1/ext/tasks/custom-fields${query}`)).body.data.map((field: { key: string }) => field.key);
    expect(await named()).toEqual(['size', 'region']);
    expect(await named(`?project_id=${other.ops.id}`)).toEqual(['size']);
    expect((await boss.patch(`${FIELDS}/${region.id}`, { label: 'Market', key: 'market' })).body).toMatchObject({
      label: 'Market',
      key: 'region',
      version: 3,
    });
    // as a module leaves it that the suite runs without
    await app.sql.query(`UPDATE custom_fields SET resource = 'trip' WHERE id = $1`, [size.id]);
    for (const query of ['', '?resource=task,trip'])
      expect((await boss.get(`${FIELDS}${query}`)).body.data.map(({ key }: { key: string }) => key)).toEqual(['region']);
    expect((await boss.get(`${FIELDS}/resources`)).body.resources).toContainEqual(
      expect.objectContaining({ resource: 'task', module: 'tasks', types: expect.arrayContaining(['text', 'money']) }),
    );
  });

  it.each([
    [{ resource: 'tasks' }, 'resource', 'did you mean task?'],
    [{ type: 'string' }, 'type', 'must be one of text'],
    [{ key: 'Region' }, 'key', 'lower-case letter'],
    [{ type: 'choice' }, 'options', 'must list the values'],
    [{ options: ['a'] }, 'options', 'only for choice'],
    [{ type: 'choice', options: ['a,b'], filterable: true }, 'options.0', 'comma'],
    [{ type: 'money' }, 'currency', 'is required for money'],
    [{ type: 'money', currency: 'EURO' }, 'currency', 'at most 3'],
    [{ currency: 'EUR' }, 'currency', 'only for money'],
    [{ type: 'integer', default_value: 'x' }, 'default_value', 'whole number'],
    [{ type: 'member', default_value: 'x' }, 'default_value', 'cannot be given'],
    [{ type: 'long_text', filterable: true }, 'filterable', 'must be false for long_text'],
    [{ type: 'boolean', unique: true }, 'unique', 'must be false for boolean'],
  ])('%j is refused for its %s', async (body, param, message) => {
    const error = await errorOf(owner.post(FIELDS, { resource: 'task', key: 'bad', label: 'Bad', type: 'text', ...body }));
    expect(error).toMatchObject({ param, message: expect.stringContaining(message) });
  });

  it('a key is taken once in a project, also by a field of all projects and by a deleted one', async () => {
    const { space: other, owner: boss } = await own();
    const field = await define({ key: 'code', project_id: other.eng.id }, boss);
    await define({ key: 'code', project_id: other.ops.id }, boss);
    expect(await errorOf(boss.post(FIELDS, { resource: 'task', key: 'code', label: 'C', type: 'text' }))).toMatchObject({
      code: 'duplicate',
      param: 'key',
    });
    expect((await boss.delete(`${FIELDS}/${field.id}`)).status).toBe(204);
    const again = { resource: 'task', key: 'code', label: 'C', type: 'date', project_id: other.eng.id };
    expect(await errorOf(boss.post(FIELDS, again))).toMatchObject({ message: expect.stringContaining('restore it') });
  });

  it('deleting asks first, hides the values, and can be undone for 30 days', async () => {
    const { space: other, owner: boss, api: key } = await own();
    const field = await define({ key: 'note', filterable: true }, boss);
    await define({ key: 'other' }, boss);
    const { body: task } = await key.post(TASKS, { title: 'One', custom_fields: { note: 'kept', other: 'x' } });
    const { client: test } = await other.key({ mode: 'test' });
    await test.post(TASKS, { title: 'Two', custom_fields: { note: 'too' } });
    expect(await errorOf(boss.delete(`${FIELDS}/${field.id}`))).toMatchObject({
      code: 'custom_field_has_values',
      records: 2,
      message: expect.stringContaining('2 records have a value of note'),
    });
    expect((await boss.delete(`${FIELDS}/${field.id}?confirm=true`)).status).toBe(204);
    expect((await key.get(`${TASKS}/${task.id}`)).body.custom_fields).toEqual({ other: 'x' });
    expect((await key.get(TASKS)).body.data[0].custom_fields).toEqual({ other: 'x' });
    expect(await errorOf(key.patch(`${TASKS}/${task.id}`, { custom_fields: { note: 'y' } }))).toMatchObject({
      param: 'custom_fields.note',
    });
    // a change of another field keeps what is hidden, and no change is none
    const changed = await key.patch(`${TASKS}/${task.id}`, { custom_fields: { other: 'y' } });
    expect(changed.body).toMatchObject({ version: 2, custom_fields: { other: 'y' } });
    expect((await key.patch(`${TASKS}/${task.id}`, { custom_fields: { other: 'y' } })).body.version).toBe(2);
    expect((await boss.get(`${FIELDS}?deleted=true`)).body.data).toEqual([expect.objectContaining({ id: field.id })]);
    expect((await boss.post(`${FIELDS}/${field.id}/restore`)).body).toMatchObject({ deleted_at: null });
    expect((await key.get(`${TASKS}/${task.id}`)).body.custom_fields).toEqual({ note: 'kept', other: 'y' });

    await boss.delete(`${FIELDS}/${field.id}?confirm=true`);
    const stored = async () =>
      (await app.sql.query(`SELECT custom_fields FROM tasks WHERE id = $1`, [task.id])).rows[0].custom_fields as object;
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    await app.runScheduledJob('custom_fields.purge', days(29));
    expect(await stored()).toEqual({ note: 'kept', other: 'y' });
    await app.runScheduledJob('custom_fields.purge', days(31));
    expect(await stored()).toEqual({ other: 'y' });
    expect((await boss.get(`${FIELDS}/${field.id}`)).status).toBe(404);
  });
});

describe('values', () => {
  it.each([
    ['text', {}, 'x', ''],
    ['long_text', {}, 'a\nb', 5],
    ['integer', {}, -12, 1.5],
    ['decimal', {}, '12.5', 12.5],
    ['money', { currency: 'EUR' }, 12_000, '120.00'],
    ['boolean', {}, false, 'yes'],
    ['date', {}, '2026-02-28', '2026-02-30'],
    ['time', {}, '23:59', '24:00'],
    ['choice', { options: ['a', 'b'] }, 'b', 'c'],
    ['choices', { options: ['a', 'b'] }, ['b', 'a'], ['a', 'a']],
    ['url', {}, 'https://example.com/a?b=c', 'javascript:alert(1)'],
  ])('%s', async (type, over, good, bad) => {
    const key = `t_${type}`;
    await define({ key, type, ...over });
    const { body } = await api.post(TASKS, { title: 'T', custom_fields: { [key]: good } });
    expect(body.custom_fields).toEqual({ [key]: good });
    expect(await errorOf(api.post(TASKS, { title: 'T', custom_fields: { [key]: bad } }))).toMatchObject({
      code: 'validation_failed',
      param: `custom_fields.${key}`,
    });
  });

  it('an unknown field is refused by name, with the one that was meant', async () => {
    const { owner: boss, api: key } = await own();
    await define({ key: 'region' }, boss);
    expect(await errorOf(key.post(TASKS, { title: 'T', custom_fields: { regio: 'emea' } }))).toMatchObject({
      param: 'custom_fields.regio',
      message: expect.stringMatching(/^custom_fields.regio is not a custom field; did you mean region\? The project \w+ was assumed/),
    });
    for (const name of ['constructor', '__proto__'])
      expect(
        (await key.send('post', TASKS, `{"title":"T","custom_fields":{"${name}":1}}`, { 'content-type': 'application/json' })).status,
      ).toBe(400);
  });

  it('required and default ones apply to new tasks; a patch merges, null clears; events carry them', async () => {
    const { owner: boss, api: key } = await own();
    await define({ key: 'region', required: true }, boss);
    await define({ key: 'tier', type: 'integer', default_value: 2 }, boss);
    expect(await errorOf(key.post(TASKS, { title: 'T' }))).toMatchObject({ code: 'missing_fields', param: 'custom_fields.region' });
    const { body: task } = await key.post(TASKS, { title: 'T', custom_fields: { region: 'emea' } });
    expect(task.custom_fields).toEqual({ region: 'emea', tier: 2 });
    const path = `${TASKS}/${task.id}`;
    expect((await key.patch(path, { title: 'U' })).body).toMatchObject({ version: 2, custom_fields: { region: 'emea', tier: 2 } });
    expect((await key.patch(path, { custom_fields: { tier: null } })).body.custom_fields).toEqual({ region: 'emea' });
    expect(await errorOf(key.patch(path, { custom_fields: { region: null } }))).toMatchObject({ param: 'custom_fields.region' });
    expect((await key.patch(path, { custom_fields: { tier: 5 } }, { 'if-match': '"2"' })).status).toBe(412);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,object,custom_fields}' AS fields, body::jsonb #> '{data,previous_attributes}' AS previous
       FROM outbox_events WHERE body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
      [task.id],
    );
    expect(rows.at(-1)).toEqual({ fields: { region: 'emea' }, previous: { custom_fields: { region: 'emea', tier: 2 } } });
  });

  it('a removed option stays where it is: it can be sent back, but not be chosen', async () => {
    const { owner: boss, api: key } = await own();
    const { id } = await define({ key: 'tier', type: 'choice', options: ['gold', 'tin'] }, boss);
    const { body: task } = await key.post(TASKS, { title: 'T', custom_fields: { tier: 'tin' } });
    expect((await boss.patch(`${FIELDS}/${id}`, { options: ['gold'] })).status).toBe(200);
    const again = await key.patch(`${TASKS}/${task.id}`, { title: 'U', custom_fields: task.custom_fields });
    expect(again.body).toMatchObject({ title: 'U', custom_fields: { tier: 'tin' } });
    expect(await errorOf(key.post(TASKS, { title: 'T', custom_fields: { tier: 'tin' } }))).toMatchObject({ param: 'custom_fields.tier' });
  });

  it('a member must be active, and one of another organization is as unknown as none', async () => {
    const { space: other, owner: boss, api: key } = await own();
    await define({ key: 'buddy', type: 'member' }, boss);
    const set = (id: string) => key.post(TASKS, { title: 'T', custom_fields: { buddy: id } });
    expect((await set(other.owner.id)).status).toBe(201);
    const [foreign, none] = [await errorOf(set(space.owner.id)), await errorOf(set('0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a99'))];
    expect(foreign).toMatchObject({ param: 'custom_fields.buddy', message: 'custom_fields.buddy must be an active member' });
    expect(none).toMatchObject({ message: 'custom_fields.buddy must be an active member' });
  });

  it('fields of another organization or project do not exist', async () => {
    const { space: other, owner: boss, api: key } = await own();
    await define({ key: 'only_eng', project_id: other.eng.id }, boss);
    const create = (project: string, by: Client) => by.post(TASKS, { project_id: project, title: 'T', custom_fields: { only_eng: 'x' } });
    expect((await create(other.eng.id, key)).status).toBe(201);
    expect(await errorOf(create(other.ops.id, key))).toMatchObject({ param: 'custom_fields.only_eng' });
    expect(await errorOf(create(space.eng.id, api))).toMatchObject({ param: 'custom_fields.only_eng' });
  });

  it('of twenty tasks at once, one gets a unique value', async () => {
    const { space: other, owner: boss, api: key } = await own();
    await define({ key: 'serial', unique: true }, boss);
    const made = await Promise.all(Array.from({ length: 20 }, () => key.post(TASKS, { title: 'T', custom_fields: { serial: 'A-1' } })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const { id } = made.find(({ status }) => status === 201)!.body;
    const duplicate = { code: 'duplicate', param: 'custom_fields.serial' };
    expect(await errorOf(key.post(TASKS, { title: 'T', custom_fields: { serial: 'A-1' } }))).toMatchObject({
      ...duplicate,
      existing_id: id,
    });
    // what a pinned key may not see is not named
    const { client: pinned } = await other.key({ project_id: other.ops.id });
    const hidden = (await errorOf(pinned.post(TASKS, { title: 'T', custom_fields: { serial: 'A-1' } }))) as object;
    expect(hidden).toMatchObject(duplicate);
    expect(JSON.stringify(hidden)).not.toContain(id);
    expect((await key.patch(`${TASKS}/${id}`, { custom_fields: { serial: 'A-1' } })).status).toBe(200);
    const { client: test } = await other.key({ mode: 'test' });
    expect((await test.post(TASKS, { title: 'T', custom_fields: { serial: 'A-1' } })).status).toBe(201);
  });
});

describe('lists', () => {
  let by: Client;
  let boss: Client;

  beforeAll(async () => {
    const place = await own();
    [by, boss] = [place.api, place.owner];
    const filterable = { filterable: true };
    await define({ key: 'region', type: 'choice', options: ['emea', 'apac', 'us'], ...filterable }, boss);
    await define({ key: 'amount', type: 'decimal', ...filterable }, boss);
    await define({ key: 'due', type: 'date', ...filterable }, boss);
    await define({ key: 'tags', type: 'choices', options: ['a', 'b', 'c'], ...filterable }, boss);
    await define({ key: 'free' }, boss);
    const rows: [string, object][] = [
      ['1', { region: 'emea', amount: '9.5', due: '2026-12-01', tags: ['a'] }],
      ['2', { region: 'apac', amount: '10', due: '2026-12-02', tags: ['a', 'b'] }],
      ['3', { region: 'emea', amount: '100', tags: ['c'] }],
      ['4', {}],
    ];
    for (const [title, custom_fields] of rows) await by.post(TASKS, { title, custom_fields });
  });

  const titles = async (query: string) => {
    const { body, text } = await by.get(`${TASKS}?sort=created_at&${query}`);
    return body.data ? body.data.map(({ title }: { title: string }) => title).join('') : text;
  };

  it.each([
    ['custom_fields.region=emea', '13'],
    ['custom_fields[region]=emea,apac', '123'],
    ['custom_fields.region=none', '4'],
    ['custom_fields.region=none,apac', '24'],
    ['custom_fields.amount=10.0', '2'],
    ['custom_fields.min_amount=10', '23'],
    ['custom_fields.max_amount=10', '12'],
    ['custom_fields.min_amount=9&custom_fields.max_amount=50&custom_fields.region=emea', '1'],
    ['custom_fields.due_after=2026-12-02', '2'],
    ['custom_fields.due_before=2026-12-02', '1'],
    ['custom_fields.due_before=2026-12-02T09:00:00Z', '1'],
    ['custom_fields.tags=a', '12'],
    ['custom_fields.tags=b,c', '23'],
    [`custom_fields=${encodeURIComponent('{"region":"emea","min_amount":50}')}`, '3'],
  ])('filter %s', async (query, expected) => expect(await titles(query)).toBe(expected));

  it.each([
    ['custom_fields.amount', '1234'],
    ['-custom_fields.amount', '3214'],
    ['custom_fields.region', '2134'],
    ['-custom_fields.due', '2143'],
  ])('sort by %s, one page after the other', async (sort, expected) => {
    let found = '';
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const { body } = await by.get(`${TASKS}?limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`);
      found += body.data.map(({ title }: { title: string }) => title).join('');
      cursor = body.next_cursor ?? '';
      if (!cursor) break;
    }
    // without a value, the order is that of the ids
    const isTie = sort === '-custom_fields.due';
    expect(isTie ? found.slice(0, 2) : found).toBe(isTie ? expected.slice(0, 2) : expected);
    expect([...found].sort().join('')).toBe('1234');
  });

  it.each([
    ['custom_fields.regin=emea', 'custom_fields.regin', 'did you mean region?'],
    ['custom_fields.free=x', 'custom_fields.free', 'is not filterable'],
    ['custom_fields.region=emea2', 'custom_fields.region', 'must be one of emea, apac, us'],
    ['custom_fields.min_amount=ten', 'custom_fields.min_amount', 'decimal'],
    ['custom_fields=emea', 'custom_fields', 'by key'],
    ['sort=custom_fields.free', 'sort', 'not a custom field that can be sorted by'],
    ['sort=bogus', 'sort', 'sort must be one of'],
  ])('%s is refused for %s', async (query, param, message) => {
    const { body } = await by.get(`${TASKS}?${query}`);
    expect(body.error).toMatchObject({ code: 'validation_failed', param, message: expect.stringContaining(message) });
  });

  it('a filterable field gets an index, without which filters work too', async () => {
    const state = async () => (await boss.get(`${FIELDS}?resource=task`)).body.data.map(({ index }: { index: string }) => index);
    await eventually(state, (states) => states.join() === 'ready,ready,ready,ready,none');
    const { rows } = await app.sql.query(`SELECT indexdef FROM pg_indexes WHERE indexname = 'tasks_custom_text_region_fidx'`);
    expect(rows[0].indexdef).toContain(`WHERE (custom_fields ? 'region'::text)`);
    expect(await titles('custom_fields.region=emea')).toBe('13');
  });
});

describe('webhooks', () => {
  it('are filtered by values of custom fields, which must exist', async () => {
    const { owner: boss, space: other } = await own();
    const { client: key } = await other.key({ mode: 'test' });
    await define({ key: 'region', type: 'choice', options: ['emea', 'apac'] }, boss);
    await define({ key: 'only_eng', project_id: other.eng.id }, boss);
    const create = (path: string, values: string[], project_id?: string) =>
      boss.post(ENDPOINTS, {
        url: 'https://127.0.0.1:9/hooks',
        mode: 'test',
        events: ['task.*'],
        filter: { [`data.object.custom_fields.${path}`]: values },
        project_id,
      });
    const { body: endpoint, status } = await create('region', ['emea', 'null']);
    expect(status).toBe(201);
    for (const custom_fields of [{ region: 'emea' }, { region: 'apac' }, {}]) await key.post(TASKS, { title: 'T', custom_fields });
    // written together with their events
    const { rows } = await app.sql.query<{ region: string | null }>(
      `SELECT e.body::jsonb #>> '{data,object,custom_fields,region}' AS region
       FROM webhook_deliveries d JOIN outbox_events e ON e.id = d.event_id WHERE d.endpoint_id = $1 ORDER BY e.sequence`,
      [endpoint.id],
    );
    expect(rows.map(({ region }) => region)).toEqual(['emea', null]);
    const path = 'data.object.custom_fields';
    expect(await errorOf(create('regoin', ['emea']))).toMatchObject({
      param: `filter.${path}.regoin`,
      message: expect.stringContaining(`did you mean ${path}.region?`),
      allowed: expect.arrayContaining([`${path}.only_eng`]),
    });
    expect(await errorOf(create('region', ['us']))).toMatchObject({ param: `filter.${path}.region`, allowed: ['emea', 'apac'] });
    expect(await errorOf(create('only_eng', ['x'], other.ops.id))).toMatchObject({ param: `filter.${path}.only_eng` });
  });

  it('keep filters that fit their events and project; one that no longer does can be sent back', async () => {
    const { owner: boss, space: other } = await own();
    const field = await define({ key: 'only_eng', project_id: other.eng.id }, boss);
    const filter = { 'data.object.custom_fields.only_eng': ['x'] };
    const url = 'https://127.0.0.1:9/hooks';
    const { body: endpoint } = await boss.post(ENDPOINTS, { url, mode: 'test', events: ['task.*'], filter, project_id: other.eng.id });
    const patch = (change: object) => boss.patch(`${ENDPOINTS}/${endpoint.id}`, change);
    expect(await errorOf(patch({ project_id: other.ops.id }))).toMatchObject({
      param: 'project_id',
      message: expect.stringContaining("the endpoint's filter, whose data.object.custom_fields.only_eng is no field"),
    });
    expect(await errorOf(patch({ project_id: endpoint.id, filter }))).toMatchObject({
      message: 'project_id must be a project of this organization',
    });
    await boss.delete(`${FIELDS}/${field.id}`);
    expect(await errorOf(patch({ events: ['task.created'] }))).toMatchObject({ param: 'events' });
    const same = { events: ['task.*'], filter, project_id: other.eng.id };
    expect(await patch({ ...same, description: 'Changed' })).toMatchObject({ status: 200, body: { filter, description: 'Changed' } });
    expect(await patch({ events: ['task.created'], filter: {} })).toMatchObject({ status: 200, body: { filter: null } });
  });
});

describe('tools', () => {
  it('have the fields of their key, with types, and none without definitions', async () => {
    const { space: other, owner: boss, api: key } = await own();
    const { client: pinned } = await other.key({ project_id: other.ops.id });
    const inputs = async (by: Client) => {
      const { body } = await by.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      return new Map<string, { properties: Record<string, { properties: object }> }>(
        body.result.tools.map((tool: { name: string; inputSchema: object }) => [tool.name, tool.inputSchema]),
      );
    };
    expect((await inputs(key)).get('create_task')!.properties).not.toHaveProperty('custom_fields');
    await define({ key: 'region', label: 'Region', type: 'choice', options: ['emea', 'apac'], filterable: true, required: true }, boss);
    await define({ key: 'hours', label: 'Hours', type: 'integer', project_id: other.eng.id, filterable: true }, boss);
    const [all, ops] = [await inputs(key), await inputs(pinned)];
    expect(all.get('update_task')!.properties.custom_fields.properties).toMatchObject({
      region: { type: 'string', enum: ['emea', 'apac'], description: 'Region. Required in new ones.' },
      hours: { type: 'integer', description: `Hours. Only in project ${other.eng.key}.` },
    });
    expect(Object.keys(ops.get('create_task')!.properties.custom_fields.properties)).toEqual(['region']);
    expect(Object.keys(all.get('list_tasks')!.properties.custom_fields.properties)).toEqual(['min_hours', 'max_hours', 'region', 'hours']);
    const call = async (name: string, args: object) => {
      const params = { name, arguments: args };
      return (await key.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/call', params })).body.result;
    };
    const made = await call('create_task', { title: 'T', custom_fields: { region: 'emea', hours: 3 } });
    expect(made.structuredContent.custom_fields).toEqual({ region: 'emea', hours: 3 });
    const listed = await call('list_tasks', { custom_fields: { region: 'emea', min_hours: 3 } });
    expect(listed.structuredContent.data).toHaveLength(1);
    const refused = await call('create_task', { title: 'T', custom_fields: { regio: 'emea' } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { param: 'custom_fields.regio' } } });
  });
});
