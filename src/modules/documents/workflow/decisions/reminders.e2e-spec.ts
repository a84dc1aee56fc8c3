import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { party } from '../../testing/signing-fixture.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);

const remind = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  workflow.api.post(`${DOCUMENTS}/${id}/remind`, body, headers);
const mailsTo = async (email: string) =>
  (await app.sql.query<{ subject: string }>('SELECT subject FROM mails WHERE recipient = $1 ORDER BY id', [email])).rows.map(
    ({ subject }) => subject,
  );
const lastAudit = async (id: string) => (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/audit-entries`)).body.data.at(-1);

describe('a reminder by key', () => {
  it('mails the approvers who have not decided, all or one, and is recorded', async () => {
    const [first, second, third] = [
      await workflow.space.member('admin'),
      await workflow.space.member('admin'),
      await workflow.space.member('admin'),
    ];
    const approvers = [first, second, third].map(({ email }) => ({ kind: 'user' as const, ref: email }));
    const { code } = await workflow.approvedBy([{ name: 'Board', mode: 'all', approvers }]);
    const id = await workflow.submitted(code);
    await workflow.decide(id, 'APPROVE', first);
    const { version } = await workflow.read(id);
    expect((await remind(id, {}, { 'if-match': '"1"' })).status).toBe(412);
    const headers = { 'idempotency-key': `remind ${id}`, 'if-match': `"${version}"` };
    const reminded = await remind(id, {}, headers);
    expect([reminded.status, reminded.body]).toEqual([200, { object: 'reminder', reminded: [second.email, third.email] }]);
    expect((await workflow.read(id)).version).toBe(version + 1);
    expect((await remind(id, {}, headers)).headers['idempotent-replayed']).toBe('true');
    const asked = 'Please decide: Agreement';
    expect(await mailsTo(second.email)).toEqual([asked, 'Reminder: Agreement']);
    expect((await remind(id, { email: third.email.toUpperCase() })).body.error.code).toBe('rate_limited');
    expect([await mailsTo(first.email), await mailsTo(second.email), await mailsTo(third.email)]).toEqual([
      [asked, 'Decided in your name: Agreement'],
      [asked, 'Reminder: Agreement'],
      [asked, 'Reminder: Agreement'],
    ]);
    expect(await lastAudit(id)).toMatchObject({
      action: 'papers.remind',
      actor: { type: 'api_key' },
      detail: { reminded: [second.email, third.email] },
    });
    expect((await remind(id, { email: first.email })).body.error).toMatchObject({ code: 'validation_failed', param: 'email' });
  });

  it('mails the parties that are asked to sign a new link', async () => {
    const { code } = await workflow.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const email = 'reminded.signer@example.com';
    const { id } = await workflow.draft(code, { data_values: { customer: 'Ada', customer_email: email } });
    expect((await remind(id)).body.error).toMatchObject({
      code: 'invalid_transition',
      allowed: ['in_approval', 'sent', 'partially_signed'],
    });
    await workflow.org(id, 'finalize');
    await workflow.org(id, 'send');
    expect((await remind(id)).status).toBe(200);
    expect((await workflow.org(id, 'remind', { email })).body.error.code).toBe('rate_limited');
    expect(await mailsTo(email)).toEqual(['Please sign: Agreement', 'Please sign (reminder): Agreement']);
    expect(await lastAudit(id)).toMatchObject({ action: 'papers.remind', actor: { type: 'api_key' }, detail: { reminded: [email] } });
  });

  it('mails each person once an hour, however many requests arrive at once', async () => {
    const { code } = await workflow.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const email = 'often.reminded@example.com';
    const { id } = await workflow.draft(code, { data_values: { customer: 'Ada', customer_email: email } });
    await workflow.org(id, 'finalize');
    await workflow.org(id, 'send');
    // a reminder that is more than an hour old
    await app.sql.query(
      `INSERT INTO document_audit_entries SELECT (jsonb_populate_record(a, $2 || jsonb_build_object(
         'id', gen_random_uuid(), 'created_at', now() - interval '61 minutes'))).*
       FROM document_audit_entries a WHERE document_id = $1 LIMIT 1`,
      [id, JSON.stringify({ action: 'papers.remind', detail: { reminded: [email] } })],
    );
    const [{ id: partyId }] = (await workflow.screen.get(`${ORG_DOCUMENTS}/${id}/parties`)).body.data;
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => remind(id)),
      ...Array.from({ length: 3 }, () => workflow.org(id, 'remind')),
      ...Array.from({ length: 3 }, () => workflow.screen.post(`${ORG_DOCUMENTS}/${id}/parties/${partyId}/remind`, {})),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)]);
    expect(await mailsTo(email)).toHaveLength(2);
    const { headers, body } = await remind(id);
    expect(body.error).toMatchObject({ code: 'rate_limited', message: expect.stringMatching(/next reminder is possible at \d{4}-/) });
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
  });

  it('needs the scope to submit documents', async () => {
    const { client } = await workflow.space.key({ module: 'documents', scopes: ['papers:document:read'] });
    const { id } = await workflow.draft((await workflow.type()).code);
    expect((await client.post(`${DOCUMENTS}/${id}/remind`, {})).body.error.code).toBe('insufficient_scope');
  });
});
