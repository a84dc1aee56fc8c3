import { beforeEach, describe, expect, it } from '@jest/globals';
import { GENERATE, GenerationFixture } from '../../testing/generation-fixture.js';
import type { Client } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let generation: GenerationFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  generation = new GenerationFixture(workflow);
});

describe('POST /generate', () => {
  it.each(['deal.won', 'deal.created', 'task.created', 'key.revoked'])(
    'does not state %s for a key that cannot write it',
    async (event_type) => {
      const { id } = await workflow.type();
      const known = event_type === 'key.revoked' ? {} : await generation.trigger(id, { event_type, title_template: 'x', source_map: {} });
      const { status, body } = await generation.generate({ title: 'Faked' }, { event_type, project_id: workflow.space.eng.id });
      // a type that the suite does not have is the caller's own
      if (event_type === 'key.revoked') return expect([status, body.matched]).toEqual([200, 0]);
      expect([status, body.error.code, body.error.param, known]).toMatchObject([403, 'insufficient_scope', 'event_type', { active: true }]);
      expect(await generation.documents()).toEqual([]);
    },
  );

  it('says that no key of the documents module can state an event of another one', async () => {
    const { body } = await generation.generate({}, { event_type: 'deal.won', project_id: workflow.space.eng.id });
    expect(body.error).toMatchObject({
      required_scope: 'crm:deal:write',
      message: 'deal.won is an event of the suite, and only a caller with crm:deal:write can send it; use an event type of your own.',
    });
  });

  it('states an event of its own module', async () => {
    const { id } = await workflow.type();
    await generation.trigger(id, { event_type: 'form.submitted', title_template: 'By hand', source_map: {} });
    const body = { event_type: 'form.submitted', project_id: workflow.space.eng.id };
    expect((await generation.generate({ form: { slug: 'x' } }, body)).body).toMatchObject({
      matched: 1,
      results: [{ status: 'completed' }],
    });
    const papers = async (client: Client, types: string[]) =>
      Promise.all(types.map(async (event_type) => (await generation.generate({}, { ...body, event_type }, client)).status));
    const writer = await workflow.key({ scopes: ['papers:document:write'] });
    expect(await papers(writer, ['paper.created', 'paper.comment_added'])).toEqual([200, 200]);
    expect(await papers(writer, ['paper.state_changed', 'paper.finalized', 'paper.sent', 'paper.revoked'])).toEqual(Array(4).fill(403));
    expect(await papers(workflow.api, ['paper.state_changed', 'paper.finalized', 'paper.sent', 'paper.revoked'])).toEqual(
      Array(4).fill(200),
    );
    const nobody = ['paper.signed', 'paper.fully_executed', 'paper.declined', 'paper.lifecycle_override', 'ai.risk.critical_detected'];
    expect(await papers(workflow.api, nobody)).toEqual(Array(5).fill(403));
    const reader = await workflow.key({ scopes: ['papers:document:read'] });
    expect((await generation.generate({}, body, reader)).status).toBe(403);
  });

  it('runs only triggers whose conditions are true', async () => {
    const { id } = await workflow.type();
    const condition = (path: string, op: string, value: unknown) => ({ path, op, operand: { value } });
    const large = [condition('deal.amount', 'gte', 1000), condition('region', 'in', ['EU', 'UK'])];
    const { id: trigger_id } = await generation.offered(id, {
      title_template: 'large',
      conditions: large,
      project_id: workflow.space.eng.id,
    });
    const matched = async (payload: object) => (await generation.generate(payload)).body.matched;
    expect([await matched({ amount: 999, region: 'EU' }), await matched({ amount: 1000 })]).toEqual([0, 0]);
    expect(await matched({ deal: { amount: 1000 }, region: 'EU' })).toBe(1);
    expect((await generation.runs()).map((run) => run.trigger_id)).toEqual([trigger_id]);
  });

  it('returns the result of each trigger; one failure does not affect the others', async () => {
    const good = await workflow.type();
    const unpublished = await workflow.type({ published: false });
    const made = await generation.offered(good.id, { project_id: workflow.space.eng.id });
    const failed = await generation.offered(unpublished.id, { project_id: workflow.space.eng.id });
    const pinned = await workflow.key({ project_id: workflow.space.eng.id });
    const { status, body } = await generation.generate({ deal: { name: 'Acme', title: 'Acme', amount: 5 } }, {}, pinned);
    const [document] = await generation.documents();
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
    expect((await generation.runs(`?event_id=${body.event_id}&status=failed`)).map(({ trigger_id }) => trigger_id)).toEqual([failed.id]);
  });

  it.each(['119.00', '1.19e2', '119.'])('never makes the text %s an amount of 119 minor units', async (price) => {
    const properties = {
      fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
      seats: { type: 'integer' },
      rate: { type: 'number' },
    };
    const { id } = await workflow.type({ field_schema: { type: 'object', properties } as never });
    const read = (path: string) => ({ path, transform: 'number' });
    await generation.offered(id, {
      title_template: 'Offer',
      source_map: { fee: read('price'), seats: read('seats'), rate: read('rate') },
      project_id: workflow.space.eng.id,
    });
    const run = async (payload: object) => (await generation.generate(payload, { project_id: workflow.space.eng.id })).body.results[0];
    expect(await run({ price, seats: '5', rate: '2.50' })).toMatchObject({
      status: 'failed',
      document_id: null,
      error: 'data_values.fee must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
    });
    expect((await run({ price: '11900', seats: price, rate: '2.50' })).error).toBe(
      'data_values.seats must be a whole number without a decimal point',
    );
    expect(await generation.documents()).toEqual([]);
    expect(await run({ price: '11900', seats: '5', rate: '2.50' })).toMatchObject({ status: 'completed' });
    expect((await generation.documents())[0].data_values).toEqual({ fee: 11900, seats: 5, rate: 2.5 });
  });

  it('matches nothing without a trigger for the type', async () => {
    expect((await generation.generate({}, { event_type: 'shipment.arrived' })).body).toMatchObject({ matched: 0, results: [] });
    expect((await generation.generate({}, { event_type: 'Not an event' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'event_type',
    });
    expect((await workflow.api.post(GENERATE, {})).body.error).toMatchObject({ code: 'missing_fields', param: 'event_type' });
  });

  it('with a bound key runs the triggers of its project, and those of the organization in its project', async () => {
    const { id } = await workflow.type();
    await generation.offered(id, { title_template: 'wide' });
    await generation.offered(id, { title_template: 'eng', project_id: workflow.space.eng.id });
    await generation.offered(id, { title_template: 'ops', project_id: workflow.space.ops.id });
    const pinned = await workflow.key({ project_id: workflow.space.ops.id });
    // payload.project_id does not override the key's project
    expect((await generation.generate({ project_id: workflow.space.eng.id }, {}, pinned)).body.matched).toBe(2);
    expect((await generation.documents()).map(({ title, project_id }) => [title, project_id === workflow.space.ops.id])).toEqual(
      expect.arrayContaining([
        ['wide', true],
        ['ops', true],
      ]),
    );
    expect((await generation.generate({}, { project_id: workflow.space.eng.id }, pinned)).body.error.code).toBe('project_scope_mismatch');
  });

  it('with an organization-wide key uses the project of the body, the payload, the trigger, or else the default one', async () => {
    const { id } = await workflow.type();
    const wide = await generation.offered(id, { title_template: 'wide' });
    const ops = await generation.offered(id, { title_template: 'ops', project_id: workflow.space.ops.id });
    const nowhere = (await generation.generate({})).body;
    expect(nowhere.results).toEqual([
      { trigger_id: wide.id, project_id: workflow.space.eng.id, status: 'completed', document_id: expect.any(String), error: null },
      { trigger_id: ops.id, project_id: workflow.space.ops.id, status: 'completed', document_id: expect.any(String), error: null },
    ]);
    expect(await generation.runs(`?trigger_id=${wide.id}`)).toMatchObject([{ status: 'completed', project_id: workflow.space.eng.id }]);
    for (const [payload, over] of [
      [{}, { project_id: workflow.space.eng.id }],
      [{ project_id: workflow.space.eng.id }, {}],
    ]) {
      const { results } = (await generation.generate(payload, over)).body;
      expect(results).toMatchObject([{ trigger_id: wide.id, status: 'completed' }]);
      expect((await workflow.read(results[0].document_id)).project_id).toBe(workflow.space.eng.id);
    }
    expect((await generation.generate({}, { project_id: workflow.space.owner.id })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'project_id',
    });
    expect((await generation.generate({ project_id: 'P-1' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'payload.project_id',
    });
    // project_id of the body takes precedence over a payload member of that name
    expect((await generation.generate({ project_id: 'P-1' }, { project_id: workflow.space.eng.id })).body.matched).toBe(1);
  });

  it('creates test documents for a test key', async () => {
    const { id } = await workflow.type();
    await generation.offered(id);
    const test = await workflow.key({ mode: 'test', project_id: workflow.space.eng.id });
    expect((await generation.generate({ deal: { title: 'Try', name: 'Try' } }, {}, test)).body.results).toMatchObject([
      { status: 'completed' },
    ]);
    expect([(await generation.documents(test)).map(({ number }) => number.startsWith('TEST-')), await generation.documents()]).toEqual([
      [true],
      [],
    ]);
  });

  it('repeated with its Idempotency-Key creates nothing more', async () => {
    const { id } = await workflow.type();
    await generation.offered(id, { project_id: workflow.space.eng.id });
    const send = () =>
      workflow.api.post(GENERATE, { event_type: 'deal.offered', payload: { title: 'Once' } }, { 'idempotency-key': 'won-1' });
    const [first, again] = [await send(), await send()];
    expect([again.body, again.headers['idempotent-replayed'], (await generation.documents()).length]).toEqual([first.body, 'true', 1]);
  });

  it('finalizes documents that need no approval, and warns if the type requires it since', async () => {
    const { id } = await workflow.type();
    const over = { project_id: workflow.space.eng.id, auto_submit: true, auto_finalize: true, sending: { message: 'Thank you.' } };
    const { id: triggerId } = await generation.offered(id, over);
    const [first] = (await generation.generate({ title: 'A' })).body.results;
    expect(await workflow.read(first.document_id)).toMatchObject({
      state: 'finalized',
      content_sha256: expect.any(String),
      sending: { message: 'Thank you.' },
    });
    await workflow.screen.patch(`/api/v1/org/papers/types/${id}`, { requires_approval: true });
    expect((await workflow.screen.post(`/api/v1/org/papers/types/${id}/publish`, {})).status).toBe(201);
    const {
      results: [second],
    } = (await generation.generate({ title: 'B' })).body;
    expect(await workflow.read(second.document_id)).toMatchObject({ state: 'in_approval' });
    expect((await generation.runs(`?trigger_id=${triggerId}`)).map(({ warnings }) => warnings)).toEqual([
      ['auto_finalize was skipped: the type now requires approval.'],
      [],
    ]);
  });
});
