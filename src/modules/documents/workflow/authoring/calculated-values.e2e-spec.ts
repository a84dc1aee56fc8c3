import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const TYPES = '/api/v1/org/papers/types';
const FORMS = '/api/v1/org/papers/forms';
const money = { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' };
const SCHEMA = {
  type: 'object',
  required: ['items'],
  properties: {
    rate: { type: 'number', default: 1 },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { quantity: { type: 'number' }, price: money, amount: { ...money, 'x-calculated': 'round(quantity * price * rate)' } },
      },
    },
    total: { ...money, 'x-calculated': 'sum(items.amount)' },
  },
} as const;
const items = [
  { quantity: 3, price: 33_333 },
  { quantity: 0.5, price: 101 },
];

const workflow = await WorkflowFixture.open(await sharedApp());

it('calculated values are data: in responses, events and conditions of approvers, and calculated again with each change', async () => {
  const { email } = await workflow.space.member('admin');
  const step = (name: string, value: number) => ({
    name,
    mode: 'any' as const,
    approvers: [{ kind: 'user' as const, ref: email }],
    condition: { field: 'total', op: 'gt' as const, operand: { value } },
  });
  const { code } = await workflow.type({
    field_schema: SCHEMA as never,
    requires_approval: true,
    approval_route: { steps: [step('Huge', 300_000), step('Large', 200_000)] },
  });
  const { id } = await workflow.draft(code, { data_values: { items } });
  expect((await workflow.read(id)).data_values).toEqual({
    rate: 1,
    items: [
      { ...items[0], amount: 99_999 },
      { ...items[1], amount: 51 },
    ],
    total: 100_050,
  });

  const patch = (data_values: object) => workflow.screen.patch(`${ORG_DOCUMENTS}/${id}`, { data_values });
  expect((await patch({ total: 5 })).body.error).toMatchObject({
    type: 'invalid_request_error',
    param: 'data_values.total',
    message: 'data_values.total is calculated: it is 100050, not 5; leave it out',
  });
  const { body } = await patch({ rate: 2 });
  expect([body.data_values.total, body.data_values.items[0].amount]).toEqual([200_099, 199_998]);
  // what was read can be sent back
  expect((await patch(body.data_values)).status).toBe(200);

  expect((await workflow.submit(id)).text).toContain('in_approval');
  const { rows } = await workflow.app.sql.query<{ total: number }>(
    `SELECT (body::jsonb #> '{data,object,data_values,total}')::int AS total FROM outbox_events
      WHERE body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
    [id],
  );
  expect([rows[0].total, rows.at(-1)?.total]).toEqual([100_050, 200_099]);
  expect((await workflow.read(id)).approval.steps.map(({ name }: { name: string }) => name)).toEqual(['Large']);
});

it('a type or form that cannot calculate is refused by the field', async () => {
  const withField = (field: object) => ({
    code: 'calculated',
    name: 'X',
    field_schema: { type: 'object', properties: { a: money, b: field } },
  });
  const problem = async (field: object) => (await workflow.screen.post(TYPES, withField(field))).body.error;
  const at = 'field_schema.properties.b.x-calculated';
  expect(await problem({ ...money, 'x-calculated': 'a * (1 + 0.19' })).toMatchObject({
    param: at,
    message: `${at} at character 14: expected ), found the end`,
  });
  expect((await problem({ ...money, 'x-calculated': 5 })).param).toBe(at);
  expect((await problem({ ...money, 'x-calculated': 'a', default: 1 })).param).toBe('field_schema.properties.b.default');
  const required = { ...withField({ ...money, 'x-calculated': 'a' }).field_schema, required: ['b'] };
  expect((await workflow.screen.post(TYPES, { ...withField({}), field_schema: required })).body.error.param).toBe('field_schema.required');
  const fields = withField({ ...money, 'x-calculated': 'a' }).field_schema;
  const form = await workflow.screen.post(FORMS, { title: 'F', slug: 'calculated', project_id: workflow.space.eng.id, fields });
  expect(form.body.error).toMatchObject({ param: 'fields.properties.b.x-calculated' });
});
