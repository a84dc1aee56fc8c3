import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import { makeType, type TypeInput } from '../../testing/document-types.js';

const DOCUMENTS = '/api/v1/ext/papers/documents';
const ORG = '/api/v1/org/papers/documents';
const SCHEMA = {
  type: 'object',
  required: ['customer'],
  properties: {
    customer: { type: 'string' },
    amount: { type: 'number' },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
} as const;

const app = await sharedApp();
let space: Workspace;
let api: Client;
let screen: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'documents', project_id: space.eng.id, actor_user_id: space.owner.id })).client;
  screen = await space.signIn();
});

const type = (input: TypeInput = {}) => makeType(app, space.ctx(), { field_schema: SCHEMA, ...input });
const create = async (type_code: string, over: object = {}) =>
  (await api.post(DOCUMENTS, { type_code, title: 'Agreement', data_values: { customer: 'Acme' }, ...over })).body;

it('prints its custom fields, shows them in the console, and is found by them', async () => {
  const fields = [
    { key: 'region', type: 'text', filterable: true },
    { key: 'budget', type: 'money', currency: 'EUR' },
    { key: 'owner', type: 'member' },
    { key: 'renews', type: 'boolean' },
  ];
  for (const field of fields) await screen.post('/api/v1/org/custom-fields', { resource: 'document', label: field.key, ...field });
  const template =
    'Region {{custom_fields.region}}, {{custom_fields.budget}}, by {{custom_fields.owner}}; none: {{custom_fields.other}}.\n\n' +
    '{{#if custom_fields.renews}}\nIt renews.\n{{/if}}\n';
  const { code } = await type({ template });
  const values = { region: 'EMEA <1>', budget: 120_050, owner: space.owner.id, renews: true };
  const { id, custom_fields } = await create(code, { custom_fields: values });
  expect(custom_fields).toEqual(values);
  const html = async () => (await api.get(`${DOCUMENTS}/${id}/content?format=html`)).text;
  expect(await html()).toMatch(/Region EMEA &lt;1&gt;, EUR\s1,200.50, by Olga Owner/);
  expect(await html()).toContain('It renews.');
  expect((await api.get(`${DOCUMENTS}?custom_fields.region=EMEA <1>`)).body.data.map((one: { id: string }) => one.id)).toEqual([id]);
  const page = await screen.get(`/console/documents/${id}`, { accept: 'text/html' });
  expect(page.text).toMatch(/Region[^]{1,40}EMEA &lt;1&gt;[^]+Renews[^]{1,40}Yes/);
  await api.patch(`${DOCUMENTS}/${id}`, { custom_fields: { region: null, renews: false } });
  expect(await html()).not.toMatch(/EMEA|It renews/);
});

describe('creating a document', () => {
  it('creates a draft with a number and lists the missing fields', async () => {
    const { code, id } = await type({
      name: 'Customer agreement',
      numbering: { pattern: '{PROJECT}-{SEQ:4}', reset: 'never', assign_at: 'create', gapless: false },
    });
    const { status, body } = await api.post(DOCUMENTS, {
      type_code: code,
      title: 'Agreement',
      data_values: { amount: 5, items: [{}] },
      source_ref: { id: 'o-1', url: 'https://example.com/o-1' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'document',
      number: 'ENG-0001',
      title: 'Agreement',
      type: { id, code, name: 'Customer agreement', version: 1 },
      project_id: space.eng.id,
      state: 'draft',
      lifecycle_stage: 'draft',
      missing_required_fields: ['customer', 'items.0.name'],
      source_ref: { id: 'o-1', url: 'https://example.com/o-1' },
      approval: { outcome: 'not_required', current_step: null, steps: [] },
      content_sha256: null,
      finalized_at: null,
      created_by: { type: 'api_key' },
      version: 1,
    });
    expect((await api.get(`${DOCUMENTS}/${body.id}`)).body).toEqual(body);
  });

  it('numbers the documents of all projects in one series, unless the pattern contains {PROJECT}', async () => {
    const numbering = (pattern: string) => ({ numbering: { pattern, reset: 'never', assign_at: 'create', gapless: false } as const });
    const { client } = await space.key({ module: 'documents' });
    const numbers = async (code: string) => {
      const inProject = async ({ id }: { id: string }) =>
        (await client.post(DOCUMENTS, { type_code: code, title: 'Agreement', project_id: id })).body.number as string;
      return [await inProject(space.eng), await inProject(space.ops), ...(await Promise.all([space.eng, space.ops].map(inProject)))].sort();
    };
    expect(await numbers((await type(numbering('AGR-{SEQ:2}'))).code)).toEqual(['AGR-01', 'AGR-02', 'AGR-03', 'AGR-04']);
    const { eng, ops } = space;
    expect(await numbers((await type(numbering('{PROJECT}-{SEQ:2}'))).code)).toEqual(
      [`${eng.key}-01`, `${eng.key}-02`, `${ops.key}-01`, `${ops.key}-02`].sort(),
    );
  });

  it('follows the version that is published now, also if another process has published it', async () => {
    const properties = (name: string) => ({ field_schema: { type: 'object', properties: { [name]: { type: 'string' } } } as never });
    const { id, code } = await type(properties('old'));
    const send = (name: string) => api.post(DOCUMENTS, { type_code: code, title: 'Agreement', data_values: { [name]: 'x' } });
    expect((await send('old')).body.type.version).toBe(1);
    await screen.patch(`/api/v1/org/papers/types/${id}`, properties('new'));
    expect((await screen.post(`/api/v1/org/papers/types/${id}/publish`)).status).toBe(201);
    // what the first version accepts, what it does not, and both at once
    const answers = [await send('old'), await send('new'), ...(await Promise.all(['old', 'new', 'new'].map(send)))];
    expect(answers.map(({ status, body }) => [status, body.error?.param ?? body.type.version])).toEqual([
      [400, 'data_values.old'],
      [201, 2],
      [400, 'data_values.old'],
      [201, 2],
      [201, 2],
    ]);
    const back = (version: number) => app.sql.query('UPDATE document_types SET published_version = $2 WHERE id = $1', [id, version]);
    await back(1);
    expect([(await send('new')).status, (await send('old')).body.type.version]).toEqual([400, 1]);
    await back(2);
    expect([(await send('old')).status, (await send('new')).body.type.version]).toEqual([400, 2]);
  });

  it.each([false, true])('assigns no number twice when two series of a type overlap (gapless: %s)', async (gapless) => {
    const numbering = (pattern: string) => ({ pattern, reset: 'never', assign_at: gapless ? 'finalize' : 'create', gapless }) as const;
    const { id, code } = await type({ numbering: numbering('ENG-{SEQ:2}') });
    const number = async () => {
      const created = await create(code);
      if (!gapless) return created.number as string;
      await api.post(`${DOCUMENTS}/${created.id}/submit`);
      return (await screen.post(`/api/v1/org/papers/documents/${created.id}/finalize`)).body.number as string;
    };
    const first = [await number(), await number()];
    await screen.patch(`/api/v1/org/papers/types/${id}`, { numbering: numbering('{PROJECT}-{SEQ:2}') });
    expect((await screen.post(`/api/v1/org/papers/types/${id}/publish`)).status).toBe(201);
    // the series continues after the highest number that is taken, however many there are
    await app.sql.query(`UPDATE documents SET number = 'ENG-50' WHERE type_id = $1 AND number = 'ENG-02'`, [id]);
    expect([...first, await number(), await number()]).toEqual(['ENG-01', 'ENG-02', 'ENG-51', 'ENG-52']);
  });

  it.each([
    ['a wrong type', { data_values: { amount: 'much' } }, 'data_values.amount', 'data_values.amount must be a number'],
    ['an unknown key', { data_values: { colour: 'red' } }, 'data_values.colour', 'data_values.colour is not a field of this type'],
    [
      'a wrong type within a table',
      { data_values: { items: [{ name: 1 }] } },
      'data_values.items.0.name',
      'data_values.items.0.name must be a string',
    ],
  ])('rejects %s and names the field', async (_what, over, param, message) => {
    const { code } = await type();
    const { status, body } = await api.post(DOCUMENTS, { type_code: code, title: 'Agreement', ...over });
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'validation_failed', param, message })]);
  });

  it.each([
    ['an integer', 'pages', { type: 'integer', maximum: 1e40 }, 1e30],
    ['an amount of money', 'fee', { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' }, -(2 ** 53)],
    ['an integer in a row', 'rows.0.n', { type: 'integer' }, 2 ** 53],
  ])('accepts as %s only values that are stored exactly', async (_what, path, property, wrong) => {
    const [name, , inner] = path.split('.');
    const properties = { [name]: inner ? { type: 'array', items: { type: 'object', properties: { [inner]: property } } } : property };
    const { code } = await type({ field_schema: { type: 'object', properties } as never });
    const send = (value: number) =>
      api.post(DOCUMENTS, { type_code: code, title: 'Agreement', data_values: { [name]: inner ? [{ [inner]: value }] : value } });
    const rejected = await send(wrong);
    expect([rejected.status, rejected.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed', param: `data_values.${path}` }),
    ]);
    expect((await send(Math.sign(wrong) * Number.MAX_SAFE_INTEGER)).status).toBe(201);
  });

  it('takes no integer that is written with a decimal point or exponent, also in rows and patches', async () => {
    const fee = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
    const rows = { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' }, fee, rate: { type: 'number' } } } };
    const { code } = await type({ field_schema: { type: 'object', properties: { fee, rate: { type: 'number' }, rows } } as never });
    const JSON_BODY = { 'content-type': 'application/json' };
    const create = (data_values: string) =>
      api.post(DOCUMENTS, `{"type_code":"${code}","title":"Agreement","data_values":${data_values}}`, JSON_BODY);
    const amount = 'must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY';
    for (const [values, path, message] of [
      ['{"fee":120.00}', 'fee', amount],
      ['{"fee":1.2e2}', 'fee', amount],
      ['{"fee":"120.00"}', 'fee', amount],
      ['{"rows":[{"fee":1},{"fee":120.0}]}', 'rows.1.fee', amount],
      ['{"rows":[{"count":2.0}]}', 'rows.0.count', 'must be a whole number without a decimal point'],
    ])
      expect((await create(values)).body.error).toMatchObject({ param: `data_values.${path}`, message: `data_values.${path} ${message}` });
    const made = await create('{"fee":12000,"rate":2.0,"rows":[{"rate":1e2}]}');
    expect([made.status, made.body.data_values]).toEqual([201, { fee: 12000, rate: 2, rows: [{ rate: 100 }] }]);
    const path = `${DOCUMENTS}/${made.body.id}`;
    expect((await api.patch(path, '{"data_values":{"fee":130.00}}', JSON_BODY)).body.error).toMatchObject({ param: 'data_values.fee' });
    expect((await api.patch(path, '{"data_values":{"rate":3.0}}', JSON_BODY)).body.data_values).toMatchObject({ fee: 12000, rate: 3 });
  });

  it.each([
    ['phone', 'not a phone', 'a phone number with its country code'],
    ['phone', '030 901820', 'a phone number with its country code'],
    ['party', 'Acme\nGmbH', 'the name of a person or company'],
    ['user', 'ada', "a member's e-mail address"],
    ['user', 'nobody@elsewhere.example', 'who is not an active member'],
  ])('enforces the x-format %s, also in rows, patches and replacements: %j', async (format, value, words) => {
    const field = { type: 'string', 'x-format': format };
    const rows = { type: 'array', items: { type: 'object', properties: { value: field } } };
    const { code } = await type({ field_schema: { type: 'object', properties: { value: field, rows } } as never });
    const { id } = await create(code, { data_values: {} });
    for (const [path, data_values] of [
      ['value', { value }],
      ['rows.0.value', { rows: [{ value }] }],
    ] as const) {
      const responses = [
        await api.post(DOCUMENTS, { type_code: code, title: 'Agreement', data_values }),
        await screen.patch(`/api/v1/org/papers/documents/${id}`, { data_values }),
      ];
      for (const { status, body } of responses) {
        expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', `data_values.${path}`]);
        expect(body.error.message).toContain(words);
      }
    }
  });

  it('stores phone numbers as E.164, accepts the address of a member, and requires a currency where x-currency names a field', async () => {
    const properties = {
      phone: { type: 'string', 'x-format': 'phone' },
      owner: { type: 'string', 'x-format': 'user' },
      fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' },
      currency: { type: 'string' },
    };
    const { code } = await type({ field_schema: { type: 'object', properties } as never });
    const data_values = { phone: '+49 (30) 90 18 20', owner: space.owner.email.toUpperCase(), fee: 5, currency: 'EUR' };
    expect((await create(code, { data_values })).data_values).toEqual({
      ...data_values,
      phone: '+4930901820',
      owner: space.owner.email,
    });
    const { status, body } = await api.post(DOCUMENTS, { type_code: code, title: 'x', data_values: { fee: 5, currency: 'Euro' } });
    expect([status, body.error.param]).toEqual([400, 'data_values.currency']);
  });

  it('applies defaults to absent values, also in rows, and not to null', async () => {
    const properties = {
      country: { type: 'string', default: 'DE' },
      notice: { type: 'integer', default: 3 },
      items: { type: 'array', items: { type: 'object', properties: { qty: { type: 'number', default: 1 }, name: { type: 'string' } } } },
    };
    const { code } = await type({ field_schema: { type: 'object', properties, required: ['country', 'notice'] } as never });
    const created = await create(code, { data_values: { notice: null, items: [{ name: 'A' }, { name: 'B', qty: 4 }] } });
    expect(created).toMatchObject({
      data_values: {
        country: 'DE',
        items: [
          { qty: 1, name: 'A' },
          { qty: 4, name: 'B' },
        ],
      },
      missing_required_fields: ['notice'],
    });
    const cleared = await screen.patch(`/api/v1/org/papers/documents/${created.id}`, { data_values: { country: null } });
    expect(cleared.body.missing_required_fields).toEqual(['country', 'notice']);
  });

  it('rejects an unknown type, a type without a published version and a type of another project', async () => {
    const { code: unpublished } = await type({ published: false });
    const { code: foreign } = await type({ project_id: space.ops.id });
    const errors = await Promise.all(
      [unpublished, 'no_such_type', foreign].map(async (type_code) => (await api.post(DOCUMENTS, { type_code, title: 'x' })).body.error),
    );
    expect(errors.map(({ code, param }) => [code, param])).toEqual(Array(3).fill(['validation_failed', 'type_code']));
    expect(errors[0].message).toBe('type has no published version');
  });

  it('interface rule 1: repeating an Idempotency-Key creates no second document', async () => {
    const { code } = await type();
    const send = () => api.post(DOCUMENTS, { type_code: code, title: 'Once' }, { 'idempotency-key': 'order-1' });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
    expect((await api.get(DOCUMENTS)).body.data).toHaveLength(1);
  });

  it('interface rule 2: project and organization come from the key; another project is project_scope_mismatch', async () => {
    const { code } = await type();
    const wide = (await space.key({ module: 'documents' })).client;
    const send = (client: Client, over: object) => client.post(DOCUMENTS, { type_code: code, title: 'x', ...over });
    expect((await send(api, { project_id: space.ops.id })).body.error).toMatchObject({
      code: 'project_scope_mismatch',
      type: 'permission_error',
    });
    const inert = await send(api, { organization_id: space.ops.id });
    expect([inert.status, inert.body.project_id, inert.headers['svc-ignored-fields']]).toEqual([201, space.eng.id, 'organization_id']);
    expect((await send(wide, { project_id: space.ops.id })).body.project_id).toBe(space.ops.id);
    expect((await send(wide, {})).body.project_id).toBe(space.eng.id);
  });
});

describe('reading documents', () => {
  it('interface rule 3: a document in another project is 404 on every route, with the message of a missing one', async () => {
    const { code } = await type();
    const other = (await space.key({ module: 'documents', project_id: space.ops.id, actor_user_id: space.owner.id })).client;
    const { id } = await create(code);
    const paths = ['', '/comments', '/content'].map((path) => `${DOCUMENTS}/${id}${path}`);
    const responses = await Promise.all([
      ...paths.map((path) => other.get(path)),
      other.post(`${DOCUMENTS}/${id}/submit`, {}),
      other.post(`${DOCUMENTS}/${id}/comments`, { body: 'x' }),
      other.patch(`${DOCUMENTS}/${id}/workflow/status`, { action: 'APPROVE', approver_email: space.owner.email }),
    ]);
    const { body: absent } = await other.get(`${DOCUMENTS}/${space.eng.id}`);
    expect(responses.map(({ status, body }) => [status, body.error.message])).toEqual(responses.map(() => [404, absent.error.message]));
  });

  it('filters by state, type and reference, and searches title and number', async () => {
    const [one, two] = [await type(), await type()];
    const a = await create(one.code, { title: 'Roof repair', source_ref: 'order-1' });
    const b = await create(two.code, { title: 'Garden', source_ref: { id: 'order-2' } });
    await api.post(`${DOCUMENTS}/${b.id}/submit`, {});
    const found = async (query: string) => (await api.get(`${DOCUMENTS}?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found('state=approved')).toEqual([b.id]);
    expect(await found(`type_code=${one.code}`)).toEqual([a.id]);
    expect(await found('source_ref=order-1')).toEqual([a.id]);
    expect(await found('source_ref=order-2')).toEqual([b.id]);
    expect(await found('q=roof')).toEqual([a.id]);
    expect(await found(`q=${b.number.split('-').at(-1)}`)).toContain(b.id);
  });
});

describe('comments', () => {
  it('are listed together with those of submissions, and each emits paper.comment_added', async () => {
    const { code } = await type();
    const { id } = await create(code);
    const { status, body } = await api.post(`${DOCUMENTS}/${id}/comments`, { body: 'First look' });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        object: 'document_comment',
        document_id: id,
        kind: 'user',
        body: 'First look',
        author: expect.objectContaining({ type: 'api_key' }),
      }),
    ]);
    await api.post(`${DOCUMENTS}/${id}/submit`, { comment: 'Please sign soon' });
    await screen.post(`${ORG}/${id}/comments`, { body: 'Seen' });
    const listed = (await api.get(`${DOCUMENTS}/${id}/comments`)).body.data;
    expect(
      listed.map(({ kind, body: text, author }: { kind: string; body: string; author: { type: string } }) => [kind, text, author.type]),
    ).toEqual([
      ['user', 'First look', 'api_key'],
      ['submit', 'Please sign soon', 'api_key'],
      ['user', 'Seen', 'user'],
    ]);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context,comment}' AS comment FROM outbox_events
       WHERE type = 'paper.comment_added' AND organization_id = $1 ORDER BY sequence`,
      [space.organizationId],
    );
    expect(rows.map(({ comment }) => comment)).toEqual(listed);
  });
});

describe('editing in the organization API', () => {
  it('updates single fields of a draft, clears with null, rejects invalid values and records the change', async () => {
    const { code } = await type();
    const { id } = await create(code, { data_values: { amount: 5 } });
    const changed = await screen.patch(
      `${ORG}/${id}`,
      { title: 'New title', data_values: { customer: 'Acme', amount: null } },
      { 'if-match': '"1"' },
    );
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ title: 'New title', data_values: { customer: 'Acme' }, missing_required_fields: [], version: 2 }),
    ]);
    expect((await screen.patch(`${ORG}/${id}`, { data_values: { amount: 'x' } })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'data_values.amount',
    });
    expect((await screen.patch(`${ORG}/${id}`, { title: 'late' }, { 'if-match': '"1"' })).status).toBe(412);
    const trail = (await screen.get(`${ORG}/${id}/audit-entries`)).body.data;
    expect(trail.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type])).toEqual([
      ['papers.create', 'api_key'],
      ['papers.update', 'user'],
    ]);
  });

  it('fails once the document is submitted', async () => {
    const { code } = await type();
    const { id } = await create(code);
    await api.post(`${DOCUMENTS}/${id}/submit`, {});
    expect((await screen.patch(`${ORG}/${id}`, { title: 'x' })).body.error).toMatchObject({
      code: 'invalid_transition',
      allowed: ['draft', 'returned'],
    });
  });
});

describe('drafts by key', () => {
  it('are changed as in the organization API, once per Idempotency-Key', async () => {
    const { code } = await type();
    const { id } = await create(code, { data_values: { amount: 5 }, source_ref: 'order-1' });
    const change = { title: 'New title', data_values: { customer: 'Acme', amount: null }, source_ref: null };
    const headers = { 'if-match': '"1"', 'idempotency-key': 'change-1' };
    const changed = await api.patch(`${DOCUMENTS}/${id}`, change, headers);
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ title: 'New title', data_values: { customer: 'Acme' }, source_ref: null, version: 2 }),
    ]);
    expect((await api.patch(`${DOCUMENTS}/${id}`, change, headers)).body).toEqual(changed.body);
    expect((await api.patch(`${DOCUMENTS}/${id}`, { title: 'late' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await api.patch(`${DOCUMENTS}/${id}`, { data_values: { other: 1 } })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'data_values.other',
    });
    expect(await trailOf(id)).toEqual(['papers.create', 'papers.update']);
    await api.post(`${DOCUMENTS}/${id}/submit`, {});
    expect((await api.patch(`${DOCUMENTS}/${id}`, { title: 'x' })).body.error).toMatchObject({
      code: 'invalid_transition',
      allowed: ['draft', 'returned'],
    });
  });

  it.each(['live', 'test'] as const)(
    'are deleted with their comments and links, but not their audit trail, and restored: %s',
    async (mode) => {
      const { code } = await type();
      const { client } = await space.key({ module: 'documents', project_id: space.eng.id, mode });
      const { id, number } = (await client.post(DOCUMENTS, { type_code: code, title: 'Mistake' })).body;
      await client.post(`${DOCUMENTS}/${id}/comments`, { body: 'Oops' });
      const { url } = (await client.post(`${DOCUMENTS}/${id}/share-link`, {})).body;
      const { body: before } = await client.get(`${DOCUMENTS}/${id}`);
      expect((await client.delete(`${DOCUMENTS}/${id}`, { 'if-match': '"7"' })).status).toBe(412);
      const byNumber = `${DOCUMENTS}/${number.toLowerCase()}`;
      expect([(await client.delete(byNumber)).status, (await client.delete(byNumber)).status]).toEqual([204, 404]);
      expect((await client.get(`${DOCUMENTS}/${id}`)).status).toBe(404);
      expect((await fetch(url)).status).toBe(404);
      const { rows } = await app.sql.query(
        `SELECT (SELECT count(*)::int FROM document_comments WHERE document_id = $1) AS comments,
         (SELECT array_agg(action ORDER BY created_at, id) FROM document_audit_entries WHERE document_id = $1) AS trail`,
        [id],
      );
      expect(rows[0]).toMatchObject({ comments: 0, trail: expect.arrayContaining(['papers.create', 'papers.delete']) });
      const restored = await client.post(`${byNumber}/restore`);
      expect([restored.status, restored.body]).toEqual([200, { ...before, updated_at: restored.body.updated_at }]);
      expect((await client.get(`${DOCUMENTS}/${id}/comments`)).body.data).toMatchObject([{ body: 'Oops' }]);
      expect((await fetch(url)).status).toBe(200);
    },
  );

  it('stay once they are submitted or were finalized before', async () => {
    const { code } = await type();
    const { id } = await create(code);
    await api.post(`${DOCUMENTS}/${id}/submit`, {});
    for (const [client, path] of [
      [api, DOCUMENTS],
      [screen, ORG],
    ] as const)
      expect((await client.delete(`${path}/${id}`)).body.error).toMatchObject({ code: 'invalid_transition', allowed: ['draft'] });
    await app.sql.query(`UPDATE documents SET state = 'draft', revision = 2 WHERE id = $1`, [id]);
    expect((await screen.delete(`${ORG}/${id}`)).body.error).toMatchObject({
      code: 'invalid_transition',
      message: expect.stringContaining('reopened'),
    });
    expect((await api.get(`${DOCUMENTS}/${id}`)).status).toBe(200);
  });

  it('can be read in the audit trail after a member deleted them', async () => {
    const { code } = await type();
    const { id } = await create(code);
    expect((await screen.delete(`${ORG}/${id}`)).status).toBe(204);
    expect(await trailOf(id)).toEqual(['papers.create', 'papers.delete']);
    expect((await (await space.signIn()).get(`${ORG}/${crypto.randomUUID()}/audit-entries`)).status).toBe(404);
  });
});

async function trailOf(id: string): Promise<string[]> {
  const { data } = (await screen.get(`${ORG}/${id}/audit-entries`)).body;
  return data.map(({ action }: { action: string }) => action);
}
