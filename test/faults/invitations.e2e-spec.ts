import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../kit/eventually.js';
import { freePort } from '../kit/free-port.js';
import { Mailbox } from '../kit/mailbox.js';
import { FaultHarness, type Worker } from './fault-harness.js';

const port = await freePort();
let mailbox: Mailbox | null = null;
let harness: FaultHarness;
let worker: Worker;

beforeAll(async () => {
  harness = await FaultHarness.start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'suite@example.com' } });
}, 120_000);
afterAll(async () => {
  await harness.stop();
  await mailbox?.stop();
});

async function invite(email: string): Promise<void> {
  const { app, space } = harness;
  const fixture = app.inside<typeof import('../kit/schedule-events.js')>('test/kit/schedule-events.ts');
  await fixture.createEvent(space.ctx(), await fixture.createCalendar(space.ctx(), space.eng.id), {}, [email]);
}

/** The state of the mail and what the invitee shows. */
async function stateOf(email: string) {
  const { rows } = await harness.app.sql.query<{ mail: string; error: string | null; invitation: string }>(
    `SELECT m.status AS mail, m.error, i.invitation_status AS invitation
     FROM schedule_invitees i JOIN mails m ON m.id = i.mail_id WHERE i.email = $1`,
    [email],
  );
  return rows[0];
}

const sent = (email: string) =>
  eventually(
    () => stateOf(email),
    ({ invitation }) => invitation === 'sent',
    30_000,
  );
const received = (email: string) => mailbox?.received.filter(({ to }) => to === email).length;

test('an invitation waits for a mail server that is down, and arrives once', async () => {
  worker = await harness.worker();
  await invite('ada@example.com');
  const waiting = await eventually(
    () => stateOf('ada@example.com'),
    ({ error }) => error !== null,
    30_000,
  );
  expect(waiting).toEqual({ mail: 'queued', error: expect.stringContaining('ECONNREFUSED'), invitation: 'queued' });
  mailbox = await Mailbox.start(port);
  await harness.app.sql.query(`UPDATE mails SET due_at = now() WHERE status = 'queued'`);
  expect(await sent('ada@example.com')).toEqual({ mail: 'sent', error: null, invitation: 'sent' });
  expect(received('ada@example.com')).toBe(1);
}, 90_000);

test('the process dies between the event and the mail: the mail follows once', async () => {
  const box = mailbox as Mailbox;
  box.onRecipient = () => process.kill(worker.pid, 'SIGKILL');
  await invite('bob@example.com');
  await worker.ended;
  expect(await stateOf('bob@example.com')).toMatchObject({ mail: 'queued', invitation: 'queued' });
  box.onRecipient = null;
  worker = await harness.worker();
  await sent('bob@example.com');
  expect(received('bob@example.com')).toBe(1);
}, 90_000);
