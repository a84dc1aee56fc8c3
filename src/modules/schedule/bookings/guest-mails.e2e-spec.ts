import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const HOUR_MS = 3_600_000;
const ZONE = 'America/New_York';

interface Mail {
  subject: string;
  text: string;
  calendar: string | null;
}

/** The line that names a time, by a formatter that the product does not use for it. */
function whenIn(start: string): string {
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, ...options });
  const [weekday, date] = of({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .formatToParts(new Date(start))
    .reduce<[string, string]>(([name, rest], { type, value }) => (type === 'weekday' ? [value, rest] : [name, rest + value]), ['', '']);
  return `When: ${weekday} ${date.replace(/^\W+/, '')}, ${of({ hour: '2-digit', minute: '2-digit' }).format(new Date(start))} to `;
}

/** A booking of a guest in New York with a host in Berlin. */
async function booked(page = {}, calendar = {}) {
  const fixture = await BookingFixture.open(app, { page, calendar });
  const template = `${ORG_SCHEDULE}/event-templates/${(await fixture.screen.get(`${ORG_SCHEDULE}/event-templates`)).body.data[0].id}`;
  expect((await fixture.screen.patch(template, { reminder_minutes: [60] })).status).toBe(200);
  const slots = await fixture.slots();
  const email = `${randomUUID()}@example.com`;
  const { body } = await fixture.book(slots[30], { email, timezone: ZONE });
  const { client: key } = await fixture.space.key({ module: 'schedule', mode: 'live' });
  const event = `${EXT_SCHEDULE}/events/${body.booking.event_id as string}`;
  const status = async () => (await fixture.bookings())[0].status;
  return { fixture, slots, email, key, event, token: body.token as string, booking: body.booking, status };
}

const unfolded = ({ calendar }: Mail) => (calendar ?? '').replace(/\r\n /g, '');
const answerIn = (mail: Mail) => /^URL:.*(\/r\/[\w-]+)\r$/m.exec(unfolded(mail))?.[1] as string;
const answer = (fixture: BookingFixture, path: string, response: string) => fixture.send({ response }, undefined, path);

describe('the mails to the guest of a booking', () => {
  it("speak the guest's zone and lead to the booking: booked, moved by member and by key, changed, reminder, deleted by key", async () => {
    const { fixture, slots, email, key, event, token, booking } = await booked();
    const move = (index: number) => {
      const end_at = new Date(Date.parse(slots[index]) + HOUR_MS).toISOString();
      return key.patch(event, { start_at: slots[index], end_at });
    };
    expect((await fixture.screen.post(`${ORG_BOOKINGS}/${booking.id}/reschedule`, { start_at: slots[31] })).status).toBe(200);
    expect((await move(33)).status).toBe(200);
    expect((await key.patch(event, { location: 'Room 4', description: 'Ring twice.' })).status).toBe(200);
    await app.runScheduledJob('schedule.reminders', new Date(Date.parse(slots[33]) - HOUR_MS / 2));
    expect((await key.delete(event)).status).toBe(204);
    const mails = await fixture.mailsOf(email);
    expect(
      mails.map(({ subject, text, calendar }) => [
        subject,
        /^When: .* to /m.exec(text)?.[0],
        text.includes(`(${ZONE})`),
        text.includes(`${app.url}/b/manage/${token}`),
        /METHOD:\w+/.exec(calendar ?? '')?.[0],
      ]),
    ).toEqual([
      ['Booked: Meet Grace', whenIn(slots[30]), true, true, 'METHOD:REQUEST'],
      ['Moved: Meet Grace', whenIn(slots[31]), true, true, 'METHOD:REQUEST'],
      ['Moved: Meet Grace', whenIn(slots[33]), true, true, 'METHOD:REQUEST'],
      ['Changed: Meet Grace', whenIn(slots[33]), true, true, 'METHOD:REQUEST'],
      ['Reminder: Meet Grace', whenIn(slots[33]), true, true, undefined],
      ['Canceled: Meet Grace', whenIn(slots[33]), true, true, 'METHOD:CANCEL'],
    ]);
    expect(mails[3].text).toMatch(/Where: Room 4[\s\S]*Ring twice\./);
    const sequences = mails.flatMap((mail) => /SEQUENCE:(\d+)/.exec(unfolded(mail))?.[1] ?? []).map(Number);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(mails.every((mail) => !unfolded(mail).includes('Lovelace') && !mail.text.includes('/r/'))).toBe(true);
    // the link still tells what became of it
    const shown = await fixture.visitor().get(`/b/manage/${token}`, { accept: 'text/html' });
    expect([shown.status, shown.text.includes('This appointment is canceled.')]).toEqual([200, true]);
  });

  it.each([
    ['cancel', 'cancelled', 'This appointment is canceled.'],
    ['mark', 'declined', 'You have declined this appointment.'],
  ])("with decline_action %s, declining by the calendar's link makes the booking %s and frees its time", async (action, status, words) => {
    const { fixture, slots, email, token, booking, ...of } = await booked({ decline_action: action });
    const [mail] = await fixture.mailsOf(email);
    const path = answerIn(mail);
    const shown = await fixture.visitor().get(path, { accept: 'text/html' });
    expect([shown.text.includes(ZONE), shown.text.includes(`/b/manage/${token}`), await of.status()]).toEqual([true, true, 'confirmed']);
    expect((await answer(fixture, path, 'tentative')).status).toBe(303);
    expect([await of.status(), (await fixture.slots()).includes(slots[30])]).toEqual(['confirmed', false]);
    expect((await answer(fixture, path, 'declined')).headers.location).toBe(`${path}?answered=yes`);
    expect([await of.status(), (await fixture.slots()).includes(slots[30])]).toEqual([status, true]);
    const [invitee] = (await fixture.screen.get(`${ORG_SCHEDULE}/events/${booking.event_id}/invitees`)).body.data;
    expect(invitee).toMatchObject({ email, response: 'declined' });
    const last = (await fixture.mailsOf(email)).at(-1) as Mail;
    expect([last.subject, /METHOD:\w+/.exec(last.calendar ?? '')?.[0]]).toEqual(['Canceled: Meet Grace', 'METHOD:CANCEL']);
    expect((await fixture.mailsOf(fixture.space.owner.email)).map(({ subject }) => subject)).toEqual([
      'Booked: Meet Grace',
      'Maybe: Meet Grace',
      'Declined: Meet Grace',
    ]);
    const after = await fixture.visitor().get(`/b/manage/${token}`, { accept: 'text/html' });
    expect(after.text).toContain(words);
    // somebody else takes the time, and the old link no longer changes anything
    expect((await fixture.book(slots[30])).status).toBe(201);
    expect((await answer(fixture, path, 'accepted')).status).toBe(409);
    expect((await fixture.bookings()).map((one) => one.status).sort()).toEqual([status, 'confirmed'].sort());
  });

  it('declining too late to cancel is recorded, notifies the host, and keeps the time', async () => {
    const { fixture, slots, email, status } = await booked({ change_notice_minutes: 525_600 });
    const path = answerIn((await fixture.mailsOf(email))[0]);
    expect((await answer(fixture, path, 'declined')).status).toBe(303);
    const shown = await fixture.visitor().get(`${path}?answered=yes`, { accept: 'text/html' });
    expect(shown.text).toMatch(/You have declined\.[\s\S]*Please contact the host\./);
    expect([await status(), (await fixture.slots()).includes(slots[30])]).toEqual(['confirmed', false]);
    const toHost = (await fixture.mailsOf(fixture.space.owner.email)).at(-1) as Mail;
    expect(toHost.subject).toBe('Declined: Meet Grace');
    await app.runScheduledJob('schedule.reminders', new Date(Date.parse(slots[30]) - HOUR_MS / 2));
    expect((await fixture.mailsOf(email)).map(({ subject }) => subject)).toEqual(['Booked: Meet Grace']);
  });

  it.each([true, false])(
    'whoever is invited later gets the guest list if the calendar shares it (%p), and so does the guest',
    async (isShared) => {
      const { fixture, email, booking, event, key } = await booked({}, { share_guest_list: isShared });
      const [first, later] = [`first-${randomUUID()}@example.com`, `later-${randomUUID()}@example.com`];
      const invite = (address: string) =>
        fixture.screen.post(`${ORG_SCHEDULE}/events/${booking.event_id}/invitees`, { invitees: [{ email: address }] });
      expect([(await invite(first)).status, (await invite(later)).status]).toEqual([201, 201]);
      expect((await key.patch(event, { location: 'Room 4' })).status).toBe(200);
      const listed = async (address: string) =>
        (await fixture.mailsOf(address)).map((mail) =>
          [...unfolded(mail).matchAll(/^ATTENDEE.*mailto:(.*)\r$/gm)].map(([, to]) => to).sort(),
        );
      const all = [email, first, later].sort();
      expect([await listed(first), await listed(later), await listed(email)]).toEqual(
        isShared
          ? [
              [[email, first].sort(), all],
              [all, all],
              [[email], all],
            ]
          : [
              [[first], [first]],
              [[later], [later]],
              [[email], [email]],
            ],
      );
    },
  );
});
