import { expect, it } from '@jest/globals';
import type { Json } from '../../../../test/harness/api-document.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource } from '../testing/schedule-fixture.js';

const app = await sharedApp();
const EVENTS = `${EXT_SCHEDULE}/events`;
const WINDOW = 'from=2027-03-01T00:00:00Z&to=2027-06-01T00:00:00Z&limit=100';

/** Mondays at 09:00 in Berlin: 15, 22 and 29 March, 5 and 12 April 2027. Summer time begins on 28 March. */
async function weekly(values: Json = {}) {
  const space = await app.workspace();
  const calendar = await makeCalendar(space);
  const rooms = [await makeResource(space, calendar.id), await makeResource(space, calendar.id, { name: 'Room Grace' })];
  const { client: api } = await space.key({ module: 'schedule' });
  const create = (body: Json) =>
    api.post(EVENTS, {
      calendar_id: calendar.id,
      title: 'Standup',
      start_at: '2027-03-15T09:00',
      end_at: '2027-03-15T09:30',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
      ...body,
    });
  const made = await create(values);
  const list = async () => (await api.get(`${EXT_SCHEDULE}/calendars/${calendar.id}/events?${WINDOW}`)).body.data as Instance[];
  const starts = async () => (await list()).map(({ start_at }) => start_at.slice(5, 16));
  const events = async () => {
    const { body } = await (await space.signIn()).get('/api/v1/org/developer/events?sort=created_at&limit=100');
    return (body.data as { type: string; data: { object: Json; context: Json } }[]).filter(({ type }) => type.startsWith('event.'));
  };
  return { space, calendar, rooms, api, create, made, list, starts, events };
}

interface Instance extends Json {
  id: string;
  start_at: string;
}

const FIVE = ['03-15T08:00', '03-22T08:00', '03-29T07:00', '04-05T07:00', '04-12T07:00'];

it('a series keeps its local time across a change of clocks; each instance has an id of its own', async () => {
  const { made, list, starts, api } = await weekly();
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      series_id: null,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', exdates: [] },
      start_at: '2027-03-15T08:00:00.000Z',
    }),
  ]);
  expect(await starts()).toEqual(FIVE);
  const instances = await list();
  expect(new Set(instances.map(({ id }) => id)).size).toBe(5);
  expect(instances[2]).toMatchObject({
    series_id: made.body.id,
    original_start_at: '2027-03-29T07:00:00.000Z',
    original_on: '2027-03-29',
    recurrence: null,
    start_local: '2027-03-29T09:00:00',
    utc_offset: '+02:00',
  });
  expect((await api.get(`${EVENTS}/${instances[2].id}`)).body).toEqual(instances[2]);
  expect((await api.get(`${EVENTS}/${made.body.id}`)).body).toEqual(made.body);
});

it('a rule that cannot be is refused, and the part is named', async () => {
  const { create } = await weekly();
  const message = async (rrule: string, more: Json = {}) => (await create({ recurrence: { rrule, ...more } })).body.error;
  expect(await message('FREQ=YEARLY;COUNT=2')).toMatchObject({ param: 'recurrence.rrule', message: expect.stringContaining('FREQ') });
  expect(await message('FREQ=WEEKLY')).toMatchObject({ message: expect.stringContaining('COUNT or UNTIL') });
  expect(await message('FREQ=WEEKLY;BYDAY=TU;COUNT=3')).toMatchObject({ message: expect.stringContaining('2027-03-16') });
  expect(await message('FREQ=DAILY;COUNT=367')).toMatchObject({ message: expect.stringContaining('COUNT') });
  expect(await message('FREQ=WEEKLY;COUNT=1', { exdates: ['2027-03-15'] })).toMatchObject({ param: 'recurrence.exdates' });
});

it('this: one instance differs, and the others stay; its versions are those of the series', async () => {
  const { made, list, starts, api, events } = await weekly();
  const { id } = (await list())[1];
  const moved = await api.patch(`${EVENTS}/${id}`, { title: 'Special', start_at: '2027-03-23T10:00' });
  expect(moved.body).toMatchObject({
    id,
    title: 'Special',
    start_at: '2027-03-23T09:00:00.000Z',
    original_on: '2027-03-22',
    sequence: 1,
    version: 2,
  });
  expect(await starts()).toEqual([FIVE[0], '03-23T09:00', ...FIVE.slice(2)]);
  expect((await api.get(`${EVENTS}/${made.body.id}`)).body).toMatchObject({ title: 'Standup', version: 2 });
  // a new text of all leaves the instance its own
  await api.patch(`${EVENTS}/${made.body.id}`, { title: 'Daily', location: 'Hall' });
  expect((await list()).map(({ title, location }) => [title, location])).toEqual([
    ['Daily', 'Hall'],
    ['Special', 'Hall'],
    ...Array.from({ length: 3 }, () => ['Daily', 'Hall']),
  ]);
  const refused = async (body: Json) => (await api.patch(`${EVENTS}/${id}`, body)).body.error.param;
  expect(await refused({ start_at: '2027-03-29T08:00' })).toBe('start_at');
  expect(await refused({ start_at: '2027-03-14T08:00' })).toBe('start_at');
  expect(await refused({ show_as: 'free' })).toBe('show_as');
  expect(await refused({ recurrence: null })).toBe('recurrence');
  expect((await events()).map(({ type, data }) => [type, data.context])).toEqual([
    ['event.created', { split_from: null }],
    ['event.updated', { apply_to: 'this', instance_ids: [id] }],
    ['event.updated', { apply_to: 'all', instance_ids: [] }],
  ]);
});

it('all: a new time of day moves every instance; their ids and texts stay, times of their own do not', async () => {
  const { made, list, starts, api } = await weekly();
  const before = await list();
  await api.patch(`${EVENTS}/${before[1].id}`, { title: 'Special', start_at: '2027-03-23T10:00' });
  await api.delete(`${EVENTS}/${before[4].id}`);
  // sent for an instance, it is the time of day that all get
  const changed = await api.patch(`${EVENTS}/${before[3].id}?`, { apply_to: 'all', start_at: '2027-04-05T11:00' });
  expect(changed.status).toBe(200);
  expect(await starts()).toEqual(['03-15T10:00', '03-22T10:00', '03-29T09:00', '04-05T09:00']);
  const after = await list();
  expect(after.map(({ id }) => id)).toEqual(before.slice(0, 4).map(({ id }) => id));
  expect(after[1].title).toBe('Special');
  const series = (await api.get(`${EVENTS}/${made.body.id}`)).body;
  expect(series.recurrence).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=5', exdates: ['2027-04-12'] });
  await api.patch(`${EVENTS}/${made.body.id}`, { timezone: 'America/New_York' });
  expect(await starts()).toEqual(['03-15T15:00', '03-22T15:00', '03-29T15:00', '04-05T15:00']);
  await api.patch(`${EVENTS}/${made.body.id}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2', exdates: [] } });
  expect(await starts()).toEqual(['03-15T15:00', '03-22T15:00']);
  await api.patch(`${EVENTS}/${made.body.id}`, { recurrence: null });
  expect(await list()).toMatchObject([{ id: made.body.id, series_id: null, recurrence: null }]);
});

it('following: the series is cut and continued by another one, which keeps ids, rooms and invitees', async () => {
  const { made, rooms, list, api, events, create } = await weekly({ invitees: [{ email: 'ada@example.com' }] });
  const [ada, grace] = rooms;
  await api.patch(`${EVENTS}/${made.body.id}`, { resource_ids: [ada.id] });
  const before = await list();
  const changed = await api.patch(`${EVENTS}/${before[2].id}`, { apply_to: 'following', title: 'New', resource_ids: [grace.id] });
  expect(changed.body).toMatchObject({
    series_id: null,
    title: 'New',
    invitee_count: 1,
    start_at: '2027-03-29T07:00:00.000Z',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', exdates: [] },
  });
  const next = changed.body.id;
  expect(next).not.toBe(made.body.id);
  expect((await api.get(`${EVENTS}/${made.body.id}`)).body.recurrence.rrule).toBe('FREQ=WEEKLY;UNTIL=20270322T080000Z');
  const after = await list();
  expect(after.map(({ id, series_id, title, resource_ids }) => [id, series_id, title, resource_ids])).toEqual(
    before.map(({ id }, index) => (index < 2 ? [id, made.body.id, 'Standup', [ada.id]] : [id, next, 'New', [grace.id]])),
  );
  const single = { recurrence: null, start_at: '2027-03-29T09:00', end_at: '2027-03-29T09:30' };
  expect((await create({ ...single, resource_ids: [grace.id] })).status).toBe(409);
  expect((await create({ ...single, resource_ids: [ada.id] })).status).toBe(201);
  const seen = (await events()).map(({ type, data }) => [type, data.context.split_from ?? data.context.apply_to ?? null]);
  expect(seen.slice(1, 4)).toEqual([
    ['event.updated', 'all'],
    ['event.updated', 'following'],
    ['event.created', made.body.id],
  ]);
  // at the first instance it is a change of all
  const whole = await api.patch(`${EVENTS}/${after[0].id}`, { apply_to: 'following', title: 'Whole' });
  expect(whole.body).toMatchObject({ id: after[0].id, title: 'Whole' });
});

it('following: times and a rule that are sent unchanged leave later dates where they were moved to', async () => {
  const { list, starts, api } = await weekly();
  const [, second, , fourth] = await list();
  await api.patch(`${EVENTS}/${fourth.id}`, { start_at: '2027-04-06T10:00' });
  const moved = [...FIVE.slice(0, 3), '04-06T08:00', FIVE[4]];
  const times = { start_at: '2027-03-22T08:00:00Z', end_at: '2027-03-22T08:30:00Z', timezone: 'Europe/Berlin' };
  const sent = { ...times, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } };
  const changed = await api.patch(`${EVENTS}/${second.id}`, { apply_to: 'following', title: 'New', ...sent });
  expect(changed.body).toMatchObject({ title: 'New', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } });
  expect(await starts()).toEqual(moved);
  // a new rule is a change
  const [, , third] = await list();
  await api.patch(`${EVENTS}/${third.id}`, { apply_to: 'following', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } });
  expect(await starts()).toEqual(FIVE.slice(0, 4));
});

it('one conflict refuses the whole series; exdates leave the date out', async () => {
  const { rooms, create, starts } = await weekly();
  const taken = { recurrence: null, start_at: '2027-04-05T09:15', end_at: '2027-04-05T10:00', resource_ids: [rooms[0].id] };
  expect((await create(taken)).status).toBe(201);
  const refused = await create({ resource_ids: [rooms[0].id] });
  expect([refused.status, refused.body.error.conflicts]).toEqual([
    409,
    [expect.objectContaining({ start_at: '2027-04-05T07:15:00.000Z' })],
  ]);
  expect(await starts()).toHaveLength(6);
  const made = await create({ resource_ids: [rooms[0].id], recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', exdates: ['2027-04-05'] } });
  expect(made.status).toBe(201);
  expect(await starts()).toHaveLength(10);
});

it('deleting one date, the following ones and all', async () => {
  const { made, list, starts, api, events } = await weekly();
  const [, second, , fourth] = await list();
  expect((await api.delete(`${EVENTS}/${second.id}`)).status).toBe(204);
  expect(await starts()).toEqual([FIVE[0], ...FIVE.slice(2)]);
  expect((await api.get(`${EVENTS}/${second.id}`)).status).toBe(404);
  expect((await api.delete(`${EVENTS}/${fourth.id}?apply_to=following`)).status).toBe(204);
  expect(await starts()).toEqual([FIVE[0], FIVE[2]]);
  const series = (await api.get(`${EVENTS}/${made.body.id}`)).body;
  expect(series.recurrence).toEqual({ rrule: 'FREQ=WEEKLY;UNTIL=20270329T070000Z', exdates: ['2027-03-22'] });
  expect((await api.delete(`${EVENTS}/${made.body.id}?apply_to=this`)).body.error.param).toBe('apply_to');
  for (const { id } of await list()) expect((await api.delete(`${EVENTS}/${id}`)).status).toBe(204);
  expect((await api.get(`${EVENTS}/${made.body.id}`)).status).toBe(404);
  expect((await events()).slice(1).map(({ type, data }) => [type, data.context.apply_to, data.context.original_start_at])).toEqual([
    ['event.deleted', 'this', '2027-03-22T08:00:00.000Z'],
    ['event.deleted', 'following', '2027-04-05T07:00:00.000Z'],
    ['event.deleted', 'this', '2027-03-15T08:00:00.000Z'],
    ['event.deleted', 'all', null],
  ]);
});

it('an all-day series moves by dates', async () => {
  const { create, list, api } = await weekly();
  const [first] = await list();
  await api.delete(`${EVENTS}/${first.id}?apply_to=all`);
  const days = { start_at: undefined, end_at: undefined, all_day: true, start_on: '2027-03-26', end_on: '2027-03-28' };
  const made = await create({ ...days, recurrence: { rrule: 'FREQ=DAILY;INTERVAL=7;COUNT=3' } });
  expect(made.body).toMatchObject({ start_on: '2027-03-26', end_on: '2027-03-28', start_at: null });
  const instances = await list();
  expect(instances.map(({ start_on, end_on, original_on }) => [start_on, end_on, original_on])).toEqual([
    ['2027-03-26', '2027-03-28', '2027-03-26'],
    ['2027-04-02', '2027-04-04', '2027-04-02'],
    ['2027-04-09', '2027-04-11', '2027-04-09'],
  ]);
  const moved = await api.patch(`${EVENTS}/${instances[1].id}`, { start_on: '2027-04-03' });
  expect(moved.body).toMatchObject({ start_on: '2027-04-03', end_on: '2027-04-05', original_on: '2027-04-02' });
  expect((await api.patch(`${EVENTS}/${instances[1].id}`, { start_on: '2027-04-09' })).body.error.param).toBe('start_on');
});
