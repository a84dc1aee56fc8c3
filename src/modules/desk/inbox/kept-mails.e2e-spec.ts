import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { EXT_DESK, makeTicket, ORG_DESK, type TicketBody } from '../testing/desk-fixture.js';
import { DeskInbox, type InboundRow } from '../testing/desk-inbox.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { ownApp } from '../../../../test/harness/hosted-app.js';
import { Mailbox } from '../../../../test/harness/mailbox.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import * as reports from '../testing/report-mails.js';
import { file, mailOf, multipart, plain } from '../testing/sample-mails.js';

const DAY_MS = 86_400_000;
const ADDRESS = 'support@desk.example';

const smtp = await Mailbox.start();
const app = await ownApp({ env: { ...smtp.env, MAIL_FROM: 'Desk <desk@suite.example>' } });
const space = await app.workspace();
const { client } = await space.key({ module: 'desk', scopes: ['desk:ticket:read', 'desk:ticket:write', 'desk:message:write'] });
let owner: Client;
let inbox: DeskInbox;
let mailbox: { id: string; token: string };

beforeAll(async () => {
  owner = await space.signIn();
  inbox = new DeskInbox(app, space, owner);
  mailbox = await inbox.open({ address: ADDRESS, keep_raw_days: 30 });
});
afterAll(() => smtp.stop());

const MAILS = `${ORG_DESK}/inbound-mails`;
const receive = (raw: Buffer, to = mailbox.token): Promise<InboundRow> => inbox.receive(raw, to);
const ticketOf = async (id: string | null) => (await client.get(`${EXT_DESK}/tickets/${id}`)).body as TicketBody;
const messagesOf = async (id: string | null) => (await client.get(`${EXT_DESK}/tickets/${id}/messages?limit=100`)).body.data;
const open = (id: string, body: object = {}) => owner.post(`${MAILS}/${id}/ticket`, body);
const rawOf = async (id: string) => {
  const response = await fetch(`${owner.url}${MAILS}/${id}/raw`, { headers: owner.headers });
  return Buffer.from(await response.arrayBuffer());
};
const ticketsOf = async (email: string) => (await client.get(`${EXT_DESK}/tickets?requester_email=${email}`)).body.data as TicketBody[];

const robot = (host: string, subject = 'Disk full') =>
  mailOf({ from: `Alerts <alert@${host}>`, subject, headers: { 'Auto-Submitted': 'auto-generated' }, body: plain('99 %') });

describe('a mail that became no ticket', () => {
  test('is listed with sender, subject and reason, and downloaded as it was', async () => {
    const raw = robot('one.example');
    const { id } = await receive(raw);
    await receive(mailOf({ headers: { 'Return-Path': '<>' }, body: plain('x') }));
    const { body } = await owner.get(`${MAILS}?reason=auto_submitted&mailbox_id=${mailbox.id}`);
    expect(body.data).toEqual([
      expect.objectContaining({
        id,
        from_email: 'alert@one.example',
        from_name: 'Alerts',
        subject: 'Disk full',
        status: 'filed',
        reason: 'auto_submitted',
        ticket_id: null,
      }),
    ]);
    const [{ received_at, raw_until_at }] = body.data;
    expect(Math.round((Date.parse(raw_until_at) - Date.parse(received_at)) / DAY_MS)).toBe(30);
    const { headers, status } = await owner.get(`${MAILS}/${id}/raw`);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'message/rfc822',
      `attachment; filename=${id}.eml`,
    ]);
    expect(await rawOf(id)).toEqual(raw);
    expect((await owner.get(`${MAILS}?reason=unknown`)).status).toBe(400);
  });

  test('becomes a ticket by one call, once, and nobody gets a number for it', async () => {
    const { id } = await receive(robot('two.example'));
    const before = smtp.received.length;
    const opened = await open(id);
    expect([opened.status, opened.body.status, opened.body.raw_until_at]).toEqual([200, 'processed', null]);
    expect((await open(id)).body.ticket_id).toBe(opened.body.ticket_id);
    expect(await ticketOf(opened.body.ticket_id)).toMatchObject({
      subject: 'Disk full',
      channel: 'mail',
      requester: { email: 'alert@two.example' },
    });
    expect([(await ticketsOf('alert@two.example')).length, smtp.received.length]).toEqual([1, before]);
    expect((await owner.get(`${MAILS}/${id}/raw`)).status).toBe(404);
  });

  test('has a requester if it names none', async () => {
    const { id, reason } = await receive(Buffer.from('Subject: Help\r\nMessage-ID: <nobody@x>\r\n\r\nI am nobody.'));
    expect(reason).toBe('no_sender');
    const refused = await open(id);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'requester_email']);
    const { body } = await open(id, { requester_email: 'Somebody@customer.example' });
    expect((await ticketOf(body.ticket_id)).requester.email).toBe('somebody@customer.example');
  });

  test('is read again when it is delivered again: nothing changes, or its domain is trusted now', async () => {
    const raw = robot('three.example');
    const { id } = await receive(raw);
    expect((await inbox.deliver(raw, mailbox.token)).body.repeated).toBe(false);
    expect(await receive(raw)).toMatchObject({ id, status: 'filed', reason: 'auto_submitted' });
    await owner.patch(`${ORG_DESK}/mailboxes/${mailbox.id}`, { trusted_domains: ['three.example'] });
    expect(await receive(raw)).toMatchObject({ id, status: 'processed' });
    expect((await inbox.deliver(raw, mailbox.token)).body.repeated).toBe(true);
    expect(await ticketsOf('alert@three.example')).toHaveLength(1);
  });

  test('is opened while it is delivered again, and neither call waits for the other', async () => {
    const raw = robot('busy.example');
    const { id } = await receive(raw);
    const other = await app.sql.connect();
    // both calls arrive while a third one has the mail
    await other.query('BEGIN');
    await other.query('SELECT FROM desk_inbound_mails WHERE id = $1 FOR UPDATE', [id]);
    const opened = open(id);
    await sleep(300);
    const delivered = inbox.deliver(raw, mailbox.token);
    await sleep(300);
    await other.query('ROLLBACK');
    other.release();
    expect([(await opened).body.status, (await delivered).body.repeated]).toEqual(['processed', true]);
  });

  test('does not take its Message-ID from a mail of a person', async () => {
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const first = await receive(mailOf({ messageId: '<same@x>', headers, body: plain('x') }));
    const second = await receive(mailOf({ messageId: '<same@x>', from: 'pia@customer.example', body: plain('It is me.') }));
    expect([first.status, second.status, first.id === second.id]).toEqual(['filed', 'processed', false]);
    const opened = await open(first.id);
    expect([opened.status, opened.body.ticket_id === second.ticket_id]).toEqual([200, false]);
  });

  test('is not opened twice if it was delivered again and became a ticket', async () => {
    const raw = robot('twice.example');
    const { id } = await receive(raw);
    await owner.patch(`${ORG_DESK}/mailboxes/${mailbox.id}`, { trusted_domains: ['twice.example'] });
    const taken = await receive(Buffer.concat([Buffer.from('Received: by mx2.desk.example\r\n'), raw]));
    const refused = await open(id);
    expect([taken.status, refused.status, refused.body.error.existing_id]).toEqual(['processed', 409, taken.ticket_id]);
  });

  describe('from before there were fingerprints', () => {
    const forget = (id: string) => app.sql.query('UPDATE desk_inbound_mails SET fingerprint = NULL WHERE id = $1', [id]);

    test.each(['filed', 'processed'])('is not opened twice: the %s one has none', async (which) => {
      const raw = robot(`old-${which}.example`);
      const filed = await receive(raw);
      await owner.patch(`${ORG_DESK}/mailboxes/${mailbox.id}`, { trusted_domains: [`old-${which}.example`] });
      const taken = await receive(Buffer.concat([Buffer.from('Received: by mx2.desk.example\r\n'), raw]));
      await forget(which === 'filed' ? filed.id : taken.id);
      const refused = await open(filed.id);
      expect([taken.status, refused.status, refused.body.error.existing_id]).toEqual(['processed', 409, taken.ticket_id]);
    });

    test('is repeated when it is delivered again', async () => {
      const raw = mailOf({ messageId: '<old@customer.example>', from: 'old@customer.example', body: plain('Hello.') });
      const { id } = await receive(raw);
      await forget(id);
      expect((await inbox.deliver(raw, mailbox.token)).body.repeated).toBe(true);
      expect(await ticketsOf('old@customer.example')).toHaveLength(1);
    });
  });

  test('is erased after the retention of its mailbox, and is still listed', async () => {
    const { id } = await receive(robot('four.example'));
    await app.runScheduledJob('desk.erase_raw_mails', new Date(Date.now() + 29 * DAY_MS));
    expect((await owner.get(`${MAILS}/${id}/raw`)).status).toBe(200);
    await app.runScheduledJob('desk.erase_raw_mails', new Date(Date.now() + 31 * DAY_MS));
    const [raw, refused] = [await owner.get(`${MAILS}/${id}/raw`), await open(id)];
    expect([raw.status, refused.status]).toEqual([404, 404]);
    const [listed] = (await owner.get(`${MAILS}?mailbox_id=${mailbox.id}&status=filed&limit=1`)).body.data;
    expect(listed).toMatchObject({ id, subject: 'Disk full', raw_until_at: null });
  });
});

test('files that are too many are named on the ticket, and the mail is kept', async () => {
  const files = Array.from({ length: 27 }, (_, index) => file(`photo-${index}.jpg`, 'image/jpeg', 'x'));
  const raw = mailOf({ from: 'many@customer.example', body: multipart('mixed', plain('x'.repeat(120_000)), ...files) });
  const { id, ticket_id } = await receive(raw);
  const [{ body, attachments }] = await messagesOf(ticket_id);
  expect(body).toMatch(/\[2 more files were left out: photo-25\.jpg, photo-26\.jpg\]$/);
  expect([body.length, attachments.length, attachments[0].file_name, attachments[0].size_bytes]).toEqual([
    100_000,
    26,
    'message.txt',
    120_000,
  ]);
  expect((await rawOf(id)).equals(raw)).toBe(true);
});

describe('a mail that did not arrive', () => {
  async function answered(email: string): Promise<{ ticket: TicketBody; messageId: string; answerId: string }> {
    const ticket = await makeTicket(client, space.ops.id, { requester: { email } });
    const { body } = await client.post(`${EXT_DESK}/tickets/${ticket.id}/replies`, { body: 'Have you tried water?' });
    const { rows } = await app.sql.query<{ message_id: string }>(
      'SELECT message_id FROM desk_outbound_mails WHERE ticket_message_id = $1',
      [body.id],
    );
    await smtp.newest(email, `Re: [${ticket.number}]`);
    return { ticket, messageId: rows[0].message_id, answerId: body.id as string };
  }
  const failuresOf = async (id: string) =>
    (await eventsOf(app, space)).filter(({ type, data }) => type === 'ticket.message_failed' && data.object.id === id);

  test.each([
    ['qmail', (of: reports.Returned) => reports.qmail(of)],
    ['an old Exchange, by the number', (of: reports.Returned, number: string) => reports.oldExchange(of, number)],
  ])('by a report of %s, is shown on the ticket', async (name, report) => {
    const email = `${name.slice(0, 5).replace(/\W/g, '')}@customer.example`;
    const { ticket, messageId, answerId } = await answered(email);
    const before = await ticketOf(ticket.id);
    const row = await receive(report({ messageId, to: email }, ticket.number));
    expect(row).toMatchObject({ status: 'filed', reason: 'bounce', ticket_id: ticket.id });
    const messages = await messagesOf(ticket.id);
    expect(messages[1].delivery.status).toBe('failed');
    expect(messages[2]).toMatchObject({ kind: 'system', body: expect.stringMatching(new RegExp(`^The answer to ${email} could not be`)) });
    const after = await ticketOf(ticket.id);
    expect([after.status_category, after.updated_at > before.updated_at]).toEqual([before.status_category, true]);
    const failed = await failuresOf(ticket.id);
    expect(failed.map(({ data }) => data.context)).toEqual([{ message_id: answerId, recipient: email, error: expect.any(String) }]);
    // the server reports again
    await receive(report({ messageId, to: email }, ticket.number));
    expect([(await messagesOf(ticket.id)).length, (await failuresOf(ticket.id)).length]).toEqual([3, 1]);
  });

  test('because the server refused it, is shown on the ticket', async () => {
    smtp.rejections.set('gone@customer.example', { code: 550, times: 99 });
    const ticket = await makeTicket(client, space.ops.id, { requester: { email: 'gone@customer.example' } });
    await client.post(`${EXT_DESK}/tickets/${ticket.id}/replies`, { body: 'Hello?' });
    await eventually(
      () => failuresOf(ticket.id),
      (failed) => failed.length === 1,
    );
    expect((await messagesOf(ticket.id)).at(-1)).toMatchObject({ kind: 'system', body: expect.stringContaining('no such mailbox') });
  });

  test('although it was sent again, is shown on the ticket, and so is that it was sent at last', async () => {
    const { ticket, answerId } = await answered('held@customer.example');
    const { rows } = await app.sql.query<{ mail_id: string }>('SELECT mail_id FROM desk_outbound_mails WHERE ticket_message_id = $1', [
      answerId,
    ]);
    const [{ mail_id: id }] = rows;
    const delivery = async () => (await messagesOf(ticket.id))[1].delivery.status as string;
    await eventually(delivery, (status) => status === 'sent');
    // as if it was written before there was a mail server
    await app.sql.query(`UPDATE mails SET status = 'held', sent_at = NULL WHERE id = $1`, [id]);
    await app.sql.query(`UPDATE desk_outbound_mails SET status = 'held' WHERE mail_id = $1`, [id]);
    smtp.rejections.set('held@customer.example', { code: 550, times: 1 });
    const resend = async () => expect((await owner.post(`/api/v1/org/developer/mail-outbox/${id}/resend`)).status).toBe(200);
    await resend();
    await eventually(delivery, (status) => status === 'failed');
    const failed = await messagesOf(ticket.id);
    expect(failed.at(-1)).toMatchObject({ kind: 'system', body: expect.stringContaining('no such mailbox') });
    expect((await failuresOf(ticket.id)).length).toBe(1);
    await resend();
    await eventually(delivery, (status) => status === 'sent');
    await app.runScheduledJob('desk.deliveries');
    expect([await delivery(), (await messagesOf(ticket.id)).length]).toEqual(['sent', failed.length]);
  });

  test('by a report, stays failed although it was sent again before', async () => {
    const { ticket, messageId, answerId } = await answered('again@customer.example');
    await app.sql.query(
      'UPDATE mails SET resent = true WHERE id = (SELECT mail_id FROM desk_outbound_mails WHERE ticket_message_id = $1)',
      [answerId],
    );
    await receive(reports.sendmail({ messageId, to: 'again@customer.example' }));
    await app.runScheduledJob('desk.deliveries');
    expect((await messagesOf(ticket.id))[1].delivery).toMatchObject({ status: 'failed' });
  });

  test('is a delay while the server still tries', async () => {
    const { ticket, messageId } = await answered('slow@customer.example');
    await receive(reports.eximDelay({ messageId, to: 'slow@customer.example' }));
    expect((await messagesOf(ticket.id))[1].delivery.status).not.toBe('failed');
    expect(await failuresOf(ticket.id)).toEqual([]);
  });
});
