import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BookingFixture } from '../../src/modules/schedule/testing/booking-fixture.js';
import { eventually } from '../harness/eventually.js';
import type { Json } from '../harness/api-document.js';
import { CalendarProgram } from '../../src/modules/schedule/testing/calendar-program.js';
import { freePort } from '../harness/free-port.js';
import { Mailbox } from '../harness/mailbox.js';
import { partsOf } from '../harness/mime.js';
import { EXT_SCHEDULE, makeCalendar } from '../../src/modules/schedule/testing/schedule-fixture.js';
import { FaultHarness, type Worker } from './fault-harness.js';

const EVENTS = `${EXT_SCHEDULE}/events`;
const port = await freePort();
let mailbox: Mailbox | null = null;
let harness: FaultHarness;
let worker: Worker;

beforeAll(async () => {
  harness = await FaultHarness.start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'suite@example.com' } });
});
afterAll(async () => {
  await harness.stop();
  await mailbox?.stop();
});

async function invite(email: string): Promise<void> {
  const { app, space } = harness;
  const fixture = app.inside<typeof import('../../src/modules/schedule/testing/schedule-events.js')>(
    'src/modules/schedule/testing/schedule-events.ts',
  );
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
  );
const received = (email: string) => mailbox?.received.filter(({ to }) => to === email).length;

/** The mails to an address, in the order in which they were written. */
async function outboxOf(email: string) {
  const { rows } = await harness.app.sql.query<{ status: string; tries: number; error: string | null; wait: number; leased: boolean }>(
    `SELECT status, tries, error, extract(epoch FROM due_at - updated_at)::int AS wait, leased_until IS NOT NULL AS leased
     FROM mails WHERE recipient = $1 ORDER BY position`,
    [email],
  );
  return rows;
}

test('while the mail server is down nothing is lost, and states are true', async () => {
  const { space, app } = harness;
  worker = await harness.worker();
  const { client: api } = await space.key({ module: 'schedule' });
  const calendar = await makeCalendar(space, { owner_id: space.owner.id });
  const create = async (title: string, values: Json = {}) => {
    const body = { calendar_id: calendar.id, title, start_at: '2041-03-25T09:00', end_at: '2041-03-25T10:00', show_as: 'free', ...values };
    return `${EVENTS}/${(await api.post(EVENTS, body)).body.id}`;
  };
  const [ada, bob] = ['ada@example.com', 'bob@example.com'];
  const series = await create('Weekly', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' }, invitees: [{ email: ada }, { email: bob }] });
  const deleted = await create('Once', { invitees: [{ email: ada }] });
  const window = 'from=2041-03-20T00:00:00Z&to=2041-05-01T00:00:00Z';
  const list = async () => (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?q=Weekly&${window}`)).body.data as Json[];
  const second = `${EVENTS}/${(await list())[1].id as string}`;
  expect((await api.patch(second, { start_at: '2041-04-02T14:00', end_at: '2041-04-02T15:00' })).status).toBe(200);
  expect((await api.patch(series, { location: 'Room 1' })).status).toBe(200);
  const people = (await api.get(`${series}/invitees`)).body.data as { id: string; email: string; invitation: Json }[];
  expect((await api.delete(`${series}/invitees/${people.find(({ email }) => email === bob)?.id ?? ''}`)).status).toBe(204);
  expect((await api.delete(deleted)).status).toBe(204);

  // another failure would add a pause of 15 s: mail-server.spec.ts
  const all = async () => [...(await outboxOf(ada)), ...(await outboxOf(bob))];
  const tried = await eventually(all, (found) => found.some(({ error, leased }) => error !== null && !leased));
  expect(tried).toEqual(Array.from({ length: 9 }, () => expect.objectContaining({ status: 'queued' })));
  for (const { error } of tried.filter((mail) => mail.error !== null)) expect(error).toContain('ECONNREFUSED');
  expect((await api.get(`${series}/invitees`)).body.data).toMatchObject([{ email: ada, invitation: { status: 'queued', sent_at: null } }]);

  mailbox = await Mailbox.start(port);
  await app.sql.query(`UPDATE mails SET due_at = now() WHERE status = 'queued'`);
  const up = await eventually(all, (found) => found.every(({ status }) => status === 'sent'));
  expect(up).toEqual(Array.from({ length: 9 }, () => expect.objectContaining({ status: 'sent', error: null })));
  expect([received(ada), received(bob)]).toEqual([5, 4]);
  const objects = (email: string) =>
    (mailbox as Mailbox).received
      .filter(({ to }) => to === email)
      .map(({ source }) => partsOf(source).find(({ type }) => type === 'text/calendar')?.text as string);
  for (const email of [ada, bob]) {
    const bySequence = objects(email).map((text) => `${/UID:(.*)/.exec(text)?.[1] ?? ''} ${/SEQUENCE:(.*)/.exec(text)?.[1] ?? ''}`);
    for (const uid of new Set(bySequence.map((one) => one.split(' ')[0]))) {
      const own = bySequence.filter((one) => one.startsWith(uid));
      expect(own).toEqual([...own].sort());
    }
  }
  const shown = (email: string) =>
    objects(email)
      .reduce((program, text) => program.receive(text), new CalendarProgram())
      .shown();
  expect(shown(ada)).toEqual((await list()).map(({ start_at, title }) => ({ start: start_at, title })));
  expect(shown(bob)).toEqual([]);
  const states = async () => (await api.get(`${series}/invitees`)).body.data as { invitation: Json }[];
  const [{ invitation }] = await eventually(states, ([one]) => one.invitation['status'] === 'sent');
  expect(invitation).toEqual({ status: 'sent', sent_at: expect.any(String), error: null });
});

test('the process dies between the event and the mail: the mail follows once', async () => {
  const box = mailbox as Mailbox;
  box.onRecipient = () => process.kill(worker.pid, 'SIGKILL');
  await invite('eve@example.com');
  await worker.ended;
  expect(await stateOf('eve@example.com')).toMatchObject({ mail: 'queued', invitation: 'queued' });
  box.onRecipient = null;
  worker = await harness.worker();
  await sent('eve@example.com');
  expect(received('eve@example.com')).toBe(1);
});

test('the process dies between a booking and its mail: booking and event stand, the mail follows once', async () => {
  const box = mailbox as Mailbox;
  const fixture = await BookingFixture.open(harness.app, { calendar: { name: 'Bookings' } }, harness.space);
  const [start] = await fixture.slots();
  const form = { start, minutes: '60', tz: 'Europe/Berlin', form_token: randomUUID(), name: 'Carol', email: 'carol@example.com' };
  box.onRecipient = () => process.kill(worker.pid, 'SIGKILL');
  const booked = await fixture.send(form);
  expect([booked.status, booked.headers.location]).toEqual([303, expect.stringMatching(/^\/b\/manage\//)]);
  await worker.ended;
  const rows = async () =>
    (
      await harness.app.sql.query(
        `SELECT b.status, b.start_at, e.status AS event, m.status AS mail FROM schedule_bookings b
         JOIN schedule_events e ON e.id = b.event_id JOIN mails m ON m.recipient = b.guest_email WHERE b.page_id = $1`,
        [fixture.page.id],
      )
    ).rows;
  const stands = { status: 'confirmed', start_at: new Date(start), event: 'confirmed' };
  expect([await rows(), received('carol@example.com')]).toEqual([[{ ...stands, mail: 'queued' }], 0]);
  expect((await fixture.visitor().get(booked.headers.location as string)).text).toContain('Your appointment is booked.');
  // the visitor who saw nothing happen sends the form again
  expect((await fixture.send(form)).headers.location).toBe(booked.headers.location);
  box.onRecipient = null;
  worker = await harness.worker();
  await eventually(rows, ([{ mail }]) => mail === 'sent');
  expect([await rows(), received('carol@example.com')]).toEqual([[{ ...stands, mail: 'sent' }], 1]);
});
