import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { EXT_DESK, makeAgent, makeTicket, ORG_DESK, statusesOf, type TicketBody } from '../testing/desk-fixture.js';
import type { Client } from '../../../../test/harness/client.js';
import { DeskInbox, type InboundRow } from '../testing/desk-inbox.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { ownApp } from '../../../../test/harness/hosted-app.js';
import { Mailbox, type ReceivedMail } from '../../../../test/harness/mailbox.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import * as samples from '../testing/sample-mails.js';
import { newToken } from '../../../kit/index.js';

const { file, mailOf, multipart, plain } = samples;
const HOUR_MS = 3_600_000;

const smtp = await Mailbox.start();
const app = await ownApp({ env: { ...smtp.env, MAIL_FROM: 'Desk <desk@suite.example>' } });
const space = await app.workspace();
const { client } = await space.key({
  module: 'desk',
  scopes: ['desk:ticket:read', 'desk:ticket:write', 'desk:message:write', 'desk:config:read'],
});
const ADDRESS = 'support@desk.example';
let owner: Client;
let inbox: DeskInbox;
let token: string;
let agentId: string;
let statuses: Record<string, string>;

beforeAll(async () => {
  owner = await space.signIn();
  inbox = new DeskInbox(app, space, owner);
  token = await makeMailbox({ address: ADDRESS, name: 'Help' });
  agentId = await makeAgent(owner, space.ops.id, space.owner.id);
  statuses = await statusesOf(client, space.ops.id);
});
afterAll(() => smtp.stop());

const makeMailbox = async (values: object) => (await inbox.open(values)).token;
const deliver = (raw: Buffer, to = token) => inbox.deliver(raw, to);
const receive = (raw: Buffer, to = token): Promise<InboundRow> => inbox.receive(raw, to);

const ticketOf = async (id: string | null): Promise<TicketBody> => (await client.get(`${EXT_DESK}/tickets/${id}`)).body as TicketBody;
const messagesOf = async (id: string) => (await client.get(`${EXT_DESK}/tickets/${id}/messages?limit=100`)).body.data;
const header = ({ source }: ReceivedMail, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(source)?.[1].replace(/\r\n[ \t]+/g, ' ');
const sentTo = (address: string) => smtp.received.filter(({ to }) => to === address);

async function reply(ticketId: string, body: string, status = 'pending', by: Client = client): Promise<{ id: string }> {
  const response = await by.post(`${EXT_DESK}/tickets/${ticketId}/replies`, { body, status_id: statuses[status] });
  if (response.status !== 200 && response.status !== 201) throw new Error(response.text);
  return response.body as { id: string };
}

/** A ticket of a new person that was answered; the Message-ID of the answer. */
async function answered(person: string, status = 'pending'): Promise<{ ticket: TicketBody; answer: ReceivedMail; answerId: string }> {
  const email = `${person}@customer.example`;
  const made = await makeTicket(client, space.ops.id, { requester: { email }, assignee_id: agentId });
  await reply(made.id, 'Have you tried water?', status);
  const answer = await smtp.newest(email, `Re: [${made.number}]`);
  return { ticket: made, answer, answerId: header(answer, 'Message-ID') as string };
}

const from = (raw: Buffer, person: string) => Buffer.from(raw.toString().replaceAll('ada@customer.example', `${person}@customer.example`));

describe('a conversation by mail', () => {
  test('a mail becomes a ticket, is answered through MCP, and the answer to that is part of it', async () => {
    const first = mailOf({
      messageId: '<first@customer.example>',
      headers: { Cc: 'Bob <bob@customer.example>, support@desk.example' },
      body: multipart('mixed', plain('It burns.\n\n-- \nAda'), file('fire.txt', 'text/plain', 'flames')),
    });
    const { ticket_id: id, status } = await receive(first);
    expect(status).toBe('processed');
    const opened = await ticketOf(id);
    expect(opened).toMatchObject({
      subject: 'Printer on fire',
      channel: 'mail',
      status_category: 'new',
      requester: { email: 'ada@customer.example', name: 'Ada Lovelace' },
      cc_emails: ['bob@customer.example'],
    });
    expect(await messagesOf(opened.id)).toMatchObject([
      { kind: 'public', body: 'It burns.\n\n-- \nAda', attachments: [{ file_name: 'fire.txt', media_type: 'text/plain', size_bytes: 6 }] },
    ]);
    const number = await smtp.newest('ada@customer.example', `[${opened.number}] We have received`);
    expect([header(number, 'Auto-Submitted'), header(number, 'In-Reply-To'), header(number, 'Reply-To')]).toEqual([
      'auto-replied',
      '<first@customer.example>',
      ADDRESS,
    ]);
    expect(sentTo('bob@customer.example')).toEqual([]);

    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const args = { id: opened.id, body: 'Have you tried <b>water</b>?\n\nSee https://desk.example/fire.', status_id: statuses.pending };
    const call = await client.post(
      '/api/v1/ext/mcp',
      { ...rpc, params: { name: 'reply_to_ticket', arguments: args } },
      { accept: 'application/json, text/event-stream' },
    );
    expect(call.text).toContain('ticket_message');
    const answer = await smtp.newest('ada@customer.example', `Re: [${opened.number}] Printer on fire`);
    const answerId = header(answer, 'Message-ID') as string;
    expect(answerId).toMatch(/^<[0-9a-f-]{36}\.desk@suite\.example>$/);
    expect(header(answer, 'References')).toMatch(/^<first@customer\.example> <[^>]+> ?/);
    expect(header(answer, 'From')).toBe('Help <desk@suite.example>');
    expect([header(answer, 'Auto-Submitted'), header(answer, 'Reply-To')]).toEqual([undefined, ADDRESS]);
    expect(answer.source).toContain('&lt;b&gt;water&lt;/b&gt;');
    expect(header(await smtp.newest('bob@customer.example', 'Re:'), 'Message-ID')).toBe(answerId);
    await eventually(
      async () => (await messagesOf(opened.id))[1].delivery,
      (delivery) => delivery?.status === 'sent',
    );

    expect(await receive(samples.gmail(answerId, 'Water helped a bit.'))).toMatchObject({ status: 'processed', ticket_id: opened.id });
    expect((await ticketOf(opened.id)).status_category).toBe('open');
    const messages = await messagesOf(opened.id);
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(['It burns.\n\n-- \nAda', args.body, 'Water helped a bit.']);
    expect(messages[2]).toMatchObject({
      author: { type: 'requester', email: 'ada@customer.example' },
      body_html: expect.stringContaining('Water'),
    });

    expect((await deliver(first)).body).toMatchObject({ repeated: true });
    const again = await client.get(`${EXT_DESK}/tickets?requester_email=ada@customer.example`);
    expect(again.body.data).toHaveLength(1);
  });

  test("the number in a subject counts only for who takes part; earlier mails of one's own count, too", async () => {
    const { ticket } = await answered('nina');
    const subject = `Re: [${ticket.number}] hello`;
    const mine = await receive(mailOf({ from: 'NINA@customer.example', subject, messageId: '<nina@x>', body: plain('It is me.') }));
    expect(mine.ticket_id).toBe(ticket.id);
    expect((await receive(mailOf({ from: 'nina@customer.example', answers: '<nina@x>', body: plain('And again.') }))).ticket_id).toBe(
      ticket.id,
    );
    const strangers = [
      mailOf({ from: 'eve@evil.example', subject, body: plain('Hm') }),
      mailOf({ from: 'eve@evil.example', answers: '<nina@x>', body: plain('Hm') }),
    ];
    for (const raw of strangers) {
      const { ticket_id: other } = await receive(raw);
      expect(other).not.toBe(ticket.id);
      expect((await ticketOf(other)).requester.email).toBe('eve@evil.example');
    }
  });

  test('an answer to a merged ticket stands in the one that stays; one to a closed ticket opens a follow-up', async () => {
    const [a, b] = [await answered('mia'), await answered('max')];
    await client.post(`${EXT_DESK}/tickets/${b.ticket.id}/merge`, { into_id: a.ticket.id });
    expect((await receive(from(samples.outlook(b.answerId, 'Any news?'), 'max'))).ticket_id).toBe(a.ticket.id);
    expect((await ticketOf(a.ticket.id)).cc_emails).toEqual([]);

    const closed = await answered('carla', 'solved');
    await client.patch(`${EXT_DESK}/tickets/${closed.ticket.id}`, { status_id: statuses.closed });
    const { ticket_id: next } = await receive(from(samples.appleMail(closed.answerId, 'It burns again.'), 'carla'));
    expect(await ticketOf(next)).toMatchObject({ follow_up_of_id: closed.ticket.id, requester: { email: 'carla@customer.example' } });
    expect((await ticketOf(closed.ticket.id)).status_category).toBe('closed');
  });
});

describe('mails that nobody wrote', () => {
  test('a hundred automatic replies reopen nothing, and no mail leaves', async () => {
    const { ticket, answerId } = await answered('olaf', 'solved');
    const before = smtp.received.length;
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { status, body } = await deliver(from(samples.outOfOffice(answerId), 'olaf'));
        return status === 202 ? (body.message_id as string) : '';
      }),
    );
    const rows = [];
    for (const id of ids) rows.push(await inbox.settled(id));
    expect(
      rows.filter(({ status, reason, ticket_id }) => status === 'filed' && reason === 'out_of_office' && ticket_id === ticket.id),
    ).toHaveLength(100);
    expect((await ticketOf(ticket.id)).status_category).toBe('solved');
    const queued = await app.sql.query(`SELECT FROM mails WHERE organization_id = $1 AND status = 'queued'`, [space.organizationId]);
    expect([smtp.received.length, queued.rows.length]).toEqual([before, 0]);
  });

  test('reports and lists open nothing, but programs of trusted domains do, and nobody answers them', async () => {
    const others = [
      samples.calendarReply(),
      samples.listMail(),
      samples.postfixBounce('<unknown@x>'),
      mailOf({ from: ADDRESS, body: plain('x') }),
      mailOf({ from: 'Help <desk@suite.example>', body: plain('x') }),
    ];
    const reasons = [];
    for (const raw of others) reasons.push(await receive(raw));
    expect(reasons.map(({ status, reason, ticket_id }) => [status, reason, ticket_id])).toEqual(
      ['calendar_reply', 'list', 'bounce', 'own_mail', 'own_mail'].map((reason) => ['filed', reason, null]),
    );
    const { body: listed } = await owner.get(`${ORG_DESK}/inbound-mails?status=filed&limit=2`);
    expect(listed.data.map(({ reason }: InboundRow) => reason)).toEqual(['own_mail', 'own_mail']);
    const alarms = await makeMailbox({ address: 'alarms@desk.example', trusted_domains: ['monitor.example'] });
    const alarm = (host: string) =>
      receive(mailOf({ from: `alert@${host}`, headers: { 'Auto-Submitted': 'auto-generated' }, body: plain('Disk full') }), alarms);
    expect((await alarm('eu.monitor.example')).status).toBe('processed');
    expect((await alarm('notmonitor.example')).status).toBe('filed');
    expect(smtp.received.filter(({ to }) => to.includes('monitor'))).toEqual([]);
  });

  test('a bounce shows at the answer that did not arrive', async () => {
    const { ticket, answerId } = await answered('lost');
    await eventually(
      async () => (await messagesOf(ticket.id))[1].delivery.status,
      (status) => status === 'sent',
    );
    expect((await receive(from(samples.exchangeBounce(answerId), 'lost'))).status).toBe('filed');
    expect((await messagesOf(ticket.id))[1].delivery).toEqual({ status: 'failed', error: expect.stringContaining('550 5.1.10') });
    expect((await ticketOf(ticket.id)).status_category).toBe('pending');
  });

  test('whoever writes often gets the numbers of a few tickets only', async () => {
    for (let count = 0; count < 5; count++) await receive(mailOf({ from: 'often@customer.example', body: plain(`Mail ${count}`) }));
    await smtp.newest('often@customer.example', '[T-', 3);
    const { rows } = await app.sql.query(`SELECT FROM mails WHERE organization_id = $1 AND recipient = 'often@customer.example'`, [
      space.organizationId,
    ]);
    expect(rows).toHaveLength(3);
  });
});

describe('deliveries', () => {
  test('of strangers: files are saved and never shown, HTML is harmless', async () => {
    const { ticket_id: id } = await receive(samples.hostile());
    const [{ body_html, attachments }] = await messagesOf(id as string);
    expect(body_html).toContain('Hello <b>you</b>');
    expect(body_html).not.toMatch(/steal|evil|tracker/);
    for (const [{ id: fileId }, name] of [
      [attachments[0], '_.._etc_passwd'],
      [attachments[1], 'picture.svg'],
    ]) {
      const { body } = await client.get(`${EXT_DESK}/attachments/${fileId}`);
      const { headers, status } = await client.get(new URL(body.download_url as string).pathname, { authorization: '' });
      expect([status, headers['content-disposition'], headers['content-type'], headers['x-content-type-options']]).toEqual([
        200,
        `attachment; filename=${name}`,
        'application/octet-stream',
        'nosniff',
      ]);
    }
  });

  test('have texts that are read by their encoding', async () => {
    const files = [
      Buffer.from('Größe;1', 'latin1'),
      Buffer.from('\ufeffGröße;1', 'utf16le'),
      'Größe;1',
      iconv.encode('Заказ не пришел', 'koi8-r'),
    ];
    const body = multipart('mixed', plain('x'), ...files.map((content) => file('a.csv', 'text/csv', content)));
    const { ticket_id: id } = await receive(mailOf({ from: 'csv@customer.example', body }));
    const [{ attachments }] = await messagesOf(id as string);
    const textOf = async ({ id: fileId }: { id: string }) => (await client.get(`${EXT_DESK}/attachments/${fileId}`)).body.text;
    for (const attachment of attachments.slice(0, 3)) expect(await textOf(attachment)).toBe('Größe;1');
    expect(await textOf(attachments[3])).toBe('Заказ не пришел');
  });

  test('to a test mailbox make test tickets and send nothing', async () => {
    const test = await makeMailbox({ address: ADDRESS, mode: 'test' });
    const before = smtp.received.length;
    const { ticket_id: id } = await receive(mailOf({ from: 'tess@customer.example', body: plain('x') }), test);
    expect((await client.get(`${EXT_DESK}/tickets/${id}`)).status).toBe(404);
    const tester = (await space.key({ module: 'desk', mode: 'test', scopes: ['desk:ticket:read'] })).client;
    expect((await tester.get(`${EXT_DESK}/tickets/${id}`)).body.number).toBe('TEST-T-1');
    const { rows } = await app.sql.query('SELECT status FROM desk_outbound_mails WHERE ticket_id = $1', [id]);
    expect([rows, smtp.received.length]).toEqual([[{ status: 'suppressed' }], before]);
  });

  test('need the token of a mailbox, a mail, and at most 10 MiB', async () => {
    const raw = mailOf({ body: plain('x') });
    expect((await deliver(raw, newToken().token)).status).toBe(404);
    expect((await deliver(raw, 'short')).status).toBe(404);
    const json = await client.post(`/api/v1/public/desk/mail/${token}`, { mail: 'x' });
    expect(json.status).toBe(415);
    expect((await deliver(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))).status).toBe(413);
    expect((await deliver(Buffer.concat([raw, Buffer.alloc(10 * 1024 * 1024 - raw.length, 'x\n')]))).status).toBe(202);
  });
});

describe('ratings', () => {
  test('are asked for once, a day after the solution; a GET shows, a POST records', async () => {
    const { ticket } = await answered('rita', 'solved');
    await app.runScheduledJob('desk.ask_for_ratings', new Date(Date.now() + 23 * HOUR_MS));
    expect(sentTo('rita@customer.example')).toHaveLength(1);
    for (let count = 0; count < 2; count++) await app.runScheduledJob('desk.ask_for_ratings', new Date(Date.now() + 25 * HOUR_MS));
    const mail = await smtp.newest('rita@customer.example', `[${ticket.number}] How was our help?`);
    expect(header(mail, 'Auto-Submitted')).toBe('auto-generated');
    const path = /\/t\/[\w-]{43}/.exec(mail.text)?.[0] as string;
    expect((await client.get(path)).text).toContain('How was our help?');
    expect((await ticketOf(ticket.id)).satisfaction).toBeNull();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await client.post(path, 'score=9', form)).status).toBe(400);
    const rated = await client.post(path, 'score=4&comment=Fast+%3Cb%3E', form);
    expect([rated.status, rated.headers.location]).toEqual([303, `${path}?rated=yes`]);
    await client.post(path, 'score=4&comment=Fast+%3Cb%3E', form);
    expect((await client.get(`${path}?rated=yes`)).text).toContain('Fast &lt;b&gt;');
    expect((await ticketOf(ticket.id)).satisfaction).toEqual({ score: 4, comment: 'Fast <b>' });
    expect((await eventsOf(app, space)).filter(({ type }) => type === 'ticket.rated')).toHaveLength(1);
    expect(sentTo('rita@customer.example')).toHaveLength(2);
    expect((await client.get(`/t/${newToken().token}`)).status).toBe(404);
  });
});
