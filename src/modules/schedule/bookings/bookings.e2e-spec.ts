import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS, SETTINGS } from '../../../../test/kit/booking-fixture.js';
import type { Client } from '../../../../test/kit/client.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../../../../test/kit/schedule-fixture.js';
import { ownApp } from '../../../../test/kit/hosted-app.js';
import { eventsOf } from '../../../../test/kit/outbox.js';

// visitors have addresses of their own
const app = await ownApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const HOUR_MS = 3_600_000;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const fields = (start: string, values = {}) => ({ start, minutes: '60', tz: 'Europe/Berlin', form_token: randomUUID(), ...ada, ...values });
const mailsOf = async (to: string) =>
  (
    await app.sql.query<{ subject: string; text: string; calendar: string | null }>(
      'SELECT subject, text, calendar FROM mails WHERE recipient = $1 ORDER BY id',
      [to],
    )
  ).rows;

describe('booking a time', () => {
  it('books it once per form, writes the event, emits booking.created alone and mails guest and host', async () => {
    const questions = [{ key: 'topic', label: 'Which topic?', kind: 'text', required: true }];
    const fixture = await BookingFixture.open(app, { page: { questions } });
    const [start] = await fixture.slots();
    const form = fields(start, { 'answers.topic': 'Engines', email: `${randomUUID()}@example.com`, notes: 'see http://spam.example' });
    const before = (await eventsOf(app, fixture.space)).length;
    const [first, again] = [await fixture.send(form), await fixture.send(form)];
    expect([first.status, again.headers.location]).toEqual([303, first.headers.location]);
    expect(first.headers.location).toMatch(/^\/b\/manage\/[\w-]{43}$/);
    const [booking, ...others] = await fixture.bookings();
    expect([booking, others]).toMatchObject([
      { status: 'confirmed', start_at: start, answers: { topic: 'Engines' }, guest: { email: form.email, timezone: 'Europe/Berlin' } },
      [],
    ]);
    const emitted = (await eventsOf(app, fixture.space)).slice(before);
    expect(emitted.map(({ type }) => type)).toEqual(['booking.created']);
    const [toGuest, ...more] = await mailsOf(form.email);
    const [toHost] = await mailsOf(fixture.space.owner.email);
    expect([toGuest.subject, toHost.subject, more]).toEqual(['Booked: Meet Grace', 'Booked: Meet Grace', []]);
    expect(toGuest.text).toContain(`${app.url}${first.headers.location}`);
    expect([toGuest.calendar, toHost.calendar]).toEqual([
      expect.stringContaining('METHOD:REQUEST'),
      expect.stringContaining('METHOD:PUBLISH'),
    ]);
    // what a visitor types reaches nobody but the host, and no mail program makes a link of it
    expect(toGuest.text).not.toMatch(/Ada|spam/);
    expect(toHost.text).toMatch(/Guest: Ada Lovelace[\s\S]*Which topic\? Engines/);
    expect(toHost.text).not.toContain('http://spam.example');
    expect(emitted[0].data).toMatchObject({
      object: { id: booking.id },
      context: { event: { id: booking.event_id, title: 'Meet Grace' } },
    });
  });

  it('keeps the form of a visitor who is late, and offers the five nearest times', async () => {
    const fixture = await BookingFixture.open(app);
    const slots = await fixture.slots();
    const start = slots[10];
    expect((await fixture.book(start)).status).toBe(201);
    const { status, text } = await fixture.send(fields(start, { name: 'Grace "<b>"' }));
    expect([status, (text.match(/<input type="radio" name="start"/g) ?? []).length]).toEqual([409, 5]);
    expect(text).toContain('value="Grace &quot;&lt;b&gt;&quot;"');
    expect(text).toContain(`value="${slots[9].slice(0, 16)}Z"`);
    expect(text).not.toContain(`value="${start.slice(0, 16)}Z"`);
    const refused = await fixture.book(start);
    expect([refused.status, refused.body.error.code, refused.body.error.slots.length]).toEqual([409, 'slot_unavailable', 5]);
    // whoever presses a time that was taken meanwhile has not entered anything yet
    const late = await fixture.visitor().get(`/b/${fixture.page.slug}/book?start=${start.slice(0, 16)}Z`);
    expect([late.status, text.includes('Your answers are still here'), late.text.includes('Your answers')]).toEqual([409, true, false]);
  });

  it('gives bookings to the least busy resource', async () => {
    const resources = [{ name: 'Ann' }, { name: 'Bea' }, { name: 'Cleo' }];
    const fixture = await BookingFixture.open(app, { page: { resource_mode: 'least_busy' }, resources });
    const slots = await fixture.slots();
    for (const start of slots.slice(0, 6)) expect((await fixture.book(start)).status).toBe(201);
    const used = (await fixture.bookings()).map(({ resource_id }) => resource_id);
    expect([new Set(used.slice(0, 3)).size, used.slice(0, 3).sort(), used.slice(3).sort()]).toEqual([
      3,
      used.slice(3).sort(),
      expect.anything(),
    ]);
  });

  it('names what is wrong with the form, and takes nothing', async () => {
    const questions = [
      { key: 'topic', label: 'Topic', kind: 'choice', options: ['Sales', 'Support'], required: true },
      { key: 'terms', label: 'I agree', kind: 'checkbox', required: true },
      { key: 'why', label: 'Why do you ask?', kind: 'text', required: true },
    ];
    const fixture = await BookingFixture.open(app, { page: { questions } });
    const [start] = await fixture.slots();
    const { status, text } = await fixture.send(fields(start, { name: ' ', email: 'nobody', phone: 'call me', 'answers.topic': 'Other' }));
    expect(status).toBe(400);
    for (const id of ['name', 'email', 'phone', 'q-topic', 'q-terms', 'q-why']) expect(text).toContain(`id="${id}-error"`);
    expect(text).toContain('Please answer: Why do you ask?');
    const { body } = await fixture.book(start, { answers: { topic: 'Sales', why: 'Curious' } });
    expect([body.error.param, (await fixture.bookings()).length]).toEqual(['answers.terms', 0]);
    // a program that fills in the hidden field learns nothing
    expect((await fixture.send(fields(start, { website: 'x' }))).status).toBe(303);
    const filled = await fixture.book(start, { answers: { topic: 'Sales', terms: true }, website: 'https://spam.example' });
    expect([filled.status, filled.body.error.param]).toEqual([400, 'website']);
    expect(await fixture.bookings()).toEqual([]);
  });

  it('asks for a mailed code where the page wants that', async () => {
    const fixture = await BookingFixture.open(app, { page: { verify_email: true } });
    const [start] = await fixture.slots();
    const form = fields(start, { email: `${randomUUID()}@example.com` });
    expect((await fixture.send(form)).text).toContain('We have sent you a code');
    const [{ text, subject }] = await mailsOf(form.email);
    const code = (/is (\d{6})\./.exec(text) as RegExpExecArray)[1];
    expect(subject).not.toContain(code);
    const wrong = await fixture.send({ ...form, code: code === '000000' ? '000001' : '000000' });
    expect([wrong.status, wrong.text.includes('id="code-error"'), (await fixture.bookings()).length]).toEqual([403, true, 0]);
    expect((await fixture.send({ ...form, code })).status).toBe(303);
  });

  it('has at most 20 codes a day mailed by one address, and tells programs whether one was mailed', async () => {
    const fixture = await BookingFixture.open(app, { page: { verify_email: true } });
    const [start] = await fixture.slots();
    const visitor = fixture.visitor('198.51.100.20');
    const email = `${randomUUID()}@example.com`;
    const ask = (values: object) => fixture.book(start, { email, ...values }, visitor);
    for (let n = 0; n < 3; n++) expect((await ask({})).body.error.message).toMatch(/^A code was mailed/);
    expect((await ask({})).body.error.message).toMatch(/^Several codes were mailed/);
    expect((await ask({ code: 'wrong' })).body.error).toMatchObject({
      code: 'code_required',
      message: expect.stringMatching(/^The code is wrong/),
    });
    // the same day, other addresses of guests
    await app.sql.query(
      `INSERT INTO schedule_booking_codes (id, organization_id, project_id, mode, page_id, email, code_hash, address_hash)
       SELECT gen_random_uuid(), organization_id, project_id, mode, page_id, 'guest' || n, code_hash, address_hash
       FROM (SELECT * FROM schedule_booking_codes WHERE page_id = $1 LIMIT 1) c, generate_series(1, 17) n`,
      [fixture.page.id],
    );
    const stranger = `${randomUUID()}@example.com`;
    const refused = await ask({ email: stranger });
    expect([refused.status, refused.headers['retry-after'], await mailsOf(stranger)]).toEqual([429, '86400', []]);
    expect((await fixture.book(start, { email: stranger })).body.error.code).toBe('code_required');
  });

  it('is limited to five upcoming bookings of a guest, 20 a day and 10 calls a minute of an address', async () => {
    const fixture = await BookingFixture.open(app, { page: { slug: `limits-${randomUUID().slice(0, 8)}` } });
    const slots = await fixture.slots();
    for (const start of slots.slice(0, 5)) expect((await fixture.book(start, { email: 'Ada@Example.com' })).status).toBe(201);
    expect((await fixture.book(slots[5], { email: 'ada@example.com' })).body.error.code).toBe('rate_limited');
    const visitor = fixture.visitor('198.51.100.7');
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await fixture.book(slots[6 + n], {}, visitor)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    await app.sql.query(`UPDATE schedule_bookings SET address = '198.51.100.8' WHERE page_id = $1 AND address <> '198.51.100.7'`, [
      fixture.page.id,
    ]);
    await app.sql.query(`UPDATE schedule_bookings SET address = '198.51.100.8' WHERE page_id = $1`, [fixture.page.id]);
    const other = fixture.visitor('198.51.100.8');
    // 15 so far
    const more = [];
    for (let n = 0; n < 6; n++) more.push((await fixture.book(slots[20 + n], {}, other)).status);
    expect(more).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('counts the addresses of an IPv6 network as one', async () => {
    const fixture = await BookingFixture.open(app);
    const slots = await fixture.slots();
    const from = (host: number, network = '2001:db8:1:2') => fixture.visitor(`${network}::${host.toString(16)}`);
    expect((await fixture.book(slots[0], {}, from(1))).status).toBe(201);
    // 20 bookings of a day; calls of another minute
    await app.sql.query(
      `INSERT INTO schedule_bookings (id, organization_id, project_id, mode, calendar_id, page_id, guest_name, guest_email, guest_timezone,
         start_at, end_at, status, form_token, token_hash, address)
       SELECT gen_random_uuid(), organization_id, project_id, mode, calendar_id, page_id, guest_name, n || guest_email, guest_timezone,
         start_at + n * interval '1 day', end_at + n * interval '1 day', 'cancelled', gen_random_uuid(), token_hash || n, address
       FROM schedule_bookings, generate_series(1, 19) n WHERE page_id = $1`,
      [fixture.page.id],
    );
    expect((await fixture.book(slots[1], {}, from(0xbeef))).status).toBe(429);
    expect((await fixture.book(slots[1], {}, from(1, '2001:db8:1:3'))).status).toBe(201);
  });

  it('asks for a code for an hour after more than 20 bookings in ten minutes', async () => {
    const fixture = await BookingFixture.open(app);
    const slots = await fixture.slots();
    for (const start of slots.slice(0, 21)) expect((await fixture.book(start)).status).toBe(201);
    const asked = await fixture.book(slots[30]);
    expect([asked.status, asked.body.error.code]).toEqual([403, 'code_required']);
    await app.sql.query(`UPDATE schedule_bookings SET created_at = created_at - interval '71 minutes' WHERE page_id = $1`, [
      fixture.page.id,
    ]);
    expect((await fixture.book(slots[30])).status).toBe(201);
  });
});

describe('what holds a time', () => {
  const hourFrom = (start: string) => ({ start_at: start, end_at: new Date(Date.parse(start) + HOUR_MS).toISOString() });
  const resourcesOf = async (fixture: BookingFixture) =>
    (await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`)).body.data as { id: string }[];

  it('a pending booking does, for visitors and colleagues, until it is rejected or lapses', async () => {
    const page = { requires_confirmation: true, resource_mode: 'visitor_chooses' };
    const fixture = await BookingFixture.open(app, { page, resources: [{ name: 'Room' }] });
    const [{ id: room }] = await resourcesOf(fixture);
    const { client: api } = await fixture.space.key({ module: 'schedule' });
    const [first, second] = await fixture.slots();
    const use = async (start: string) => {
      const event = { calendar_id: fixture.calendar.id, title: 'Review', ...hourFrom(start), resource_ids: [room] };
      return (await api.post(`${EXT_SCHEDULE}/events`, event)).body.error?.code ?? null;
    };
    const ids = [];
    for (const start of [first, second]) ids.push((await fixture.book(start)).body.booking.id as string);
    expect((await fixture.bookings()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect((await fixture.book(first)).body.error.code).toBe('slot_unavailable');
    expect([await use(first), (await fixture.slots()).includes(first)]).toEqual(['resource_conflict', false]);
    await fixture.screen.post(`${ORG_BOOKINGS}/${ids[0]}/reject`, {});
    await app.sql.query(`UPDATE schedule_bookings SET created_at = now() - interval '49 hours' WHERE id = $1`, [ids[1]]);
    await app.runScheduledJob('schedule.lapse_pending_bookings');
    const free = await fixture.slots();
    expect([free.includes(first), free.includes(second)]).toEqual([true, true]);
    expect([await use(first), (await fixture.book(second)).status]).toEqual([null, 201]);
  });

  it("a member's own event keeps the member from being booked, but refuses no colleague", async () => {
    const space = await app.workspace();
    const page = { resource_mode: 'least_busy' };
    const people = [{ name: 'Grace', kind: 'person', member_id: space.owner.id }];
    const fixture = await BookingFixture.open(app, { page, resources: people }, space);
    const [{ id: grace }] = await resourcesOf(fixture);
    const [start, next] = await fixture.slots();
    const own = (await fixture.screen.post(`${ORG_SCHEDULE}/my-calendar`, {})).body;
    const event = (calendar_id: string, values: object) =>
      fixture.screen.post(`${ORG_SCHEDULE}/events`, { calendar_id, title: 'Dentist', ...hourFrom(start), ...values });
    const dentist = (await event(own.id, {})).body;
    expect(await fixture.slots()).not.toContain(start);
    expect((await fixture.book(start)).body.error.code).toBe('slot_unavailable');
    expect((await event(fixture.calendar.id, { resource_ids: [grace] })).status).toBe(201);
    // one of the two uses of the time ends: the other one stays
    await fixture.screen.delete(`${ORG_SCHEDULE}/events/${dentist.id}`);
    expect((await fixture.book(start)).body.error.code).toBe('slot_unavailable');
    expect((await fixture.book(next)).status).toBe(201);
    // her own event is not refused by the booking either
    expect((await event(own.id, hourFrom(next))).status).toBe(201);
  });
});

describe('the link of a guest', () => {
  async function booked(page = {}) {
    const fixture = await BookingFixture.open(app, { page });
    const slots = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const { body } = await fixture.book(slots[4], { email });
    return {
      fixture,
      slots,
      email,
      token: body.token as string,
      booking: body.booking as { id: string; event_id: string; version: number },
    };
  }
  const uidAndSequence = async (event: string) =>
    (
      await app.sql.query<{ ical_uid: string; sequence: number; status: string; start_at: Date }>(
        'SELECT ical_uid, sequence, status, start_at FROM schedule_events WHERE id = $1',
        [event],
      )
    ).rows[0];

  it('is in no response that is stored or compressed', async () => {
    const { fixture, token, slots } = await booked();
    const manage = `/api/v1/public/bookings/${token}`;
    const responses = [
      await fixture.visitor().get(manage),
      await fixture.visitor().post(`${manage}/reschedule`, { start_at: slots[7] }),
      await fixture.visitor().post(`${manage}/cancel`),
      await fixture.book(slots[9]),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
      [200, 200, 200, 201].map((status) => [status, 'no-store, no-transform']),
    );
  });

  it('changes nothing when it is opened, as mail scanners do', async () => {
    const { fixture, token, booking, slots } = await booked();
    const scanner: Client = fixture.visitor();
    const manage = `/b/manage/${token}`;
    const start = `${slots[7].slice(0, 16)}Z`;
    for (const path of [
      manage,
      `${manage}/reschedule`,
      `${manage}/reschedule?start=${start}`,
      `${manage}/cancel`,
      `/b/${fixture.page.slug}`,
    ])
      expect([200, 404, 405]).toContain((await scanner.get(path)).status);
    expect(await fixture.bookings()).toMatchObject([{ id: booking.id, status: 'confirmed', version: booking.version, start_at: slots[4] }]);
  });

  it('moves the booking: booking, event and UID stay, the sequence rises, and the old time is free', async () => {
    const { fixture, token, booking, slots, email } = await booked();
    const colleague = `${randomUUID()}@example.com`;
    const invitees = `${ORG_SCHEDULE}/events/${booking.event_id}/invitees`;
    expect((await fixture.screen.post(invitees, { invitees: [{ email: colleague }] })).status).toBe(201);
    const before = await uidAndSequence(booking.event_id);
    const { status, headers } = await fixture.send({ start: `${slots[7].slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    const shown = await fixture.visitor().get(`/b/manage/${token}`, { accept: 'text/html' });
    expect(shown.text).toContain('Your appointment was moved to this time.');
    expect([status, headers.location]).toEqual([303, `/b/manage/${token}`]);
    const after = await uidAndSequence(booking.event_id);
    expect([after.ical_uid, after.sequence > before.sequence, after.start_at.toISOString()]).toEqual([before.ical_uid, true, slots[7]]);
    expect(await fixture.bookings()).toMatchObject([
      { id: booking.id, event_id: booking.event_id, start_at: slots[7], reschedule_count: 1 },
    ]);
    const free = await fixture.slots();
    expect([free.includes(slots[4]), free.includes(slots[7])]).toEqual([true, false]);
    const [booked_, moved] = await mailsOf(email);
    expect([booked_.subject, moved.subject]).toEqual(['Booked: Meet Grace', 'Moved: Meet Grace']);
    // others on the event follow
    expect((await fixture.send({}, undefined, `/b/manage/${token}/cancel`)).status).toBe(303);
    const told = await mailsOf(colleague);
    expect(told.map(({ subject, calendar }) => [subject, /METHOD:\w+/.exec(calendar ?? '')?.[0]])).toEqual([
      ['Invitation: Meet Grace', 'METHOD:REQUEST'],
      ['Changed: Meet Grace', 'METHOD:REQUEST'],
      ['Canceled: Meet Grace', 'METHOD:CANCEL'],
    ]);
    expect(await mailsOf(email)).toHaveLength(3);
  });

  it('may overlap its own old time, but not another booking', async () => {
    const { fixture, token, slots } = await booked({ duration_minutes: [120] });
    const taken = new Date(Date.parse(slots[4]) + 4 * HOUR_MS).toISOString();
    expect((await fixture.book(taken)).status).toBe(201);
    const move = (start: string) => fixture.send({ start: `${start.slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    const refused = await move(new Date(Date.parse(slots[4]) + 3 * HOUR_MS).toISOString());
    expect([refused.status, refused.text.includes('has just taken this time')]).toEqual([409, true]);
    expect((await move(new Date(Date.parse(slots[4]) + HOUR_MS).toISOString())).status).toBe(303);
  });

  it('keeps the resources that the host added, and offers only times at which all of them are free', async () => {
    const { fixture, token, booking, slots } = await booked();
    const add = async (name: string) =>
      (await fixture.screen.post(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`, { name, kind: 'room' })).body.id as string;
    const [beamer, van, room] = [await add('Beamer'), await add('Van'), await add('Room')];
    const event = `${ORG_SCHEDULE}/events/${booking.event_id}`;
    expect((await fixture.screen.patch(event, { resource_ids: [beamer, van] })).status).toBe(200);
    const end = new Date(Date.parse(slots[9]) + HOUR_MS).toISOString();
    const other = {
      calendar_id: fixture.calendar.id,
      title: 'Trip',
      start_at: slots[9],
      end_at: end,
      show_as: 'free',
      resource_ids: [van],
    };
    expect((await fixture.screen.post(`${ORG_SCHEDULE}/events`, other)).status).toBe(201);
    const move = (start_at: string) => fixture.visitor().post(`/api/v1/public/bookings/${token}/reschedule`, { start_at });
    const list = (await fixture.visitor().get(`/b/manage/${token}/reschedule?tz=UTC`, { accept: 'text/html' })).text;
    const times = [...list.matchAll(/name=start value=(\w+)/g)].map(([, value]) => Number.parseInt(value, 36) * 60_000);
    expect([slots[4], slots[8], slots[9], slots[10]].map((at) => times.includes(Date.parse(at)))).toEqual([true, true, false, true]);
    const refused = await move(slots[9]);
    expect([refused.status, refused.body.error.code, refused.body.error.conflicts]).toEqual([409, 'slot_unavailable', undefined]);
    expect((await move(slots[7])).status).toBe(200);
    expect((await fixture.screen.get(event)).body).toMatchObject({ start_at: slots[7], resource_ids: [beamer, van] });
    await fixture.screen.post(`${ORG_BOOKINGS}/${booking.id}/reschedule`, { start_at: slots[8], resource_id: room });
    expect((await fixture.screen.get(event)).body).toMatchObject({ start_at: slots[8], resource_ids: [room, van] });
  });

  it('cancels once and frees the time; limits and notice of the page hold', async () => {
    const { fixture, token, slots, email, booking } = await booked({ max_reschedules: 0 });
    const moved = await fixture.send({ start: `${slots[7].slice(0, 16)}Z` }, undefined, `/b/manage/${token}/reschedule`);
    expect([moved.status, moved.text.includes('as often as possible')]).toEqual([400, true]);
    const cancel = () => fixture.send({}, undefined, `/b/manage/${token}/cancel`);
    expect([(await cancel()).status, (await cancel()).status]).toEqual([303, 400]);
    expect(await fixture.bookings()).toMatchObject([{ status: 'cancelled' }]);
    expect((await uidAndSequence(booking.event_id)).status).toBe('cancelled');
    expect(await fixture.slots()).toContain(slots[4]);
    const [, canceled] = await mailsOf(email);
    expect(canceled.subject).toBe('Canceled: Meet Grace');
    const late = await booked({ change_notice_minutes: 525_600 });
    const refused = await late.fixture.send({}, undefined, `/b/manage/${late.token}/cancel`);
    expect([refused.status, refused.text.includes('Please contact the host')]).toEqual([400, true]);
  });
});

describe('members', () => {
  it('confirm or reject what is pending, once; a rejected time is free again', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const template = `${ORG_SCHEDULE}/event-templates/${(await fixture.screen.get(`${ORG_SCHEDULE}/event-templates`)).body.data[0].id}`;
    expect((await fixture.screen.patch(template, { reminder_minutes: [60] })).status).toBe(200);
    const reminded = async (instance: string) =>
      (await app.sql.query<{ due_at: Date }>('SELECT due_at FROM schedule_reminders WHERE instance_id = $1', [instance])).rows;
    const slots = await fixture.slots();
    const ids = [];
    for (const start of slots.slice(0, 2)) ids.push((await fixture.book(start)).body.booking.id as string);
    expect(await fixture.slots()).not.toContain(slots[0]);
    const act = (id: string, move: string, body = {}) => fixture.screen.post(`${ORG_BOOKINGS}/${id}/${move}`, body);
    const both = await Promise.all([act(ids[0], 'confirm'), act(ids[0], 'reject', { reason: 'ill' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const later = (await fixture.book(slots[3])).body.booking;
    expect([await reminded(later.event_id), (await act(later.id, 'confirm')).status]).toEqual([[], 200]);
    const hourBefore = (start: string) => [{ due_at: new Date(Date.parse(start) - HOUR_MS) }];
    expect(await reminded(later.event_id)).toEqual(hourBefore(slots[3]));
    expect((await act(later.id, 'reschedule', { start_at: slots[5] })).status).toBe(200);
    expect(await reminded(later.event_id)).toEqual(hourBefore(slots[5]));
    expect((await act(ids[1], 'reject', { reason: 'I am ill.' })).body.status).toBe('rejected');
    expect(await fixture.slots()).toContain(slots[1]);
    expect((await act(ids[1], 'no-show')).body.error.code).toBe('invalid_transition');
  });

  it('change the event of a pending booking without inviting the guest, who learns that the request changed', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const [start] = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const colleague = `${randomUUID()}@example.com`;
    const { event_id, id } = (await fixture.book(start, { email })).body.booking;
    const path = `${ORG_SCHEDULE}/events/${event_id}`;
    expect((await fixture.screen.post(`${path}/invitees`, { invitees: [{ email: colleague }] })).status).toBe(201);
    const at = (hours: number) => new Date(Date.parse(start) + hours * HOUR_MS).toISOString();
    expect((await fixture.screen.patch(path, { start_at: at(24), end_at: at(25), location: 'Room 4' })).status).toBe(200);
    const [, changed, ...more] = await mailsOf(email);
    expect([changed, more]).toEqual([{ subject: 'Request changed: Meet Grace', text: expect.any(String), calendar: null }, []]);
    expect(changed.text).toMatch(/not confirmed yet[\s\S]*Room 4[\s\S]*\/b\/manage\//);
    expect(changed.text).not.toContain('/r/');
    expect((await mailsOf(colleague)).map(({ calendar }) => calendar?.includes('METHOD:REQUEST'))).toEqual([true, true]);
    expect(await fixture.bookings()).toMatchObject([{ id, status: 'pending', start_at: at(24) }]);
    await fixture.screen.post(`${ORG_BOOKINGS}/${id}/confirm`);
    expect((await mailsOf(email)).map(({ calendar }) => calendar?.includes('METHOD:REQUEST') ?? false)).toEqual([false, false, true]);
  });

  it('cancel a pending booking, or its event, without taking back an invitation that nobody was sent', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const slots = await fixture.slots();
    const email = `${randomUUID()}@example.com`;
    const pending = async (start: string) => (await fixture.book(start, { email })).body.booking;
    const cancelled = await pending(slots[0]);
    expect((await fixture.screen.post(`${ORG_BOOKINGS}/${cancelled.id}/cancel`)).status).toBe(200);
    const deleted = await pending(slots[1]);
    expect((await fixture.screen.delete(`${ORG_SCHEDULE}/events/${deleted.event_id}`)).status).toBe(204);
    expect((await mailsOf(email)).map(({ subject, calendar }) => [subject, calendar])).toEqual([
      ['Requested: Meet Grace', null],
      ['Canceled: Meet Grace', null],
      ['Requested: Meet Grace', null],
      ['Request canceled: Meet Grace', null],
    ]);
  });

  it('decide about the event of a booking by the booking, and cannot make it a series', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const [start] = await fixture.slots();
    const { id, event_id } = (await fixture.book(start)).body.booking;
    const patch = (body: object) => fixture.screen.patch(`${ORG_SCHEDULE}/events/${event_id}`, body);
    const confirmed = await patch({ status: 'confirmed' });
    expect([confirmed.status, confirmed.body.error]).toMatchObject([
      400,
      { param: 'status', message: expect.stringContaining(`/bookings/${id}/confirm`) },
    ]);
    const repeated = await patch({ recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } });
    expect([repeated.status, repeated.body.error?.param]).toEqual([400, 'recurrence']);
    expect((await patch({ title: 'Meet Grace again', status: 'tentative', recurrence: null })).status).toBe(200);
    expect((await fixture.screen.post(`${ORG_BOOKINGS}/${id}/confirm`)).body.status).toBe('confirmed');
    expect((await patch({ status: 'cancelled' })).status).toBe(200);
    expect(await fixture.bookings()).toMatchObject([{ id, status: 'cancelled' }]);
    expect((await patch({ status: 'confirmed' })).body.error.param).toBe('status');
  });

  it('lock the calendar and all resources of a move before the booking, so that no deadlock can follow', async () => {
    const fixture = await BookingFixture.open(app, { resources: [{ name: 'Room' }] });
    const slots = await fixture.slots();
    const { id } = (await fixture.book(slots[0])).body.booking;
    const [{ id: resource_id }] = (await fixture.screen.get(`${ORG_SCHEDULE}/calendars/${fixture.calendar.id}/resources`)).body.data;
    const other = await app.sql.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM schedule_bookings WHERE id = $1 FOR UPDATE', [id]);
      const moved = fixture.screen.post(`${ORG_BOOKINGS}/${id}/reschedule`, { start_at: slots[3], resource_id });
      const held = async () =>
        (
          await app.sql.query<{ locks: number }>(
            `SELECT count(*)::int AS locks FROM pg_locks l
             WHERE l.locktype = 'advisory' AND l.granted AND $1 = ANY (pg_blocking_pids(l.pid)) GROUP BY l.pid`,
            [(await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0].pid],
          )
        ).rows.at(0)?.locks;
      let locks = await held();
      for (let n = 0; n < 100 && locks === undefined; n++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        locks = await held();
      }
      expect(locks).toBe(2);
      await other.query('COMMIT');
      expect((await moved).body).toMatchObject({ start_at: slots[3], resource_id });
    } finally {
      other.release(true);
    }
  });

  it('move a booking in spite of notice and opening hours, but not onto another one', async () => {
    const resources = [{ name: 'Room' }];
    const fixture = await BookingFixture.open(app, { page: { resource_mode: 'least_busy' }, resources });
    const slots = await fixture.slots();
    const { id } = (await fixture.book(slots[0])).body.booking;
    await fixture.book(slots[2]);
    const move = (start_at: string) => fixture.screen.post(`${ORG_BOOKINGS}/${id}/reschedule`, { start_at });
    expect((await move(slots[2])).status).toBe(409);
    expect((await move(new Date(Date.parse(slots[0]) + HOUR_MS / 2).toISOString())).body.start_at).not.toBe(slots[0]);
  });

  it('lose pending bookings after 48 hours, and those that begin', async () => {
    const fixture = await BookingFixture.open(app, { page: { requires_confirmation: true } });
    const slots = await fixture.slots();
    const [old, fresh] = [await fixture.book(slots[60]), await fixture.book(slots[61])];
    await app.sql.query(`UPDATE schedule_bookings SET created_at = now() - interval '49 hours' WHERE id = $1`, [old.body.booking.id]);
    await app.runScheduledJob('schedule.lapse_pending_bookings');
    const found = await fixture.bookings();
    expect(found.find(({ id }) => id === old.body.booking.id)?.status).toBe('rejected');
    expect(found.find(({ id }) => id === fresh.body.booking.id)?.status).toBe('pending');
  });
});

it('a sample is booked in test mode: test keys read it, webhooks of test mode get it, and live times stay free', async () => {
  const fixture = await BookingFixture.open(app, { page: { questions: [{ key: 'topic', label: 'Topic', kind: 'text', required: true }] } });
  const slots = await fixture.slots();
  const { status, body } = await fixture.screen.post(`${ORG_SCHEDULE}/booking-pages/${fixture.page.id}/sample-booking`);
  expect([status, body.status, body.answers]).toEqual([201, 'confirmed', { topic: 'Sample answer' }]);
  const keyed = async (mode: 'live' | 'test') =>
    (
      await (
        await fixture.space.key({ module: 'schedule', mode })
      ).client.get(`${EXT_SCHEDULE}/bookings?guest_email=Sample.Guest@example.com`)
    ).body.data;
  expect([(await keyed('test')).map(({ id }: { id: string }) => id), await keyed('live')]).toEqual([[body.id], []]);
  expect((await eventsOf(app, fixture.space)).at(-1)).toMatchObject({ type: 'booking.created', mode: 'test' });
  expect(await fixture.slots()).toEqual(slots);
});

it('the guest of a booking is not removed from its event, by members or keys, before the booking is cancelled', async () => {
  const fixture = await BookingFixture.open(app);
  const [start] = await fixture.slots();
  const { booking } = (await fixture.book(start)).body;
  const { client: api } = await fixture.space.key({ module: 'schedule' });
  const paths = [ORG_SCHEDULE, EXT_SCHEDULE].map((root) => `${root}/events/${booking.event_id}/invitees`);
  const [{ id }] = (await fixture.screen.get(paths[0])).body.data as { id: string }[];
  const refused = [await fixture.screen.delete(`${paths[0]}/${id}`), await api.delete(`${paths[1]}/${id}`)];
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([409, 409].map((status) => [status, 'resource_conflict']));
  expect(refused[0].body.error.message).toContain(`/bookings/${booking.id}/cancel`);
  expect(await fixture.bookings()).toMatchObject([{ status: 'confirmed' }]);
  const { body } = await api.post(paths[1], { invitees: [{ email: 'colleague@example.com' }] });
  expect((await api.delete(`${paths[1]}/${body.data[0].id}`)).status).toBe(204);
  expect((await fixture.screen.post(`${ORG_SCHEDULE}/bookings/${booking.id}/cancel`)).status).toBe(200);
  expect((await api.delete(`${paths[1]}/${id}`)).status).toBe(204);
});

it('the page of a calendar whose owner was deactivated is closed until somebody takes the calendar over', async () => {
  const space = await app.workspace();
  const mei = await space.member('member');
  const fixture = await BookingFixture.open(app, { calendar: { owner_id: mei.id } }, space);
  const { screen: ada, calendar, page } = fixture;
  const [path, pagePath] = [`${ORG_SCHEDULE}/calendars/${calendar.id}`, `${ORG_SCHEDULE}/booking-pages/${page.id}`];
  const [start, later] = await fixture.slots();
  expect((await ada.patch(path, { visibility: 'private' })).status).toBe(200);
  expect((await ada.get(path)).status).toBe(404);
  const theirs = await space.signIn(mei.email);
  expect([(await theirs.patch(pagePath, { enabled: false })).status, (await theirs.patch(pagePath, { enabled: true })).status]).toEqual([
    200, 200,
  ]);
  expect((await theirs.put(`${path}/availability/overrides/2030-12-24`, { windows: [] })).status).toBe(200);
  expect((await fixture.book(start)).status).toBe(201);
  expect((await ada.patch(`/api/v1/org/members/${mei.id}`, { status: 'inactive' })).status).toBe(200);
  expect((await fixture.book(later)).status).not.toBe(201);
  expect((await fixture.visitor().get(`/b/${page.slug}`, { accept: 'text/html' })).text).not.toContain('name=start');
  expect([(await ada.patch(pagePath, { enabled: false })).status, (await ada.patch(pagePath, { enabled: true })).status]).toEqual([
    200, 200,
  ]);
  expect((await ada.patch(path, { owner_id: space.owner.id })).status).toBe(200);
  expect((await fixture.book(later)).status).toBe(201);
});

it('a page without free times looks two months ahead, however far visitors may book', async () => {
  const { text: closed } = await pageOf({ rules: [], settings: { ...SETTINGS, horizon_days: 730 } });
  const [, on] = /free times before <a href="[^"]*on=([\d-]+)/.exec(closed) as RegExpExecArray;
  expect(Math.round((Date.parse(on) - Date.now()) / 86_400_000)).toBeLessThanOrEqual(14 + 62);
  expect((await pageOf({ rules: [], settings: SETTINGS })).text).toContain('There are no free times at the moment.');
});

async function pageOf(availability: object) {
  const fixture = await BookingFixture.open(app, { availability });
  return fixture.visitor().get(`/b/${fixture.page.slug}`, { accept: 'text/html' });
}

it.each([
  [5, 30, 'America/New_York', 160],
  [5, 20, 'Europe/Berlin', 240],
  [7, 30, 'Europe/Berlin', 224],
])('a page shows 14 days of 8 hours, %i days a week, every %i minutes in %s, and stays small', async (weekdays, minutes, tz, most) => {
  const rules = Array.from({ length: weekdays }, (_, day) => ({ weekday: day + 1, start: '09:00', end: '17:00' }));
  const availability = { rules, settings: { ...SETTINGS, slot_minutes: minutes } };
  const fixture = await BookingFixture.open(app, { availability, page: { duration_minutes: [minutes, 60] } });
  // so that no time is over
  const on = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const { text } = await fixture.visitor().get(`/b/${fixture.page.slug}?tz=${tz}&on=${on}`, { accept: 'text/html' });
  const later = new Date(Date.parse(on) + 14 * 86_400_000).toISOString().slice(0, 10);
  expect([text.match(/name=start/g)?.length, text.includes(`on=${later}">Later`)]).toEqual([most, true]);
  expect(Buffer.byteLength(text)).toBeLessThan(25_000);
});
