import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { ApiResponse, Client } from '../../../../test/harness/client.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const TYPES = '/api/v1/org/papers/types';

const app = await sharedApp();
let workspace: Workspace;
let screen: Client;
let keyed: Client;

beforeAll(async () => {
  workspace = await app.workspace();
  screen = await workspace.signIn();
  keyed = (await workspace.key({ module: 'documents' })).client;
});

let codes = 0;
const typeBody = (given: object = {}) => ({
  code: `type_${++codes}`,
  name: 'Agreement',
  field_schema: {
    type: 'object',
    required: ['customer'],
    properties: {
      customer: { type: 'string', 'x-label': 'Customer', 'x-format': 'party' },
      email: { type: 'string', format: 'email' },
      amount: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
      starts_on: { type: 'string', format: 'date' },
      items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  },
  ...given,
});

async function create(given: object = {}): Promise<Record<string, unknown> & { id: string; code: string }> {
  const { status, body, text } = await screen.post(TYPES, typeBody(given));
  if (status !== 201) throw new Error(text);
  return body;
}

describe('a type', () => {
  it('is read by its id or code, with the closed schema of its documents, by keys of its organization', async () => {
    const { id, code } = await create();
    const own = (await keyed.get(`/api/v1/ext/papers/types/${code}`)).body;
    expect(own).toMatchObject({ object: 'document_type', id, code, published_version: null });
    expect(own.field_schema).toMatchObject({
      required: ['customer'],
      properties: { items: { items: { additionalProperties: false } } },
      additionalProperties: false,
    });
    expect((await keyed.get(`/api/v1/ext/papers/types/${id}`)).body).toEqual(own);
    expect((await keyed.get(`/api/v1/ext/papers/types?code=${code}`)).body.data).toEqual([own]);
    const foreign = (await (await app.workspace()).key({ module: 'documents' })).client;
    expect((await foreign.get(`/api/v1/ext/papers/types/${code}`)).status).toBe(404);
  });

  it('shows its template and the lifecycle that its documents follow: its own or the standard one', async () => {
    const own = {
      stages: ['draft', 'approved', 'finalized'].map((state) => ({ code: `my_${state}`, label: state, state })),
      transitions: [],
    };
    const shown = async (given: object) => {
      const { code } = await create(given);
      return (await keyed.get(`/api/v1/ext/papers/types?code=${code}`)).body.data[0];
    };
    const standard = await shown({ template: '# For {{customer}}' });
    expect(standard.template).toBe('# For {{customer}}');
    expect(standard.lifecycle.stages.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(['draft', 'in_approval']));
    expect(standard.lifecycle.transitions).toContainEqual(
      expect.objectContaining({ code: 'finalize', trigger: 'finalize', to: 'finalized' }),
    );
    expect((await shown({ lifecycle: own })).lifecycle.stages).toEqual(own.stages);
  });

  it('keeps the order of its fields, and documents show their values in that order', async () => {
    const properties = {
      zip_code: { type: 'string' },
      a: { type: 'string' },
      rows: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' }, qty: { type: 'number' }, b: { type: 'string' } } },
      },
      city: { type: 'string' },
    };
    const { id, code } = await create({ field_schema: { type: 'object', properties } });
    await screen.post(`${TYPES}/${id}/publish`);
    const { field_schema } = (await keyed.get(`/api/v1/ext/papers/types?code=${code}`)).body.data[0];
    expect(Object.keys(field_schema.properties)).toEqual(['zip_code', 'a', 'rows', 'city']);
    expect(Object.keys(field_schema.properties.rows.items.properties)).toEqual(['name', 'qty', 'b']);
    // as values are validated: an agent must not invent names
    expect([field_schema, field_schema.properties.rows.items].map((one) => one.additionalProperties)).toEqual([false, false]);
    const data_values = { city: 'Rome', a: 'x', rows: [{ b: 'y', qty: 1, name: 'n' }], zip_code: '1' };
    const body = { type_code: code, title: 'Order', project_id: workspace.eng.id, data_values };
    const created = await keyed.post('/api/v1/ext/papers/documents', body);
    for (const { text } of [created, await keyed.get(`/api/v1/ext/papers/documents/${created.body.id}`)])
      expect(text).toContain('"data_values":{"zip_code":"1","a":"x","rows":[{"name":"n","qty":1,"b":"y"}],"city":"Rome"}');
    const page = await keyed.get(`/api/v1/ext/papers/documents/${created.body.id}/content?format=html`);
    expect([...page.text.matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, name]) => name).slice(-3)).toEqual(['Name', 'Qty', 'B']);
    const order = { properties: Object.fromEntries(Object.entries(properties).reverse()) };
    const changed = await screen.patch(`${TYPES}/${id}`, { field_schema: { type: 'object', ...order } });
    expect(Object.keys(changed.body.draft.field_schema.properties)).toEqual(['city', 'rows', 'a', 'zip_code']);
  });

  it('shows its administrators the lifecycle and template in use beside the draft', async () => {
    const { id, code } = await create({ template: 'Old' });
    await screen.post(`${TYPES}/${id}/publish`);
    const patched = await screen.patch(`${TYPES}/${id}`, { template: 'New' });
    const { lifecycle } = (await keyed.get(`/api/v1/ext/papers/types?code=${code}`)).body.data[0];
    expect(lifecycle.stages).not.toEqual([]);
    const expected = { template: 'Old', lifecycle, draft: { template: 'New', lifecycle: null } };
    expect(patched.body).toMatchObject(expected);
    expect((await screen.get(`${TYPES}/${id}`)).body).toMatchObject(expected);
    expect((await screen.get(`${TYPES}?code=${code}`)).body.data).toMatchObject([expected]);
  });

  it('is listed while unpublished, and creating documents of it fails with the specified message', async () => {
    const { id, code } = await create();
    const listed = await keyed.get(`/api/v1/ext/papers/types?code=${code}`);
    expect(listed.body.data).toMatchObject([
      { id, code, published_version: null, requires_approval: false, field_schema: { required: ['customer'] } },
    ]);
    const { status, body } = await keyed.post('/api/v1/ext/papers/documents', {
      type_code: code,
      title: 'Too early',
      project_id: workspace.eng.id,
    });
    expect([status, body.error]).toMatchObject([
      400,
      { code: 'validation_failed', param: 'type_code', message: 'type has no published version' },
    ]);
  });

  it('can have a member as the default of a field, also in a table', async () => {
    const user = { type: 'string', 'x-format': 'user', default: workspace.owner.email.toUpperCase() };
    const rows = { type: 'array', items: { type: 'object', properties: { who: user } } };
    const field_schema = { type: 'object', properties: { buyer: user, rows } };
    expect((await screen.post(TYPES, typeBody({ field_schema }))).status).toBe(201);
    rows.items.properties.who = { ...user, default: 'nobody@example.com' };
    expect((await screen.post(TYPES, typeBody({ field_schema }))).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'field_schema.properties.rows.items.properties.who.default',
    });
  });

  it('can refer to the roles of the organization', async () => {
    const byRole = (ref: string) =>
      screen.post(
        TYPES,
        typeBody({
          requires_approval: true,
          approval_route: { steps: [{ name: 'Legal', mode: 'any', approvers: [{ kind: 'role', ref }] }] },
        }),
      );
    expect((await byRole('counsel')).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'approval_route.steps.0.approvers.0.ref',
    });
    await app.sql.query(
      `INSERT INTO roles SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'name', 'counsel'))).*
       FROM roles r WHERE r.organization_id = $1 AND r.name = 'member'`,
      [workspace.organizationId],
    );
    expect((await byRole('counsel')).status).toBe(201);
  });

  it.each(['user by address', 'user by id', 'role', 'escalate_to'])('names only approvers who may approve: %s', async (kind) => {
    const developer = await workspace.member('developer');
    const approver =
      kind === 'role' ? { kind: 'role', ref: 'developer' } : { kind: 'user', ref: kind === 'user by id' ? developer.id : developer.email };
    const admins = [{ kind: 'role', ref: 'admin' }];
    const isFallback = kind === 'escalate_to';
    const route = {
      requires_approval: true,
      approval_route: {
        steps: [
          {
            name: 'Legal',
            mode: 'any',
            approvers: isFallback ? admins : [approver],
            ...(isFallback ? { due_in_hours: 2, escalate_to: approver } : {}),
          },
        ],
      },
    };
    const param = `approval_route.steps.0.${isFallback ? 'escalate_to' : 'approvers.0'}.ref`;
    const errorOf = async (response: ApiResponse) => [response.status, response.body.error?.code, response.body.error?.param];
    expect(await errorOf(await screen.post(TYPES, typeBody(route)))).toEqual([400, 'validation_failed', param]);
    const { id } = await create();
    const updated = await screen.patch(`${TYPES}/${id}`, route);
    expect(await errorOf(updated)).toEqual([400, 'validation_failed', param]);
    expect(updated.body.error.message).toContain('papers.document.approve');
  });

  it('is not published with an approver who may no longer approve', async () => {
    const member = await workspace.member('member');
    const approvers = [{ kind: 'user', ref: member.email }];
    const { id } = await create({ requires_approval: true, approval_route: { steps: [{ name: 'Legal', mode: 'any', approvers }] } });
    await screen.patch(`/api/v1/org/members/${member.id}`, { role: 'developer' });
    const { status, body } = await screen.post(`${TYPES}/${id}/publish`);
    expect([status, body.error.param]).toEqual([400, 'approval_route.steps.0.approvers.0.ref']);
  });

  it.each([
    ['reset', { reset: 'year' }],
    ['gapless', { gapless: true }],
  ])('cannot be published with another %s if its number pattern was used before', async (member, change) => {
    const numbering = (over: object = {}) => ({ numbering: { pattern: 'A-{YYYY}-{SEQ:4}', ...over } });
    const { id } = await create(numbering());
    await screen.post(`${TYPES}/${id}/publish`);
    for (const pattern of ['A-{YYYY}-{SEQ:4}', 'A-{YYYY}-{SEQ:5}']) {
      await screen.patch(`${TYPES}/${id}`, numbering({ ...change, pattern }));
      const { status, body } = await screen.post(`${TYPES}/${id}/publish`);
      expect([status, body.error]).toMatchObject([400, { code: 'validation_failed', param: `numbering.${member}` }]);
    }
    await screen.patch(`${TYPES}/${id}`, numbering({ ...change, pattern: 'B-{YYYY}-{SEQ:4}' }));
    expect((await screen.post(`${TYPES}/${id}/publish`)).body).toMatchObject({ number: 2 });
    // The first pattern can be reused only with its original settings.
    await screen.patch(`${TYPES}/${id}`, numbering(change));
    expect((await screen.post(`${TYPES}/${id}/publish`)).status).toBe(400);
    await screen.patch(`${TYPES}/${id}`, numbering());
    expect((await screen.post(`${TYPES}/${id}/publish`)).body).toMatchObject({ number: 3 });
  });

  it('is published as immutable versions, and a document keeps the version it was created with', async () => {
    const { id, code } = await create();
    expect((await screen.post(`${TYPES}/${id}/publish`)).body).toMatchObject({ number: 1, definition: { template: null } });
    const first = (await keyed.post('/api/v1/ext/papers/documents', { type_code: code, title: 'First', project_id: workspace.eng.id }))
      .body;
    expect((await screen.patch(`${TYPES}/${id}`, { template: '# {{document.title}}' })).status).toBe(200);
    expect((await screen.post(`${TYPES}/${id}/publish`)).body).toMatchObject({
      number: 2,
      definition: { template: '# {{document.title}}' },
    });
    const second = (await keyed.post('/api/v1/ext/papers/documents', { type_code: code, title: 'Second', project_id: workspace.eng.id }))
      .body;
    expect([first.type.version, second.type.version]).toEqual([1, 2]);
    expect((await keyed.get(`/api/v1/ext/papers/documents/${first.id}`)).body.type.version).toBe(1);
    const versions = (await screen.get(`${TYPES}/${id}/versions`)).body.data;
    expect(
      versions.map(({ number, definition }: { number: number; definition: { template: string } }) => [number, definition.template]),
    ).toEqual([
      [2, '# {{document.title}}'],
      [1, null],
    ]);
    await expect(app.sql.query(`UPDATE document_type_versions SET name = 'Other'`)).rejects.toThrow('append-only');
  });

  it('gets distinct version numbers when it is published concurrently', async () => {
    const { id } = await create();
    const responses = await Promise.all([screen.post(`${TYPES}/${id}/publish`), screen.post(`${TYPES}/${id}/publish`)]);
    expect(responses.map(({ body }) => body.number).sort()).toEqual([1, 2]);
  });

  it('has a code that is unique in the organization', async () => {
    const { code } = await create();
    const { status, body } = await screen.post(TYPES, typeBody({ code }));
    expect([status, body.error.code, body.error.param]).toEqual([409, 'duplicate', 'code']);
  });

  it('can be set up only by roles with the permission', async () => {
    const { email } = await workspace.member('member');
    const member = await workspace.signIn(email);
    expect((await member.post(TYPES, typeBody())).body.error.code).toBe('permission_denied');
    expect((await member.get(TYPES)).status).toBe(200);
  });
});

describe('an inconsistent definition is rejected, and the error names the field', () => {
  const step = (given: object) => ({
    requires_approval: true,
    approval_route: { steps: [{ name: 'Legal', mode: 'any', approvers: [{ kind: 'role', ref: 'admin' }], ...given }] },
  });
  const party = (given: object) => ({
    signature_parties: [{ key: 'customer', label: 'Customer', name_from: 'customer', email_from: 'email', ...given }],
  });
  const lifecycle = (stages: object[], transitions: object[] = []) => ({ lifecycle: { stages, transitions } });
  const stage = (code: string, state: string = code) => ({ code, label: code, state });

  const cases: [param: string, given: object][] = [
    ['field_schema.properties.deep.type', { field_schema: { type: 'object', properties: { deep: { type: 'object' } } } }],
    ['field_schema.properties.a b', { field_schema: { type: 'object', properties: { 'a b': { type: 'string' } } } }],
    ['field_schema.$ref', { field_schema: { type: 'object', properties: {}, $ref: '#' } }],
    ['field_schema.required', { field_schema: { type: 'object', properties: {}, required: ['gone'] } }],
    ['field_schema.properties.m.type', { field_schema: { type: 'object', properties: { m: { type: 'number', 'x-format': 'money' } } } }],
    ['field_schema', { field_schema: { type: 'object', properties: { p: { type: 'string', pattern: '(' } } } }],
    [
      'field_schema.properties.buyer.default',
      { field_schema: { type: 'object', properties: { buyer: { type: 'string', 'x-format': 'user', default: 'nobody@example.com' } } } },
    ],
    ['template', { template: `text\n\n${'>'.repeat(11)} deep` }],
    ['template', { template: `${'- '.repeat(5_000)} deep` }],
    ['finalize_on_approval', { finalize_on_approval: true }],
    ['approval_route', { ...step({}), requires_approval: false }],
    ['approval_route.steps.0.quorum', step({ mode: 'quorum' })],
    ['approval_route.steps.0.approvers.0.ref', step({ approvers: [{ kind: 'role', ref: 'king' }] })],
    ['approval_route.steps.0.approvers.0.ref', step({ approvers: [{ kind: 'user', ref: 'nobody@example.com' }] })],
    ['approval_route.steps.0.condition.field', step({ condition: { field: 'gone', op: 'eq', operand: { value: 1 } } })],
    ['approval_route.steps.0.condition.operand', step({ condition: { field: 'amount', op: 'eq', operand: { const: 1 } } })],
    ['approval_route.steps.0.escalate_to', step({ escalate_to: { kind: 'role', ref: 'owner' } })],
    ['signature_parties.0.email_from', party({ email_from: 'gone' })],
    ['signature_parties.0.name_from', party({ name_from: 'amount' })],
    ['sending.cc.1.email', { sending: { cc: ['a@b.example', 'A@b.example'].map((email) => ({ name: 'A', email })) } }],
    ['obligation_rules.0.recurrence', { obligation_rules: [{ title: 'Fee', kind: 'payment', side: 'us', recurrence: 'FREQ=HOURLY' }] }],
    ['obligation_rules.0.title', { obligation_rules: [{ title: 'Fee of {{gone}}', kind: 'payment', side: 'us' }] }],
    [
      'field_schema.properties.fee.x-total',
      { field_schema: { type: 'object', properties: { fee: { type: 'integer', 'x-total': true } } } },
    ],
    [
      'field_schema.properties.days.default',
      { field_schema: { type: 'object', properties: { days: { type: 'integer', default: 'three' } } } },
    ],
    [
      'field_schema.properties.phone.default',
      { field_schema: { type: 'object', properties: { phone: { type: 'string', 'x-format': 'phone', default: '1' } } } },
    ],
    [
      'field_schema.properties.fee.x-currency',
      { field_schema: { type: 'object', properties: { fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'EURO' } } } },
    ],
    [
      'field_schema.properties.items.items.properties.fee.x-currency',
      {
        field_schema: {
          type: 'object',
          properties: {
            currency: { type: 'number' },
            items: {
              type: 'array',
              items: { type: 'object', properties: { fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'currency' } } },
            },
          },
        },
      },
    ],
    ['numbering.pattern', { numbering: { pattern: 'A-{YYYY}' } }],
    ['numbering.pattern', { numbering: { pattern: '{SEQ:3}', reset: 'year' } }],
    ['numbering.pattern', { numbering: { pattern: 'A-{SEQ:3}\nB' } }],
    ['numbering.pattern', { numbering: { pattern: 'A\u0085{SEQ:3}' } }],
    ['template', { template: 'Dear {{gone}}' }],
    ['lifecycle.stages', lifecycle([stage('draft')])],
    [
      'lifecycle.transitions.0',
      lifecycle([stage('draft'), stage('finalized')], [{ code: 'jump', label: 'Jump', from: ['draft'], to: 'finalized', trigger: 'send' }]),
    ],
    [
      'lifecycle.transitions.0.to',
      lifecycle([stage('draft'), stage('finalized')], [{ code: 'jump', label: 'Jump', from: ['draft'], to: 'gone', trigger: 'finalize' }]),
    ],
  ];
  it.each(cases)('%s', async (param, given) => {
    const { status, body } = await screen.post(TYPES, typeBody(given));
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'validation_failed', param]);
  });

  it('dates that do not exist, as values of a field and in conditions', async () => {
    const of = (rule: object, format = 'date') => ({ type: 'object', properties: { day: { type: 'string', format, ...rule } } });
    const at = 'field_schema.properties.day';
    const years = 'must be a calendar date as YYYY-MM-DD, in the years 1000 to 9999';
    const problem = async (given: object) => (await screen.post(TYPES, typeBody(given))).body.error;
    expect(await problem({ field_schema: of({ enum: ['2026-01-01', '26-01-01'] }) })).toMatchObject({
      param: `${at}.enum.1`,
      message: `${at}.enum.1 ${years}`,
    });
    expect(await problem({ field_schema: of({ const: '0000-01-01' }) })).toMatchObject({ param: `${at}.const` });
    expect(await problem({ field_schema: of({ default: '9999-12-31T23:59:59-14:00' }, 'date-time') })).toMatchObject({
      param: `${at}.default`,
      message: expect.stringContaining('in the years 1000 to 9999') as unknown,
    });
    const field_schema = of({});
    const condition = { field: 'day', op: 'in', operand: { value: ['2026-01-01', '2026-02-30'] } };
    expect(await problem({ field_schema, ...step({ condition }) })).toMatchObject({
      param: 'approval_route.steps.0.condition.operand',
      message: `approval_route.steps.0.condition.operand ${years}`,
    });
    const template = (literal: string) => ({ field_schema, template: `{{#if day >= "${literal}"}}\nLater\n{{/if}}` });
    expect(await problem(template('0001-01-01'))).toMatchObject({ param: 'template' });
    expect(await problem(template('2026-02-28'))).toBeUndefined();
  });

  it('an integer that is written as 120.00, as a default and in a condition', async () => {
    const properties = { fee: { type: 'integer', default: 7777 }, amount: { type: 'number', default: 2 } };
    const route = step({ condition: { field: 'fee', op: 'gte', operand: { value: 8888 } } });
    const json = JSON.stringify(typeBody({ field_schema: { type: 'object', properties }, ...route }));
    const send = (text: string) => screen.post(TYPES, text, { 'content-type': 'application/json' });
    expect((await send(json.replace('7777', '120.00'))).body.error).toMatchObject({ param: 'field_schema.properties.fee.default' });
    expect((await send(json.replace('8888', '120.00'))).body.error).toMatchObject({
      param: 'approval_route.steps.0.condition.operand',
      message: 'approval_route.steps.0.condition.operand must be a whole number without a decimal point, as fee is',
    });
    expect((await send(json.replace('"default":2', '"default":2.0'))).status).toBe(201);
  });

  it('a quorum larger than the number of different members, whom an id and an address name twice', async () => {
    const { id, email } = workspace.owner;
    const other = await workspace.member('member');
    const quorum = (...refs: string[]) => step({ mode: 'quorum', quorum: 2, approvers: refs.map((ref) => ({ kind: 'user', ref })) });
    const { status, body } = await screen.post(TYPES, typeBody(quorum(email, id)));
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', 'approval_route.steps.0.quorum']);
    expect((await screen.post(TYPES, typeBody(quorum(email, id, other.email)))).status).toBe(201);
  });

  it('accepts a consistent lifecycle, route, parties, obligations and numbering', async () => {
    const type = await create({
      ...step({
        mode: 'quorum',
        quorum: 1,
        condition: { field: 'amount', op: 'gte', operand: { value: 100 } },
        due_in_hours: 4,
        escalate_to: { kind: 'role', ref: 'owner' },
      }),
      ...party({}),
      numbering: { pattern: 'AGR-{YYYY}-{SEQ:4}', reset: 'year', gapless: true },
      obligation_rules: [
        {
          title: 'Fee of {{customer}}',
          kind: 'payment',
          side: 'counterparty',
          due_on_from: 'starts_on',
          recurrence: 'FREQ=YEARLY;COUNT=3',
        },
      ],
      template: '# {{document.title}}\n\n{{#table items}}\n\n{{customer}} pays {{amount}}.',
    });
    expect(type.draft).toMatchObject({
      numbering: { assign_at: 'finalize' },
      signature_parties: [{ order: 1, auth: 'link', required: true }],
    });
    expect((await screen.post(`${TYPES}/${type.id}/publish`)).status).toBe(201);
  });
});
