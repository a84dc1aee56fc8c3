import { plusDays } from '../../../kit/index.js';
import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../testing/schedule-fixture.js';
import type { Json } from '../../../../test/harness/api-document.js';

const app = await sharedApp();
const statements = app.inside<typeof import('../../../../test/harness/statements.js')>('test/harness/statements.ts');
const EVENTS = `${EXT_SCHEDULE}/events`;

async function world(calendarValues: Json = {}) {
  const space = await app.workspace();
  const calendar = await makeCalendar(space, { owner_id: space.owner.id, ...calendarValues });
  const room = await makeResource(space, calendar.id);
  const { client: api } = await space.key({ module: 'schedule' });
  const create = (values: Json = {}) =>
    api.post(EVENTS, {
      calendar_id: calendar.id,
      title: 'Review',
      start_at: '2027-03-29T09:00:00+02:00',
      end_at: '2027-03-29T10:00:00+02:00',
      ...values,
    });
  const list = async (query: string) => (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?${query}`)).body;
  return { space, calendar, room, api, create, list };
}

const MARCH = 'from=2027-03-01T00:00:00Z&to=2027-05-01T00:00:00Z';

it('an event is created with its calendar’s defaults, read, listed, changed and deleted', async () => {
  const { space, calendar, api, create, list } = await world();
  const made = await create({ location: 'Room 1', metadata: {} });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      object: 'event',
      project_id: space.eng.id,
      calendar_id: calendar.id,
      template_id: calendar.template_id,
      series_id: null,
      title: 'Review',
      location: 'Room 1',
      description: null,
      start_at: '2027-03-29T07:00:00.000Z',
      end_at: '2027-03-29T08:00:00.000Z',
      timezone: 'Europe/Berlin',
      utc_offset: '+02:00',
      start_local: '2027-03-29T09:00:00',
      all_day: false,
      recurrence: null,
      status: 'confirmed',
      show_as: 'busy',
      resource_ids: [],
      invitee_count: 0,
      sequence: 0,
      version: 1,
      organizer: expect.objectContaining({ id: space.owner.id }),
    }),
  ]);
  const { id } = made.body;
  expect(made.body.ical_uid).toMatch(new RegExp(`^${id}@`));
  expect((await api.get(`${EVENTS}/${id}`)).body).toEqual(made.body);
  expect((await list(MARCH)).data).toEqual([made.body]);
  expect((await list(`${MARCH}&q=revi`)).data).toHaveLength(1);
  expect((await list(`${MARCH}&status=cancelled`)).data).toEqual([]);
  expect((await list('view=series')).data).toEqual([made.body]);
  const changed = await api.patch(`${EVENTS}/${id}`, { title: 'Contract', start_at: '2027-03-30T09:00:00+02:00' });
  expect(changed.body).toMatchObject({
    title: 'Contract',
    start_at: '2027-03-30T07:00:00.000Z',
    end_at: '2027-03-30T08:00:00.000Z',
    sequence: 1,
  });
  const resent = { start_at: '2027-03-30T09:00:00+02:00', end_at: '2027-03-30T10:00:00+02:00', description: 'b' };
  expect((await api.patch(`${EVENTS}/${id}`, resent)).body).toMatchObject({ description: 'b', sequence: 1 });
  expect((await api.patch(`${EVENTS}/${id}`, { description: null })).body.sequence).toBe(1);
  changed.body = (await api.get(`${EVENTS}/${id}`)).body;
  expect((await list(`${MARCH}&q=contract`)).data).toEqual([changed.body]);
  expect((await list(`${MARCH}&q=review`)).data).toEqual([]);
  expect((await api.patch(`${EVENTS}/${id}`, { title: 'x' }, { 'If-Match': '"1"' })).status).toBe(412);
  const last = (await api.get(`${EVENTS}/${id}`)).body;
  expect((await api.delete(`${EVENTS}/${id}`)).status).toBe(204);
  expect((await api.delete(`${EVENTS}/${id}`)).status).toBe(404);
  const restored = await api.post(`${EVENTS}/${id}/restore`);
  expect([restored.status, restored.body]).toEqual([
    200,
    { ...last, sequence: last.sequence + 2, version: last.version + 2, updated_at: restored.body.updated_at },
  ]);
  expect((await list(MARCH)).data).toEqual([restored.body]);
});

it('times are checked, and the field is named', async () => {
  const { create } = await world();
  const param = async (values: Json) => (await create(values)).body.error;
  expect(await param({ start_at: 'tomorrow' })).toMatchObject({ param: 'start_at', code: 'validation_failed' });
  expect(await param({ end_at: '2027-03-29T09:00:00+02:00' })).toMatchObject({ param: 'end_at' });
  expect(await param({ end_at: '2027-05-29T09:00:00+02:00' })).toMatchObject({ param: 'end_at' });
  expect(await param({ timezone: 'Mars' })).toMatchObject({ param: 'timezone' });
  expect(await param({ all_day: true })).toMatchObject({ param: 'start_at' });
  const allDay = { start_at: undefined, end_at: undefined, all_day: true };
  expect(await param(allDay)).toMatchObject({ param: 'start_on', code: 'missing_fields' });
  expect(await param({ ...allDay, start_on: '2027-03-29', end_on: '2027-03-29' })).toMatchObject({ param: 'end_on' });
  expect(await param({ metadata: '{"a":1}' })).toMatchObject({ param: 'metadata', message: 'metadata must be a JSON object' });
  expect(await param({ resource_ids: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60'] })).toMatchObject({ param: 'resource_ids' });
  const apia = { ...allDay, timezone: 'Pacific/Apia', start_on: '2011-12-30', end_on: '2011-12-31' };
  expect(await param(apia)).toMatchObject({ param: 'start_on' });
  expect((await create({ start_at: undefined })).body.error).toMatchObject({ param: 'start_at', code: 'missing_fields' });
});

it('local times and all-day events follow the zone', async () => {
  const { create } = await world();
  const local = (await create({ start_at: '2027-03-28T02:30', end_at: '2027-03-28T04:00' })).body;
  expect(local).toMatchObject({ start_at: '2027-03-28T01:30:00.000Z', start_local: '2027-03-28T03:30:00', utc_offset: '+02:00' });
  const overlap = (await create({ start_at: '2026-10-25T02:30', end_at: '2026-10-25T04:00' })).body;
  expect(overlap).toMatchObject({ start_at: '2026-10-25T00:30:00.000Z', utc_offset: '+02:00' });
  const day = (await create({ start_at: undefined, end_at: undefined, all_day: true, start_on: '2027-03-29', end_on: '2027-03-31' })).body;
  expect(day).toMatchObject({ start_at: null, end_at: null, start_on: '2027-03-29', end_on: '2027-03-31', show_as: 'free' });
});

it('the template decides which fields and metadata an event has', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const properties = { topic: { type: 'string', enum: ['law', 'tax'] }, seats: { type: 'integer' } };
  const template = await owner.post(`${ORG_SCHEDULE}/event-templates`, {
    name: 'Advice',
    core: { title: 'required', location: 'hidden', description: 'required' },
    metadata_schema: { type: 'object', properties, required: ['topic'] },
  });
  const calendar = await makeCalendar(space, { template_id: template.body.id });
  const { client: api } = await space.key({ module: 'schedule' });
  const times = { start_at: '2027-03-29T09:00:00Z', end_at: '2027-03-29T10:00:00Z' };
  const create = (values: Json) => api.post(EVENTS, { calendar_id: calendar.id, title: 'A', ...times, ...values });
  const refused = (await create({ location: 'here', metadata: { topic: 'war', other: 1 } })).body.error;
  expect(refused.details.map(({ param }: { param: string }) => param).sort()).toEqual([
    'description',
    'location',
    'metadata.other',
    'metadata.topic',
  ]);
  expect(refused.details.find(({ param }: { param: string }) => param === 'metadata.topic').allowed).toEqual(['law', 'tax']);
  const made = (await create({ description: 'b', metadata: { topic: 'law', seats: 2 } })).body;
  const path = `${EVENTS}/${made.id}`;
  for (const seats of ['2.0', '20e-1', '"2"'])
    expect((await api.patch(path, `{"metadata":{"seats":${seats}}}`, { 'content-type': 'application/json' })).body.error).toMatchObject({
      param: 'metadata.seats',
      message: 'metadata.seats must be a whole number without a decimal point',
    });
  expect((await api.patch(path, { metadata: { seats: null } })).body.metadata).toEqual({ topic: 'law' });
  expect((await api.patch(path, { metadata: { topic: null } })).body.error).toMatchObject({ param: 'metadata.topic' });
  expect((await api.patch(path, { description: null })).body.error).toMatchObject({ param: 'description' });
});

it('a room is used once at a time, with its buffers; the conflict says by what', async () => {
  const { space, calendar, create, api } = await world();
  const room = await makeResource(space, calendar.id, { name: 'Buffered', buffer_after_minutes: 30 });
  const first = (await create({ resource_ids: [room.id] })).body;
  expect((await api.get(`${EVENTS}/${first.id}`)).body).toMatchObject({
    calendar_name: calendar.name,
    resource_names: ['Buffered'],
  });
  const second = { start_at: '2027-03-29T10:15:00+02:00', end_at: '2027-03-29T11:00:00+02:00', resource_ids: [room.id] };
  const refused = await create(second);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    expect.objectContaining({
      code: 'resource_conflict',
      conflicts: [{ resource_id: room.id, event_id: first.id, start_at: first.start_at, end_at: first.end_at }],
    }),
  ]);
  // a free event uses the room as well, and a cancelled one does not
  expect((await create({ ...second, show_as: 'free' })).status).toBe(409);
  expect((await create({ ...second, status: 'cancelled' })).status).toBe(201);
  const later = (await create({ ...second, start_at: '2027-03-29T10:30:00+02:00' })).body;
  expect((await api.patch(`${EVENTS}/${later.id}`, { start_at: '2027-03-29T10:20:00+02:00' })).status).toBe(409);
  expect((await api.patch(`${EVENTS}/${first.id}`, { status: 'cancelled' })).status).toBe(200);
  expect((await api.patch(`${EVENTS}/${later.id}`, { start_at: '2027-03-29T10:20:00+02:00' })).status).toBe(200);
  expect((await api.patch(`${EVENTS}/${first.id}`, { status: 'confirmed' })).status).toBe(409);
  const { client: test } = await space.key({ module: 'schedule', mode: 'test' });
  const inTest = await test.post(EVENTS, { calendar_id: calendar.id, title: 'T', ...second });
  expect(inTest.status).toBe(201);
  expect((await api.get(`${EVENTS}/${inTest.body.id}`)).status).toBe(404);
});

it('a resource of capacity 2 bears two uses at any moment, not two events in all', async () => {
  const { space, calendar, create } = await world();
  const gym = await makeResource(space, calendar.id, { name: 'Gym', capacity: 2 });
  const at = (from: string, to: string) =>
    create({ resource_ids: [gym.id], start_at: `2041-03-25T${from}:00Z`, end_at: `2041-03-25T${to}:00Z` });
  expect((await at('09:00', '10:00')).status).toBe(201);
  expect((await at('10:00', '11:00')).status).toBe(201);
  expect((await at('09:00', '11:00')).status).toBe(201);
  const refused = await at('09:30', '09:45');
  expect([refused.status, refused.body.error.conflicts.length]).toEqual([409, 2]);
  const owner = await space.signIn();
  const path = `${ORG_SCHEDULE}/calendars/${calendar.id}/resources/${gym.id}`;
  expect((await owner.patch(path, { capacity: 1 })).body.error).toMatchObject({ param: 'capacity', code: 'resource_conflict' });
  expect((await owner.patch(path, { capacity: 3 })).status).toBe(200);
  expect((await at('09:30', '09:45')).status).toBe(201);
});

it('a calendar that rejects conflicts has one busy event at a time', async () => {
  const { create, api } = await world({ conflict_policy: 'reject' });
  const first = (await create()).body;
  const refused = await create({ start_at: '2027-03-29T09:30:00+02:00' });
  expect([refused.status, refused.body.error.code, refused.body.error.conflicts[0].event_id]).toEqual([409, 'schedule_conflict', first.id]);
  expect((await create({ start_at: '2027-03-29T09:30:00+02:00', show_as: 'free' })).status).toBe(201);
  expect((await create({ start_at: '2027-03-29T10:00:00+02:00', end_at: '2027-03-29T10:30:00+02:00' })).status).toBe(201);
  expect((await api.patch(`${EVENTS}/${first.id}`, { end_at: '2027-03-29T10:10:00+02:00' })).status).toBe(409);
  expect((await api.patch(`${EVENTS}/${first.id}`, { end_at: '2027-03-29T09:50:00+02:00' })).status).toBe(200);
  await api.delete(`${EVENTS}/${first.id}`);
  const { id } = (await create()).body;
  const taken = await api.post(`${EVENTS}/${first.id}/restore`);
  expect([taken.status, taken.body.error.code, taken.body.error.conflicts[0].event_id]).toEqual([409, 'resource_conflict', id]);
});

it('only who may see a deleted event finds it in the bin, by its title, and can erase it for good', async () => {
  const { space, create, calendar } = await world();
  const { id, title } = (await create()).body;
  const [owner, other] = [await space.signIn(), await space.signIn((await space.member('admin')).email)];
  expect((await owner.delete(`${ORG_SCHEDULE}/events/${id}`)).status).toBe(204);
  const found = async (client: typeof owner) =>
    (await client.get(`/api/v1/org/deleted-records?resource=schedule_event&text=${encodeURIComponent(title)}`)).body.data;
  const [{ id: deleted }] = await found(other);
  expect(await found(owner)).toMatchObject([{ id: deleted, title, record_id: id }]);
  // the versions before show it to all
  expect((await app.sql.query('SELECT title FROM deleted_records WHERE id = $1', [deleted])).rows).toEqual([{ title: null }]);
  await app.sql.query(`UPDATE schedule_calendars SET visibility = 'private' WHERE id = $1`, [calendar.id]);
  const erase = async (client: typeof owner) => (await client.delete(`/api/v1/org/deleted-records/${deleted}`)).status;
  expect((await other.post(`${ORG_SCHEDULE}/events/${id}/restore`)).status).toBe(404);
  expect([await erase(other), await found(other)]).toEqual([404, []]);
  expect(await erase(owner)).toBe(204);
});

it('in an inactive calendar events can be read and deleted, but not created, changed or invited to', async () => {
  const { space, calendar, create, api } = await world();
  const { id } = (await create()).body;
  await (await space.signIn()).post(`${ORG_SCHEDULE}/calendars/${calendar.id}/deactivate`);
  expect((await create()).body.error.code).toBe('calendar_inactive');
  expect((await api.patch(`${EVENTS}/${id}`, { title: 'x' })).body.error.code).toBe('calendar_inactive');
  expect((await api.post(`${EVENTS}/${id}/invitees`, { invitees: [{ email: 'a@example.com' }] })).body.error.code).toBe(
    'calendar_inactive',
  );
  expect((await api.get(`${EVENTS}/${id}`)).status).toBe(200);
  expect((await api.delete(`${EVENTS}/${id}`)).status).toBe(204);
  expect((await api.post(`${EVENTS}/${id}/restore`)).status).toBe(409);
});

it('a window has what overlaps it, page by page, however long the events are', async () => {
  const { create, list } = await world();
  await create({ title: 'long', start_at: '2027-03-10T00:00:00Z', end_at: '2027-04-05T00:00:00Z' });
  await create({ title: 'before', start_at: '2027-03-28T00:00:00Z', end_at: '2027-03-29T00:00:00Z' });
  for (const hour of ['08', '09', '10'])
    await create({ title: hour, start_at: `2027-03-29T${hour}:00:00Z`, end_at: `2027-03-29T${hour}:30:00Z` });
  const window = 'from=2027-03-29T00:00:00Z&to=2027-03-29T10:00:00Z';
  const titles = (page: { data: { title: string }[] }) => page.data.map(({ title }) => title);
  expect(titles(await list(window))).toEqual(['long', '08', '09']);
  const first = await list(`${window}&limit=2`);
  expect(titles(first)).toEqual(['long', '08']);
  expect(titles(await list(`${window}&limit=2&cursor=${first.next_cursor}`))).toEqual(['09']);
  expect(titles(await list(`${window}&sort=-start_at`))).toEqual(['09', '08', 'long']);
  // a day of the calendar's zone, Berlin: it begins when 'before' still lasts
  expect(titles(await list('from=2027-03-29&to=2027-03-29'))).toEqual(['long', 'before', '08', '09', '10']);
  expect((await list('from=2027-03-29T00:00:00Z&to=2029-03-29T10:00:00Z')).error.param).toBe('to');
  expect((await list('sort=updated_at')).error.param).toBe('sort');
});

it('invitees get one invitation each; who was invited before stays', async () => {
  const { create, api } = await world();
  const made = (await create({ invitees: [{ email: 'Ada@example.com', name: 'Ada' }] })).body;
  expect(made).toMatchObject({ invitee_count: 1 });
  const path = `${EVENTS}/${made.id}/invitees`;
  const again = await api.post(path, { invitees: [{ email: 'ada@example.com' }] });
  const { data: ofAgain, ...rest } = again.body as Json;
  expect([again.status, rest]).toEqual([200, { object: 'list', has_more: false, next_cursor: null }]);
  expect(ofAgain).toEqual([expect.objectContaining({ email: 'Ada@example.com', already_invited: true })]);
  const more = await api.post(path, { invitees: [{ email: 'ada@example.com' }, { email: 'bob@example.com', role: 'optional' }] });
  expect([more.status, more.body.data.map((one: Json) => one.already_invited)]).toEqual([201, [true, false]]);
  expect((await api.get(`${path}?email=BOB@example.com`)).body.data).toMatchObject([{ role: 'optional', response: 'needs_action' }]);
  const bob = more.body.data[1].id;
  await api.delete(`${EVENTS}/${made.id}`);
  // rotation of the key would not reach it
  const { rows } = await app.sql.query(
    `SELECT r.rows->0->>'token_hash' IS NOT NULL AS hashed, r.rows::text LIKE '%token_sealed%' AS sealed
     FROM deleted_rows r JOIN deleted_records d ON d.id = r.deleted_record_id
     WHERE d.record_id = $1 AND r.table_name = 'schedule_invitees'`,
    [made.id],
  );
  expect(rows).toEqual([{ hashed: true, sealed: false }]);
  const tried = await api.post(`${EVENTS}/${made.id}/restore`, undefined, { 'svc-dry-run': 'true' });
  expect(tried.body.would_send.map(({ to }: { to: string }) => to).sort()).toEqual(['Ada@example.com', 'bob@example.com']);
  expect((await api.post(`${EVENTS}/${made.id}/restore`)).status).toBe(200);
  expect((await api.delete(`${path}/${bob}`)).status).toBe(204);
  expect((await api.delete(`${path}/${bob}`)).status).toBe(404);
  expect((await api.get(`${EVENTS}/${made.id}`)).body).toMatchObject({ invitee_count: 1, sequence: 3 });
});

it('free slots end where events begin, and a booked slot is refused with what is in the way', async () => {
  const { calendar, room, create, api } = await world();
  const owner = api;
  const path = `${EXT_SCHEDULE}/calendars/${calendar.id}/availability`;
  // a Monday within the horizon of 60 days
  const monday = new Date(Date.now() + 14 * 86_400_000);
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7));
  const on = monday.toISOString().slice(0, 10);
  const query = `from=${on}T00:00:00Z&to=${on}T23:00:00Z&duration_minutes=60`;
  const before = (await owner.get(`${path}?${query}`)).body;
  expect(before).toMatchObject({ object: 'calendar_availability', duration_minutes: 60, timezone: 'Europe/Berlin', next_from: null });
  expect(before.slots).toHaveLength(15);
  await statements.recordStatements();
  // who asks for no time range gets the first slots
  const unasked = (await owner.get(path)).body;
  expect([unasked.duration_minutes, unasked.slots.length, typeof unasked.next_from]).toEqual([60, 25, 'string']);
  expect((await statements.takeStatements()).filter((text) => /\bschedule_/.test(text) && !text.startsWith('WITH due'))).toHaveLength(2);
  const taken = before.slots[4];
  expect(taken).toMatchObject({ resource_ids: [room.id], resource_count: 1 });
  const made = await create({ start_at: taken.start_at, end_at: taken.end_at, resource_ids: [room.id] });
  expect(made.status).toBe(201);
  const after = (await owner.get(`${path}?${query}&resource_id=${room.id}`)).body;
  expect(after.slots).toHaveLength(12);
  expect(after.busy).toEqual([{ resource_id: room.id, start_at: taken.start_at, end_at: taken.end_at }]);
  const days = (await owner.get(`${path}?from=${on}&to=${plusDays(on, 1)}&duration_minutes=60`)).body;
  expect(days.slots[0].start_at).toBe(after.slots[0].start_at);
  expect((await owner.get(`${path}?from=2027-01-01T00:00:00Z&to=2027-04-01T00:00:00Z`)).body.error.param).toBe('to');
  expect((await owner.get(`${path}?resource_id=${calendar.id}`)).body.error.param).toBe('resource_id');
});

it('a series has its custom fields at each instance, by which lists are filtered and sorted', async () => {
  const { space, api, create, list } = await world();
  const screen = await space.signIn();
  const field = { resource: 'event', key: 'region', label: 'Region', type: 'text', filterable: true };
  expect((await screen.post('/api/v1/org/custom-fields', field)).status).toBe(201);
  const { body: series } = await create({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' }, custom_fields: { region: 'emea' } });
  await create({ start_at: '2027-03-30T09:00:00+02:00', end_at: '2027-03-30T10:00:00+02:00' });
  const shown = async (query: string) =>
    (await list(`${MARCH}&custom_fields.region=${query}`)).data.map((event: Json) => (event['custom_fields'] as Json)['region']);
  expect([await shown('emea'), await shown('none')]).toEqual([['emea', 'emea', 'emea'], [undefined]]);
  await create({ start_at: '2027-03-31T09:00:00+02:00', end_at: '2027-03-31T10:00:00+02:00', custom_fields: { region: 'apac' } });
  const sorted = async (query: string) => {
    const regions: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`${MARCH}&limit=2&include_total=true&sort=${query}${cursor}`);
      expect(page.total_count).toBe(5);
      regions.push(...page.data.map((event: Json) => (event['custom_fields'] as Json)['region']));
      if (!page.has_more) return regions;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  };
  expect(await sorted('custom_fields.region')).toEqual(['apac', 'emea', 'emea', 'emea', undefined]);
  expect(await sorted('-custom_fields.region')).toEqual(['emea', 'emea', 'emea', 'apac', undefined]);
  const [, second] = (await list(`${MARCH}&custom_fields.region=emea`)).data;
  const change = (body: Json) => api.patch(`${EVENTS}/${second.id}`, { custom_fields: { region: 'apac' }, ...body });
  expect((await change({})).body.error).toMatchObject({ param: 'custom_fields' });
  expect((await change({ apply_to: 'following' })).body).toMatchObject({ custom_fields: { region: 'apac' }, version: 1 });
  expect((await api.get(`${EVENTS}/${series.id}`)).body.custom_fields).toEqual({ region: 'emea' });
  expect([await shown('emea'), await shown('apac')]).toEqual([['emea'], ['apac', 'apac', 'apac']]);
});
