import { afterAll, describe, expect, test } from '@jest/globals';
import { simpleParser } from 'mailparser';
import sharp from 'sharp';
import { eventually } from '../../../test/harness/eventually.js';
import { ownApp } from '../../../test/harness/hosted-app.js';
import { Mailbox } from '../../../test/harness/mailbox.js';
import type { PlainMail } from '../../../test/harness/send-mail.js';
import type { Mails, Mode } from '../../kit/index.js';

const mailbox = await Mailbox.start();
const { rejections } = mailbox;
const app = await ownApp({ env: { ...mailbox.env, MAIL_FROM: 'Work suite <suite@example.com>' } });
const { sendMail } = app.inside<typeof import('../../../test/harness/send-mail.js')>('test/harness/send-mail.ts');
const space = await app.workspace();
const owner = await space.signIn();

afterAll(() => mailbox.stop());

function send(mail: Partial<PlainMail> & { to: string }, mode: Mode = 'live', fail = false): Promise<string> {
  return sendMail(space.ctx(mode), { subject: 'Hello', text: 'Text', permission: null, ...mail }, fail);
}

const state = (id: string) => async () => (await owner.get(`/api/v1/org/developer/mail-outbox/${id}`)).body;
const sentTo = (address: string) => mailbox.received.filter(({ to }) => to === address);

describe('mail', () => {
  test('is sent by SMTP after its transaction commits', async () => {
    const id = await send({
      to: 'ada@example.com',
      subject: 'Invitation\r\nBcc: eve@example.com',
      text: 'You are invited.',
      replyTo: 'grace@example.com',
      calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
    });
    const mail = await eventually(state(id), ({ status }) => status === 'sent');
    expect(mail).toMatchObject({
      status: 'sent',
      recipient: 'ada@example.com',
      reply_to: 'grace@example.com',
      error: null,
      sent_at: expect.any(String),
    });
    const [{ from, source }] = sentTo('ada@example.com');
    expect(from).toBe('suite@example.com');
    expect(source).toContain(`Message-ID: <${id}@example.com>`);
    expect(source).toMatch(/^Reply-To: grace@example.com$/m);
    expect(source).toMatch(/^Subject: Invitation Bcc: eve@example.com$/m);
    expect(source).toMatch(/^Content-Type: text\/calendar;.*method=REQUEST/m);
    expect(await app.service<Mails>('Mails').states(space.ctx(), [id])).toEqual([
      { id, status: 'sent', sent_at: expect.any(Date), error: null },
    ]);
  });

  test('has the name, color and logo of the organization, with the image in it', async () => {
    const brand = (logo: Buffer) =>
      owner.patch('/api/v1/org/papers/settings', { color: '#ffd400', logo: `data:image/png;base64,${logo.toString('base64')}` });
    const wide = await sharp({ create: { width: 1000, height: 100, channels: 3, background: '#c00' } })
      .png()
      .toBuffer();
    expect((await brand(wide)).status).toBe(200);
    await send({ to: 'brand@example.com' });
    const mail = await simpleParser((await mailbox.newest('brand@example.com', 'Hello')).source);
    expect([mail.from?.value[0].name, mail.headers.get('auto-submitted')]).toEqual([
      expect.stringMatching(/^Organization /),
      'auto-generated',
    ]);
    expect(mail.html).toMatch(/<img class="logo" src="data:image\/png[^>]* width="200" height="20"/);
    expect(mail.html).toContain('border-top:4px solid #ffd400');
    const [image] = mail.attachments;
    expect([image.related, (await sharp(image.content).metadata()).width]).toEqual([true, 400]);
    expect(mail.text).toMatch(/^Text\n\n-- \n.*\nYou receive this mail because it is tested\.\nQuestions or complaints\? Write to /);

    // it begins like an image, and is none
    expect((await brand(Buffer.concat([wide.subarray(0, 8), Buffer.from('broken')]))).status).toBe(200);
    await send({ to: 'broken@example.com' });
    const { attachments, html } = await simpleParser((await mailbox.newest('broken@example.com', 'Hello')).source);
    expect([attachments, /<img/.test(String(html))]).toEqual([[], false]);
  });

  test('can belong to a conversation, and say that no person wrote it', async () => {
    const references = ['<first@example.com>', '<second@example.com>'];
    await send({
      to: 'thread@example.com',
      senderName: 'Help "desk" <x@evil.example>',
      messageId: '<own@desk.example.com>',
      references,
      autoSubmitted: 'auto-replied',
    });
    const { source } = await mailbox.newest('thread@example.com', 'Hello');
    for (const line of [
      'From: "Help \\"desk\\" <x@evil.example>" <suite@example.com>',
      'Message-ID: <own@desk.example.com>',
      'In-Reply-To: <second@example.com>',
      'References: <first@example.com> <second@example.com>',
      'Auto-Submitted: auto-replied',
      'X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply',
    ])
      expect(source.replace(/\r\n /g, ' ')).toContain(`${line}\r\n`);
  });

  test('of a change that was undone does not exist', async () => {
    await expect(send({ to: 'nobody@example.com' }, 'live', true)).rejects.toThrow('undone');
    expect((await owner.get('/api/v1/org/developer/mail-outbox?recipient=nobody@example.com')).body.data).toEqual([]);
  });

  test('that is confidential can be read only by its recipient once it is sent, and is not stored', async () => {
    const secret = {
      subject: 'Sign',
      replyTo: 'grace@example.com',
      text: 'https://example.com/s/secret',
      confidential: true,
    } as const;
    rejections.set('later-secret@example.com', { code: 451, times: 1 });
    rejections.set('no-secret@example.com', { code: 550, times: 9 });
    const [sent, waiting, failed] = [
      await send({ to: 'secret@example.com', ...secret }),
      await send({ to: 'later-secret@example.com', ...secret }),
      await send({ to: 'no-secret@example.com', ...secret }),
    ];
    const hidden = { confidential: true, recipient: null, reply_to: null, subject: null, text: null, html: null };
    expect(await eventually(state(sent), ({ status }) => status === 'sent')).toMatchObject({ ...hidden, status: 'sent' });
    expect(await eventually(state(waiting), ({ error }) => error !== null)).toMatchObject({ ...hidden, status: 'queued' });
    const { error, ...rest } = await eventually(state(failed), ({ status }) => status === 'failed');
    expect([rest, error.includes('@')]).toMatchObject([{ ...hidden, status: 'failed' }, false]);
    // whoever knows the address learns whether the mail arrived
    const found = (await owner.get('/api/v1/org/developer/mail-outbox?recipient=no-secret@example.com')).body.data;
    expect(found).toMatchObject([{ id: failed, recipient: null, status: 'failed' }]);
    expect((await owner.get('/api/v1/org/developer/mail-outbox')).text).not.toContain('/s/secret');
    expect(sentTo('secret@example.com')[0].source).toContain('https://example.com/s/secret');
    const stored = await app.sql.query<{ text: string; html: string | null }>('SELECT text, html FROM mails WHERE id = ANY($1)', [
      [sent, failed],
    ]);
    expect(stored.rows).toEqual([
      { text: '', html: null },
      { text: '', html: null },
    ]);
    await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [waiting]);
    await eventually(state(waiting), ({ status }) => status === 'sent');
    expect(sentTo('later-secret@example.com')[0].source).toContain('https://example.com/s/secret');
    const tried = await send({ to: 'test-secret@example.com', ...secret }, 'test');
    expect(await state(tried)()).toMatchObject({ status: 'suppressed', confidential: true, text: expect.stringContaining(secret.text) });
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
    rejections.set('busy@example.com', { code: 451, times: 1 });
    const id = await send({ to: 'busy@example.com' });
    expect(await eventually(state(id), ({ error }) => error !== null)).toMatchObject({
      status: 'queued',
      error: expect.stringContaining('try again later'),
    });
    await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [id]);
    expect(await eventually(state(id), ({ status }) => status === 'sent')).toMatchObject({ status: 'sent', error: null });
    expect(sentTo('busy@example.com')).toHaveLength(1);
  });

  test('of a sequence waits for the one before to the same recipient, whatever its server does', async () => {
    const to = 'ordered@example.com';
    rejections.set(to, { code: 451, times: 1 });
    const first = await send({ to, subject: 'First', sequenceKey: 'event 1' });
    await eventually(state(first), ({ error }) => error !== null);
    const second = await send({ to, subject: 'Second', sequenceKey: 'event 1' });
    await send({ to, subject: 'Other', sequenceKey: 'event 2' });
    await send({ to: 'else@example.com', sequenceKey: 'event 1' });
    await eventually(
      async () => [...sentTo(to), ...sentTo('else@example.com')],
      (all) => all.length > 1,
    );
    expect(await state(second)()).toMatchObject({ status: 'queued', error: null });
    await app.sql.query('UPDATE mails SET due_at = now() WHERE id = $1', [first]);
    await eventually(state(second), ({ status }) => status === 'sent');
    expect(sentTo(to).map(({ subject }) => subject)).toEqual(['Other', 'First', 'Second']);
    rejections.set(to, { code: 550, times: 1 });
    await send({ to, subject: 'Lost', sequenceKey: 'event 1' });
    await send({ to, subject: 'Third', sequenceKey: 'event 1' });
    await eventually(
      async () => sentTo(to),
      (all) => all.length > 3,
    );
    expect(sentTo(to).map(({ subject }) => subject)).toEqual(['Other', 'First', 'Second', 'Third']);
  });

  test('that the server rejects permanently has failed', async () => {
    rejections.set('unknown@example.com', { code: 550, times: 9 });
    const id = await send({ to: 'unknown@example.com' });
    expect(await eventually(state(id), ({ status }) => status === 'failed')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no such mailbox'),
    });
  });
});
