import { afterAll, expect, test } from '@jest/globals';
import { simpleParser } from 'mailparser';
import type { Client } from '../../../../test/harness/client.js';
import { EXT_DESK, makeTicket, ORG_DESK } from '../testing/desk-fixture.js';
import { sharedMailApp } from '../../../../test/harness/hosted-app.js';

const MIB = 1024 * 1024;
/** Bytes that are no text in any charset, so that a wrong conversion shows. */
const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256));

const { app, mailbox: smtp } = await sharedMailApp();
const space = await app.workspace();
const owner = await space.signIn();
const { client } = await space.key({ module: 'desk' });

afterAll(() => smtp.rejections.clear());

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the response as it came
  body: any;
}

/** As a browser or curl sends a form. */
async function form(by: Client, path: string, parts: [string, string | File][], headers: Record<string, string> = {}): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  const response = await fetch(`${by.url}${path}`, { method: 'POST', body, headers: { ...by.headers, ...headers } });
  return { status: response.status, body: await response.json() };
}

const file = (name: string, bytes: Buffer | string = BYTES, type = 'application/octet-stream') =>
  new File([new Uint8Array(Buffer.from(bytes))], name, { type });
const ticketFor = (email: string, values: object = {}) => makeTicket(client, space.ops.id, { requester: { email }, ...values });
const upload = (by: Client = client, values: object = {}) =>
  by.post(`${EXT_DESK}/attachments`, { project_id: space.ops.id, file_name: 'log.txt', text: 'PC LOAD LETTER', ...values });
const errorOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];

async function bytesOf(id: string): Promise<Buffer> {
  const { body } = await client.get(`${EXT_DESK}/attachments/${id}`);
  return Buffer.from(await (await fetch(body.download_url)).arrayBuffer());
}

test('an answer carries the files of its form and earlier uploads, and every copy shows who reads along', async () => {
  const ticket = await ticketFor('ada@customer.example', { cc_emails: ['grace@customer.example', 'linus@customer.example'] });
  const uploaded = (await upload()).body;
  expect(uploaded).toMatchObject({ message_id: null, file_name: 'log.txt', media_type: 'text/plain', text: 'PC LOAD LETTER' });
  const { status, body } = await form(client, `${EXT_DESK}/tickets/${ticket.id}/replies`, [
    ['body', 'See the files.'],
    ['attachment_ids', uploaded.id],
    ['files', file('../größe "1".bin')],
  ]);
  expect([status, body.attachments]).toMatchObject([
    201,
    [
      { id: uploaded.id, file_name: 'log.txt', media_type: 'text/plain', size_bytes: 14 },
      { file_name: 'größe _1_.bin', media_type: 'application/octet-stream', size_bytes: BYTES.length },
    ],
  ]);
  expect(await bytesOf(body.attachments[1].id)).toEqual(BYTES);
  for (const person of ['ada', 'grace', 'linus']) {
    const { source } = await smtp.newest(`${person}@customer.example`, `Re: [${ticket.number}]`);
    const mail = await simpleParser(source);
    expect([mail.to, mail.cc]).toMatchObject([
      { text: 'ada@customer.example' },
      { text: 'grace@customer.example, linus@customer.example' },
    ]);
    expect(mail.attachments.map(({ filename, content }) => [filename, content])).toEqual([
      ['log.txt', Buffer.from('PC LOAD LETTER')],
      ['größe _1_.bin', BYTES],
    ]);
  }
  expect((await app.sql.query('SELECT FROM mail_files WHERE organization_id = $1', [space.organizationId])).rowCount).toBe(2);
});

test('one recipient whom the server refuses takes the mail from nobody else', async () => {
  smtp.rejections.set('gone@customer.example', { code: 550, times: 9 });
  const ticket = await ticketFor('gone@customer.example', { cc_emails: ['here@customer.example'] });
  await form(client, `${EXT_DESK}/tickets/${ticket.id}/replies`, [
    ['body', 'Hello'],
    ['files', file('a.bin')],
  ]);
  await smtp.newest('here@customer.example', `Re: [${ticket.number}]`);
  expect(smtp.received.filter(({ to }) => to === 'gone@customer.example')).toEqual([]);
});

test('members send forms too; notes and new tickets carry files, and notes are never mailed', async () => {
  const { status, body: ticket } = await form(owner, `${ORG_DESK}/tickets`, [
    ['project_id', space.ops.id],
    ['subject', 'Broken'],
    ['message', 'See the picture.'],
    ['requester.email', 'form@customer.example'],
    ['cc_emails', 'one@customer.example'],
    ['cc_emails', 'two@customer.example'],
    ['notify', 'false'],
    ['files', file('picture.png', 'png', 'image/png')],
  ]);
  expect([status, ticket.cc_emails]).toEqual([201, ['one@customer.example', 'two@customer.example']]);
  const { id } = (await upload(client, { file_name: 'secret.txt', text: 'internal' })).body;
  const note = await owner.post(`${ORG_DESK}/tickets/${ticket.id}/notes`, { body: 'For us', attachment_ids: [id] });
  expect(note.body.attachments).toMatchObject([{ id, file_name: 'secret.txt' }]);
  const messages = (await client.get(`${EXT_DESK}/tickets/${ticket.id}/messages`)).body.data;
  expect(
    messages.map((message: { attachments: { file_name: string }[] }) => message.attachments.map(({ file_name }) => file_name)),
  ).toEqual([['picture.png'], ['secret.txt']]);
  expect(
    (
      await app.sql.query(`SELECT FROM mails WHERE organization_id = $1 AND (files::text LIKE '%secret.txt%' OR recipient LIKE 'form@%')`, [
        space.organizationId,
      ])
    ).rowCount,
  ).toBe(0);
});

test('an upload is used once, in its project, plane and organization only', async () => {
  const ticket = await ticketFor('once@customer.example');
  const notes = `${EXT_DESK}/tickets/${ticket.id}/notes`;
  const refused = [400, 'validation_failed', 'attachment_ids'];
  const { id } = (await upload()).body;
  expect((await client.post(notes, { body: 'First', attachment_ids: [id] })).status).toBe(201);
  const stranger = await app.workspace();
  const foreign = await (await stranger.key({ module: 'desk' })).client.post(`${EXT_DESK}/attachments`, { file_name: 'x.txt', text: 'x' });
  const otherProject = await upload(client, { project_id: space.eng.id });
  const other = await space.key({ module: 'desk', mode: 'test' });
  const inTest = await upload(other.client);
  expect([foreign.status, otherProject.status, inTest.status]).toEqual([201, 201, 201]);
  for (const used of [id, foreign.body.id, otherProject.body.id, inTest.body.id])
    expect(errorOf(await client.post(notes, { body: 'Again', attachment_ids: [used] }))).toEqual(refused);
  expect((await client.get(`${EXT_DESK}/tickets/${ticket.id}/messages?kind=internal`)).body.data).toHaveLength(1);
});

test('a file of several megabytes arrives whole', async () => {
  const ticket = await ticketFor('large@customer.example');
  const bytes = Buffer.alloc(3 * MIB, BYTES);
  const { status, body } = await form(client, `${EXT_DESK}/tickets/${ticket.id}/replies`, [
    ['body', 'x'],
    ['files', file('large.bin', bytes)],
  ]);
  expect(status).toBe(201);
  expect((await bytesOf(body.attachments[0].id)).equals(bytes)).toBe(true);
  const { source } = await smtp.newest('large@customer.example', `Re: [${ticket.number}]`);
  expect((await simpleParser(source)).attachments[0].content.equals(bytes)).toBe(true);
});

test('what mails cannot carry is refused with the name of the field, and nothing is written', async () => {
  const ticket = await ticketFor('limits@customer.example');
  const replies = `${EXT_DESK}/tickets/${ticket.id}/replies`;
  const send = async (...files: File[]) =>
    errorOf(await form(client, replies, [['body', 'x'], ...files.map((part): [string, File] => ['files', part])]));
  expect(await send(file('setup.EXE'))).toEqual([400, 'validation_failed', 'files']);
  expect(await send(file('empty.txt', ''))).toEqual([400, 'validation_failed', 'files']);
  expect(await send(...Array.from({ length: 11 }, (_, n) => file(`${n}.txt`, 'x')))).toEqual([400, 'validation_failed', 'files']);
  expect(await send(file('a.bin', Buffer.alloc(6 * MIB)), file('b.bin', Buffer.alloc(4.5 * MIB)))).toEqual([
    413,
    'payload_too_large',
    'files',
  ]);
  expect(errorOf(await form(client, replies, [['body', file('body.txt', 'x')]]))).toEqual([400, 'validation_failed', 'body']);
  const program = await upload(client, { file_name: 'setup.exe' });
  expect([...errorOf(program), program.body.error.message]).toEqual([
    400,
    'validation_failed',
    'file_name',
    'file_name must not be the name of a program, such as setup.exe, which mail servers refuse; send a link instead',
  ]);
  expect(errorOf(await upload(client, { text: '' }))).toEqual([400, 'validation_failed', 'text']);
  const huge = await form(client, replies, [['files', file('huge.bin', Buffer.alloc(12 * MIB))]]);
  expect([...errorOf(huge), huge.body.error.message]).toEqual([
    413,
    'payload_too_large',
    'files',
    'The form is too large: files must have at most 10485760 bytes together.',
  ]);
  const other = await client.send('post', replies, 'body=x', { 'content-type': 'application/x-www-form-urlencoded' });
  expect([other.status, other.body.error.allowed]).toEqual([415, ['application/json', 'multipart/form-data']]);
  expect(
    errorOf(
      await form(client, replies, [
        ['body', 'one'],
        ['body', 'two'],
      ]),
    ),
  ).toEqual([400, 'validation_failed', 'body']);
  expect(errorOf(await upload(client, { content_base64: '###', text: undefined }))).toEqual([400, 'validation_failed', 'content_base64']);
  expect(errorOf(await client.post(replies, { body: 'x', canned_response_id: 'y'.repeat(2 * MIB) }))).toEqual([
    413,
    'payload_too_large',
    undefined,
  ]);
  expect(errorOf(await upload(client, { text: undefined }))).toEqual([400, 'missing_fields', 'text']);
  expect((await client.get(`${EXT_DESK}/tickets/${ticket.id}/messages`)).body.data).toHaveLength(1);
});

test('uploads that no message uses are deleted after a day, others never', async () => {
  const ticket = await ticketFor('purge@customer.example');
  const [used, fresh, old] = [(await upload()).body.id, (await upload()).body.id, (await upload()).body.id];
  await client.post(`${EXT_DESK}/tickets/${ticket.id}/notes`, { body: 'x', attachment_ids: [used] });
  await app.sql.query(`UPDATE desk_attachments SET created_at = now() - interval '25 hours' WHERE id = ANY ($1)`, [[used, old]]);
  await app.runScheduledJob('platform.purge');
  const statuses = await Promise.all([used, fresh, old].map(async (id) => (await client.get(`${EXT_DESK}/attachments/${id}`)).status));
  expect(statuses).toEqual([200, 200, 404]);
});

test('a form is repeated for its Idempotency-Key only with the same files', async () => {
  const ticket = await ticketFor('repeat@customer.example');
  const notes = `${EXT_DESK}/tickets/${ticket.id}/notes`;
  const send = (bytes: string) =>
    form(
      client,
      notes,
      [
        ['body', 'x'],
        ['files', file('a.txt', bytes)],
      ],
      { 'Idempotency-Key': 'files-1' },
    );
  const first = await send('one');
  expect((await send('one')).body.id).toBe(first.body.id);
  expect((await send('two')).body.error.code).toBe('idempotency_key_reused');
});
