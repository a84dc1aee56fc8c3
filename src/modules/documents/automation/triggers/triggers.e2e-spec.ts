import { beforeEach, describe, expect, it } from '@jest/globals';
import { GenerationFixture, TRIGGERS } from '../../testing/generation-fixture.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let generation: GenerationFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  generation = new GenerationFixture(workflow);
});

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
type Loose = any;

describe('managing triggers', () => {
  it('creates, changes and deletes them', async () => {
    const { id } = await workflow.type();
    const made = await generation.trigger(id);
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
    ['a condition without a value', { conditions: [{ path: 'deal.title', op: 'eq', operand: {} }] }, 'conditions.0.operand'],
    [
      'a condition whose operand has another member than value',
      { conditions: [{ path: 'deal.title', op: 'ne', operand: { const: 'Acme' } }] },
      'conditions.0.operand',
    ],
    [
      'a condition that compares a text with a number',
      { conditions: [{ path: 'deal.title', op: 'gt', operand: { value: 5 } }] },
      'conditions.0.operand',
    ],
    [
      'a condition that looks for a text among numbers',
      { conditions: [{ path: 'deal.amount', op: 'in', operand: { value: [1, 'two'] } }] },
      'conditions.0.operand',
    ],
    [
      'a condition on a value that the event never has',
      { conditions: [{ path: 'deal.status', op: 'eq', operand: { value: 'wonn' } }] },
      'conditions.0.operand',
    ],
    ['a condition that orders a list', { conditions: [{ path: 'deal.contacts', op: 'gt', operand: { value: 5 } }] }, 'conditions.0.path'],
    ['an object for a text', { source_map: { customer: 'deal' } }, 'source_map.customer'],
    ['a list for a text', { source_map: { customer: 'deal.contacts' } }, 'source_map.customer'],
    [
      'an object with a transform',
      { source_map: { customer: { path: 'deal.custom_fields', transform: 'string' } } },
      'source_map.customer',
    ],
    ['a text for a number', { source_map: { amount: 'deal.title' } }, 'source_map.amount'],
    ['a number for a text', { source_map: { customer: 'deal.amount' } }, 'source_map.customer'],
    ['a constant that the field rejects', { source_map: { amount: { const: 'many' } } }, 'source_map.amount'],
    ['a default that the field rejects', { source_map: { amount: { path: 'deal.amount', default: 'many' } } }, 'source_map.amount'],
    [
      'a copy for one person twice',
      { sending: { cc: ['a@b.example', 'A@b.example'].map((email) => ({ name: 'A', email })) } },
      'sending.cc.1.email',
    ],
    ['an object in the title', { title_template: '{{deal}}' }, 'title_template'],
    ['an invalid event type', { event_type: 'won' }, 'event_type'],
    ['an unknown document type', { document_type_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e97' }, 'document_type_id'],
  ])('rejects %s and names the param', async (_what, over, param) => {
    const { id } = await workflow.type();
    const { status, body } = await generation.save(id, over);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', param]);
  });

  it.each([
    ['source_map.fee', '"source_map":{"fee":{"const":119.00}}'],
    ['source_map.fee', '"source_map":{"fee":{"path":"deal.amount","default":119.0}}'],
    ['conditions.0.operand', '"conditions":[{"path":"deal.amount","op":"gte","operand":{"value":1.19e2}}]'],
    ['conditions.0.operand', '"conditions":[{"path":"deal.amount","op":"in","operand":{"value":[1,119.00]}}]'],
  ])('rejects in %s a number that is written with a point for an integer: %s', async (param, member) => {
    const fee = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
    const { id } = await workflow.type({ field_schema: { type: 'object', properties: { fee } } as never });
    const over = { name: 'A', event_type: 'deal.won', document_type_id: id, title_template: 'A', source_map: {} };
    // the later of two members counts
    const body = `${JSON.stringify(over).slice(0, -1)},${member}}`;
    const sent = await workflow.screen.post(TRIGGERS, body, { 'content-type': 'application/json' });
    expect([sent.status, sent.body.error?.param]).toEqual([400, param]);
    const whole = body.replace(/119\.0+|1\.19e2/, '11900');
    expect((await workflow.screen.post(TRIGGERS, whole, { 'content-type': 'application/json' })).status).toBe(201);
  });

  it('says how an operand looks when it is a bare value', async () => {
    const { id } = await workflow.type();
    const { status, body } = await generation.save(id, { conditions: [{ path: 'deal.title', op: 'eq', operand: 'Acme' }] });
    expect([status, body.error.param, body.error.message]).toEqual([
      400,
      'conditions.0.operand',
      'conditions.0.operand must be a JSON object, as {"value": ...}',
    ]);
  });

  it('accepts every path of an event, and any path of an event of the caller', async () => {
    const { id } = await workflow.type();
    const source_map = { customer: 'deal.contacts.0.full_name', amount: 'deal.custom_fields.anything.at_all' };
    const converted = { customer: { path: 'deal.amount', transform: 'string' }, amount: { path: 'deal.title', transform: 'number' } };
    const conditions = [
      { path: 'deal.title', op: 'contains', operand: { value: 'licence' } },
      { path: 'deal.amount', op: 'in', operand: { value: [1, 2] } },
      { path: 'deal.status', op: 'ne', operand: { value: null } },
      { path: 'deal.contacts', op: 'exists', operand: { value: true } },
      { path: 'deal.custom_fields.region', op: 'gt', operand: { value: 1 } },
      { path: 'deal.closed_at', op: 'gte', operand: { value: '2026-01-01' } },
    ];
    const accepted = [
      await generation.save(id, { source_map: converted, conditions }),
      await generation.save(id, { source_map, title_template: '{{deal.name}} {{title}} {{deal.title}}' }),
      await generation.save(id, {
        event_type: 'form.submitted',
        source_map: { customer: 'form.answers.name', amount: 'answers.items.0.amount' },
        title_template: '{{form.title}}',
      }),
      await generation.save(id, {
        event_type: 'shipment.arrived',
        source_map: { customer: 'whatever.it.is' },
        title_template: '{{order.any}}',
      }),
    ];
    expect(accepted.map(({ status, text }) => [status, status === 201 ? '' : text])).toEqual(Array(4).fill([201, '']));
  });

  it('rejects auto_finalize for types that require approval, and a type of another project', async () => {
    const approved = await workflow.approvedBy([workflow.space.owner]);
    expect((await generation.save(approved.id, { auto_finalize: true })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'auto_finalize',
    });
    const { id } = await generation.trigger(approved.id);
    expect((await workflow.screen.patch(`${TRIGGERS}/${id}`, { auto_finalize: true })).body.error.param).toBe('auto_finalize');
    const foreign = await workflow.type({ project_id: workflow.space.ops.id });
    expect((await generation.save(foreign.id)).body.error.param).toBe('document_type_id');
    expect((await generation.save(foreign.id, { project_id: workflow.space.ops.id })).status).toBe(201);
  });

  it('lists the event types with sample data', async () => {
    const { body } = await workflow.screen.get(`${TRIGGERS}/event-types?limit=100`);
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
    const made = await generation.trigger(id);
    const member = await workflow.space.signIn((await workflow.space.member('member')).email);
    expect((await member.get(TRIGGERS)).status).toBe(403);
    const other = await WorkflowFixture.open(app);
    expect((await other.screen.get(`${TRIGGERS}/${made.id}`)).status).toBe(404);
    expect((await other.screen.get(TRIGGERS)).body.data).toEqual([]);
  });
});
