import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedApp();
const module = 'schedule';
const SETTINGS = { slot_minutes: 30, buffer_before: 0, buffer_after: 0, min_notice_minutes: 0, horizon_days: 60, daily_limit: null };

it('a calendar is born active with the default template; keys list it by its filters', async () => {
  const space = await app.workspace();
  const calendar = await makeCalendar(space, { name: 'Consulting', owner_id: space.owner.id, color: '#2f6fed' });
  expect(calendar).toMatchObject({
    object: 'calendar',
    status: 'active',
    timezone: 'Europe/Berlin',
    conflict_policy: 'allow',
    visibility: 'project',
    project_id: space.eng.id,
    owner: { id: space.owner.id },
    booking_page: null,
    personal: false,
  });
  const { client: api } = await space.key({ module });
  const names = async (query: string) =>
    (await api.get(`${EXT_SCHEDULE}/calendars?${query}`)).body.data.map(({ name }: { name: string }) => name);
  await makeCalendar(space, { name: 'Operations', project_id: space.ops.id });
  expect(await names('')).toEqual(['Consulting', 'Operations']);
  expect(await names(`project_id=${space.ops.id}`)).toEqual(['Operations']);
  expect(await names(`owner_id=${space.owner.id}`)).toEqual(['Consulting']);
  expect(await names('q=consul')).toEqual(['Consulting']);
  expect(await names('status=inactive')).toEqual([]);
  const template = (await api.get(`${EXT_SCHEDULE}/event-templates?calendar_id=${calendar.id}`)).body.data;
  const unknown = await api.get(`${EXT_SCHEDULE}/event-templates?calendar_id=${space.owner.id}`);
  expect([unknown.status, unknown.body.data]).toEqual([200, []]);
  expect(template).toMatchObject([
    { id: calendar.template_id, is_default: true, core: { title: 'required' }, calendar_ids: [calendar.id] },
  ]);
});

it('each change of a calendar emits one event', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const calendar = await makeCalendar(space);
  const path = `${ORG_SCHEDULE}/calendars/${calendar.id}`;
  await owner.patch(path, { name: 'Advice' });
  await owner.patch(path, { name: 'Advice' });
  expect((await owner.post(`${path}/deactivate`)).body).toMatchObject({ status: 'inactive', version: 3 });
  await owner.post(`${path}/deactivate`);
  await owner.post(`${path}/activate`);
  const { body } = await owner.get('/api/v1/org/developer/events?sort=created_at');
  const seen = body.data.filter(({ type }: { type: string }) => type.startsWith('calendar.'));
  const shown = seen.map(({ type, data }: { type: string; data: { previous_attributes: object; context: object } }) => [
    type,
    data.previous_attributes,
    data.context,
  ]);
  expect(shown).toEqual([
    ['calendar.created', {}, {}],
    ['calendar.updated', { name: 'Consulting' }, {}],
    ['calendar.status_changed', { status: 'active' }, { from: 'active', to: 'inactive' }],
    ['calendar.status_changed', { status: 'inactive' }, { from: 'inactive', to: 'active' }],
  ]);
});

it('what a calendar may be is checked, and the field is named', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const post = async (body: object) => (await owner.post(`${ORG_SCHEDULE}/calendars`, { name: 'A', ...body })).body.error;
  expect(await post({ timezone: 'Mars/Olympus' })).toMatchObject({ code: 'validation_failed', param: 'timezone' });
  expect(await post({ visibility: 'private' })).toMatchObject({ param: 'owner_id' });
  expect(await post({ owner_id: space.eng.id })).toMatchObject({ param: 'owner_id' });
  expect(await post({ template_id: space.eng.id })).toMatchObject({ param: 'template_id' });
  const calendar = await makeCalendar(space, { name: 'A' });
  expect((await post({ name: 'a' })).code).toBe('duplicate');
  await makeResource(space, calendar.id);
  expect((await owner.delete(`${ORG_SCHEDULE}/calendars/${calendar.id}`)).body.error.code).toBe('resource_conflict');
});

it('a resource is kept while events have it, also those that do not occupy it', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const calendar = await makeCalendar(space);
  const [cancelled, free, unused] = await Promise.all(['A', 'B', 'C'].map((name) => makeResource(space, calendar.id, { name })));
  const at = { title: 'Review', start_at: '2030-03-04T09:00:00Z', end_at: '2030-03-04T09:30:00Z' };
  const meeting = async (body: object) => (await owner.post(`${ORG_SCHEDULE}/events`, { ...at, calendar_id: calendar.id, ...body })).body;
  const event = await meeting({ resource_ids: [cancelled.id] });
  await owner.patch(`${ORG_SCHEDULE}/events/${event.id}`, { status: 'cancelled' });
  await meeting({ resource_ids: [free.id], show_as: 'free' });
  const remove = (id: string) => owner.delete(`${ORG_SCHEDULE}/calendars/${calendar.id}/resources/${id}`);
  for (const { id } of [cancelled, free]) expect((await remove(id)).body.error?.code).toBe('resource_conflict');
  expect((await remove(unused.id)).status).toBe(204);
});

it('a private calendar exists for its owner and their keys only', async () => {
  const space = await app.workspace();
  const member = await space.member('member');
  const theirs = await space.signIn(member.email);
  const made = await theirs.post(`${ORG_SCHEDULE}/my-calendar`, {});
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ visibility: 'private', personal: true })]);
  const again = await theirs.post(`${ORG_SCHEDULE}/my-calendar`, {});
  expect([again.status, again.body.id]).toEqual([200, made.body.id]);
  const { client: unbound } = await space.key({ module });
  const { client: bound } = await space.key({ module, actor_user_id: member.id });
  expect((await unbound.get(`${EXT_SCHEDULE}/calendars`)).body.data).toEqual([]);
  expect((await unbound.get(`${EXT_SCHEDULE}/calendars/${made.body.id}/resources`)).status).toBe(404);
  expect((await bound.get(`${EXT_SCHEDULE}/calendars`)).body.data).toMatchObject([{ id: made.body.id }]);
  expect((await bound.get(`${EXT_SCHEDULE}/calendars/${made.body.id}/resources`)).status).toBe(200);
});

it('a private calendar is hidden from whoever sets up calendars, on every route; its times are only busy', async () => {
  const space = await app.workspace();
  const member = await space.member('admin');
  const theirs = await space.signIn(member.email);
  const others = await space.signIn();
  const { body: own } = await theirs.post(`${ORG_SCHEDULE}/my-calendar`, {});
  const path = `${ORG_SCHEDULE}/calendars/${own.id}`;
  const room = (await theirs.post(`${path}/resources`, { name: 'Study', kind: 'room' })).body;
  const values = { calendar_id: own.id, title: 'Meet me', duration_minutes: [30] };
  const slug = `private-${own.id.slice(-12)}`;
  const page = (await theirs.post(`${ORG_SCHEDULE}/booking-pages`, { ...values, slug })).body;
  const feed = (await theirs.post(`${path}/feeds`, { name: 'Mine' })).body;
  const booking = (await theirs.post(`${ORG_SCHEDULE}/booking-pages/${page.id}/sample-booking`)).body;
  expect([room.object, page.object, feed.object, booking.object]).toEqual([
    'calendar_resource',
    'booking_page',
    'calendar_feed',
    'booking',
  ]);
  const availability = (await theirs.get(`${path}/availability`)).body;
  const { rules, settings } = availability;
  const day = 'availability/overrides/2030-12-24';
  const { client: unbound } = await space.key({ module });
  const { client: unboundTest } = await space.key({ module, mode: 'test' });
  const refused = await Promise.all([
    others.get(path),
    others.patch(path, { visibility: 'project' }),
    others.patch(path, { owner_id: space.owner.id }),
    others.post(`${path}/deactivate`),
    others.post(`${path}/activate`),
    others.delete(path),
    others.get(`${path}/resources`),
    others.post(`${path}/resources`, { name: 'Spy', kind: 'room' }),
    others.patch(`${path}/resources/${room.id}`, { name: 'Spy' }),
    others.delete(`${path}/resources/${room.id}`),
    others.get(`${path}/availability`),
    others.put(`${path}/availability`, { rules, settings }),
    others.put(`${path}/${day}`, { windows: [] }),
    others.delete(`${path}/${day}`),
    others.get(`${ORG_SCHEDULE}/resources/${room.id}/availability`),
    others.put(`${ORG_SCHEDULE}/resources/${room.id}/availability`, { rules, settings }),
    others.delete(`${ORG_SCHEDULE}/resources/${room.id}/availability`),
    others.put(`${ORG_SCHEDULE}/resources/${room.id}/${day}`, { windows: [] }),
    others.get(`${path}/feeds`),
    others.post(`${path}/feeds`, { name: 'Spy' }),
    others.delete(`${path}/feeds/${feed.id}`),
    others.get(`${ORG_SCHEDULE}/booking-pages/${page.id}`),
    others.patch(`${ORG_SCHEDULE}/booking-pages/${page.id}`, { title: 'Spy' }),
    others.delete(`${ORG_SCHEDULE}/booking-pages/${page.id}`),
    others.post(`${ORG_SCHEDULE}/booking-pages/${page.id}/sample-booking`),
    unbound.get(`${EXT_SCHEDULE}/calendars/${own.id}/availability`),
    unbound.get(`${EXT_SCHEDULE}/calendars/${own.id}/events`),
    unboundTest.get(`${EXT_SCHEDULE}/bookings/${booking.id}`),
  ]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  const named = await others.post(`${ORG_SCHEDULE}/booking-pages`, { ...values, slug: `${slug}-2` });
  expect([named.status, named.body.error.param]).toEqual([400, 'calendar_id']);
  const lists = [
    (await others.get(`${ORG_SCHEDULE}/calendars`)).body.data,
    (await others.get(`${ORG_SCHEDULE}/booking-pages`)).body.data,
    (await others.get(`${ORG_SCHEDULE}/event-templates?calendar_id=${own.id}`)).body.data,
    (await unboundTest.get(`${EXT_SCHEDULE}/bookings`)).body.data,
  ];
  expect(lists).toEqual([[], [], [], []]);
  const { data: templates } = (await others.get(`${ORG_SCHEDULE}/event-templates`)).body;
  expect(templates.flatMap(({ calendar_ids }: { calendar_ids: string[] }) => calendar_ids)).toEqual([]);
  // the room cannot be used elsewhere, and whoever is in the way of the owner's events is not named
  const shared = await makeCalendar(space);
  const person = await makeResource(space, shared.id, { name: 'Grace', kind: 'person', member_id: member.id });
  const times = { start_at: '2030-03-04T09:00:00Z', end_at: '2030-03-04T09:30:00Z' };
  const meeting = (client: typeof others, body: object) => client.post(`${ORG_SCHEDULE}/events`, { title: 'Secret', ...times, ...body });
  expect((await meeting(others, { calendar_id: shared.id, resource_ids: [room.id] })).body.error.param).toBe('resource_ids');
  const secret = await meeting(theirs, { calendar_id: own.id, invitees: [{ email: 'doctor@example.com' }] });
  const outbox = '/api/v1/org/developer/mail-outbox';
  const mails = [await others.get(outbox), await others.get(`${outbox}?recipient=doctor@example.com`)];
  expect(mails.map(({ body }) => body.data.length)).toEqual([expect.any(Number), 0]);
  const [mail] = mails[0].body.data;
  expect([mail.recipient, mail.subject, mail.text, mail.calendar, mail.reply_to]).toEqual([null, null, null, null, null]);
  expect([secret.status, (await others.get(`${ORG_SCHEDULE}/events/${secret.body.id}`)).status]).toEqual([201, 404]);
  await others.put(`${ORG_SCHEDULE}/calendars/${shared.id}/availability`, { rules, settings: { ...settings, horizon_days: 730 } });
  const window = 'from=2030-03-04T08:00:00Z&to=2030-03-04T10:00:00Z';
  const seen = await unbound.get(`${EXT_SCHEDULE}/calendars/${shared.id}/availability?${window}&resource_id=${person.id}`);
  expect(seen.body.busy).toEqual([{ resource_id: person.id, start_at: '2030-03-04T09:00:00.000Z', end_at: '2030-03-04T09:30:00.000Z' }]);
  const { body: span } = await unbound.get(`${EXT_SCHEDULE}/calendars/${shared.id}/availability?from=2030-03-04&to=2030-03-04`);
  expect(Date.parse(span.to) - Date.parse(span.from)).toBe(24 * 3_600_000);
  // the owner is not limited by what others do not see
  expect((await theirs.get(`${ORG_SCHEDULE}/bookings`)).status).toBe(200);
  expect((await theirs.patch(path, { visibility: 'project' })).body.visibility).toBe('project');
  expect((await others.get(path)).status).toBe(200);
});

it('an owner manages the times, feeds and page of their private calendar; when they have left, whoever sets up does', async () => {
  const space = await app.workspace();
  const member = await space.member('member');
  const theirs = await space.signIn(member.email);
  const admin = await space.signIn();
  const { body: own } = await theirs.post(`${ORG_SCHEDULE}/my-calendar`, {});
  const shared = await makeCalendar(space, { owner_id: member.id });
  const day = { windows: [{ start: '10:00', end: '11:00' }] };
  const rules = [{ weekday: 1, start: '10:00', end: '12:00' }];
  const room = await makeResource(space, shared.id);
  const slug = (id: string) => `own-${id.slice(-12)}`;
  const manage = async (client: typeof theirs, id: string) => {
    const path = `${ORG_SCHEDULE}/calendars/${id}`;
    const { settings } = (await client.get(`${path}/availability`)).body;
    const pages = `${ORG_SCHEDULE}/booking-pages`;
    const page = await client.post(pages, { calendar_id: id, slug: slug(id), title: 'Meet me', duration_minutes: [30] });
    const answers = [
      await client.put(`${path}/availability`, { rules, settings: settings ?? SETTINGS }),
      await client.put(`${path}/availability/overrides/2030-12-24`, day),
      await client.delete(`${path}/availability/overrides/2030-12-24`),
      await client.post(`${path}/feeds`, { name: 'Phone' }),
      page,
      await client.patch(`${pages}/${page.body.id ?? shared.id}`, { title: 'Meet' }),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await manage(theirs, own.id)).toEqual([200, 200, 204, 201, 201, 200]);
  expect((await theirs.get(`${ORG_SCHEDULE}/calendars/${own.id}/availability`)).body.rules).toEqual(rules);
  expect((await manage(theirs, shared.id)).slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
  expect((await theirs.put(`${ORG_SCHEDULE}/resources/${room.id}/availability`, { rules, settings: SETTINGS })).status).toBe(403);
  const sharedPage = { calendar_id: shared.id, slug: slug(shared.id), title: 'Team', duration_minutes: [30] };
  const { id: pageOfTeam } = (await admin.post(`${ORG_SCHEDULE}/booking-pages`, sharedPage)).body;
  expect((await theirs.get(`${ORG_SCHEDULE}/booking-pages`)).body.data).toMatchObject([{ calendar_id: own.id }]);
  expect((await theirs.patch(`${ORG_SCHEDULE}/booking-pages/${pageOfTeam}`, { title: 'Mine' })).status).toBe(403);

  const path = `${ORG_SCHEDULE}/calendars/${own.id}`;
  const looks = { name: 'Mine', color: '#112233', timezone: 'Asia/Tokyo' };
  expect((await theirs.patch(path, looks)).body).toMatchObject(looks);
  for (const [field, value] of Object.entries({ visibility: 'project', conflict_policy: 'reject', owner_id: space.owner.id })) {
    const { status, body } = await theirs.patch(path, { [field]: value });
    expect([status, body.error.param, body.error.required_permission]).toEqual([403, field, 'schedule.setup.manage']);
  }
  expect((await theirs.patch(`${ORG_SCHEDULE}/calendars/${shared.id}`, looks)).status).toBe(403);
  await makeResource(space, shared.id, { name: 'Their desk', kind: 'person', member_id: member.id });
  const meeting = { calendar_id: own.id, title: 'Focus', start_at: '2030-03-04T09:00:00Z', end_at: '2030-03-04T10:00:00Z' };
  expect((await theirs.post(`${ORG_SCHEDULE}/events`, meeting)).status).toBe(201);
  const listed = async () => (await admin.get(`${ORG_SCHEDULE}/calendars`)).body.data.map(({ id }: { id: string }) => id);
  const pagesListed = async () => (await admin.get(`${ORG_SCHEDULE}/booking-pages`)).body.data.length;
  expect([await listed(), await pagesListed(), (await admin.post(`${path}/deactivate`)).status]).toEqual([[shared.id], 1, 404]);
  expect((await admin.patch(`/api/v1/org/members/${member.id}`, { status: 'inactive' })).status).toBe(200);
  const { client: key } = await space.key({ module });
  const colleague = await space.member('member');
  const other = await space.signIn(colleague.email);
  expect([(await key.get(`${EXT_SCHEDULE}/calendars/${own.id}/events`)).status, (await other.get(path)).status]).toEqual([404, 404]);
  expect([(await listed()).sort(), await pagesListed()]).toEqual([[own.id, shared.id].sort(), 2]);
  expect((await admin.get(`${path}/feeds`)).body.data).toHaveLength(1);
  expect((await admin.put(`${path}/availability`, { rules: [], settings: SETTINGS })).body.rules).toEqual([]);
  expect((await admin.post(`${path}/deactivate`)).body.status).toBe('inactive');
  const window = 'from=2030-03-04T08:00:00Z&to=2030-03-04T12:00:00Z';
  const keepsBusy = async () => (await key.get(`${EXT_SCHEDULE}/calendars/${shared.id}/availability?${window}`)).body.busy.length;
  const owned = (await admin.post(`${ORG_SCHEDULE}/my-calendar`, {})).body;
  expect([
    await keepsBusy(),
    (await admin.patch(`${ORG_SCHEDULE}/calendars/${owned.id}`, { owner_id: colleague.id })).body.error.message,
  ]).toEqual([1, expect.stringContaining('once its owner was deactivated')]);
  const { body: taken } = await admin.patch(path, { owner_id: space.owner.id });
  expect([taken.owner.id, taken.personal, taken.visibility, await keepsBusy()]).toEqual([space.owner.id, false, 'private', 0]);
  expect((await admin.post(`${path}/activate`)).body.status).toBe('active');
});

it('resources are set up per calendar and listed by kind and seats', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const calendar = await makeCalendar(space);
  const ada = await makeResource(space, calendar.id, { seats: 8, buffer_after_minutes: 15 });
  await makeResource(space, calendar.id, { name: 'Grace', kind: 'person', member_id: space.owner.id });
  const path = `${ORG_SCHEDULE}/calendars/${calendar.id}/resources`;
  expect((await owner.post(path, { name: 'Van', kind: 'vehicle', member_id: space.owner.id })).body.error.param).toBe('member_id');
  expect((await owner.patch(`${path}/${ada.id}`, { capacity: 3, active: false })).body).toMatchObject({
    capacity: 3,
    active: false,
    version: 2,
  });
  const { client: api } = await space.key({ module });
  const list = async (query: string) => (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/resources?${query}`)).body.data;
  expect(await list('')).toHaveLength(2);
  expect(await list('kind=room&active=false&min_seats=8')).toMatchObject([{ id: ada.id, buffer_after_minutes: 15 }]);
  expect(await list('min_seats=9')).toEqual([]);
  const other = await makeCalendar(space, { name: 'Other' });
  expect((await owner.patch(`${ORG_SCHEDULE}/calendars/${other.id}/resources/${ada.id}`, { name: 'x' })).status).toBe(404);
  expect((await owner.delete(`${path}/${ada.id}`)).status).toBe(204);
});

it('templates check their metadata schema and name what is wrong', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const path = `${ORG_SCHEDULE}/event-templates`;
  const properties = { topic: { type: 'string', enum: ['law', 'tax'] }, guests: { type: 'array', items: { type: 'string' } } };
  const made = await owner.post(path, { name: 'Advice', metadata_schema: { type: 'object', properties, required: ['topic'] } });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ is_default: false, default_duration_minutes: 60, calendar_ids: [] }),
  ]);
  const param = async (metadata_schema: object) => (await owner.post(path, { name: 'B', metadata_schema })).body.error.param;
  expect(await param({ type: 'array' })).toBe('metadata_schema.type');
  expect(await param({ type: 'object', properties: { a: { type: 'object' } } })).toBe('metadata_schema.properties.a.type');
  expect(await param({ type: 'object', properties: { a: { $ref: '#' } } })).toBe('metadata_schema.properties.a.$ref');
  expect(await param({ type: 'object', properties: { a: { type: 'string', minLength: -1 } } })).toBe('metadata_schema');
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, { type: 'string' }]));
  expect(await param({ type: 'object', properties: many })).toBe('metadata_schema.properties');
  const late = await owner.patch(`${path}/${made.body.id}`, { reminder_minutes: [60, 0] });
  expect([late.status, late.body.error.param]).toEqual([400, 'reminder_minutes']);
  expect((await owner.patch(`${path}/${made.body.id}`, { is_default: true })).body.is_default).toBe(true);
  const calendar = await makeCalendar(space);
  expect(calendar.template_id).toBe(made.body.id);
  expect((await owner.delete(`${path}/${made.body.id}`)).status).toBe(409);
});

it('availability is set for a calendar, and for a resource that differs from it', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const calendar = await makeCalendar(space);
  const room = await makeResource(space, calendar.id);
  const [ofCalendar, ofRoom] = [
    `${ORG_SCHEDULE}/calendars/${calendar.id}/availability`,
    `${ORG_SCHEDULE}/resources/${room.id}/availability`,
  ];
  const born = (await owner.get(ofCalendar)).body;
  expect(born.rules).toHaveLength(5);
  expect(born.settings).toEqual({
    slot_minutes: 30,
    buffer_before: 0,
    buffer_after: 0,
    min_notice_minutes: 120,
    horizon_days: 60,
    daily_limit: null,
  });
  const settings = { ...born.settings, slot_minutes: 15 };
  const rules = [{ weekday: 6, start: '10:00', end: '24:00' }];
  expect((await owner.put(ofCalendar, { rules, settings })).body).toMatchObject({ rules, settings, resource_id: null });
  expect((await owner.put(ofCalendar, { rules: [{ weekday: 6, start: '10:00', end: '09:00' }], settings })).body.error.param).toBe(
    'rules.0.end',
  );
  expect((await owner.get(ofRoom)).body.resource_id).toBeNull();
  expect((await owner.put(`${ofRoom}/overrides/2030-12-24`, { windows: [] })).body).toMatchObject({
    resource_id: room.id,
    rules,
    overrides: [{ on: '2030-12-24', windows: [] }],
  });
  expect((await owner.put(`${ofRoom}/overrides/2030-02-30`, { windows: [] })).status).toBe(404);
  expect((await owner.get(ofCalendar)).body.overrides).toEqual([]);
  expect((await owner.delete(`${ofRoom}/overrides/2030-12-24`)).status).toBe(204);
  expect((await owner.delete(`${ofRoom}/overrides/2030-12-24`)).status).toBe(404);
  expect((await owner.delete(ofRoom)).status).toBe(204);
  expect((await owner.get(ofRoom)).body.resource_id).toBeNull();
});
