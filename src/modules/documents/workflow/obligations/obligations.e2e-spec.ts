import { beforeEach, describe, expect, it } from '@jest/globals';
import { plusDays } from '../../../../kit/index.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';
import type { TypeInput } from '../../model/types/document-type.factory.js';
import type { ObligationRuleDto } from '../../model/types/obligation-rule.dto.js';

const OBLIGATIONS = '/api/v1/ext/papers/obligations';
const ORG = '/api/v1/org/papers/obligations';
const SCHEMA = {
  type: 'object',
  properties: { customer: { type: 'string' }, email: { type: 'string' }, starts_on: { type: 'string', format: 'date' } },
} as const;
const RULE: ObligationRuleDto = {
  title: 'Fee of {{customer}}',
  kind: 'payment',
  side: 'counterparty',
  due_after_days: 10,
  name_from: 'customer',
  email_from: 'email',
  reminder_days: [],
};
const VALUES = { customer: 'Acme', email: 'Pay@Acme.example' };

const app = await sharedApp();
const inWords = (day: string) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
const today = new Date().toISOString().slice(0, 10);
let workflow: WorkflowFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
});

/** Finalizes a document whose type has the given obligation rules. Returns its id. */
async function finalized(
  rules: NonNullable<TypeInput['obligation_rules']>,
  over: { values?: object; input?: TypeInput; client?: WorkflowFixture['api'] } = {},
) {
  const { code } = await workflow.type({ field_schema: SCHEMA, obligation_rules: rules, ...over.input });
  const { id } = await workflow.draft(code, { data_values: { ...VALUES, ...over.values } }, over.client);
  const moved = await workflow.org(id, 'finalize');
  if (moved.status !== 200) throw new Error(moved.text);
  return id;
}
const of = async (id: string, query = '') => (await workflow.api.get(`/api/v1/ext/papers/documents/${id}/obligations${query}`)).body.data;
const at = (day: string, time = 'T12:00:00Z') => app.runScheduledJob('documents.obligations', new Date(day + time));
const mails = async () =>
  (
    await app.sql.query<{ to: string; subject: string }>(
      'SELECT recipient AS to, subject FROM mails WHERE organization_id = $1 ORDER BY created_at, id',
      [workflow.space.organizationId],
    )
  ).rows;
const manual = (document_id: string, over: object = {}) =>
  workflow.screen.post(ORG, { document_id, title: 'Send the report', responsible: { side: 'us' }, due_on: plusDays(today, 5), ...over });

describe("obligations of a type's rules", () => {
  it('are not due outside the years 1000 to 9999: the value is refused when it is written', async () => {
    const rule = (due_after_days: number) => [{ ...RULE, due_on_from: 'starts_on', due_after_days }];
    const { code } = await workflow.type({ field_schema: SCHEMA, obligation_rules: rule(1) });
    const create = (starts_on: string) =>
      workflow.api.post('/api/v1/ext/papers/documents', { type_code: code, title: 'Far', data_values: { ...VALUES, starts_on } });
    expect((await create('9999-12-31')).body.error).toMatchObject({ code: 'validation_failed', param: 'data_values.starts_on' });
    const { body } = await create('9999-12-30');
    const edited = await workflow.api.patch(`/api/v1/ext/papers/documents/${body.id}`, { data_values: { starts_on: '9999-12-31' } });
    expect([edited.status, edited.body.error?.param]).toEqual([400, 'data_values.starts_on']);
    // as an earlier version has stored it
    await app.sql.query(`UPDATE documents SET data_values = data_values || '{"starts_on": "9999-12-31"}' WHERE id = $1`, [body.id]);
    const moved = await workflow.org(body.id, 'finalize');
    expect([moved.status, moved.body.error?.param]).toEqual([400, 'data_values.starts_on']);
    await expect(finalized(rule(-3650), { values: { starts_on: '1000-01-01' } })).rejects.toThrow('data_values.starts_on');
    const last = await finalized(rule(1), { values: { starts_on: '9999-12-30' } });
    expect(await of(last)).toMatchObject([{ due_on: '9999-12-31' }]);
  });

  it('count from the day of a time in the zone of the project', async () => {
    await app.sql.query(`UPDATE projects SET timezone = 'Pacific/Honolulu' WHERE id = $1`, [workflow.space.eng.id]);
    const field_schema = { type: 'object', properties: { ...SCHEMA.properties, at: { type: 'string', format: 'date-time' } } } as const;
    const rules = [{ ...RULE, due_on_from: 'at', due_after_days: 0 }];
    const id = await finalized(rules, { values: { at: '2026-12-01T05:00:00Z' }, input: { field_schema } });
    expect(await of(id)).toMatchObject([{ due_on: '2026-11-30' }]);
    const { code } = await workflow.type({ field_schema });
    const far = { ...VALUES, at: '1000-01-01T01:00:00Z' };
    const refused = await workflow.api.post('/api/v1/ext/papers/documents', { type_code: code, title: 'Far', data_values: far });
    expect(refused.body.error).toMatchObject({
      param: 'data_values.at',
      message: "data_values.at must be in the years 1000 to 9999 in the project's time zone, Pacific/Honolulu",
    });
  });

  it('are created and emitted when a document without signature parties is finalized', async () => {
    const id = await finalized(
      [RULE, { ...RULE, title: 'Renewal', kind: 'renewal', side: 'us', due_on_from: 'starts_on', due_after_days: -30, email_from: null }],
      { values: { starts_on: '2041-03-01' } },
    );
    const [fee, renewal] = await of(id);
    expect(fee).toMatchObject({
      object: 'obligation',
      document_id: id,
      title: 'Fee of Acme',
      kind: 'payment',
      responsible: { side: 'counterparty', name: 'Acme', email: 'pay@acme.example' },
      due_on: plusDays(today, 10),
      recurrence: null,
      occurrence: 1,
      status: 'pending',
      overdue: false,
      source: 'rule',
      completed_at: null,
      completed_by: null,
    });
    expect(renewal).toMatchObject({ title: 'Renewal', due_on: '2041-01-30', responsible: { side: 'us', email: null } });
    const events = await workflow.events(id);
    expect(events.slice(events.indexOf('paper.finalized'))).toEqual([
      'paper.finalized',
      'paper.obligation_created',
      'paper.obligation_created',
    ]);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #> '{data,context,obligation}' AS obligation FROM outbox_events
       WHERE type = 'paper.obligation_created' AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence LIMIT 1`,
      [id],
    );
    expect(rows[0].obligation).toEqual(fee);
  });

  it('are not created if the values lack the date they count from', async () => {
    expect(await of(await finalized([{ ...RULE, due_on_from: 'starts_on' }]))).toEqual([]);
  });

  it('are created with the last signature if the type has signature parties', async () => {
    const id = await finalized([RULE], {
      input: {
        signature_parties: [
          {
            key: 'customer',
            label: 'Customer',
            order: 1,
            kind: 'external',
            name_from: 'customer',
            email_from: 'email',
            required: true,
            auth: 'link',
          },
        ],
      },
    });
    expect(await of(id)).toEqual([]);
  });

  it('are cancelled without a completion event when the document is revoked', async () => {
    const id = await finalized([RULE]);
    await workflow.org(id, 'revoke', { reason: 'wrong price' });
    expect(await of(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await workflow.events(id)).not.toContain('paper.obligation_completed');
  });
});

describe('completing an obligation', () => {
  it('emits one event, creates the next occurrence once, and fails a second time', async () => {
    const id = await finalized([{ ...RULE, recurrence: 'FREQ=YEARLY;COUNT=2' }]);
    const [first] = await of(id);
    const done = await workflow.api.post(`${OBLIGATIONS}/${first.id}/complete`, {});
    expect([done.status, done.body]).toEqual([
      200,
      expect.objectContaining({
        status: 'completed',
        completed_by: expect.objectContaining({ type: 'api_key' }),
        completed_at: expect.any(String),
      }),
    ]);
    const again = await workflow.api.post(`${OBLIGATIONS}/${first.id}/complete`, {});
    expect([again.status, again.body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_transition', allowed: ['pending'] })]);
    const [, second] = await of(id);
    expect(second).toMatchObject({
      series_id: first.series_id,
      occurrence: 2,
      due_on: first.due_on.replace(/^\d{4}/, (year: string) => String(Number(year) + 1)),
      status: 'pending',
    });
    await workflow.api.post(`${OBLIGATIONS}/${second.id}/complete`, {});
    expect(await of(id)).toHaveLength(2);
    expect((await workflow.events(id)).filter((type) => type === 'paper.obligation_completed')).toHaveLength(2);
  });

  it('takes effect once when requests are concurrent', async () => {
    const id = await finalized([{ ...RULE, recurrence: 'FREQ=MONTHLY' }]);
    const [first] = await of(id);
    const responses = await Promise.all([1, 2, 3].map(() => workflow.api.post(`${OBLIGATIONS}/${first.id}/complete`, {})));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await of(id)).toHaveLength(2);
  });

  it('requires the write scope, and reading requires its own scope', async () => {
    const id = await finalized([RULE]);
    const reader = await workflow.key({ scopes: ['papers:obligation:read'] });
    const [obligation] = (await reader.get(OBLIGATIONS)).body.data;
    expect(obligation.document_id).toBe(id);
    expect((await reader.post(`${OBLIGATIONS}/${obligation.id}/complete`, {})).body.error).toMatchObject({
      code: 'insufficient_scope',
      required_scope: 'papers:document:write',
    });
    const writer = await workflow.key({ scopes: ['papers:document:write', 'papers:document:read'] });
    expect((await writer.get(OBLIGATIONS)).body.error).toMatchObject({
      code: 'insufficient_scope',
      required_scope: 'papers:obligation:read',
    });
  });
});

describe('the organization API', () => {
  it('creates, waives and cancels obligations, and the audit trail records each action', async () => {
    const id = await finalized([]);
    const [paid, waived, cancelled] = await Promise.all([
      manual(id),
      manual(id, { recurrence: 'FREQ=WEEKLY' }),
      manual(id, { recurrence: 'FREQ=WEEKLY' }),
    ]);
    expect([paid.status, paid.body]).toEqual([
      201,
      expect.objectContaining({ source: 'manual', kind: 'other', responsible: { side: 'us', name: null, email: null } }),
    ]);
    expect((await workflow.screen.post(`${ORG}/${paid.body.id}/complete`, {})).body.status).toBe('completed');
    expect((await workflow.screen.post(`${ORG}/${waived.body.id}/waive`, { reason: 'a courtesy' })).body.status).toBe('waived');
    expect((await workflow.screen.post(`${ORG}/${cancelled.body.id}/cancel`, {})).body.status).toBe('cancelled');
    const all = (await workflow.screen.get(`${ORG}?document_id=${id}`)).body.data;
    expect(all.map((one: { series_id: string; status: string }) => [one.series_id === waived.body.series_id, one.status]).sort()).toEqual([
      [false, 'cancelled'],
      [false, 'completed'],
      [true, 'pending'],
      [true, 'waived'],
    ]);
    const trail = (await workflow.screen.get(`/api/v1/org/papers/documents/${id}/audit-entries`)).body.data;
    expect(trail.filter(({ action }: { action: string }) => action === 'papers.obligation_waive')).toMatchObject([
      { detail: { obligation_id: waived.body.id, reason: 'a courtesy' } },
    ]);
  });

  it('rejects invalid values and names the field', async () => {
    const id = await finalized([]);
    expect((await manual(id, { recurrence: 'FREQ=HOURLY' })).body.error).toMatchObject({ code: 'validation_failed', param: 'recurrence' });
    expect((await manual(id, { recurrence: 'FREQ=DAILY;UNTIL=20269999' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'recurrence',
    });
    expect((await manual(workflow.space.eng.id)).body.error).toMatchObject({ code: 'validation_failed', param: 'document_id' });
    await workflow.org(id, 'revoke', { reason: 'x' });
    expect((await manual(id)).body.error).toMatchObject({ code: 'invalid_transition' });
  });
});

describe('the scheduled job', () => {
  it('creates the next occurrence once, and not before the current one is due', async () => {
    const id = await finalized([{ ...RULE, recurrence: 'FREQ=WEEKLY;COUNT=3' }]);
    await at(plusDays(today, 9));
    expect(await of(id)).toHaveLength(1);
    await at(plusDays(today, 10));
    await at(plusDays(today, 10));
    expect((await of(id)).map((one: { due_on: string; status: string }) => [one.due_on, one.status])).toEqual([
      [plusDays(today, 10), 'pending'],
      [plusDays(today, 17), 'pending'],
    ]);
    // Completing an occurrence that was already continued creates no third one.
    await workflow.api.post(`${OBLIGATIONS}/${(await of(id))[0].id}/complete`, {});
    expect(await of(id)).toHaveLength(2);
    await at(plusDays(today, 365));
    expect(await of(id)).toHaveLength(3);
  });

  it("uses the days of the project's time zone", async () => {
    await app.sql.query(`UPDATE projects SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [workflow.space.eng.id]);
    const id = await finalized([]);
    const { body } = await manual(id, { due_on: plusDays(today, 5), recurrence: 'FREQ=WEEKLY' });
    // The zone is 14 hours ahead: its day begins at 10:00 UTC of the previous day.
    await at(plusDays(today, 4), 'T09:59:00Z');
    expect(await of(id)).toHaveLength(1);
    await at(plusDays(today, 4), 'T10:01:00Z');
    expect((await of(id)).map((one: { series_id: string }) => one.series_id)).toEqual([body.series_id, body.series_id]);
  });

  it('mails each reminder once, to the responsible person or else to the author', async () => {
    const writer = await workflow.space.member('member');
    const screen = await workflow.space.signIn(writer.email);
    const { code } = await workflow.type({
      field_schema: SCHEMA,
      obligation_rules: [
        { ...RULE, due_after_days: 30, reminder_days: [20, 10, 5] },
        { ...RULE, title: 'Ours', email_from: null, due_after_days: 30, reminder_days: [10] },
      ],
    });
    const {
      body: { id },
    } = await screen.post('/api/v1/org/papers/documents', {
      type_code: code,
      title: 'Lease',
      data_values: VALUES,
      project_id: workflow.space.eng.id,
    });
    await workflow.org(id, 'finalize');
    const due = plusDays(today, 30);
    await at(plusDays(due, -21));
    expect(await mails()).toEqual([]);
    await at(plusDays(due, -20));
    await at(plusDays(due, -20));
    expect(await mails()).toEqual([{ to: 'pay@acme.example', subject: `Due on ${inWords(due)}: Fee of Acme` }]);
    // The job did not run for several days: it sends one mail, not one per missed day.
    await at(plusDays(due, -4));
    await at(plusDays(due, -3));
    expect(
      (await mails())
        .slice(1)
        .map(({ to }) => to)
        .sort(),
    ).toEqual([writer.email, 'pay@acme.example'].sort());
  });

  it('mails reminders for documents created by a key to the document administrators, and waits while there are none', async () => {
    const key = await workflow.key({ actor_user_id: undefined });
    const id = await finalized([{ ...RULE, email_from: null, reminder_days: [5] }], { client: key });
    const [{ due_on }] = await of(id);
    const remindOn = async () =>
      (await app.sql.query('SELECT remind_on::text FROM obligations WHERE document_id = $1', [id])).rows[0].remind_on;
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE organization_id = $1`, [workflow.space.organizationId]);
    await at(plusDays(due_on, -5));
    expect([await mails(), await remindOn()]).toEqual([[], plusDays(due_on, -5)]);
    await app.sql.query(`UPDATE members SET status = 'active' WHERE organization_id = $1`, [workflow.space.organizationId]);
    for (const days of [-4, -3]) await at(plusDays(due_on, days));
    expect([await mails(), await remindOn()]).toEqual([
      [{ to: workflow.space.owner.email, subject: `Due on ${inWords(due_on)}: Fee of Acme` }],
      null,
    ]);
  });

  it('continues with other obligations if one fails, and retries that one', async () => {
    const [broken, sound] = [
      await finalized([{ ...RULE, recurrence: 'FREQ=WEEKLY' }]),
      await finalized([{ ...RULE, recurrence: 'FREQ=WEEKLY' }]),
    ];
    await app.sql.query(`UPDATE obligations SET recurrence = 'FREQ=DAILY;UNTIL=20269999' WHERE document_id = $1`, [broken]);
    await expect(at(plusDays(today, 10))).rejects.toThrow(/^1 of \d+ rows failed/);
    expect([(await of(broken)).length, (await of(sound)).length]).toEqual([1, 2]);
    await app.sql.query(`UPDATE obligations SET recurrence = 'FREQ=WEEKLY' WHERE document_id = $1`, [broken]);
    await at(plusDays(today, 10));
    expect([(await of(broken)).length, (await of(sound)).length]).toEqual([2, 2]);
  });

  it('sends no reminders for completed obligations', async () => {
    const id = await finalized([{ ...RULE, reminder_days: [3] }]);
    await workflow.api.post(`${OBLIGATIONS}/${(await of(id))[0].id}/complete`, {});
    await at(plusDays(today, 8));
    expect(await mails()).toEqual([]);
  });
});

describe('listing obligations', () => {
  it('filters by status, due date, person, document and overdue', async () => {
    const id = await finalized([]);
    const other = await finalized([]);
    const late = (await manual(id, { title: 'Late', due_on: plusDays(today, -2), responsible: { side: 'us', email: 'ADA@example.com' } }))
      .body;
    const soon = (await manual(id, { title: 'Soon', due_on: plusDays(today, 2) })).body;
    const elsewhere = (await manual(other, { title: 'Elsewhere', due_on: plusDays(today, 4) })).body;
    const done = (await manual(id, { title: 'Done', due_on: plusDays(today, -9) })).body;
    await workflow.api.post(`${OBLIGATIONS}/${done.id}/complete`, {});
    const ids = async (query: string) => (await workflow.api.get(`${OBLIGATIONS}?${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await ids('')).toEqual([done.id, late.id, soon.id, elsewhere.id]);
    expect(await ids('overdue=true')).toEqual([late.id]);
    expect(await ids('overdue=false')).toEqual([done.id, soon.id, elsewhere.id]);
    expect(await ids('status=completed,waived')).toEqual([done.id]);
    expect(await ids(`due_after=${plusDays(today, 2)}&due_before=${plusDays(today, 4)}`)).toEqual([soon.id]);
    expect(await ids('responsible_email=Ada@Example.com')).toEqual([late.id]);
    expect(await ids(`document_id=${other}`)).toEqual([elsewhere.id]);
    expect((await of(id, '?overdue=true')).map((one: { id: string; overdue: boolean }) => [one.id, one.overdue])).toEqual([
      [late.id, true],
    ]);
  });

  it('is small enough for agents: 25 as a tool, in both copies of the answer', async () => {
    const title = 'Deliver the quarterly report on service levels to {{customer}}';
    const id = await finalized(Array.from({ length: 25 }, () => ({ ...RULE, title })));
    const params = { name: 'list_document_obligations', arguments: { id, limit: 25 } };
    const { text, body } = await workflow.api.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(body.result.structuredContent.data).toHaveLength(25);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_288);
  });

  it("returns only those of the key's project and mode", async () => {
    const id = await finalized([]);
    const { body } = await manual(id);
    const elsewhere = await workflow.key({ project_id: workflow.space.ops.id });
    const test = await workflow.key({ mode: 'test' });
    for (const client of [elsewhere, test]) {
      expect((await client.get(OBLIGATIONS)).body.data).toEqual([]);
      expect((await client.get(`/api/v1/ext/papers/documents/${id}/obligations`)).status).toBe(404);
      expect((await client.post(`${OBLIGATIONS}/${body.id}/complete`, {})).status).toBe(404);
    }
  });
});
