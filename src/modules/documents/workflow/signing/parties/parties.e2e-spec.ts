import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ownApp } from '../../../../../../test/harness/hosted-app.js';
import type { ApiResponse } from '../../../../../../test/harness/client.js';
import { eventually } from '../../../../../../test/harness/eventually.js';
import { Mailbox } from '../../../../../../test/harness/mailbox.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const mailbox = await Mailbox.start();
const app = await ownApp({ env: mailbox.env });
const signing = await SigningFixture.open(app, mailbox);

afterAll(() => mailbox.stop());

const statusOf = async (id: string) => (await signing.workflow.read(id)).signature.parties[0].status;
const mailStatus = (to: string, status: string) =>
  eventually(
    async () => (await app.sql.query('SELECT status FROM mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1', [to])).rows,
    ([newest]) => newest?.status === status,
  );

const both = [party('customer'), party('supplier')];

describe('sending', () => {
  test('mails a separate link to each party that is first in the signing order, and stores no token', async () => {
    const { id, customer, supplier } = await signing.sent([party('customer'), party('supplier', { order: 2 })], { signing_days: 14 });
    const { text, subject } = await mailbox.newest(customer, 'Please sign');
    expect(subject).toBe('Please sign: Agreement & <terms>');
    expect(text).toContain('Hello Ada Lovelace');
    const link = await signing.link(customer);
    await signing.delivered(customer);
    expect(await signing.statuses(id)).toEqual({ customer: 'invited', supplier: 'waiting' });
    const { rows } = await app.sql.query<{ token_hash: string | null; row: string }>(
      'SELECT token_hash, p::text AS row FROM signature_parties p WHERE document_id = $1 ORDER BY turn',
      [id],
    );
    const token = link.slice('/s/'.length);
    expect(rows.map(({ token_hash }) => token_hash)).toEqual([createHash('sha256').update(token).digest('hex'), null]);
    expect(rows[0].row).not.toContain(token);
    expect(mailbox.received.filter(({ to }) => to === supplier)).toEqual([]);
    expect(await signing.workflow.events(id)).toEqual([
      'paper.created',
      'paper.state_changed finalized',
      'paper.finalized',
      'paper.state_changed sent',
      'paper.sent',
    ]);
    const { deadline_at } = (await signing.workflow.read(id)).signature;
    expect(Math.abs(Date.parse(deadline_at) - Date.now() - 14 * 86_400_000)).toBeLessThan(60_000);
  });

  test('reports every missing name and address, and sends nothing', async () => {
    const { code } = await signing.workflow.type({
      field_schema: {
        type: 'object',
        properties: {
          customer: { type: 'string' },
          customer_email: { type: 'string' },
          supplier: { type: 'string' },
          supplier_email: { type: 'string' },
        },
      },
      signature_parties: both,
    });
    const { id } = await signing.workflow.draft(code, {
      data_values: { customer: 'Ada', supplier: 'Grace', supplier_email: 'no address' },
    });
    await signing.workflow.org(id, 'finalize');
    const rejected = await signing.workflow.org(id, 'send');
    expect([rejected.status, rejected.body.error.code, rejected.body.error.param]).toEqual([
      400,
      'missing_fields',
      'data_values.customer_email',
    ]);
    expect(rejected.body.error.details.map(({ param, code: problem }: Record<string, string>) => [param, problem])).toEqual([
      ['data_values.customer_email', 'missing'],
      ['data_values.supplier_email', 'invalid_value'],
    ]);
    expect([(await signing.workflow.read(id)).state, await signing.workflow.mails(id)]).toEqual(['finalized', []]);
  });

  test('fails for a type without signature parties, and before the document is finalized', async () => {
    const { id } = await signing.finalized([]);
    expect((await signing.workflow.org(id, 'send')).body.error).toMatchObject({
      code: 'invalid_transition',
      message: expect.stringContaining('has no signature parties'),
    });
    const { code } = await signing.workflow.type({ signature_parties: [party('customer')] });
    const draft = await signing.workflow.draft(code);
    expect((await signing.workflow.org(draft.id, 'send')).body.error.code).toBe('invalid_transition');
  });

  test('is possible for a key with TRANSITION', async () => {
    const { id, customer } = await signing.finalized();
    const sending = await signing.workflow.move(id, 'send');
    expect([sending.status, sending.body.state, sending.body.signature.request]).toEqual([200, 'finalized', 'sending']);
    expect(await signing.link(customer)).toMatch(/^\/s\//);
    await signing.delivered(customer);
    expect((await signing.workflow.read(id)).state).toBe('sent');
  });
});

describe('an invitation', () => {
  test('sets the party to invited once the mail server has accepted it, and increments the version of the document', async () => {
    const { id, customer } = await signing.finalized([party('customer')]);
    const sent = (await signing.workflow.org(id, 'send')).body;
    expect(sent.signature.parties[0].status).toBe('waiting');
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    const document = await signing.workflow.read(id);
    expect([document.signature.parties[0].status, document.version]).toEqual(['invited', sent.version + 1]);
    expect((await signing.parties(id)).body.data[0]).toMatchObject({ status: 'invited', invitation: { status: 'sent' } });
  });

  test('does not change a party that opened the document before the mail was accepted', async () => {
    const { id, customer } = await signing.sent();
    await signing.visitor.get(await signing.link(customer));
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    expect(await statusOf(id)).toBe('viewed');
  });

  test('of the test mode sets the party to invited at once, because its mail is never sent', async () => {
    const key = await signing.workflow.key({ mode: 'test' });
    const { code } = await signing.workflow.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const { id } = await signing.workflow.draft(code, { data_values: { customer: 'Tess', customer_email: 'tess@example.com' } }, key);
    await signing.workflow.move(id, 'finalize', {}, key);
    expect((await signing.workflow.move(id, 'send', {}, key)).body.signature.parties).toMatchObject([{ status: 'invited' }]);
  });

  test('that is permanently rejected is reported to the sender once, by mail and comment, and can be repeated', async () => {
    const { id, customer } = await signing.finalized([party('customer')]);
    mailbox.rejections.set(customer, { code: 550, times: Infinity });
    await signing.workflow.org(id, 'send');
    await mailStatus(customer, 'failed');
    for (let round = 0; round < 2; round++) await app.runScheduledJob('documents.invitations');
    expect(await statusOf(id)).toBe('waiting');
    const notices = () => mailbox.received.filter(({ to, text }) => to === signing.workflow.space.owner.email && text.includes(customer));
    await eventually(
      () => Promise.resolve(notices()),
      ({ length }) => length > 0,
    );
    const [{ subject, text }] = notices();
    expect(subject).toBe('Not delivered: Agreement & <terms>');
    for (const part of ['Ada Lovelace (Customer)', customer, 'no such mailbox']) expect(text).toContain(part);
    const comments = (await signing.workflow.screen.get(`/api/v1/org/papers/documents/${id}/comments`)).body.data;
    expect(comments).toMatchObject([{ kind: 'system', author: { type: 'system' }, body: expect.stringContaining('no such mailbox') }]);
    const failureMails = await app.sql.query(`SELECT 1 FROM mails WHERE subject LIKE 'Not delivered%' AND text LIKE '%' || $1 || '%'`, [
      customer,
    ]);
    expect(failureMails.rowCount).toBe(1);

    mailbox.rejections.delete(customer);
    expect(await signing.workflow.read(id)).toMatchObject({ state: 'finalized', signature: { request: 'failed' } });
    expect((await signing.workflow.events(id)).at(-1)).toBe('paper.comment_added');
    expect((await signing.workflow.org(id, 'send')).status).toBe(200);
    await mailbox.newest(customer, 'Please sign');
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    expect([await statusOf(id), (await signing.workflow.read(id)).state]).toEqual(['invited', 'sent']);
  });
});

test('a document whose request failed is sent once the mail is sent again and taken', async () => {
  const { id, customer } = await signing.finalized([party('customer')]);
  mailbox.rejections.set(customer, { code: 451, times: Infinity });
  await signing.workflow.org(id, 'send');
  const { rows } = await app.sql.query<{ id: string }>('SELECT id FROM mails WHERE recipient = $1', [customer]);
  await eventually(
    async () => {
      await app.sql.query(`UPDATE mails SET give_up_at = now(), due_at = now() WHERE recipient = $1 AND status = 'queued'`, [customer]);
      return (await app.sql.query('SELECT status FROM mails WHERE recipient = $1', [customer])).rows[0].status as string;
    },
    (status) => status === 'failed',
  );
  const request = async () => (await signing.workflow.read(id)).signature.request as string | null;
  await app.runScheduledJob('documents.invitations');
  await eventually(request, (standing) => standing === 'failed');

  mailbox.rejections.delete(customer);
  const resent = await signing.workflow.screen.post(`/api/v1/org/developer/mail-outbox/${rows[0].id}/resend`);
  expect(resent.status).toBe(200);
  await mailStatus(customer, 'sent');
  await app.runScheduledJob('documents.invitations');
  await eventually(request, (standing) => standing === null);
  expect([await statusOf(id), (await signing.workflow.read(id)).state]).toEqual(['invited', 'sent']);
});

describe('a document becomes sent', () => {
  /** The mail server has received the request, but confirms it only when told to. */
  const sending = async () => {
    const finalized = await signing.finalized([party('customer')]);
    const confirmed = Promise.withResolvers<void>();
    mailbox.delays.set(finalized.customer, confirmed.promise);
    const { body } = await signing.workflow.org(finalized.id, 'send');
    expect([body.state, body.signature.request, body.allowed_actions]).toEqual([
      'finalized',
      'sending',
      expect.not.arrayContaining(['send']),
    ]);
    await mailbox.newest(finalized.customer, 'Please sign');
    return { ...finalized, confirm: () => confirmed.resolve() };
  };
  const standing = async (id: string) => {
    const { state, signature } = await signing.workflow.read(id);
    return [state, signature.request, (await signing.workflow.events(id)).includes('paper.sent')];
  };

  test('as soon as the mail server has accepted the first request, by whoever sent it', async () => {
    const { id, confirm } = await sending();
    expect(await standing(id)).toEqual(['finalized', 'sending', false]);
    expect((await signing.workflow.org(id, 'send')).body.error.code).toBe('invalid_transition');
    // the mail makes the job due, not its interval
    await app.sql.query(`UPDATE scheduled_jobs SET due_at = now() + interval '1 hour' WHERE name = 'documents.invitations'`);
    confirm();
    await eventually(
      () => standing(id),
      ([state]) => state === 'sent',
    );
    expect(await standing(id)).toEqual(['sent', null, true]);
    expect((await signing.workflow.events(id)).slice(-2)).toEqual(['paper.state_changed sent', 'paper.sent']);
    const { rows } = await app.sql.query(
      `SELECT body::jsonb #>> '{data,context,requested_by,email}' AS by, body::jsonb #>> '{data,previous_attributes,state}' AS before
         FROM outbox_events WHERE type = 'paper.sent' AND body::jsonb #>> '{data,object,id}' = $1`,
      [id],
    );
    expect(rows).toEqual([{ by: signing.workflow.space.owner.email, before: 'finalized' }]);
  });

  test('not while the mail server puts the mail off', async () => {
    const finalized = await signing.finalized();
    mailbox.rejections.set(finalized.customer, { code: 451, times: 1 });
    await signing.workflow.org(finalized.id, 'send');
    const mail = () => app.sql.query<{ error: string | null }>('SELECT error FROM mails WHERE recipient = $1', [finalized.customer]);
    await eventually(mail, ({ rows }) => rows[0].error !== null);
    await app.runScheduledJob('documents.invitations');
    expect(await standing(finalized.id)).toEqual(['finalized', 'sending', false]);
    await app.sql.query('UPDATE mails SET due_at = now() WHERE recipient = $1', [finalized.customer]);
    await signing.delivered(finalized.customer);
    expect(await standing(finalized.id)).toEqual(['sent', null, true]);
  });

  test('if one of several requests is taken', async () => {
    const { id, customer, supplier } = await signing.finalized(both);
    mailbox.rejections.set(customer, { code: 550, times: Infinity });
    await signing.workflow.org(id, 'send');
    await signing.delivered(customer, supplier);
    expect(await standing(id)).toEqual(['sent', null, true]);
    expect(await signing.statuses(id)).toEqual({ customer: 'waiting', supplier: 'invited' });
  });

  test('if a party opens its link before the answer of the mail server is recorded', async () => {
    const { id, customer, confirm } = await sending();
    const link = await signing.link(customer);
    expect((await signing.visitor.get(link)).status).toBe(200);
    expect(await standing(id)).toEqual(['sent', null, true]);
    expect((await signing.sign(link)).status).toBe(303);
    confirm();
    await signing.delivered(customer);
    expect((await signing.workflow.read(id)).state).toBe('executed');
    expect((await signing.workflow.events(id)).filter((event) => event === 'paper.sent')).toHaveLength(1);
  });

  test('never once it was revoked', async () => {
    const { id, customer, confirm } = await sending();
    expect((await signing.workflow.org(id, 'revoke', { reason: 'Wrong price.' })).body.state).toBe('revoked');
    confirm();
    await signing.delivered(customer);
    expect(await standing(id)).toEqual(['revoked', null, false]);
    expect(await signing.goneReason(await signing.link(customer))).toBe('The sender has withdrawn this document.');
  });
});

test('the outbox shows no signing link and no code', async () => {
  const { customer } = await signing.sent([party('customer', { auth: 'otp' })]);
  const link = await signing.link(customer);
  await signing.post(`${link}/code`, {});
  const { subject, text } = await mailbox.newest(customer, 'Your code');
  const [, code] = /is (\d{6})\./.exec(text) as RegExpExecArray;
  expect(subject).not.toContain(code);
  await signing.sign(link, { code });
  await mailbox.newest(customer, 'Signed by all');
  const outbox = await signing.workflow.screen.get(`/api/v1/org/developer/mail-outbox?recipient=${encodeURIComponent(customer)}`);
  expect(outbox.body.data).toHaveLength(3);
  expect(outbox.text).not.toMatch(new RegExp(`/s/|${code}`));
});

describe('a document that can no longer be signed', () => {
  test.each<[string, (id: string) => Promise<ApiResponse>, string]>([
    ['is revoked', (id) => signing.workflow.org(id, 'revoke', { reason: 'Wrong price.' }), 'The sender has withdrawn this document.'],
    [
      'is set to finalized by an override',
      (id) => signing.workflow.org(id, 'override', { to: 'finalized', reason: 'Wrong price.' }),
      'This document can no longer be signed.',
    ],
    [
      'is set to draft by an override',
      (id) => signing.workflow.org(id, 'override', { to: 'draft', reason: 'Wrong price.' }),
      'This link is no longer valid. If the document is sent again, you will receive a new one.',
    ],
  ])('because it %s: open parties are cancelled and their links show the reason', async (_what, move, reason) => {
    const { id, customer } = await signing.sent(both);
    const link = await signing.link(customer);
    await signing.visitor.get(link);
    const moved = await move(id);
    expect(moved.status).toBe(200);
    const { rows } = await app.sql.query<{ status: string }>('SELECT status FROM signature_parties WHERE document_id = $1', [id]);
    expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await signing.goneReason(link)).toBe(reason);
  });

  test('because it expires: open parties are cancelled, and the signers of an executed document keep access to it', async () => {
    const [late, old] = [
      await signing.sent([party('customer')], { signing_days: 1 }),
      await signing.sent([party('customer')], { validity_months: 1 }),
    ];
    const [lateLink, oldLink] = [await signing.link(late.customer), await signing.link(old.customer)];
    await signing.sign(oldLink);
    await app.sql.query(`UPDATE documents SET signing_deadline_at = now() - interval '1 second' WHERE id = $1`, [late.id]);
    await app.sql.query(`UPDATE documents SET valid_until_on = '2020-01-01' WHERE id = $1`, [old.id]);
    await app.runScheduledJob('documents.expire');
    expect([
      (await signing.workflow.read(late.id)).state,
      await signing.statuses(late.id),
      (await signing.workflow.read(old.id)).state,
      await signing.statuses(old.id),
    ]).toEqual(['expired', { customer: 'cancelled' }, 'expired', { customer: 'signed' }]);
    expect(await signing.goneReason(lateLink)).toContain('The time to sign this document is over.');
    expect([(await signing.visitor.get(oldLink)).status, (await signing.visitor.get(`${oldLink}/pdf`)).status]).toEqual([200, 200]);
  });

  test('can be sent again, with new links only', async () => {
    const { id, customer } = await signing.sent();
    const old = await signing.link(customer);
    await signing.workflow.org(id, 'override', { to: 'finalized', reason: 'Sent too early.' });
    expect((await signing.workflow.org(id, 'send')).status).toBe(200);
    expect((await signing.visitor.get(old)).status).toBe(410);
    expect((await signing.sign(await signing.link(customer, 'Please sign', 2))).status).toBe(303);
    expect((await signing.workflow.read(id)).state).toBe('executed');
  });
});

describe('the parties in the organization API', () => {
  test('are listed with the delivery state of their invitations, and can be reminded', async () => {
    const { id, customer } = await signing.sent([party('customer'), party('supplier', { order: 2 })]);
    const old = await signing.link(customer);
    await signing.delivered(customer);
    const list = await signing.parties(id);
    expect(list.body.data).toMatchObject([
      { object: 'signature_party', key: 'customer', status: 'invited', invitation: { status: 'sent', error: null }, email: customer },
      { key: 'supplier', status: 'waiting', invitation: null },
    ]);
    const [first, second] = list.body.data as { id: string }[];
    const remind = (party_id: string, document = id) =>
      signing.workflow.screen.post(`/api/v1/org/papers/documents/${document}/parties/${party_id}/remind`, {});
    const reminded = await remind(first.id);
    expect([reminded.status, reminded.body.status]).toEqual([200, 'waiting']);
    const link = await signing.link(customer, 'Please sign', 2);
    expect([(await signing.visitor.get(old)).status, (await signing.visitor.get(link)).status]).toEqual([200, 200]);
    expect((await remind(second.id)).body.error).toMatchObject({ code: 'invalid_transition' });
    const other = await signing.sent();
    expect((await remind(first.id, other.id)).status).toBe(404);
    await signing.sign(link);
    expect((await remind(first.id)).body.error.code).toBe('invalid_transition');
    expect(JSON.stringify((await signing.parties(id)).body)).not.toMatch(/token|otp/);
  });

  test('are visible only to members of the organization who may view documents', async () => {
    const { id } = await signing.sent();
    const foreign = await (await app.workspace()).signIn();
    expect((await signing.parties(id, foreign)).status).toBe(404);
  });
});
