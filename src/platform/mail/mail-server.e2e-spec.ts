import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../../../test/harness/eventually.js';
import { ownApp } from '../../../test/harness/hosted-app.js';
import type { PlainMail } from '../../../test/harness/send-mail.js';

const OUTBOX = '/api/v1/org/developer/mail-outbox';

const RELAY_DENIED = '5.7.1 <outside@example.com>: Relay access denied';

/** Whether some mails make the mail server close its connections. */
let crashes = true;
/** Whether the mail server sends to other domains. */
let relays = true;
/** The only password that the mail server accepts. */
let password = 'changed';
let signIns = 0;
const received: string[] = [];
const server = new SMTPServer({
  authOptional: false,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  // at its end it waits for the connections that the application keeps open
  closeTimeout: 100,
  onAuth(auth, _session, callback) {
    signIns++;
    if (auth.password === password) callback(null, { user: 'suite' });
    else callback(Object.assign(new Error('5.7.8 Bad credentials'), { responseCode: 535 }));
  },
  onRcptTo({ address }, _session, callback) {
    const refusal = address.startsWith('unknown') ? 'no such mailbox' : address.startsWith('outside') && !relays && RELAY_DENIED;
    if (refusal) callback(Object.assign(new Error(refusal), { responseCode: 550 }));
    else callback();
  },
  onData(stream, { envelope }, callback) {
    if (envelope.rcptTo[0].address.startsWith('crash') && crashes) {
      for (const { _socket: socket } of (server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections)
        socket.destroy();
      return;
    }
    received.push(envelope.rcptTo[0].address);
    stream.resume().on('end', () => callback());
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
const { port } = server.server.address() as AddressInfo;
const app = await ownApp({
  env: { SMTP_URL: `smtp://suite:secret@127.0.0.1:${port}`, MAIL_FROM: 'suite@example.com', QUEUE_RECONCILE_MS: '200' },
});
const { sendMail, endPause } = app.inside<typeof import('../../../test/harness/send-mail.js')>('test/harness/send-mail.ts');
const space = await app.workspace();
const owner = await space.signIn();

afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const send = (to: string, more: Partial<PlainMail> = {}): Promise<string> =>
  sendMail(space.ctx('live'), { to, subject: 'Hello', text: 'Text', permission: null, ...more });
const mailOf = async (id: string) => (await owner.get(`${OUTBOX}/${id}`)).body;
/** Waits until a mail was refused again. */
const triedAgain = (id: string) =>
  eventually(
    () => app.sql.query<{ tries: number; leased_by: string | null }>('SELECT tries, leased_by FROM mails WHERE id = $1', [id]),
    ({ rows: [{ tries, leased_by }] }) => tries > 1 && leased_by === null,
  );
const health = async () => {
  const { status, body } = await owner.get('/health');
  return { code: status, ...body.mail_server };
};

describe('a mail server that does not accept our password', () => {
  test('loses no mail, is seen in the health response, and is not asked for each mail', async () => {
    const secret = await send('ada@example.com', { confidential: true });
    const mails = await Promise.all(Array.from({ length: 20 }, (_, n) => send(`many-${n}@example.com`)));
    expect(await eventually(health, ({ status }) => status === 'failing')).toEqual({
      code: 200,
      status: 'failing',
      fault: 'authentication',
      since: expect.any(String),
    });
    expect(await mailOf(secret)).toMatchObject({ status: 'queued' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // one, or two if the machine is so busy that the pause of five seconds is over
    expect(signIns).toBeLessThan(3);
    password = 'secret';
    await app.sql.query(`UPDATE mails SET due_at = now() WHERE status = 'queued'`);
    for (const id of [secret, ...mails])
      await eventually(
        () => mailOf(id),
        ({ status }) => status === 'sent',
      );
    expect([...received].sort()).toEqual(['ada@example.com', ...mails.map((_, n) => `many-${n}@example.com`)].sort());
    expect(await health()).toMatchObject({ status: 'working', fault: null });
  });

  test('makes a mail fail after five days, which is kept and can be sent again', async () => {
    const old = `give_up_at = now() - interval '1 second', due_at = now()`;
    password = 'changed';
    // the open connections are signed in
    for (const { _socket: socket } of (server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections)
      socket.destroy();
    const id = await send('late@example.com', { confidential: true });
    await eventually(health, ({ status }) => status === 'failing');
    await app.sql.query(`UPDATE mails SET ${old} WHERE id = $1`, [id]);
    await endPause();
    expect(
      await eventually(
        () => mailOf(id),
        ({ status }) => status === 'failed',
      ),
    ).toMatchObject({
      status: 'failed',
      can_resend: true,
      error: expect.stringContaining('535'),
    });
    password = 'secret';
    expect((await owner.post(`${OUTBOX}/resend`, { dry_run: true })).body).toEqual({ object: 'resend', dry_run: true, count: 1 });
    expect((await owner.post(`${OUTBOX}/${id}/resend`)).body).toMatchObject({ status: 'queued', error: null, can_resend: false });
    await endPause();
    expect(
      await eventually(
        () => mailOf(id),
        ({ status }) => status === 'sent',
      ),
    ).toMatchObject({ status: 'sent', error: null });
    expect((await owner.post(`${OUTBOX}/${id}/resend`)).status).toBe(409);
  });
});

test('a server that does not relay to one recipient loses no mail, and others do not wait for it', async () => {
  relays = false;
  const outside = await send('outside@example.com', { confidential: true });
  expect(
    await eventually(
      () => mailOf(outside),
      ({ error }) => error !== null,
    ),
  ).toMatchObject({ status: 'queued', error: expect.stringContaining('Relay access denied') });
  const { since, ...state } = await health();
  expect(state).toMatchObject({ status: 'failing', fault: 'refusal' });
  await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [outside]);
  await triedAgain(outside);
  const inside = await send('inside@example.com');
  // a server that failed as a whole would not be asked for five seconds
  await eventually(
    () => mailOf(inside),
    ({ status }) => status === 'sent',
    3_000,
  );
  expect(await health()).toMatchObject({ status: 'failing', fault: 'refusal', since });
  relays = true;
  await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [outside]);
  await eventually(
    () => mailOf(outside),
    ({ status }) => status === 'sent',
  );
  expect(await health()).toMatchObject({ status: 'working', fault: null });
});

test('a mail that makes the server fail does not keep later ones waiting', async () => {
  const bad = await send('crash@example.com');
  await eventually(
    () => mailOf(bad),
    ({ error }) => error !== null,
  );
  const good = await send('good@example.com');
  // due again before the good one, with which the server is tried nevertheless
  await app.sql.query(`UPDATE mails SET due_at = now() - interval '1 hour' WHERE id = $1`, [bad]);
  await endPause();
  await eventually(
    () => mailOf(good),
    ({ status }) => status === 'sent',
    9_000,
  );
  await triedAgain(bad);
  crashes = false;
  await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [bad]);
  await endPause();
  expect(
    await eventually(
      () => mailOf(bad),
      ({ status }) => status === 'sent',
    ),
  ).toMatchObject({ status: 'sent' });
});

test('a mail that the server refused can be sent again unless it was confidential, and not with the others', async () => {
  const [plain, secret] = [await send('unknown-1@example.com'), await send('unknown-2@example.com', { confidential: true })];
  for (const id of [plain, secret])
    await eventually(
      () => mailOf(id),
      ({ status }) => status === 'failed',
    );
  expect([(await mailOf(plain)).can_resend, (await mailOf(secret)).can_resend]).toEqual([true, false]);
  expect((await owner.post(`${OUTBOX}/resend`, {})).body).toMatchObject({ count: 0 });
  // a mail without its text is left out, whatever made it fail
  await app.sql.query('UPDATE mails SET refused = false WHERE id = $1', [secret]);
  expect((await owner.post(`${OUTBOX}/resend`, { dry_run: true })).body).toMatchObject({ count: 0 });
  const refusal = await owner.post(`${OUTBOX}/${secret}/resend`);
  expect([refusal.status, refusal.body.error.message]).toEqual([409, expect.stringContaining('erased')]);
  expect((await owner.post(`${OUTBOX}/${plain}/resend`)).status).toBe(200);
});

test('a role that sends mails again, and may not see mails, reads none', async () => {
  const permissions = ['org.developer.mail.send'];
  expect((await owner.post('/api/v1/org/roles', { name: 'Postman', permissions })).status).toBe(201);
  const postman = await space.signIn((await space.member('Postman')).email);
  const id = await send('unknown-3@example.com', { subject: 'Your salary', text: '4,200', replyTo: 'boss@example.com' });
  const refused = () => mailOf(id);
  await eventually(refused, ({ status }) => status === 'failed');
  const { status, body } = await postman.post(`${OUTBOX}/${id}/resend`);
  expect([status, body.status, body.required_permission]).toEqual([200, 'queued', 'org.developer.mail.view']);
  expect(JSON.stringify(body)).not.toMatch(/salary|4,200|boss|unknown-3/);
  expect((await postman.get(`${OUTBOX}/${id}`)).status).toBe(403);
  expect(await mailOf(id)).toMatchObject({ text: expect.stringContaining('4,200'), required_permission: null });
});
