import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BookingFixture, ORG_BOOKINGS } from '../testing/booking-fixture.js';
import { sharedProxiedApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import { EXT_SCHEDULE, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedProxiedApp();
const HOUR_MS = 3_600_000;

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const fields = (start: string, values = {}) => ({ start, minutes: '60', tz: 'Europe/Berlin', form_token: randomUUID(), ...ada, ...values });

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
    const [toGuest, ...more] = await fixture.mailsOf(form.email);
    const [toHost] = await fixture.mailsOf(fixture.space.owner.email);
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
    const [{ text, subject }] = await fixture.mailsOf(form.email);
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
    expect([refused.status, refused.headers['retry-after'], await fixture.mailsOf(stranger)]).toEqual([429, '86400', []]);
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

it('answers fill in custom fields of the booking, and one that a field refuses is a problem of its question', async () => {
  const space = await app.workspace();
  const screen = await space.signIn();
  const fields = [
    { key: 'seats', type: 'integer' },
    { key: 'region', type: 'choice', options: ['emea', 'apac'] },
  ];
  for (const field of fields) await screen.post('/api/v1/org/custom-fields', { resource: 'booking', label: field.key, ...field });
  const questions = [
    { key: 'seats', label: 'How many seats?', kind: 'text', custom_field: 'seats' },
    { key: 'area', label: 'Which area?', kind: 'text', custom_field: 'region' },
  ];
  const fixture = await BookingFixture.open(app, { page: { questions } }, space);
  const [slot] = await fixture.slots();
  const refused = await fixture.book(slot, { answers: { seats: '4', area: 'moon' } });
  expect([refused.status, refused.body.error.param, refused.body.error.message]).toEqual([
    400,
    'answers.area',
    expect.stringMatching(/^Which area\?: the answer must be one of/),
  ]);
  const { body } = await fixture.book(slot, { answers: { seats: '4', area: 'emea' } });
  expect(body.booking).toMatchObject({ answers: { seats: '4', area: 'emea' }, custom_fields: { seats: 4, region: 'emea' } });
  // visitors do not see what the answers are for
  const page = await fixture.visitor().get(`/api/v1/public/booking/${fixture.page.slug}`);
  expect(page.body.questions[0]).toEqual({ key: 'seats', label: 'How many seats?', kind: 'text', required: false });
  const unknown = await screen.patch(`/api/v1/org/schedule/booking-pages/${fixture.page.id}`, {
    questions: [{ ...questions[0], custom_field: 'none' }],
  });
  expect([unknown.status, unknown.body.error.param]).toEqual([400, 'questions.0.custom_field']);
});
