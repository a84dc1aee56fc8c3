import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import type { Client } from '../../../test/kit/client.js';
import { eventually } from '../../../test/kit/eventually.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import { Mails, Store, type Mail, type Mode } from '../../kit/index.js';

interface Accepted {
  from: string;
  to: string;
  source: string;
}

const accepted: Accepted[] = [];
/** What the server says to a recipient, when it is not yes. */
const refusals = new Map<string, { code: number; times: number }>();

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, callback) {
    const refusal = refusals.get(address);
    if (refusal && refusal.times-- > 0) return callback(Object.assign(new Error('refused'), { responseCode: refusal.code }));
    callback();
  },
  onData(stream, { envelope }, callback) {
    let source = '';
    stream.on('data', (chunk: Buffer) => (source += chunk.toString('utf8')));
    stream.on('end', () => {
      accepted.push({ from: (envelope.mailFrom as { address: string }).address, to: envelope.rcptTo[0].address, source });
      callback();
    });
  },
});

let app: TestApp;
let space: Workspace;
let owner: Client;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  app = await createTestApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Work suite <suite@example.com>', QUEUE_RECONCILE_MS: '200' },
  });
  space = await app.workspace();
  owner = await space.signIn();
}, 60_000);
afterAll(async () => {
  await app.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

function send(mail: Partial<Mail> & { to: string }, mode: Mode = 'live', fail = false): Promise<string> {
  const ctx = space.ctx(mode);
  return app.app.get(Store).write(ctx, async (tx) => {
    const id = await app.app.get(Mails).send(ctx, tx, { subject: 'Hello', text: 'Text', ...mail });
    if (fail) throw new Error('undone');
    return id;
  });
}

const state = (id: string) => async () => (await owner.get(`/api/v1/org/developer/mail-outbox/${id}`)).body;
const sentTo = (address: string) => accepted.filter(({ to }) => to === address);

describe('mail', () => {
  test('is sent by SMTP after its transaction commits', async () => {
    const id = await send({
      to: 'ada@example.com',
      subject: 'Invitation\r\nBcc: eve@example.com',
      text: 'You are invited.',
      html: '<p>You are invited.</p>',
      calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
    });
    const mail = await eventually(state(id), ({ status }) => status === 'sent');
    expect(mail).toMatchObject({ status: 'sent', recipient: 'ada@example.com', error: null, sent_at: expect.any(String) });
    const [{ from, source }] = sentTo('ada@example.com');
    expect(from).toBe('suite@example.com');
    expect(source).toContain(`Message-ID: <${id}@example.com>`);
    expect(source).toMatch(/^Subject: Invitation Bcc: eve@example.com$/m);
    expect(source).toMatch(/^Content-Type: text\/calendar;.*method=REQUEST/m);
    expect(await app.app.get(Mails).states(space.ctx(), [id])).toEqual([{ id, status: 'sent', sent_at: expect.any(Date), error: null }]);
  });

  test('of a change that was undone does not exist', async () => {
    await expect(send({ to: 'nobody@example.com' }, 'live', true)).rejects.toThrow('undone');
    expect((await owner.get('/api/v1/org/developer/mail-outbox?recipient=nobody@example.com')).body.data).toEqual([]);
  });

  test('that is confidential can be read only by its recipient once it is sent, and is not stored', async () => {
    const secret = { subject: 'Sign', text: 'https://example.com/s/secret', html: '<p>secret</p>', confidential: true } as const;
    refusals.set('later-secret@example.com', { code: 451, times: 1 });
    refusals.set('no-secret@example.com', { code: 550, times: 9 });
    const [sent, waiting, failed] = [
      await send({ to: 'secret@example.com', ...secret }),
      await send({ to: 'later-secret@example.com', ...secret }),
      await send({ to: 'no-secret@example.com', ...secret }),
    ];
    const hidden = { confidential: true, subject: 'Sign', text: null, html: null };
    expect(await eventually(state(sent), ({ status }) => status === 'sent')).toMatchObject({ ...hidden, status: 'sent' });
    expect(await eventually(state(waiting), ({ error }) => error !== null)).toMatchObject({ ...hidden, status: 'queued' });
    expect(await eventually(state(failed), ({ status }) => status === 'failed')).toMatchObject({ ...hidden, status: 'failed' });
    expect((await owner.get('/api/v1/org/developer/mail-outbox')).text).not.toContain('secret</p>');
    expect(sentTo('secret@example.com')[0].source).toContain('https://example.com/s/secret');
    const kept = await app.sql.query<{ text: string; html: string | null }>('SELECT text, html FROM mails WHERE id = ANY($1)', [
      [sent, failed],
    ]);
    expect(kept.rows).toEqual([
      { text: '', html: null },
      { text: '', html: null },
    ]);
    await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [waiting]);
    await eventually(state(waiting), ({ status }) => status === 'sent');
    expect(sentTo('later-secret@example.com')[0].source).toContain('https://example.com/s/secret');
    const tried = await send({ to: 'test-secret@example.com', ...secret }, 'test');
    expect(await state(tried)()).toMatchObject({ status: 'suppressed', confidential: true, text: secret.text, html: secret.html });
  });

  test('of the test mode is never sent', async () => {
    const id = await send({ to: 'tess@example.com' }, 'test');
    expect(await state(id)()).toMatchObject({ status: 'suppressed', mode: 'test' });
    await send({ to: 'later@example.com' });
    await eventually(
      async () => sentTo('later@example.com'),
      (all) => all.length > 0,
    );
    expect(sentTo('tess@example.com')).toEqual([]);
  });

  test('that the server puts off is sent later', async () => {
    refusals.set('busy@example.com', { code: 451, times: 1 });
    const id = await send({ to: 'busy@example.com' });
    expect(await eventually(state(id), ({ error }) => error !== null)).toMatchObject({
      status: 'queued',
      error: expect.stringContaining('refused'),
    });
    await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [id]);
    expect(await eventually(state(id), ({ status }) => status === 'sent')).toMatchObject({ status: 'sent', error: null });
    expect(sentTo('busy@example.com')).toHaveLength(1);
  });

  test('that the server rejects permanently has failed', async () => {
    refusals.set('unknown@example.com', { code: 550, times: 9 });
    const id = await send({ to: 'unknown@example.com' });
    expect(await eventually(state(id), ({ status }) => status === 'failed')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('refused'),
    });
  });
});
