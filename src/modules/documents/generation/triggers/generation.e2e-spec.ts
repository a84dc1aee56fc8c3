import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/kit/hosted-app.js';
import { eventually } from '../../../../../test/kit/eventually.js';
import { WorkflowFixture } from '../../../../../test/kit/workflow-fixture.js';
import type { RunTrigger } from './run-trigger.job.js';

const TRIGGERS = '/api/v1/org/developer/triggers';
const GENERATIONS = '/api/v1/org/papers/generations';
const GENERATE = '/api/v1/ext/papers/generate';
const DEALS = '/api/v1/ext/crm/deals';

const app = await sharedApp();
let workflow: WorkflowFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test asserts shapes instead of declaring them
type Loose = any;
const save = (document_type_id: string, over: object = {}) =>
  workflow.screen.post(TRIGGERS, {
    name: 'Agreement',
    event_type: 'deal.won',
    document_type_id,
    title_template: 'Agreement: {{deal.name}}',
    source_map: { customer: 'deal.title', amount: 'deal.amount' },
    ...over,
  });
async function trigger(document_type_id: string, over: object = {}): Promise<Loose> {
  const { status, body, text } = await save(document_type_id, over);
  if (status !== 201) throw new Error(text);
  return body;
}
const offered = (id: string, over: object = {}) => trigger(id, { event_type: 'deal.offered', ...over });
const generate = (payload: object, over: object = {}, client = workflow.api) =>
  client.post(GENERATE, { event_type: 'deal.offered', payload, ...over });
const runs = async (query = ''): Promise<Loose[]> => (await workflow.screen.get(`${GENERATIONS}${query}`)).body.data;
const documents = async (client = workflow.api): Promise<Loose[]> => (await client.get('/api/v1/ext/papers/documents')).body.data;

/** Wins a deal like a CRM user. */
async function winDeal(over: object = {}, mode: 'live' | 'test' = 'live'): Promise<Loose> {
  const { client } = await workflow.space.key({ module: 'crm', mode });
  const { body: deal } = await client.post(DEALS, {
    title: 'Annual licence',
    amount: 1250,
    currency: 'EUR',
    project_id: workflow.space.eng.id,
    ...over,
  });
  const won = await client.patch(`${DEALS}/${deal.id}`, { status: 'won' });
  if (won.status !== 200) throw new Error(won.text);
  return won.body;
}

describe('a won deal', () => {
  it('becomes a document that waits for approval, with the system as its actor', async () => {
    const type = await workflow.approvedBy([workflow.space.owner]);
    const { id: trigger_id } = await trigger(type.id, { auto_submit: true });
    const deal = await winDeal();
    const [document] = await eventually(documents, ({ length }) => length > 0);
    expect(document).toMatchObject({
      title: 'Agreement: Annual licence',
      state: 'in_approval',
      project_id: workflow.space.eng.id,
      data_values: { customer: 'Annual licence', amount: 1250 },
      source_ref: { type: 'deal.won', id: deal.id },
      created_by: { type: 'system', id: null },
    });
    expect(await workflow.events(document.id)).toEqual(['paper.created', 'paper.state_changed in_approval']);
    const [run] = await runs();
    expect(run).toMatchObject({
      object: 'generation_run',
      status: 'completed',
      trigger_id,
      event_type: 'deal.won',
      document_id: document.id,
      project_id: workflow.space.eng.id,
      error: null,
      warnings: [],
    });
    // the member who won the deal may decide: they have not submitted it
    expect((await workflow.decide(document.id, 'APPROVE', workflow.space.owner)).body.state).toBe('approved');
    expect(
      (await workflow.screen.get(`/api/v1/org/papers/documents/${document.id}/audit-entries`)).body.data.map(({ action }: Loose) => action),
    ).toEqual(['papers.create', 'papers.submit', 'papers.generation', 'papers.approve']);
  });

  it('runs only the active triggers of its project and of the organization', async () => {
    const { id } = await workflow.type();
    const wide = await trigger(id, { title_template: 'wide' });
    const own = await trigger(id, { title_template: 'own', project_id: workflow.space.eng.id });
    await trigger(id, { title_template: 'foreign', project_id: workflow.space.ops.id });
    await trigger(id, { title_template: 'off', active: false });
    await trigger(id, { title_template: 'other', event_type: 'deal.lost' });
    await winDeal();
    const all = await eventually(runs, ({ length }) => length >= 2);
    expect(all.map(({ trigger_id }) => trigger_id).sort()).toEqual([wide.id, own.id].sort());
    expect((await documents()).map(({ title }) => title).sort()).toEqual(['own', 'wide']);
  });

  it('in test mode creates nothing', async () => {
    const { id } = await workflow.type();
    await trigger(id);
    await winDeal({}, 'test');
    await winDeal();
    await eventually(runs, ({ length }) => length > 0);
    const test = await workflow.key({ mode: 'test' });
    expect([await documents(test), (await documents()).length]).toEqual([[], 1]);
  });

  it('runs each trigger once, even if the job is delivered repeatedly and concurrently', async () => {
    const { id } = await workflow.type();
    const { id: trigger_id } = await trigger(id, { event_type: 'deal.other' });
    const job = app.service<RunTrigger>('RunTrigger');
    const ctx = workflow.space.ctx();
    const event = {
      id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e99',
      type: 'deal.other',
      project_id: workflow.space.eng.id,
      data: { title: 'X' },
    };
    await Promise.all([1, 2, 3].map(() => job.run(ctx, { trigger_id, event })));
    await job.run(ctx, { trigger_id, event });
    expect([(await runs()).length, (await documents()).length]).toEqual([1, 1]);
  });
});

describe('any event of the suite', () => {
  it('runs triggers: contact.created, which webhooks deliver too', async () => {
    const { id } = await workflow.type();
    const source_map = { customer: 'contact.full_name' };
    await trigger(id, { event_type: 'contact.created', title_template: 'Welcome {{contact.full_name}}', source_map });
    const { client } = await workflow.space.key({ module: 'crm' });
    const contact = await client.post('/api/v1/ext/crm/contacts', {
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      project_id: workflow.space.eng.id,
    });
    expect(contact.status).toBe(201);
    const [document] = await eventually(documents, ({ length }) => length > 0);
    expect(document).toMatchObject({ title: 'Welcome Grace Hopper', source_ref: { type: 'contact.created', id: contact.body.id } });
    const test = await workflow.space.key({ module: 'crm', mode: 'test' });
    await test.client.post('/api/v1/ext/crm/contacts', { full_name: 'Try', email: 'try@example.com', project_id: workflow.space.eng.id });
    const { rows } = await app.sql.query(`SELECT mode FROM jobs WHERE organization_id = $1 AND name = 'documents.hear_event'`, [
      workflow.space.organizationId,
    ]);
    expect(rows).toEqual([{ mode: 'live' }]);
  });

  it('starts no endless chain: a document that a document event generated starts no trigger', async () => {
    const { id } = await workflow.type();
    await trigger(id, { event_type: 'paper.created', title_template: 'Copy of {{paper.title}}', source_map: {} });
    const { code } = await workflow.type();
    await workflow.draft(code);
    await eventually(runs, ({ length }) => length > 0);
    const settled = () =>
      app.sql.query(`SELECT 1 FROM jobs WHERE organization_id = $1 AND status = 'due'`, [workflow.space.organizationId]);
    await eventually(settled, ({ rowCount }) => rowCount === 0);
    expect((await documents()).map(({ title }) => title).sort()).toEqual(['Agreement', 'Copy of Agreement']);
  });

  it('runs only triggers whose conditions hold', async () => {
    const { id } = await workflow.type();
    const conditions = [{ path: 'deal.amount', op: 'gt', operand: { value: 1000 } }];
    await trigger(id, { conditions });
    await winDeal({ amount: 1000 });
    await winDeal({ amount: 1001 });
    await eventually(documents, ({ length }) => length > 0);
    expect((await runs()).length).toBe(1);
    expect((await documents()).map(({ data_values }) => data_values.amount)).toEqual([1001]);
  });
});

describe('a run that fails', () => {
  it('reports "type has no published version" verbatim and creates nothing', async () => {
    const { id } = await workflow.type({ published: false });
    await trigger(id);
    await winDeal();
    const [run] = await eventually(runs, ({ length }) => length > 0);
    expect(run).toMatchObject({ status: 'failed', error: 'type has no published version', document_id: null });
    expect(await documents()).toEqual([]);
  });

  it('at its submission creates no document, event or mail', async () => {
    const { id } = await workflow.approvedBy([workflow.space.owner]);
    await trigger(id, { source_map: { amount: 'deal.amount' }, auto_submit: true });
    await winDeal();
    const [run] = await eventually(runs, ({ length }) => length > 0);
    expect(run).toMatchObject({ status: 'failed', error: 'data_values.customer is required' });
    const { rows } = await app.sql.query(
      `SELECT count(*)::int AS events FROM outbox_events WHERE organization_id = $1 AND type LIKE 'paper.%'`,
      [workflow.space.organizationId],
    );
    expect([await documents(), rows[0].events]).toEqual([[], 0]);
  });

  it('with an unexpected error throws and records nothing, so that the job is retried', async () => {
    const { id } = await workflow.type();
    const { id: trigger_id } = await trigger(id, { event_type: 'deal.other' });
    const ctx = workflow.space.ctx();
    const event = {
      id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e98',
      type: 'deal.other',
      project_id: workflow.space.eng.id,
      data: { title: 'X' },
    };
    await app.sql.query('ALTER TABLE documents RENAME TO documents_away');
    try {
      await expect(app.service<RunTrigger>('RunTrigger').run(ctx, { trigger_id, event })).rejects.toThrow('documents');
    } finally {
      await app.sql.query('ALTER TABLE documents_away RENAME TO documents');
    }
    expect(await runs()).toEqual([]);
    await app.service<RunTrigger>('RunTrigger').run(ctx, { trigger_id, event });
    expect(await runs()).toMatchObject([{ status: 'completed' }]);
  });
});

describe('POST /generate', () => {
  it.each(['deal.won', 'deal.created', 'task.created', 'key.revoked'])(
    'does not state %s for a key that cannot write it',
    async (event_type) => {
      const { id } = await workflow.type();
      const known = event_type === 'key.revoked' ? {} : await trigger(id, { event_type, title_template: 'x', source_map: {} });
      const { status, body } = await generate({ title: 'Faked' }, { event_type, project_id: workflow.space.eng.id });
      // a type that the suite does not have is the caller's own
      if (event_type === 'key.revoked') return expect([status, body.matched]).toEqual([200, 0]);
      expect([status, body.error.code, body.error.param, known]).toMatchObject([403, 'insufficient_scope', 'event_type', { active: true }]);
      expect(await documents()).toEqual([]);
    },
  );

  it('states an event of its own module', async () => {
    const { id } = await workflow.type();
    await trigger(id, { event_type: 'form.submitted', title_template: 'By hand', source_map: {} });
    const body = { event_type: 'form.submitted', project_id: workflow.space.eng.id };
    expect((await generate({ form: { slug: 'x' } }, body)).body).toMatchObject({ matched: 1, results: [{ status: 'completed' }] });
    const reader = await workflow.key({ scopes: ['papers:document:read'] });
    expect((await generate({}, body, reader)).status).toBe(403);
  });

  it('runs only triggers whose conditions hold', async () => {
    const { id } = await workflow.type();
    const condition = (path: string, op: string, value: unknown) => ({ path, op, operand: { value } });
    const large = [condition('deal.amount', 'gte', 1000), condition('region', 'in', ['EU', 'UK'])];
    const { id: trigger_id } = await offered(id, { title_template: 'large', conditions: large, project_id: workflow.space.eng.id });
    const matched = async (payload: object) => (await generate(payload)).body.matched;
    expect([await matched({ amount: 999, region: 'EU' }), await matched({ amount: 1000 })]).toEqual([0, 0]);
    expect(await matched({ deal: { amount: 1000 }, region: 'EU' })).toBe(1);
    expect((await runs()).map((run) => run.trigger_id)).toEqual([trigger_id]);
  });

  it('returns the result of each trigger; one failure does not affect the others', async () => {
    const good = await workflow.type();
    const unpublished = await workflow.type({ published: false });
    const made = await offered(good.id, { project_id: workflow.space.eng.id });
    const failed = await offered(unpublished.id, { project_id: workflow.space.eng.id });
    const pinned = await workflow.key({ project_id: workflow.space.eng.id });
    const { status, body } = await generate({ deal: { name: 'Acme', title: 'Acme', amount: 5 } }, {}, pinned);
    const [document] = await documents();
    expect([status, body]).toEqual([
      200,
      {
        object: 'generation',
        event_id: expect.any(String),
        event_type: 'deal.offered',
        matched: 2,
        results: [
          { trigger_id: made.id, project_id: workflow.space.eng.id, status: 'completed', document_id: document.id, error: null },
          {
            trigger_id: failed.id,
            project_id: workflow.space.eng.id,
            status: 'failed',
            document_id: null,
            error: 'type has no published version',
          },
        ],
      },
    ]);
    expect(document).toMatchObject({
      title: 'Agreement: Acme',
      created_by: { type: 'system', id: null },
      data_values: { customer: 'Acme', amount: 5 },
    });
    expect((await runs(`?event_id=${body.event_id}&status=failed`)).map(({ trigger_id }) => trigger_id)).toEqual([failed.id]);
  });

  it('matches nothing without a trigger for the type', async () => {
    expect((await generate({}, { event_type: 'order.placed' })).body).toMatchObject({ matched: 0, results: [] });
    expect((await generate({}, { event_type: 'Not an event' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'event_type',
    });
    expect((await workflow.api.post(GENERATE, {})).body.error).toMatchObject({ code: 'missing_fields', param: 'event_type' });
  });

  it('with a bound key runs the triggers of its project, and those of the organization in its project', async () => {
    const { id } = await workflow.type();
    await offered(id, { title_template: 'wide' });
    await offered(id, { title_template: 'eng', project_id: workflow.space.eng.id });
    await offered(id, { title_template: 'ops', project_id: workflow.space.ops.id });
    const pinned = await workflow.key({ project_id: workflow.space.ops.id });
    // payload.project_id does not override the key's project
    expect((await generate({ project_id: workflow.space.eng.id }, {}, pinned)).body.matched).toBe(2);
    expect((await documents()).map(({ title, project_id }) => [title, project_id === workflow.space.ops.id])).toEqual(
      expect.arrayContaining([
        ['wide', true],
        ['ops', true],
      ]),
    );
    expect((await generate({}, { project_id: workflow.space.eng.id }, pinned)).body.error.code).toBe('project_scope_mismatch');
  });

  it('with an organization-wide key uses the project of the body, the payload, the trigger, or else the default one', async () => {
    const { id } = await workflow.type();
    const wide = await offered(id, { title_template: 'wide' });
    const ops = await offered(id, { title_template: 'ops', project_id: workflow.space.ops.id });
    const nowhere = (await generate({})).body;
    expect(nowhere.results).toEqual([
      { trigger_id: wide.id, project_id: workflow.space.eng.id, status: 'completed', document_id: expect.any(String), error: null },
      { trigger_id: ops.id, project_id: workflow.space.ops.id, status: 'completed', document_id: expect.any(String), error: null },
    ]);
    expect(await runs(`?trigger_id=${wide.id}`)).toMatchObject([{ status: 'completed', project_id: workflow.space.eng.id }]);
    for (const [payload, over] of [
      [{}, { project_id: workflow.space.eng.id }],
      [{ project_id: workflow.space.eng.id }, {}],
    ]) {
      const { results } = (await generate(payload, over)).body;
      expect(results).toMatchObject([{ trigger_id: wide.id, status: 'completed' }]);
      expect((await workflow.read(results[0].document_id)).project_id).toBe(workflow.space.eng.id);
    }
    expect((await generate({}, { project_id: workflow.space.owner.id })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
    expect((await generate({ project_id: 'P-1' })).body.error).toMatchObject({ code: 'validation_failed', param: 'payload.project_id' });
    // project_id of the body takes precedence over a payload member of that name
    expect((await generate({ project_id: 'P-1' }, { project_id: workflow.space.eng.id })).body.matched).toBe(1);
  });

  it('creates test documents for a test key', async () => {
    const { id } = await workflow.type();
    await offered(id);
    const test = await workflow.key({ mode: 'test', project_id: workflow.space.eng.id });
    expect((await generate({ deal: { title: 'Try', name: 'Try' } }, {}, test)).body.results).toMatchObject([{ status: 'completed' }]);
    expect([(await documents(test)).map(({ number }) => number.startsWith('TEST-')), await documents()]).toEqual([[true], []]);
  });

  it('repeated with its Idempotency-Key creates nothing more', async () => {
    const { id } = await workflow.type();
    await offered(id, { project_id: workflow.space.eng.id });
    const send = () =>
      workflow.api.post(GENERATE, { event_type: 'deal.offered', payload: { title: 'Once' } }, { 'idempotency-key': 'won-1' });
    const [first, again] = [await send(), await send()];
    expect([again.body, again.headers['idempotent-replayed'], (await documents()).length]).toEqual([first.body, 'true', 1]);
  });

  it('finalizes documents that need no approval, and warns if the type requires it since', async () => {
    const { id } = await workflow.type();
    const { id: triggerId } = await offered(id, { project_id: workflow.space.eng.id, auto_submit: true, auto_finalize: true });
    const [first] = (await generate({ title: 'A' })).body.results;
    expect(await workflow.read(first.document_id)).toMatchObject({ state: 'finalized', content_sha256: expect.any(String) });
    await workflow.screen.patch(`/api/v1/org/papers/types/${id}`, { requires_approval: true });
    expect((await workflow.screen.post(`/api/v1/org/papers/types/${id}/publish`, {})).status).toBe(201);
    const {
      results: [second],
    } = (await generate({ title: 'B' })).body;
    expect(await workflow.read(second.document_id)).toMatchObject({ state: 'in_approval' });
    expect((await runs(`?trigger_id=${triggerId}`)).map(({ warnings }) => warnings)).toEqual([
      ['auto_finalize was skipped: the type now requires approval.'],
      [],
    ]);
  });
});

describe('managing triggers', () => {
  it('creates, changes and deletes them', async () => {
    const { id } = await workflow.type();
    const made = await trigger(id);
    expect(made).toMatchObject({ object: 'generation_trigger', auto_submit: false, auto_finalize: false, active: true, project_id: null });
    const changed = await workflow.screen.patch(`${TRIGGERS}/${made.id}`, {
      active: false,
      source_map: { amount: null, customer: { const: 'Acme' } },
    });
    expect(changed.body).toMatchObject({ active: false, source_map: { customer: { const: 'Acme' } } });
    expect(Object.keys(changed.body.source_map)).toEqual(['customer']);
    expect((await workflow.screen.get(`${TRIGGERS}?active=true`)).body.data).toEqual([]);
    expect((await workflow.screen.delete(`${TRIGGERS}/${made.id}`)).status).toBe(204);
    expect((await workflow.screen.get(`${TRIGGERS}/${made.id}`)).status).toBe(404);
  });

  it.each([
    ['a field that the type lacks', { source_map: { colour: 'deal.title' } }, 'source_map.colour'],
    ['an invalid source', { source_map: { amount: { path: 'deal.amount', transform: 'eval' } } }, 'source_map.amount'],
    ['logic in the title', { title_template: '{{#if x}}' }, 'title_template'],
    ['a path that the event lacks', { source_map: { amount: 'deal.amout' } }, 'source_map.amount'],
    ['a path below a single value', { source_map: { amount: { path: 'deal.amount.cents' } } }, 'source_map.amount'],
    ['a path past a list', { source_map: { customer: 'deal.contacts.full_name' } }, 'source_map.customer'],
    ['a title with a path that the event lacks', { title_template: '{{deal.title}} {{contact.name}}' }, 'title_template'],
    [
      'a condition on a path that the event lacks',
      { conditions: [{ path: 'deal.region', op: 'eq', operand: { value: 1 } }] },
      'conditions.0.path',
    ],
    ['a condition without an order', { conditions: [{ path: 'deal.amount', op: 'gt', operand: {} }] }, 'conditions.0.operand'],
    ['an invalid event type', { event_type: 'won' }, 'event_type'],
    ['an unknown document type', { document_type_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e97' }, 'document_type_id'],
  ])('rejects %s and names the param', async (_what, over, param) => {
    const { id } = await workflow.type();
    const { status, body } = await save(id, over);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', param]);
  });

  it('accepts every path of an event, and any path of an event of the caller', async () => {
    const { id } = await workflow.type();
    const source_map = { customer: 'deal.contacts.0.full_name', amount: 'deal.custom_fields.anything.at_all' };
    const accepted = [
      await save(id, { source_map, title_template: '{{deal.name}} {{title}} {{deal.title}}' }),
      await save(id, {
        event_type: 'form.submitted',
        source_map: { customer: 'form.answers.name', amount: 'answers.items.0.amount' },
        title_template: '{{form.title}}',
      }),
      await save(id, { event_type: 'order.placed', source_map: { customer: 'whatever.it.is' }, title_template: '{{order.any}}' }),
    ];
    expect(accepted.map(({ status, text }) => [status, status === 201 ? '' : text])).toEqual(Array(3).fill([201, '']));
  });

  it('rejects auto_finalize for types that require approval, and a type of another project', async () => {
    const approved = await workflow.approvedBy([workflow.space.owner]);
    expect((await save(approved.id, { auto_finalize: true })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'auto_finalize',
    });
    const { id } = await trigger(approved.id);
    expect((await workflow.screen.patch(`${TRIGGERS}/${id}`, { auto_finalize: true })).body.error.param).toBe('auto_finalize');
    const foreign = await workflow.type({ project_id: workflow.space.ops.id });
    expect((await save(foreign.id)).body.error.param).toBe('document_type_id');
    expect((await save(foreign.id, { project_id: workflow.space.ops.id })).status).toBe(201);
  });

  it('lists the event types with sample data', async () => {
    const { body } = await workflow.screen.get(`${TRIGGERS}/event-types`);
    expect(body.data.map(({ type }: Loose) => type)).toEqual(
      expect.arrayContaining(['contact.created', 'form.submitted', 'paper.created']),
    );
    expect(body.data.find(({ type }: Loose) => type === 'deal.won')).toMatchObject({
      description: expect.any(String),
      payload: { deal: { title: expect.any(String), amount: expect.any(Number) } },
    });
  });

  it('requires the setup permission and stays within the organization', async () => {
    const { id } = await workflow.type();
    const made = await trigger(id);
    const member = await workflow.space.signIn((await workflow.space.member('member')).email);
    expect((await member.get(TRIGGERS)).status).toBe(403);
    const other = await WorkflowFixture.open(app);
    expect((await other.screen.get(`${TRIGGERS}/${made.id}`)).status).toBe(404);
    expect((await other.screen.get(TRIGGERS)).body.data).toEqual([]);
  });
});
