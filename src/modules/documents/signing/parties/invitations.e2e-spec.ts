import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../../../test/kit/app.js';
import { eventually } from '../../../../../test/kit/eventually.js';
import { Mailbox } from '../../../../../test/kit/mailbox.js';
import { party, SigningDesk } from '../../../../../test/kit/signing-desk.js';

let app: TestApp;
let mailbox: Mailbox;
let desk: SigningDesk;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  app = await createTestApp({ env: mailbox.env });
  desk = await SigningDesk.open(app, mailbox);
}, 60_000);
afterAll(async () => {
  await app.close();
  await mailbox.stop();
});

const statusOf = async (id: string) => (await desk.papers.read(id)).signature.parties[0].status;
const mailStatus = (to: string, status: string) =>
  eventually(
    async () => (await app.sql.query('SELECT status FROM mails WHERE recipient = $1', [to])).rows,
    (rows) => rows.at(-1)?.status === status,
  );

describe('an invitation', () => {
  test('counts once the mail server has taken it, and the document has a new version then', async () => {
    const { id, customer } = await desk.finalized([party('customer')]);
    const sent = (await desk.papers.org(id, 'send')).body;
    expect(sent.signature.parties[0].status).toBe('waiting');
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    const document = await desk.papers.read(id);
    expect([document.signature.parties[0].status, document.version]).toEqual(['invited', sent.version + 1]);
    expect((await desk.parties(id)).body.data[0]).toMatchObject({ status: 'invited', invitation: { status: 'sent' } });
  });

  test('that was taken is nothing new to a party that opened the document before', async () => {
    const { id, customer } = await desk.sent();
    await desk.visitor.get(await desk.link(customer));
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    expect(await statusOf(id)).toBe('viewed');
  });

  test('of the test mode counts at once, for none is meant to leave', async () => {
    const key = await desk.papers.key({ mode: 'test' });
    const { code } = await desk.papers.type({
      field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
      signature_parties: [party('customer')],
    });
    const { id } = await desk.papers.draft(code, { data_values: { customer: 'Tess', customer_email: 'tess@example.com' } }, key);
    await desk.papers.move(id, 'finalize', {}, key);
    expect((await desk.papers.move(id, 'send', {}, key)).body.signature.parties).toMatchObject([{ status: 'invited' }]);
  });

  test('that is refused for good is told to who sent it, once, by a mail and a comment, and can be repeated', async () => {
    const { id, customer } = await desk.finalized([party('customer')]);
    mailbox.refused.add(customer);
    await desk.papers.org(id, 'send');
    await mailStatus(customer, 'failed');
    for (let round = 0; round < 2; round++) await app.runScheduledJob('documents.invitations');
    expect(await statusOf(id)).toBe('waiting');
    const notices = () => mailbox.received.filter(({ to, text }) => to === desk.papers.space.owner.email && text.includes(customer));
    await eventually(
      () => Promise.resolve(notices()),
      ({ length }) => length > 0,
    );
    const [{ subject, text }] = notices();
    expect(subject).toBe('Not delivered: Agreement & <terms>');
    for (const part of ['Ada Lovelace (Customer)', customer, 'no such mailbox']) expect(text).toContain(part);
    const comments = (await desk.papers.screen.get(`/api/v1/org/papers/documents/${id}/comments`)).body.data;
    expect(comments).toMatchObject([{ kind: 'system', author: { type: 'system' }, body: expect.stringContaining('no such mailbox') }]);
    const told = await app.sql.query(`SELECT 1 FROM mails WHERE subject LIKE 'Not delivered%' AND text LIKE '%' || $1 || '%'`, [customer]);
    expect(told.rowCount).toBe(1);

    mailbox.refused.delete(customer);
    const [{ id: partyId }] = (await desk.parties(id)).body.data;
    const reminded = await desk.papers.screen.post(`/api/v1/org/papers/documents/${id}/parties/${partyId}/remind`, {});
    expect([reminded.status, reminded.body.status]).toEqual([200, 'waiting']);
    await mailbox.newest(customer, 'Please sign');
    await mailStatus(customer, 'sent');
    await app.runScheduledJob('documents.invitations');
    expect(await statusOf(id)).toBe('invited');
  });
});

test('nobody reads a signing link or a code in the outbox', async () => {
  const { customer } = await desk.sent([party('customer', { auth: 'otp' })]);
  const link = await desk.link(customer);
  await desk.post(`${link}/code`, {});
  const { subject, text } = await mailbox.newest(customer, 'Your code');
  const [, code] = /is (\d{6})\./.exec(text) as RegExpExecArray;
  expect(subject).not.toContain(code);
  await desk.sign(link, { code });
  await mailbox.newest(customer, 'Signed by all');
  const outbox = await desk.papers.screen.get(`/api/v1/org/developer/mail-outbox?recipient=${encodeURIComponent(customer)}`);
  expect(outbox.body.data).toHaveLength(3);
  expect(outbox.text).not.toMatch(new RegExp(`/s/|${code}`));
});
