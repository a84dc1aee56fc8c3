import { describe, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, openBrowser, pageOf } from '../../../../test/harness/browser.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedMailApp } from '../../../../test/harness/hosted-app.js';
import type { ReceivedMail } from '../../../../test/harness/mailbox.js';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { EXT_SCHEDULE, makeCalendar } from '../testing/schedule-fixture.js';
import { partsOf } from '../../../../test/harness/mime.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import { Client } from '../../../../test/harness/client.js';

const browser = await openBrowser();
const { app, mailbox } = await sharedMailApp();
const fixture = app.inside<typeof import('../testing/schedule-events.js')>('src/modules/schedule/testing/schedule-events.ts');
const space = await app.workspace();
const ctx = space.ctx();
const organizer = { member_id: space.owner.id, name: 'Grace Hopper', email: space.owner.email };
const weekly = { organizer, rrule: 'FREQ=WEEKLY;COUNT=4' };

let count = 0;
const address = (name: string) => `${name}-${++count}@example.com`;
const calendar = (values = {}, reminders: number[] = []) => fixture.createCalendar(ctx, space.eng.id, values, reminders);

/** The properties of the event in a mail, which two independent readers can read; times in UTC. */
function objectIn(mail: ReceivedMail) {
  const parts = partsOf(mail.source);
  const [calendarPart] = parts.filter(({ type }) => type === 'text/calendar');
  const component = new ICAL.Component(ICAL.parse(calendarPart.text) as never);
  const zone = component.getFirstSubcomponent('vtimezone');
  if (zone) ICAL.TimezoneService.register(zone);
  const [vevent, ...more] = component.getAllSubcomponents('vevent');
  const start = new ICAL.Event(vevent).startDate.toJSDate().toISOString();
  ICAL.TimezoneService.reset();
  const own = calendarPart.text.replace(/\r\n /g, '').split('BEGIN:VEVENT')[1].split('\r\n');
  const line = (name: string) =>
    [`METHOD:${component.getFirstPropertyValue('method') as string}`, ...own].find((text) => text.startsWith(name)) ?? null;
  const other = Object.values(ical.sync.parseICS(calendarPart.text)).find((found): found is VEvent => found?.type === 'VEVENT') as VEvent;
  expect([other.start.toISOString(), other.uid, more]).toEqual([start, vevent.getFirstPropertyValue('uid'), []]);
  return { parts, mimeMethod: /method=(\w+)/.exec(calendarPart.headers['content-type'])?.[1], method: line('METHOD'), start, line };
}

const tokenIn = (mail: ReceivedMail) => /\/r\/([\w-]+)/.exec(partsOf(mail.source)[0].text)?.[1] as string;
const page = (token: string) => `/r/${token}`;
const visitor = new Client(app.url);

async function invitee(email: string) {
  const { rows } = await app.sql.query('SELECT * FROM schedule_invitees WHERE email = $1', [email]);
  return rows[0] as Record<string, unknown>;
}

const invitationOf = (email: string, status: string) =>
  eventually(
    async () => {
      await app.runScheduledJob('schedule.invitations');
      return invitee(email);
    },
    ({ invitation_status }) => invitation_status === status,
  );

describe('an invitation', () => {
  test('has text, HTML and an event that calendar programs read, from the organizer by way of the suite', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    const event = await fixture.createEvent(
      ctx,
      await calendar(),
      { organizer, title: 'Kick-off', location: 'Room 1', description: 'Bring <ideas>' },
      [ada, bob],
    );
    const mail = await mailbox.newest(ada, 'Invitation: Kick-off');
    const { parts, mimeMethod, method, start, line } = objectIn(mail);
    expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'text/calendar']);
    expect([mimeMethod, method, start]).toEqual(['REQUEST', 'METHOD:REQUEST', '2041-03-25T08:00:00.000Z']);
    expect([line('UID'), line('SEQUENCE'), line('DTSTART')]).toEqual([`UID:${event.ical_uid}`, 'SEQUENCE:0', 'DTSTART:20410325T080000Z']);
    expect(line('ORGANIZER')).toBe(`ORGANIZER;CN=Grace Hopper;SENT-BY="mailto:suite@example.com":mailto:${space.owner.email}`);
    expect(parts[2].text.match(/ATTENDEE/g)).toHaveLength(1);
    expect(mail.source).toMatch(new RegExp(`^Reply-To: ${space.owner.email}`, 'm'));
    expect(parts[0].text).toContain('When: Monday 25 March 2041, 09:00 to 10:00 (Europe/Berlin, UTC+01:00)');
    expect(parts[0].text).toContain('UTC: Monday 25 March 2041, 08:00 to 09:00');
    expect(parts[1].text).toContain('Bring &lt;ideas&gt;');
    expect(parts[1].text).toContain(`/r/${tokenIn(mail)}`);
    expect(mail.source).not.toContain(bob);
    expect(tokenIn(await mailbox.newest(bob, 'Invitation'))).not.toBe(tokenIn(mail));
  });

  test('names the other guests where the calendar shares its guest lists, and the suite where there is no organizer', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    await fixture.createEvent(ctx, await calendar({ share_guest_list: true }), {}, [ada, bob]);
    const { parts, line } = objectIn(await mailbox.newest(ada, 'Invitation'));
    expect(
      parts[2].text
        .replace(/\r\n /g, '')
        .match(/^ATTENDEE.*/gm)
        ?.map((text) => text.split('mailto:')[1]),
    ).toEqual([ada, bob]);
    expect(line('ORGANIZER')).toMatch(/^ORGANIZER;CN=Organization \w+:mailto:suite@example.com$/);
  });

  test('is sent once the mail server took it, and failed when it never does', async () => {
    const [ada, gone, later] = [address('ada'), address('gone'), address('later')];
    mailbox.rejections.set(gone, { code: 550, times: 9 });
    mailbox.rejections.set(later, { code: 451, times: 1 });
    await fixture.createEvent(ctx, await calendar(), { organizer }, [ada, gone, later]);
    expect(await invitationOf(ada, 'sent')).toMatchObject({ invitation_sent_at: expect.any(Date), invitation_error: null });
    expect(await invitationOf(gone, 'failed')).toMatchObject({
      invitation_sent_at: null,
      invitation_error: expect.stringContaining('no such mailbox'),
    });
    expect(await invitee(later)).toMatchObject({ invitation_status: 'queued' });
    await eventually(
      async () =>
        (await app.sql.query(`UPDATE mails SET due_at = now() WHERE recipient = $1 AND error IS NOT NULL RETURNING id`, [later])).rowCount,
      (updated) => updated === 1,
    );
    await invitationOf(later, 'sent');
  });

  test('that was given up is sent again, and one that left the outbox unsent has failed', async () => {
    const [again, lost] = [address('again'), address('lost')];
    mailbox.rejections.set(again, { code: 451, times: 2 });
    mailbox.rejections.set(lost, { code: 451, times: 9 });
    await fixture.createEvent(ctx, await calendar(), { organizer }, [again, lost]);
    await eventually(
      async () =>
        (
          await app.sql.query(
            `UPDATE mails SET due_at = now(), give_up_at = now() WHERE recipient = $1 AND error IS NOT NULL RETURNING id`,
            [again],
          )
        ).rowCount,
      (updated) => updated === 1,
    );
    const { mail_id } = await invitationOf(again, 'failed');
    const owner = await space.signIn();
    expect((await owner.post(`/api/v1/org/developer/mail-outbox/${mail_id as string}/resend`)).status).toBe(200);
    expect(await invitationOf(again, 'sent')).toMatchObject({ invitation_sent_at: expect.any(Date), invitation_error: null });
    expect(await invitee(lost)).toMatchObject({ invitation_status: 'queued' });
    await app.sql.query('DELETE FROM mails WHERE recipient = $1', [lost]);
    expect(await invitationOf(lost, 'failed')).toMatchObject({
      invitation_sent_at: null,
      invitation_error: expect.stringContaining('not sent'),
    });
  });

  test('of test mode is suppressed', async () => {
    const ada = address('ada');
    await fixture.createEvent(space.ctx('test'), await calendar(), { organizer }, [ada]);
    expect(await invitee(ada)).toMatchObject({ invitation_status: 'suppressed' });
    const { rows } = await app.sql.query('SELECT status FROM mails WHERE recipient = $1', [ada]);
    expect(rows).toEqual([{ status: 'suppressed' }]);
  });
});

test('the host of an event gets it as a publication, without an answer link', async () => {
  const event = await fixture.createEvent(ctx, await calendar(), { organizer, title: 'Consulting' }, []);
  await fixture.notifyHost(ctx, event, { subject: 'New booking: Consulting', opening: 'Ada booked a time.', replyTo: 'ada@example.com' });
  const mail = await mailbox.newest(space.owner.email, 'New booking');
  const { mimeMethod, method, line, parts } = objectIn(mail);
  expect([mimeMethod, method, line('UID'), line('ATTENDEE')]).toEqual(['PUBLISH', 'METHOD:PUBLISH', `UID:${event.ical_uid}`, null]);
  expect(parts[0].text).toContain('Ada booked a time.');
  expect(mail.source).not.toContain('/r/');
  expect(mail.source).toMatch(/^Reply-To: ada@example.com/m);
});

test('a guest of a booking page gets mails like an invitee: text, HTML, the event from the host by way of the suite', async () => {
  const bookings = await BookingFixture.open(app);
  const host = bookings.space.owner.email;
  const [email, slots] = [address('guest'), await bookings.slots()];
  const manage = `/b/manage/${(await bookings.book(slots[3], { email })).body.token}`;
  const { id } = (await bookings.bookings())[0];
  await bookings.screen.post(`${ORG_BOOKINGS}/${id as string}/reschedule`, { start_at: slots[6] });
  await bookings.send({}, undefined, `${manage}/cancel`);
  const expected = { Booked: 'REQUEST', Moved: 'REQUEST', Canceled: 'CANCEL' };
  for (const [subject, itsMethod] of Object.entries(expected)) {
    const mail = await mailbox.newest(email, `${subject}: Meet Grace`);
    const { parts, method, mimeMethod, line } = objectIn(mail);
    expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'text/calendar']);
    expect([mimeMethod, method]).toEqual([itsMethod, `METHOD:${itsMethod}`]);
    expect(mail.source).toMatch(new RegExp(`^Reply-To: ${host}`, 'm'));
    expect(line('ORGANIZER')).toContain(`SENT-BY="mailto:suite@example.com":mailto:${host}`);
    for (const part of parts.slice(0, 2)) {
      expect(part.text).not.toContain('Lovelace');
      expect(part.text).toContain(manage);
    }
  }
});

describe('a change', () => {
  test('has the same UID and a higher SEQUENCE, and a new time resets answers', async () => {
    const ada = address('ada');
    const event = await fixture.createEvent(ctx, await calendar(), weekly, [ada]);
    const first = objectIn(await mailbox.newest(ada, 'Invitation'));
    expect(first.line('DTSTART')).toBe('DTSTART;TZID=Europe/Berlin:20410325T090000');
    await visitor.post(page(tokenIn(await mailbox.newest(ada, 'Invitation'))), { response: 'accepted' });
    await fixture.changeEvent(ctx, event.id, { title: 'Retitled' }, {});
    const retitled = objectIn(await mailbox.newest(ada, 'Changed: Retitled'));
    expect([retitled.line('UID'), retitled.line('SEQUENCE'), retitled.line('RRULE')]).toEqual([
      first.line('UID'),
      'SEQUENCE:1',
      'RRULE:FREQ=WEEKLY;COUNT=4',
    ]);
    expect(retitled.line('ATTENDEE')).toContain('PARTSTAT=ACCEPTED');
    expect(await invitee(ada)).toMatchObject({ response: 'accepted' });
    await fixture.changeEvent(ctx, event.id, { exdates: ['2041-04-01'] }, { isMoved: true });
    const moved = objectIn(await mailbox.newest(ada, 'Changed', 2));
    expect([moved.line('SEQUENCE'), moved.line('EXDATE')]).toEqual(['SEQUENCE:2', 'EXDATE;TZID=Europe/Berlin:20410401T090000']);
    expect(moved.line('ATTENDEE')).toContain('PARTSTAT=NEEDS-ACTION');
    expect(await invitee(ada)).toMatchObject({ response: 'needs_action', responded_at: null });
  });

  test('of one date mails that date alone', async () => {
    const ada = address('ada');
    const event = await fixture.createEvent(ctx, await calendar(), weekly, [ada]);
    // the clocks change on 31 March
    const to = { start_at: new Date('2041-04-02T12:00:00Z'), end_at: new Date('2041-04-02T13:00:00Z'), start_local: '2041-04-02T14:00:00' };
    await fixture.moveInstance(ctx, event.id, '2041-04-01T09:00:00', { ...to, overrides: { time: true, title: 'Off-site' } });
    const { start, line, parts } = objectIn(await mailbox.newest(ada, 'Changed: Off-site'));
    expect([line('RECURRENCE-ID'), line('DTSTART;'), line('RRULE:')]).toEqual([
      'RECURRENCE-ID;TZID=Europe/Berlin:20410401T090000',
      'DTSTART;TZID=Europe/Berlin:20410402T140000',
      null,
    ]);
    expect(start).toBe('2041-04-02T12:00:00.000Z');
    expect(parts[0].text).toContain('Tuesday 2 April 2041, 14:00 to 15:00 (Europe/Berlin, UTC+02:00)');
  });
});

test('the link of an earlier mail keeps working after a change, and shows the latest state, until the invitee is removed', async () => {
  const [ada, bob] = [address('ada'), address('bob')];
  const event = await fixture.createEvent(ctx, await calendar(), {}, [ada, bob]);
  const [first, other] = [tokenIn(await mailbox.newest(ada, 'Invitation')), tokenIn(await mailbox.newest(bob, 'Invitation'))];
  await fixture.changeEvent(ctx, event.id, { location: 'Room 7' }, {});
  expect((await visitor.get(page(first))).text).toContain('Room 7');
  const second = tokenIn(await mailbox.newest(ada, 'Changed'));
  await visitor.post(page(first), { response: 'accepted' });
  expect((await visitor.get(page(second))).text).toContain('Room 7');
  await fixture.cancelEvent(ctx, event.id, { email: ada });
  const statuses = await Promise.all([first, second, other].map(async (token) => (await visitor.get(page(token))).status));
  expect(statuses).toEqual([404, 404, 200]);
});

describe('a cancellation', () => {
  test('reaches everybody before a deletion, with CANCEL in the object and in the type', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    const event = await fixture.createEvent(ctx, await calendar(), weekly, [ada, bob]);
    const token = tokenIn(await mailbox.newest(ada, 'Invitation'));
    await fixture.cancelEvent(ctx, event.id);
    for (const to of [ada, bob]) {
      const { mimeMethod, method, line } = objectIn(await mailbox.newest(to, 'Canceled: Planning'));
      expect([mimeMethod, method, line('STATUS'), line('SEQUENCE')]).toEqual(['CANCEL', 'METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:1']);
    }
    expect((await visitor.get(page(token))).status).toBe(404);
  });

  test('of one person or one date says so', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    const event = await fixture.createEvent(ctx, await calendar(), weekly, [ada, bob]);
    await fixture.cancelEvent(ctx, event.id, { email: ada });
    const { parts, line } = objectIn(await mailbox.newest(ada, 'Canceled'));
    expect(parts[0].text).toContain('Grace Hopper has removed you from an event.');
    expect(line('ATTENDEE')).toContain(ada);
    await fixture.cancelEvent(ctx, event.id, { originalStart: '2041-04-08T09:00:00' });
    const date = objectIn(await mailbox.newest(bob, 'Canceled'));
    expect([date.line('RECURRENCE-ID'), date.line('STATUS'), date.line('SEQUENCE')]).toEqual([
      'RECURRENCE-ID;TZID=Europe/Berlin:20410408T090000',
      'STATUS:CANCELLED',
      'SEQUENCE:2',
    ]);
    expect(mailbox.received.filter(({ to, subject }) => to === ada && subject.startsWith('Canceled'))).toHaveLength(1);
  });
});

describe('events of the API', () => {
  test('mail what invitees must know, once, and nothing else', async () => {
    const own = await app.workspace();
    const { client: api } = await own.key({ module: 'schedule' });
    const ada = address('ada');
    const to = (subject: string) => mailbox.received.filter((mail) => mail.to === ada && mail.subject.startsWith(subject)).length;
    const { id: calendar_id } = await makeCalendar(own, { owner_id: own.owner.id });
    const made = await api.post(`${EXT_SCHEDULE}/events`, {
      calendar_id,
      title: 'Weekly',
      start_at: '2041-03-25T09:00',
      end_at: '2041-03-25T10:00',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
      invitees: [{ email: ada, name: 'Ada' }],
    });
    expect(made.status).toBe(201);
    const event = `${EXT_SCHEDULE}/events/${made.body.id}`;
    const first = objectIn(await mailbox.newest(ada, 'Invitation: Weekly'));
    expect([first.line('UID'), first.line('SEQUENCE'), first.start]).toEqual([
      `UID:${made.body.ical_uid}`,
      'SEQUENCE:0',
      '2041-03-25T08:00:00.000Z',
    ]);
    expect((await api.get(`${event}/invitees`)).body.data[0].invitation.status).toMatch(/queued|sent/);
    await invitationOf(ada, 'sent');
    expect((await api.get(`${event}/invitees`)).body.data[0].invitation).toMatchObject({
      status: 'sent',
      sent_at: expect.any(String),
      error: null,
    });

    const again = await api.post(`${event}/invitees`, { invitees: [{ email: ada.toUpperCase() }] });
    expect([again.status, again.body.data[0].already_invited]).toEqual([200, true]);
    await api.patch(event, { description: 'Only a note' });

    const window = 'from=2041-03-20T00:00:00Z&to=2041-04-30T00:00:00Z';
    const { data } = (await api.get(`${EXT_SCHEDULE}/calendars/${calendar_id}/events?${window}`)).body;
    const second = `${EXT_SCHEDULE}/events/${data[1].id}`;
    expect((await api.patch(second, { start_at: '2041-04-02T14:00', end_at: '2041-04-02T15:00' })).status).toBe(200);
    const moved = objectIn(await mailbox.newest(ada, 'Changed: Weekly'));
    expect([moved.line('RECURRENCE-ID'), moved.line('RRULE'), moved.start]).toEqual([
      'RECURRENCE-ID;TZID=Europe/Berlin:20410401T090000',
      null,
      '2041-04-02T12:00:00.000Z',
    ]);
    expect((await api.delete(`${EXT_SCHEDULE}/events/${data[2].id}`)).status).toBe(204);
    const left = objectIn(await mailbox.newest(ada, 'Canceled: Weekly'));
    expect(left.line('RECURRENCE-ID')).toBe('RECURRENCE-ID;TZID=Europe/Berlin:20410408T090000');
    expect((await api.delete(event)).status).toBe(204);
    const all = objectIn(await mailbox.newest(ada, 'Canceled: Weekly', 2));
    expect([all.line('RECURRENCE-ID'), all.line('UID')]).toEqual([null, first.line('UID')]);
    const sequences = [moved, left, all].map(({ line }) => Number(line('SEQUENCE')?.slice(9)));
    expect(sequences).toEqual([1, 2, 3]);
    expect([to('Invitation'), to('Changed'), to('Canceled')]).toEqual([1, 1, 2]);
  });
});

describe('the page of an invitation', () => {
  test('shows the event on GET, and records an answer on POST, which the organizer learns of once', async () => {
    const ada = address('ada');
    await fixture.createEvent(ctx, await calendar(), { ...weekly, title: 'Review <b>', location: 'Room 1' }, [ada]);
    const token = tokenIn(await mailbox.newest(ada, 'Invitation'));
    const shown = await visitor.get(page(token));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('Review &lt;b&gt;');
    expect(shown.text).toContain('Room 1');
    expect(shown.text).not.toContain('<script');
    expect(shown.headers).toMatchObject({ 'cache-control': expect.stringContaining('no-store'), 'referrer-policy': 'no-referrer' });
    expect(await invitee(ada)).toMatchObject({ response: 'needs_action', responded_at: null });
    // the one button that is filled: what most people choose, then what was chosen
    const filled = (text: string) => [...text.matchAll(/<button name="response" value="(\w+)" aria/g)].map(([, value]) => value);
    expect(filled(shown.text)).toEqual(['accepted']);
    for (let round = 0; round < 2; round++) {
      const answered = await visitor.post(page(token), { response: 'tentative' });
      expect([answered.status, answered.headers.location]).toEqual([303, `/r/${token}?answered=yes`]);
    }
    expect((await visitor.get(`${page(token)}?answered=yes`)).text).toContain('You have said that you may come.');
    expect(await invitee(ada)).toMatchObject({ response: 'tentative', responded_at: expect.any(Date) });
    const told = await mailbox.newest(space.owner.email, 'Maybe: Review');
    expect(partsOf(told.source)[0].text).toContain(`(${ada}) may come: Review <b>`);
    expect(told.source).toMatch(new RegExp(`^Reply-To: ${ada}`, 'm'));
    await visitor.post(page(token), { response: 'declined' });
    expect(filled((await visitor.get(page(token))).text)).toEqual(['declined']);
    await mailbox.newest(space.owner.email, 'Declined: Review');
    expect(mailbox.received.filter(({ subject }) => subject === 'Maybe: Review <b>')).toHaveLength(1);
    expect(await eventsOf(app, space)).toEqual([]);
  });

  test('says what is wrong with an answer, a link or a time that is past', async () => {
    const ada = address('ada');
    const event = await fixture.createEvent(ctx, await calendar(), { organizer }, [ada]);
    const token = tokenIn(await mailbox.newest(ada, 'Invitation'));
    expect((await visitor.post(page(token), { response: 'perhaps' })).status).toBe(400);
    expect((await visitor.get(page('x'.repeat(43)))).status).toBe(404);
    await app.sql.query(`UPDATE schedule_instances SET start_at = '2020-01-01', end_at = '2020-01-02' WHERE event_id = $1`, [event.id]);
    expect((await visitor.get(page(token))).text).toContain('The event is over.');
    expect((await visitor.post(page(token), { response: 'accepted' })).status).toBe(409);
    expect(await invitee(ada)).toMatchObject({ response: 'needs_action' });
  });
});

(browser ? describe : describe.skip)('in a browser without JavaScript, at 360 px', () => {
  test.each(['light', 'dark'] as const)('the %s page of an invitation is answered by its buttons', async (colorScheme) => {
    const ada = address('ada');
    const shown = { ...weekly, title: 'Quarterly planning', location: 'Room 1', description: 'Bring your numbers.\n\nLunch is at noon.' };
    await fixture.createEvent(ctx, await calendar(), shown, [ada]);
    const token = tokenIn(await mailbox.newest(ada, 'Invitation'));
    const options = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false, colorScheme };
    const tab = await pageOf(browser as Browser, options);
    await tab.goto(`${app.url}${page(token)}`);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await tab.getByRole('button', { name: 'Yes, I will come' }).press('Enter');
    await tab.getByText('Thank you. You have accepted.').waitFor();
    expect(await invitee(ada)).toMatchObject({ response: 'accepted' });
    const scripted = await pageOf(browser as Browser, { ...options, javaScriptEnabled: true });
    await scripted.goto(tab.url());
    // what is dark differs in colors only
    expect(await accessibilityFaults(scripted, colorScheme === 'dark' ? 'colors' : 'all')).toEqual([]);
  });
});

describe('reminders', () => {
  const remind = (at: string) => app.runScheduledJob('schedule.reminders', new Date(at));
  const reminded = async (email: string) =>
    (await app.sql.query(`SELECT subject FROM mails WHERE recipient = $1 AND subject LIKE 'Reminder%'`, [email])).rows.length;

  test('go to whoever has not declined, once, before each date', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    const event = await fixture.createEvent(ctx, await calendar({}, [60]), weekly, [ada, bob]);
    await visitor.post(page(tokenIn(await mailbox.newest(bob, 'Invitation'))), { response: 'declined' });
    await remind('2041-03-25T06:59:00Z');
    expect(await reminded(ada)).toBe(0);
    for (const time of ['07:00', '07:30', '08:30']) await remind(`2041-03-25T${time}:00Z`);
    expect([await reminded(ada), await reminded(bob)]).toEqual([1, 0]);
    // a late one is for dates that have not begun
    await remind('2041-04-08T06:30:00Z');
    expect(await reminded(ada)).toBe(2);
    const to = { start_at: new Date('2041-04-16T07:00:00Z'), end_at: new Date('2041-04-16T08:00:00Z'), start_local: '2041-04-16T09:00:00' };
    await fixture.moveInstance(ctx, event.id, '2041-04-15T09:00:00', { ...to, overrides: { time: true } });
    await remind('2041-04-15T08:00:00Z');
    expect(await reminded(ada)).toBe(2);
    await remind('2041-04-16T06:00:00Z');
    expect(await reminded(ada)).toBe(3);
  });

  test('that are due at once are one mail, and those whose time is over at the invitation none', async () => {
    const [ada, bob] = [address('ada'), address('bob')];
    await fixture.createEvent(ctx, await calendar({}, [60, 120]), {}, [ada]);
    await remind('2041-03-25T07:30:00Z');
    expect(await reminded(ada)).toBe(1);
    const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 90 * 60_000);
    const time = {
      timezone: 'UTC',
      start_local: soon.toISOString().slice(0, 19),
      start_at: soon,
      end_at: new Date(soon.getTime() + 60_000),
    };
    const event = await fixture.createEvent(ctx, await calendar({}, [60, 120]), time, [bob]);
    const { rows } = await app.sql.query(
      'SELECT minutes FROM schedule_reminders r JOIN schedule_instances i ON i.id = r.instance_id WHERE i.event_id = $1',
      [event.id],
    );
    expect(rows).toEqual([{ minutes: 60 }]);
  });
});
