import { createHash, randomBytes } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../../../../../../test/harness/eventually.js';
import { ownApp } from '../../../../../../test/harness/hosted-app.js';
import { Mailbox } from '../../../../../../test/harness/mailbox.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const mailbox = await Mailbox.start();
const app = await ownApp({ env: { ...mailbox.env, SIGNED_PDF_MAIL_MIB: '1' } });
const signing = await SigningFixture.open(app, mailbox);
const { workflow, visitor } = signing;
const sender = workflow.space.owner.email;

afterAll(() => mailbox.stop());

const CUSTOMER = { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } } as const;

let count = 0;
const address = (name: string) => `${name}-${++count}@copies.example`;
const mailsTo = (to: string) => mailbox.received.filter((mail) => mail.to === to).map(({ subject }) => subject);

/** The PDF that a mail carries. */
function attachment(source: string): Buffer {
  const [, base64] = /Content-Type: application\/pdf[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(source) as RegExpExecArray;
  return Buffer.from(base64, 'base64');
}

function shareLink(text: string): string {
  return (/https?:\/\/[^/\s]+(\/p\/[\w-]{43}(?:\/pdf)?)/.exec(text) as RegExpExecArray)[1];
}

async function sent(sending: object, parties = [party('customer')]): Promise<{ id: string; customer: string; supplier: string }> {
  const finalized = await signing.finalized(parties, { signing_days: 14 });
  expect((await workflow.org(finalized.id, 'send', { sending })).status).toBe(200);
  await signing.delivered(finalized.customer, finalized.supplier);
  return finalized;
}

test('everyone concerned gets the signed PDF once, with a link that works for them', async () => {
  const [early, late] = [address('early'), address('late')];
  const before = mailsTo(sender).length;
  const cc = [
    { name: 'Alan', email: early, when: 'sent' },
    { name: 'Edsger', email: late },
    { name: 'Owner', email: sender },
  ];
  const { id, customer } = await sent({ cc });
  const link = shareLink((await mailbox.newest(early, 'Copy for you')).text);
  const page = await visitor.get(link);
  expect(page.text).toContain('This is the final text. 0 of 1 have signed.');
  expect(page.text).not.toContain('action="/p');
  expect(mailsTo(late)).toEqual([]);

  await signing.sign(await signing.link(customer));
  const replacement = await workflow.screen.post(`/api/v1/org/papers/documents/${id}/replacement`, {});
  expect([replacement.status, replacement.body.sending?.cc?.length]).toEqual([201, 3]);
  for (const to of [customer, early, late, sender]) {
    const { source, text } = await mailbox.newest(to, 'Signed by all');
    expect(text).toContain('The signed PDF is attached.');
    const path = (/https?:\/\/[^/\s]+(\/[ps]\/[\w-]{43}\/pdf)/.exec(text) as RegExpExecArray)[1];
    const pdf = (await visitor.get(path)).body as Buffer;
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(createHash('sha256').update(attachment(source)).digest('hex')).toBe(createHash('sha256').update(pdf).digest('hex'));
  }
  expect(mailsTo(early)).toEqual(['Copy for you: Agreement & <terms>', 'Signed by all: Agreement & <terms>']);
  // who sent it is among those who get a copy, and still has one mail
  expect(mailsTo(sender).slice(before)).toEqual(['Signed by all: Agreement & <terms>']);
  expect((await workflow.read(id)).sending.cc).toEqual(cc.map((one) => ({ when: 'completed', ...one })));
});

test('a PDF that is too large for mails is linked', async () => {
  const large = address('large');
  const customer = address('customer');
  const { code } = await workflow.type({ signature_parties: [party('customer')], field_schema: CUSTOMER });
  const { id } = await workflow.draft(code, { data_values: { customer: 'Ada', customer_email: customer } });
  const file = await PDFDocument.create();
  file.addPage([595, 842]).drawText('Lease', { x: 60, y: 760, size: 14 });
  await file.attach(randomBytes(1024 * 1024), 'plan.bin');
  const headers = { ...workflow.screen.headers, 'content-type': 'application/pdf' };
  const url = `${app.url}/api/v1/org/papers/documents/${id}/file`;
  expect((await fetch(url, { method: 'PUT', headers, body: new Uint8Array(await file.save()) })).ok).toBe(true);
  expect((await workflow.org(id, 'finalize')).status).toBe(200);
  expect((await workflow.org(id, 'send', { sending: { cc: [{ name: 'Alan', email: large }] } })).status).toBe(200);
  await signing.sign(await signing.link(customer));
  const { text, source } = await mailbox.newest(large, 'Signed by all');
  expect(source).not.toContain('application/pdf');
  expect(text).not.toContain('attached');
  expect((await visitor.get(shareLink(text))).headers['content-type']).toBe('application/pdf');
  // a member opens it in the console
  const own = (await mailbox.newest(sender, 'Signed by all', 2)).text;
  expect([own.includes(`/console/documents/${id}`), own.includes('/p/')]).toEqual([true, false]);
});

test('everyone concerned hears of a refusal and of the end of the time to sign, the sender with what to do', async () => {
  const [early, late] = [address('early'), address('late')];
  const cc = [
    { name: 'Alan', email: early, when: 'sent' },
    { name: 'Edsger', email: late },
  ];
  const declined = await sent({ cc }, [party('customer'), party('supplier')]);
  await signing.post(`${await signing.link(declined.customer)}/decline`, { reason: 'Too expensive' });
  expect((await mailbox.newest(early, 'Declined')).text).not.toContain('Too expensive');
  const first = (await mailbox.newest(late, 'Declined')).text;
  expect(first).toMatch(/has asked others to sign this document, and has named\s+you as a recipient/);
  expect(first).not.toContain('Too expensive');
  // who was asked to sign need not do so any more
  const asked = (await mailbox.newest(declined.supplier, 'Declined')).text;
  expect([asked.includes('can no longer be signed'), asked.includes('Too expensive')]).toEqual([true, false]);
  expect(mailsTo(declined.customer).filter((subject) => subject.startsWith('Declined'))).toEqual([]);

  const expired = await sent({ cc });
  await app.runScheduledJob('documents.expire', new Date(Date.now() + 15 * 86_400_000));
  expect((await mailbox.newest(sender, 'Not signed in time')).text).toMatch(/Not signed by: Ada Lovelace \(Customer\)[\s\S]*Reopen/);
  expect((await mailbox.newest(early, 'Not signed in time')).text).not.toContain('Reopen');
  expect((await mailbox.newest(expired.customer, 'Not signed in time')).text).toContain('can no longer be signed');
  await mailbox.newest(late, 'Not signed in time');
  expect(mailsTo(late)).toHaveLength(2);

  const link = shareLink((await mailbox.newest(early, 'Copy for you', 2)).text);
  await workflow.org(expired.id, 'reopen');
  expect((await visitor.get(link)).status).toBe(410);
});

test('the sender hears of a copy or a signed file that was rejected, and so does the history; others do if they have left', async () => {
  const bounced = address('bounced');
  mailbox.rejections.set(bounced, { code: 550, times: 9 });
  const gone = await workflow.space.member('admin');
  const { id, customer } = await signing.finalized([party('customer')]);
  const author = JSON.stringify({ type: 'user', id: gone.id, email: gone.email });
  await app.sql.query(`UPDATE documents SET created_by = $2, submitted_by = $3 WHERE id = $1`, [id, author, gone.id]);
  const late = address('late');
  const cc = [
    { name: 'Alan Turing', email: bounced, when: 'sent' },
    { name: 'Edsger', email: late },
  ];
  const path = `/api/v1/org/papers/documents/${id}/send`;
  expect((await (await workflow.space.signIn(gone.email)).post(path, { sending: { cc } })).status).toBe(200);
  await signing.delivered(customer);
  const { text } = await mailbox.newest(gone.email, 'Not delivered');
  expect(text).toMatch(
    new RegExp(`Alan Turing did not get the copy to read, because the mail to ${bounced} was rejected\\.[^]*no such mailbox`),
  );
  const copied = (await mailbox.newest(late, 'Not delivered')).text;
  expect(copied).toMatch(/Alan Turing did not get the copy[^]*has asked others to sign this[^]*the sender of the document was told/);
  expect(copied).not.toMatch(/no such mailbox|\/console\//);
  const of = async (path: string) => (await workflow.screen.get(`/api/v1/org/papers/documents/${id}/${path}`)).body.data as never[];
  const undelivered = { name: 'Alan Turing', email: bounced, purpose: 'copy', error: expect.stringContaining('no such mailbox') };
  expect(await of('audit-entries')).toContainEqual(
    expect.objectContaining({ action: 'papers.undelivered', detail: expect.objectContaining(undelivered) }),
  );
  expect(await of('comments')).toContainEqual(expect.objectContaining({ body: expect.stringContaining('did not get the copy') }));

  expect((await workflow.screen.patch(`/api/v1/org/members/${gone.id}`, { status: 'inactive' })).status).toBe(200);
  mailbox.rejections.set(customer, { code: 550, times: 9 });
  await signing.sign(await signing.link(customer));
  const signed = (await mailbox.newest(sender, 'Not delivered', 2)).text;
  expect(signed).toContain('did not get the signed document');
  expect((await of('audit-entries')).filter(({ action }) => action === 'papers.undelivered')).toHaveLength(3);
  expect(mailsTo(gone.email)).toHaveLength(1);
  expect((await app.sql.query('SELECT FROM document_mails WHERE document_id = $1', [id])).rowCount).toBe(0);
});

test('signers reply to the sender, who hears of a code that was rejected, with the way to the document', async () => {
  const { id, customer } = await signing.finalized([party('customer', { auth: 'otp' })]);
  expect((await workflow.move(id, 'send')).body.sending).toBeNull();
  await signing.delivered(customer);
  expect((await mailbox.newest(customer, 'Please sign')).source).toContain(`Reply-To: ${sender}`);
  mailbox.rejections.set(customer, { code: 550, times: 9 });
  const before = mailsTo(sender).filter((subject) => subject.startsWith('Not delivered')).length;
  await signing.post(`${await signing.link(customer)}/code`, {});
  const told = (await mailbox.newest(sender, 'Not delivered', before + 1)).text;
  expect(told).toContain('did not get the code to sign');
  expect(told).toContain(`${app.url}/console/documents/${id}`);
});

test('a document is sent with its own subject, message, sender, deadline and reminders', async () => {
  const { id, customer, supplier } = await signing.finalized([party('customer'), party('supplier')], { signing_days: 14 });
  const sign_by = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const sending = { subject: 'Your lease', message: 'Good morning,\nas discussed <b>today</b>.', sender_name: 'Grace Hopper' };
  const days = { sign_by, warn_days: 2, remind_after_days: 4, remind_every_days: 1 };
  expect((await workflow.move(id, 'send', { sending: { ...sending, ...days } })).body.sending).toMatchObject({ ...sending, ...days });
  const mail = await mailbox.newest(customer, 'Your lease');
  expect(mail.text).toMatch(/Grace Hopper writes:\r?\nGood morning,\r?\nas discussed <b>today<\/b>\./);
  expect(mail.source).toMatch(/^From: "?Grace Hopper \(.+\)"? <suite@example\.com>/m);
  expect(mail.source).toContain(`Reply-To: ${sender}`);
  expect(mail.source).toContain('&lt;b&gt;today&lt;');
  await signing.delivered(customer, supplier);
  const { deadline_at } = (await workflow.read(id)).signature;
  expect(new Date(deadline_at).toISOString()).toMatch(new RegExp(`^${sign_by}T`));

  const on = (day: number) => new Date(Date.now() + day * 86_400_000 + 60_000);
  const reminders = async () => {
    const { rows } = await app.sql.query<{ reminders: number }>(
      `SELECT reminders FROM signature_parties WHERE document_id = $1 AND key = 'customer'`,
      [id],
    );
    return rows[0].reminders;
  };
  await app.runScheduledJob('documents.remind_parties', on(3.9));
  expect(await reminders()).toBe(0);
  await app.runScheduledJob('documents.remind_parties', on(4));
  expect(await reminders()).toBe(1);
  expect(await mailbox.newest(customer, 'Reminder: Your lease')).toBeDefined();
  await signing.delivered(customer, supplier);
  // the row was written today
  await app.runScheduledJob('documents.remind_parties', on(1));
  expect(await reminders()).toBe(2);

  await app.runScheduledJob('documents.deadlines', on(6.5));
  expect(mailsTo(customer).filter((subject) => subject.startsWith('Please sign soon'))).toEqual([]);
  const warned = new Date(Date.parse(deadline_at) - 2 * 86_400_000 + 60_000);
  await app.runScheduledJob('documents.deadlines', warned);
  await app.runScheduledJob('documents.deadlines', warned);
  await mailbox.newest(customer, 'Please sign soon');
  await mailbox.newest(sender, 'Deadline soon');
  expect(mailsTo(customer).filter((subject) => subject.startsWith('Please sign soon'))).toHaveLength(1);
});

test('what cannot be sent names its field', async () => {
  const { code } = await workflow.type({ signature_parties: [party('customer')] });
  const rejected = async (sending: object) => {
    const { status, body } = await workflow.api.post('/api/v1/ext/papers/documents', { type_code: code, title: 'X', sending });
    return [status, body.error?.param];
  };
  const alan = { name: 'Alan', email: 'alan@example.com' };
  expect(await rejected({ cc: [alan, { name: 'A', email: 'Alan@example.com' }] })).toEqual([400, 'sending.cc.1.email']);
  expect(await rejected({ cc: [{ name: 'Alan', email: 'alan' }] })).toEqual([400, 'sending.cc.0.email']);
  expect(await rejected({ cc: [{ name: 'Alan', email: 'alan@example.com', when: 'never' }] })).toEqual([400, 'sending.cc.0.when']);
  expect(await rejected({ sign_by: '2020-01-01' })).toEqual([400, 'sending.sign_by']);
  expect(await rejected({ cc: Array.from({ length: 21 }, (_, i) => ({ name: 'A', email: `a${i}@example.com` })) })).toEqual([
    400,
    'sending.cc',
  ]);
  const { id } = await workflow.draft(code, { data_values: {}, sending: { message: 'Hello', sign_by: null } });
  expect((await workflow.read(id)).sending).toEqual({ message: 'Hello' });
  const act = await workflow.act(id, {
    action: 'TRANSITION',
    lifecycle_action: 'finalize',
    approver_email: sender,
    sending: { message: 'A' },
  });
  expect([act.status, act.body.error.param]).toEqual([400, 'sending']);
  const patched = await workflow.screen.patch(`/api/v1/org/papers/documents/${id}`, { sending: { message: null, warn_days: 3 } });
  expect(patched.body.sending).toEqual({ warn_days: 3 });
  expect((await workflow.screen.patch(`/api/v1/org/papers/documents/${id}`, { sending: null })).body.sending).toBeNull();
});

test('a party whose mail was rejected is still waited for, and the console offers what to do', async () => {
  const bounced = address('bounced');
  const { id } = await signing.finalized([party('customer'), party('supplier')]);
  const [, supplier] = (await workflow.read(id)).signature.parties;
  mailbox.rejections.set(supplier.email, { code: 550, times: 1 });
  expect((await workflow.org(id, 'send')).status).toBe(200);
  const { signature, state } = await eventually(
    () => workflow.read(id),
    (one) => one.state === 'sent' && one.signature.parties[1].request === 'failed',
  );
  expect([state, signature.parties.map(({ status, request }: { status: string; request: string }) => [status, request])]).toEqual([
    'sent',
    [
      ['invited', 'accepted'],
      ['waiting', 'failed'],
    ],
  ]);
  const page = async () => (await workflow.screen.get(`/console/documents/${id}`, { accept: 'text/html' })).text;
  const shown = await page();
  for (const text of [
    `${supplier.name} (mail rejected)`,
    'Ask this person',
    'Send the mail again',
    'Sent to the parties',
    'A mail was rejected',
  ])
    expect(shown).toContain(text);
  expect(shown).not.toContain('papers.');
  const [, , party2] = [null, ...(await workflow.screen.get(`/api/v1/org/papers/documents/${id}/parties`)).body.data];
  const changed = await workflow.screen.patch(`/api/v1/org/papers/documents/${id}/parties/${party2.id}`, { name: 'Grace', email: bounced });
  expect(changed.status).toBe(200);
  await signing.delivered(bounced);
  expect(await page()).not.toContain('(mail rejected)');
  const { number } = await workflow.read(id);
  const file = await workflow.screen.get(`/console/documents/${id}?file=${id}`);
  const name = `${number === null ? '' : `${number} `}Agreement & _terms_.pdf`;
  expect(file.headers['content-disposition']).toBe(`attachment; filename="${name}"`);
});
