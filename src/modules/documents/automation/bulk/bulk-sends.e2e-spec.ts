import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { party } from '../../testing/signing-fixture.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
const BULK = '/api/v1/ext/papers/bulk-sends';
let workflow: WorkflowFixture;
let code: string;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  ({ code } = await workflow.type({
    field_schema: {
      type: 'object',
      required: ['customer'],
      properties: { customer: { type: 'string' }, customer_email: { type: 'string' } },
    },
    signature_parties: [party('customer')],
  }));
});

const row = (key: string | null, email = `${key}@example.com`) => ({
  key,
  title: `NDA ${key}`,
  data_values: { customer: 'Ada', customer_email: email },
});

async function sent(rows: object[], more: object = {}) {
  const { status, body } = await workflow.api.post(BULK, { type_code: code, project_id: workflow.space.eng.id, rows, ...more });
  expect([status, body.object]).toEqual([202, 'bulk_send']);
  const done = await eventually(
    async () => (await workflow.api.get(`${BULK}/${body.id}`)).body,
    (bulk) => bulk.status === 'completed',
  );
  return { done, data: done.results as { row: number; status: string; document_id: string | null; error: object | null }[] };
}

test('each row is sent once or says what is wrong with it, and a key that was sent before is not sent again', async () => {
  const first = await sent([row('a'), row('b', 'no address'), { ...row('c'), data_values: { customer: 'Ada', nobody: 1 } }, row(null)]);
  expect(first.done).toMatchObject({ sent_count: 2, failed_count: 2, repeated_count: 0 });
  expect(first.data.map((one) => one.row)).toEqual([1, 2, 3, 4]);
  expect(first.data[1].error).toMatchObject({ code: 'validation_failed', param: 'data_values.customer_email' });
  expect(first.data[2].error).toMatchObject({ code: 'validation_failed', param: 'data_values.nobody' });
  expect(await workflow.read(first.data[0].document_id as string)).toMatchObject({ state: 'sent', title: 'NDA a' });
  const again = await sent([row('a'), row('b')]);
  expect(again.data.map(({ status }) => status)).toEqual(['repeated', 'sent']);
  expect(again.data[0].document_id).toBe(first.data[0].document_id);
  const { rows } = await app.sql.query('SELECT count(*)::int AS n FROM documents WHERE type_code = $1', [code]);
  // rows that failed created nothing
  expect(rows).toEqual([{ n: 3 }]);
});

test('a row is sent as it says, else as the call says of all rows, else as its type says', async () => {
  const type = await workflow.type({
    field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
    signature_parties: [party('customer')],
    sending: { subject: 'Of the type', message: 'Of the type', warn_days: 2, cc: [{ name: 'Alan', email: 'alan@example.com' }] },
  });
  const days = { sign_by: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10), remind_after_days: 3 };
  const rows = [
    row(null, 'a@example.com'),
    { ...row(null, 'b@example.com'), sending: { message: 'Of the row', cc: [], remind_after_days: null } },
    { ...row(null, 'c@example.com'), sending: null },
  ];
  const { data } = await sent(rows, { type_code: type.code, sending: { message: 'Of all', sender_name: 'Grace', ...days } });
  const read = await Promise.all(data.map(async ({ document_id }) => (await workflow.read(document_id as string)).sending));
  const cc = [{ name: 'Alan', email: 'alan@example.com', when: 'completed' }];
  const { sign_by } = days;
  expect(read).toEqual([
    { subject: 'Of the type', message: 'Of all', sender_name: 'Grace', warn_days: 2, cc, ...days },
    { subject: 'Of the type', message: 'Of the row', sender_name: 'Grace', warn_days: 2, cc: [], sign_by },
    { subject: 'Of the type', message: 'Of the type', warn_days: 2, cc },
  ]);
});

test('a row whose integer is written with a decimal point fails', async () => {
  const properties = { customer: { type: 'string' }, customer_email: { type: 'string' }, fee: { type: 'integer', 'x-format': 'money' } };
  const type = await workflow.type({ field_schema: { type: 'object', properties } as never, signature_parties: [party('customer')] });
  const rows = [row(null), row(null)].map((one, index) => ({ ...one, data_values: { ...one.data_values, fee: index } }));
  const json = JSON.stringify({ type_code: type.code, project_id: workflow.space.eng.id, rows }).replace('"fee":0', '"fee":120.00');
  const { body } = await workflow.api.post(BULK, json, { 'content-type': 'application/json' });
  const done = await eventually(
    async () => (await workflow.api.get(`${BULK}/${body.id}`)).body,
    (bulk) => bulk.status === 'completed',
  );
  expect(done).toMatchObject({ sent_count: 1, failed_count: 1 });
  expect(done.results[0].error).toMatchObject({
    param: 'data_values.fee',
    message: 'data_values.fee must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
  });
});

test('what cannot be sent at all is refused with the field that says why', async () => {
  const post = (body: object) => workflow.api.post(BULK, { type_code: code, project_id: workflow.space.eng.id, rows: [row('x')], ...body });
  const approved = await workflow.type({ requires_approval: true, signature_parties: [party('customer')] });
  for (const [body, param] of [
    [{ rows: [] }, 'rows'],
    [{ rows: [row('x'), row('x')] }, 'rows.1.key'],
    [{ rows: [row('x'), { title: '' }] }, 'rows.1.title'],
    [{ sending: { sign_by: '2020-01-01' } }, 'sending.sign_by'],
    [{ rows: [row('x'), { ...row('y'), sending: { cc: [{ name: 'Alan', email: 'alan' }] } }] }, 'rows.1.sending.cc.0.email'],
    [{ rows: [row('x'), { ...row('y'), sending: { sign_by: '2020-01-01' } }] }, 'rows.1.sending.sign_by'],
    [{ type_code: (await workflow.type()).code }, 'type_code'],
    [{ type_code: approved.code }, 'type_code'],
  ] as const)
    expect((await post(body)).body.error).toMatchObject({ param });
  const { error } = (
    await post({
      rows: [
        { ...row('x'), sending: { mesage: 'A' } },
        { ...row('y'), sending: { warn_days: 0 } },
      ],
    })
  ).body;
  expect(error.details).toMatchObject([
    { param: 'rows.0.sending.mesage', message: 'rows.0.sending.mesage is not a field of sending' },
    { param: 'rows.1.sending.warn_days' },
  ]);
  const unbound = await workflow.key({ actor_user_id: undefined });
  expect((await unbound.post(BULK, { type_code: code, rows: [row('x')] })).body.error.code).toBe('key_missing_actor');
});
