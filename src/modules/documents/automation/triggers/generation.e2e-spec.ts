import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../../test/harness/eventually.js';
import { GenerationFixture } from '../../testing/generation-fixture.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';
import type { RunTrigger } from './run-trigger.job.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let generation: GenerationFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  generation = new GenerationFixture(workflow);
});

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
type Loose = any;

describe('a won deal', () => {
  it('becomes a document that waits for approval, with the system as its actor', async () => {
    const type = await workflow.approvedBy([workflow.space.owner]);
    const { id: trigger_id } = await generation.trigger(type.id, { auto_submit: true });
    const deal = await generation.winDeal();
    const [document] = await eventually(
      () => generation.documents(),
      ({ length }) => length > 0,
    );
    expect(document).toMatchObject({
      title: 'Agreement: Annual licence',
      state: 'in_approval',
      project_id: workflow.space.eng.id,
      data_values: { customer: 'Annual licence', amount: 1250 },
      source_ref: { type: 'deal.won', id: deal.id },
      created_by: { type: 'system', id: null },
    });
    expect(await workflow.events(document.id)).toEqual(['paper.created', 'paper.state_changed in_approval']);
    const [run] = await generation.runs();
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
    const wide = await generation.trigger(id, { title_template: 'wide' });
    const own = await generation.trigger(id, { title_template: 'own', project_id: workflow.space.eng.id });
    await generation.trigger(id, { title_template: 'foreign', project_id: workflow.space.ops.id });
    await generation.trigger(id, { title_template: 'off', active: false });
    await generation.trigger(id, { title_template: 'other', event_type: 'deal.lost' });
    await generation.winDeal();
    const all = await eventually(
      () => generation.runs(),
      ({ length }) => length >= 2,
    );
    expect(all.map(({ trigger_id }) => trigger_id).sort()).toEqual([wide.id, own.id].sort());
    expect((await generation.documents()).map(({ title }) => title).sort()).toEqual(['own', 'wide']);
  });

  it('in test mode creates nothing', async () => {
    const { id } = await workflow.type();
    await generation.trigger(id);
    await generation.winDeal({}, 'test');
    await generation.winDeal();
    await eventually(
      () => generation.runs(),
      ({ length }) => length > 0,
    );
    const test = await workflow.key({ mode: 'test' });
    expect([await generation.documents(test), (await generation.documents()).length]).toEqual([[], 1]);
  });

  it('runs each trigger once, even if the job is delivered repeatedly and concurrently', async () => {
    const { id } = await workflow.type();
    const { id: trigger_id } = await generation.trigger(id, { event_type: 'deal.other' });
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
    expect([(await generation.runs()).length, (await generation.documents()).length]).toEqual([1, 1]);
  });
});

describe('any event of the suite', () => {
  it('runs triggers: contact.created, which webhooks deliver too', async () => {
    const { id } = await workflow.type();
    const source_map = { customer: 'contact.full_name' };
    await generation.trigger(id, { event_type: 'contact.created', title_template: 'Welcome {{contact.full_name}}', source_map });
    const { client } = await workflow.space.key({ module: 'crm' });
    const contact = await client.post('/api/v1/ext/crm/contacts', {
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      project_id: workflow.space.eng.id,
    });
    expect(contact.status).toBe(201);
    const [document] = await eventually(
      () => generation.documents(),
      ({ length }) => length > 0,
    );
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
    await generation.trigger(id, { event_type: 'paper.created', title_template: 'Copy of {{paper.title}}', source_map: {} });
    const { code } = await workflow.type();
    await workflow.draft(code);
    await eventually(
      () => generation.runs(),
      ({ length }) => length > 0,
    );
    const settled = () =>
      app.sql.query(`SELECT 1 FROM jobs WHERE organization_id = $1 AND status = 'due'`, [workflow.space.organizationId]);
    await eventually(settled, ({ rowCount }) => rowCount === 0);
    expect((await generation.documents()).map(({ title }) => title).sort()).toEqual(['Agreement', 'Copy of Agreement']);
  });

  it('runs only triggers whose conditions are true', async () => {
    const { id } = await workflow.type();
    const conditions = [{ path: 'deal.amount', op: 'gt', operand: { value: 1000 } }];
    await generation.trigger(id, { conditions });
    await generation.winDeal({ amount: 1000 });
    await generation.winDeal({ amount: 1001 });
    await eventually(
      () => generation.documents(),
      ({ length }) => length > 0,
    );
    expect((await generation.runs()).length).toBe(1);
    expect((await generation.documents()).map(({ data_values }) => data_values.amount)).toEqual([1001]);
  });
});

describe('a run that fails', () => {
  it('reports "type has no published version" verbatim and creates nothing', async () => {
    const { id } = await workflow.type({ published: false });
    await generation.trigger(id);
    await generation.winDeal();
    const [run] = await eventually(
      () => generation.runs(),
      ({ length }) => length > 0,
    );
    expect(run).toMatchObject({ status: 'failed', error: 'type has no published version', document_id: null });
    expect(await generation.documents()).toEqual([]);
  });

  it('at its submission creates no document, event or mail', async () => {
    const { id } = await workflow.approvedBy([workflow.space.owner]);
    await generation.trigger(id, { source_map: { amount: 'deal.amount' }, auto_submit: true });
    await generation.winDeal();
    const [run] = await eventually(
      () => generation.runs(),
      ({ length }) => length > 0,
    );
    expect(run).toMatchObject({ status: 'failed', error: 'data_values.customer is required' });
    const { rows } = await app.sql.query(
      `SELECT count(*)::int AS events FROM outbox_events WHERE organization_id = $1 AND type LIKE 'paper.%'`,
      [workflow.space.organizationId],
    );
    expect([await generation.documents(), rows[0].events]).toEqual([[], 0]);
  });

  it('with an unexpected error throws and records nothing, so that the job is retried', async () => {
    const { id } = await workflow.type();
    const { id: trigger_id } = await generation.trigger(id, { event_type: 'deal.other' });
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
    expect(await generation.runs()).toEqual([]);
    await app.service<RunTrigger>('RunTrigger').run(ctx, { trigger_id, event });
    expect(await generation.runs()).toMatchObject([{ status: 'completed' }]);
  });
});
