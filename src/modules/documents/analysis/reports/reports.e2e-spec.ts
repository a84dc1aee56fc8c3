import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import type { Client } from '../../../../../test/harness/client.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import { makeType } from '../../testing/document-types.js';

const ORG = '/api/v1/org/papers/reports';
const REPORTS = '/api/v1/ext/papers/reports';
const DOCUMENTS = '/api/v1/ext/papers/documents';
const field_schema = {
  type: 'object',
  properties: {
    amount: { type: 'integer', 'x-format': 'money', 'x-label': 'Amount' },
    customer: { type: 'string' },
    starts_on: { type: 'string', format: 'date' },
    urgent: { type: 'boolean' },
    items: { type: 'array', items: { type: 'object', properties: {} } },
  },
} as const;

const app = await sharedApp();
let space: Workspace;
let screen: Client;
let live: Client;
let pinned: Client;
let testKey: Client;
let order: string;
let other: string;

const VALUES = [
  {
    title: 'Alpha',
    data_values: { amount: 100, customer: 'Acme', starts_on: '2026-01-15', urgent: true },
    custom_fields: { region: 'emea', rate: '10.5' },
  },
  { title: '=Beta()', data_values: { amount: 250, customer: 'Acme', starts_on: '2026-02-15' } },
  { title: 'Gamma', data_values: { amount: -50, customer: 'Bolt', starts_on: '2026-02-28' } },
  { title: 'Delta', data_values: { customer: 'Bolt' } },
];

beforeAll(async () => {
  space = await app.workspace();
  screen = await space.signIn();
  live = (await space.key({ module: 'documents' })).client;
  pinned = (await space.key({ module: 'documents', project_id: space.eng.id })).client;
  testKey = (await space.key({ module: 'documents', mode: 'test' })).client;
  order = (await makeType(app, space.ctx(), { code: 'order', field_schema, requires_approval: true })).code;
  // same field name, different value type
  other = (
    await makeType(app, space.ctx(), { code: 'other', field_schema: { type: 'object', properties: { amount: { type: 'string' } } } })
  ).code;
  for (const field of [
    { key: 'region', label: 'Region', type: 'text' },
    { key: 'rate', label: 'Rate', type: 'decimal' },
  ])
    await screen.post('/api/v1/org/custom-fields', { resource: 'document', ...field });
  for (const values of VALUES) await create(live, { type_code: order, project_id: space.eng.id, ...values });
  await create(live, { type_code: order, project_id: space.ops.id, title: 'Of operations', data_values: { amount: 7 } });
  await create(live, { type_code: other, project_id: space.eng.id, title: 'Other', data_values: { amount: 'much' } });
  await create(testKey, { type_code: order, project_id: space.eng.id, title: 'For a test', data_values: { amount: 1_000_000 } });
});

async function create(client: Client, body: object): Promise<{ id: string }> {
  const { status, text, body: document } = await client.post(DOCUMENTS, body);
  if (status !== 201) throw new Error(text);
  return document;
}

async function report(given: object): Promise<string> {
  const { status, text, body } = await screen.post(ORG, { name: 'Report', dataset: 'documents', shared: true, ...given });
  if (status !== 201) throw new Error(text);
  return body.id;
}

const run = async (id: string, client = live, query = '') => (await client.get(`${REPORTS}/${id}/data${query}`)).body;
const rowsOf = async (given: object, client = live) => (await run(await report(given), client)).data;
const titles = async (given: object, client = live) =>
  (await rowsOf({ columns: ['title'], sort: 'title', ...given }, client)).map(({ title }: { title: string }) => title);

describe('visibility of reports and rows', () => {
  it('a key sees only shared reports of its project; others do not exist for it', async () => {
    const shared = await report({ columns: ['title'], name: 'Shared' });
    const personal = await report({ columns: ['title'], name: 'Personal', shared: false });
    const foreign = await report({ columns: ['title'], name: 'Foreign', project_id: space.ops.id });
    const listed = async (client: Client) =>
      (await client.get(`${REPORTS}?limit=100`)).body.data
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => [shared, personal, foreign].includes(id));
    expect([await listed(pinned), await listed(live)]).toEqual([[shared], [shared, foreign]]);
    for (const id of [personal, foreign])
      for (const path of ['', '/data']) expect((await pinned.get(`${REPORTS}/${id}${path}`)).body.error.code).toBe('not_found');
    expect((await screen.get(`${ORG}/${personal}/data`)).status).toBe(200);
  });

  it('rows are limited to the mode, the key’s project and the report’s project', async () => {
    const filters = { type_code: 'order' };
    const all = ['=Beta()', 'Alpha', 'Delta', 'Gamma', 'Of operations'];
    expect((await titles({ filters })).sort()).toEqual(all);
    expect((await titles({ filters }, pinned)).sort()).toEqual(all.filter((title) => title !== 'Of operations'));
    expect(await titles({ filters, project_id: space.ops.id })).toEqual(['Of operations']);
    expect(await titles({ filters }, testKey)).toEqual(['For a test']);
    const otherWorkspace = await app.workspace();
    const id = await report({ columns: ['title'] });
    expect((await (await otherWorkspace.key({ module: 'documents' })).client.get(`${REPORTS}/${id}/data`)).status).toBe(404);
    expect(await rowsOf({ aggregates: [{ fn: 'count' }], filters }, pinned)).toEqual([{ count: 4 }]);
  });
});

describe('rows', () => {
  it('have the requested columns with label and type, and the time they were read', async () => {
    const body = await run(
      await report({
        columns: ['title', 'data_values.amount', 'data_values.urgent', 'data_values.starts_on', 'created_at', 'created_at.year'],
        filters: { type_code: 'order', title: 'Alpha' },
      }),
    );
    expect(body).toMatchObject({
      object: 'report_data',
      has_more: false,
      next_cursor: null,
      generated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(body.columns.map(({ key, label, type }: Record<string, string>) => [key, label, type])).toEqual([
      ['title', 'Title', 'string'],
      ['data_values.amount', 'Amount', 'number'],
      ['data_values.urgent', 'urgent', 'boolean'],
      ['data_values.starts_on', 'starts_on', 'date'],
      ['created_at', 'Created at', 'date_time'],
      ['created_at.year', 'Created at, year', 'string'],
    ]);
    expect(body.data).toEqual([
      {
        title: 'Alpha',
        'data_values.amount': 100,
        'data_values.urgent': true,
        'data_values.starts_on': '2026-01-15',
        created_at: expect.stringMatching(/\.\d{3}Z$/),
        'created_at.year': expect.stringMatching(/^\d{4}$/),
      },
    ]);
  });

  it('have custom fields, also as CSV; the values of a deleted one are hidden', async () => {
    const id = await report({
      columns: ['title', 'custom_fields.region', 'custom_fields.rate'],
      filters: { 'custom_fields.rate': { gt: 9 } },
    });
    expect((await run(id)).data).toEqual([{ title: 'Alpha', 'custom_fields.region': 'emea', 'custom_fields.rate': 10.5 }]);
    const { text } = await live.get(`${REPORTS}/${id}/data`, { accept: 'text/csv' });
    expect(text).toMatch(/title,custom_fields.region,custom_fields.rate\r?\nAlpha,emea,10.5/);
    const { data } = (await screen.get('/api/v1/org/custom-fields?resource=document')).body;
    const { id: region } = data.find(({ key }: { key: string }) => key === 'region');
    await screen.delete(`/api/v1/org/custom-fields/${region}?confirm=true`);
    expect((await run(id)).data).toEqual([{ title: 'Alpha', 'custom_fields.region': null, 'custom_fields.rate': 10.5 }]);
    await screen.post(`/api/v1/org/custom-fields/${region}/restore`);
  });

  it.each<[filters: Record<string, unknown>, expected: string[]]>([
    [{ 'data_values.amount': { gte: 100 } }, ['Alpha', '=Beta()']],
    [{ 'data_values.amount': [250, -50] }, ['=Beta()', 'Gamma']],
    [{ 'data_values.amount': null }, ['Delta']],
    [{ 'data_values.amount': [100, null] }, ['Alpha', 'Delta']],
    [{ 'data_values.amount': { exists: true, lt: 0 } }, ['Gamma']],
    [{ 'data_values.customer': { ne: 'Acme' } }, ['Gamma', 'Delta']],
    [{ 'data_values.starts_on': { gte: '2026-02-01', lte: '2026-02-28' } }, ['=Beta()', 'Gamma']],
    [{ 'data_values.urgent': true }, ['Alpha']],
    [{ title: { contains: 'ELT' } }, ['Delta']],
    [{ created_at: { last_days: 1 }, title: 'Alpha' }, ['Alpha']],
    [{ created_at: { next_days: 1 }, title: 'Alpha' }, []],
    [{ created_at: { lt: '2026-01-01T00:00:00+02:00' } }, []],
    [{ valid_until_on: { next_days: 30 } }, []],
    [{ state: ['draft'], approval_outcome: 'pending', title: { contains: `a' OR 'a'='a` } }, []],
  ])('are filtered by %j', async (filters, expected) => {
    expect((await titles({ filters: { type_code: 'order', project_id: space.eng.id, ...filters } })).sort()).toEqual([...expected].sort());
  });

  it.each(['title', '-title', 'data_values.amount', '-data_values.amount', 'valid_until_on', '-created_at', 'data_values.urgent'])(
    'are paged in the order of %s without duplicates, rows without a value last',
    async (sort) => {
      const id = await report({ columns: ['title', 'data_values.amount'], filters: { type_code: 'order' }, sort });
      const whole = (await run(id)).data;
      expect(whole).toHaveLength(5);
      if (sort.endsWith('amount')) {
        const amounts = whole.map((row: Record<string, unknown>) => row['data_values.amount']);
        expect(amounts).toEqual(sort.startsWith('-') ? [250, 100, 7, -50, null] : [-50, 7, 100, 250, null]);
      }
      const paged: unknown[] = [];
      let page = await run(id, live, '?limit=2');
      for (; page.has_more; page = await run(id, live, `?limit=2&cursor=${page.next_cursor}`)) paged.push(...page.data);
      expect([...paged, ...page.data]).toEqual(whole);
    },
  );

  it('reject a cursor of another report, of another key’s project, from before a change of the report, or tampered with', async () => {
    const id = await report({ columns: ['title'] });
    const { next_cursor } = await run(id, live, '?limit=1');
    const errorCode = async (client: Client, report_id: string, cursor: string) =>
      (await client.get(`${REPORTS}/${report_id}/data?cursor=${cursor}`)).body.error?.code;
    expect(await errorCode(live, await report({ columns: ['title'] }), next_cursor)).toBe('invalid_cursor');
    expect(await errorCode(pinned, id, next_cursor)).toBe('invalid_cursor');
    expect(await errorCode(live, id, `${next_cursor.slice(0, -4)}AAAA`)).toBe('invalid_cursor');
    expect(await errorCode(live, id, next_cursor)).toBeUndefined();
    expect((await screen.patch(`${ORG}/${id}`, { sort: 'title' })).status).toBe(200);
    expect(await errorCode(live, id, next_cursor)).toBe('invalid_cursor');
  });
});

describe('groups', () => {
  it('have their keys and aggregates, and are paged in any sort order', async () => {
    const id = await report({
      filters: { type_code: 'order', project_id: space.eng.id },
      group_by: ['data_values.customer', 'data_values.starts_on.month'],
      aggregates: [{ fn: 'count' }, { fn: 'sum', column: 'data_values.amount' }, { fn: 'max', column: 'title' }],
      sort: '-sum_data_values_amount',
    });
    const whole = await run(id);
    expect(whole.columns.map(({ key, type }: Record<string, string>) => `${key} ${type}`)).toEqual([
      'data_values.customer string',
      'data_values.starts_on.month string',
      'count number',
      'sum_data_values_amount number',
      'max_title string',
    ]);
    const rows = (data: Record<string, unknown>[]) => data.map((row) => Object.values(row));
    expect(rows(whole.data)).toEqual([
      ['Acme', '2026-02', 1, 250, '=Beta()'],
      ['Acme', '2026-01', 1, 100, 'Alpha'],
      ['Bolt', '2026-02', 1, -50, 'Gamma'],
      ['Bolt', null, 1, null, 'Delta'],
    ]);
    const first = await run(id, live, '?limit=3');
    const second = await run(id, live, `?limit=3&cursor=${first.next_cursor}`);
    expect([first.has_more, second.has_more, ...rows([...first.data, ...second.data])]).toEqual([true, false, ...rows(whole.data)]);
  });

  it('without group_by are a single row, even without matching rows', async () => {
    const aggregates = [{ fn: 'count' }, { fn: 'avg', column: 'data_values.amount' }, { fn: 'min', column: 'created_at' }];
    expect(await rowsOf({ aggregates, filters: { type_code: 'order', project_id: space.eng.id } })).toEqual([
      { count: 4, avg_data_values_amount: 100, min_created_at: expect.stringMatching(/Z$/) },
    ]);
    expect(await rowsOf({ aggregates, filters: { type_code: 'order', title: 'nothing' } })).toEqual([
      { count: 0, avg_data_values_amount: null, min_created_at: null },
    ]);
  });

  it('treat a field with differing types as a string, and a value of another type as null', async () => {
    expect(
      await rowsOf({ group_by: ['data_values.amount'], aggregates: [{ fn: 'count' }], filters: { title: ['Other', 'Alpha'] } }),
    ).toEqual([
      { 'data_values.amount': '100', count: 1 },
      { 'data_values.amount': 'much', count: 1 },
    ]);
    const id = await report({ aggregates: [{ fn: 'sum', column: 'data_values.amount' }], filters: { type_code: 'order' } });
    await app.sql.query(`UPDATE documents SET data_values = data_values || '{"amount":"seven"}' WHERE title = 'Of operations'`);
    expect((await run(id)).data).toEqual([{ sum_data_values_amount: 300 }]);
    await app.sql.query(`UPDATE documents SET data_values = data_values || '{"amount":7}' WHERE title = 'Of operations'`);
  });
});

describe('the other datasets', () => {
  it('approvals, obligations and signatures include their document and run with every column', async () => {
    const { id } = await create(live, { type_code: order, project_id: space.eng.id, title: 'To be approved', data_values: { amount: 1 } });
    expect((await live.post(`${DOCUMENTS}/${id}/submit`, {})).status).toBe(200);
    expect(await rowsOf({ dataset: 'approvals', columns: ['document_id', 'document_title', 'decision', 'routing'] })).toEqual([
      { document_id: id, document_title: 'To be approved', decision: 'pending', routing: 'unrouted' },
    ]);
    for (const dataset of ['documents', 'obligations', 'approvals', 'signatures']) {
      const { error } = (await screen.post(ORG, { name: 'x', dataset, columns: ['nothing'] })).body;
      expect([error.param, error.allowed.length > 10]).toEqual(['columns.0', true]);
      const every = await run(await report({ dataset, columns: error.allowed }));
      expect(every.columns).toHaveLength(error.allowed.length);
      const grouped = await run(
        await report({
          dataset,
          group_by: ['type_code', 'created_at.month'],
          aggregates: [{ fn: 'count' }, { fn: 'max', column: 'updated_at' }],
        }),
      );
      expect(grouped.columns).toHaveLength(4);
    }
  });
});

describe('CSV', () => {
  it('is returned when preferred, with formulas escaped and a link to the next page', async () => {
    const id = await report({
      name: 'Orders, all',
      columns: ['title', 'data_values.amount'],
      filters: { type_code: 'order', title: ['=Beta()', 'Gamma'] },
      sort: 'title',
    });
    const csv = await live.get(`${REPORTS}/${id}/data?limit=1`, { accept: 'text/csv' });
    expect([csv.status, csv.headers['content-type'], csv.text]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `title,data_values.amount\r\n'=Beta(),250\r\n`,
    ]);
    expect(csv.headers['content-disposition']).toContain('attachment');
    const next = /^<(.+)>; rel="next"$/.exec(csv.headers.link as string)?.[1] as string;
    expect((await live.get(next, { accept: 'text/csv' })).text).toBe('title,data_values.amount\r\nGamma,-50\r\n');
    expect((await live.get(`${REPORTS}/${id}/data`, { accept: 'application/json, text/csv;q=0.5' })).body.data).toHaveLength(2);
  });
});

describe('an invalid report is not saved, and the error names the param', () => {
  it.each<[param: string, given: object]>([
    ['columns', {}],
    ['columns', { columns: ['title', 'title'] }],
    ['columns.0', { columns: ['search'] }],
    ['columns.0', { columns: ['t.id'] }],
    ['columns.0', { columns: ['data_values.gone'] }],
    ['columns.0', { columns: ['data_values.items'] }],
    ['columns.0', { columns: [`data_values.x' || (SELECT 1)`] }],
    ['columns.0', { columns: ['title.month'] }],
    ['columns', { columns: ['title'], group_by: ['state'], aggregates: [{ fn: 'count' }] }],
    ['aggregates', { group_by: ['state'] }],
    ['aggregates', { aggregates: [{ fn: 'count' }, { fn: 'count' }] }],
    ['aggregates.0.column', { aggregates: [{ fn: 'sum' }] }],
    ['aggregates.0.column', { aggregates: [{ fn: 'sum', column: 'title' }] }],
    ['aggregates.0.column', { aggregates: [{ fn: 'max', column: 'id' }] }],
    ['sort', { columns: ['title'], sort: 'gone' }],
    ['sort', { columns: ['title'], sort: 'id' }],
    ['sort', { group_by: ['state'], aggregates: [{ fn: 'count' }], sort: 'title' }],
    ['filters.gone', { columns: ['title'], filters: { gone: 1 } }],
    ['filters.state', { columns: ['title'], filters: { state: 'sleeping' } }],
    ['filters.state', { columns: ['title'], filters: { state: [] } }],
    ['filters.created_at.gte', { columns: ['title'], filters: { created_at: { gte: '2026-02-30T00:00:00Z' } } }],
    ['filters.created_at.gte', { columns: ['title'], filters: { created_at: { gte: '0000-01-01T00:00:00Z' } } }],
    ['filters.created_at.last_days', { columns: ['title'], filters: { created_at: { last_days: 1.5 } } }],
    ['filters.valid_until_on', { columns: ['title'], filters: { valid_until_on: '2026-13-01' } }],
    ['filters.title', { columns: ['title'], filters: { title: { like: '%' } } }],
    ['filters.title.gt', { columns: ['title'], filters: { title: { gt: 'a' } } }],
    ['filters.project_id', { columns: ['title'], filters: { project_id: 'ENG' } }],
  ])('%s of %j', async (param, given) => {
    const { status, body } = await screen.post(ORG, { name: 'Report', dataset: 'documents', ...given });
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'validation_failed', param]);
  });

  it('a change is validated together with the unchanged members; a deleted report is gone', async () => {
    const id = await report({ columns: ['title'] });
    expect((await screen.patch(`${ORG}/${id}`, { dataset: 'signatures' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'columns.0',
    });
    expect((await screen.patch(`${ORG}/${id}`, { dataset: 'signatures', columns: ['name'], sort: null })).body).toMatchObject({
      dataset: 'signatures',
      version: 2,
    });
    expect((await screen.delete(`${ORG}/${id}`)).status).toBe(204);
    expect((await live.get(`${REPORTS}/${id}`)).status).toBe(404);
  });

  it('can be saved only by members with the setup permission', async () => {
    const member = await space.signIn((await space.member('member')).email);
    expect((await member.post(ORG, { name: 'x', dataset: 'documents', columns: ['title'] })).body.error.code).toBe('permission_denied');
    expect((await member.get(ORG)).status).toBe(200);
  });

  it('a report that no longer fits the types fails with a conflict, not with a server error', async () => {
    const { id: typeId, code } = await makeType(app, space.ctx(), {
      field_schema: { type: 'object', properties: { weight: { type: 'number' } } },
    });
    const sum = await report({ aggregates: [{ fn: 'sum', column: 'data_values.weight' }], filters: { type_code: code } });
    const rows = await report({ columns: ['title', 'data_values.weight'], filters: { type_code: code } });
    await create(live, { type_code: code, project_id: space.eng.id, title: 'Heavy', data_values: { weight: 5 } });
    const types = '/api/v1/org/papers/types';
    expect((await screen.patch(`${types}/${typeId}`, { field_schema: { type: 'object', properties: {} } })).status).toBe(200);
    expect((await screen.post(`${types}/${typeId}/publish`)).status).toBe(201);
    expect((await live.get(`${REPORTS}/${sum}/data`)).body.error).toMatchObject({
      code: 'resource_conflict',
      message: expect.stringContaining('aggregates.0.column'),
    });
    expect((await run(rows)).data).toEqual([{ title: 'Heavy', 'data_values.weight': '5' }]);
  });
});
