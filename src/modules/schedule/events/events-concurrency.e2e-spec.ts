import { expect, it } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../testing/schedule-fixture.js';

const app = await sharedApp();
const EVENTS = `${EXT_SCHEDULE}/events`;

async function world() {
  const space = await app.workspace();
  const calendar = await makeCalendar(space);
  const { client: api } = await space.key({ module: 'schedule', rate_limit_per_minute: 6000 });
  const create = (resource_ids: string[], hour = '09') =>
    api.post(EVENTS, {
      calendar_id: calendar.id,
      title: 'Race',
      resource_ids,
      start_at: `2027-03-29T${hour}:00:00Z`,
      end_at: `2027-03-29T${hour}:30:00Z`,
    });
  return { space, calendar, api, create };
}

const countOf = (statuses: number[]) =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((s) => s === one).length]));

it('two hundred writers of one room: one wins, the others learn what is in the way', async () => {
  const { space, calendar, create } = await world();
  const room = await makeResource(space, calendar.id);
  // on a slow machine the last ones wait too long for a connection of the pool
  const answered = async () => {
    for (;;) {
      const answer = await create([room.id]);
      if (answer.status !== 503) return answer;
    }
  };
  const answers = await Promise.all(Array.from({ length: 200 }, answered));
  expect(countOf(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 199 });
  const winner = answers.find(({ status }) => status === 201)?.body.id as string;
  const named = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.conflicts[0].event_id as string);
  expect(new Set(named)).toEqual(new Set([winner]));
});

it('as many writers as a class holds win', async () => {
  const { space, calendar, create } = await world();
  const room = await makeResource(space, calendar.id, { capacity: 8 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => create([room.id])));
  expect(countOf(answers.map(({ status }) => status))).toEqual({ 201: 8, 409: 32 });
});

it('edits that swap two rooms never deadlock and never use a room twice', async () => {
  const { space, calendar, api, create } = await world();
  const [ada, grace] = [await makeResource(space, calendar.id), await makeResource(space, calendar.id, { name: 'Grace' })];
  const [one, other] = [(await create([ada.id])).body.id as string, (await create([grace.id])).body.id as string];
  const statuses: number[] = [];
  for (let round = 0; round < 15; round++) {
    const to = round % 2 === 0 ? [grace.id, ada.id] : [ada.id, grace.id];
    const edits = await Promise.all([
      api.patch(`${EVENTS}/${one}`, { resource_ids: [to[0]] }),
      api.patch(`${EVENTS}/${other}`, { resource_ids: [to[1]] }),
      api.patch(`${EVENTS}/${one}`, { resource_ids: [] }),
      api.patch(`${EVENTS}/${other}`, { resource_ids: [to[1], to[0]] }),
    ]);
    statuses.push(...edits.map(({ status }) => status));
  }
  expect(Object.keys(countOf(statuses)).filter((status) => !['200', '409'].includes(status))).toEqual([]);
  const { rows } = await app.sql.query<{ twice: number }>(
    `SELECT count(*)::int AS twice FROM schedule_occupancies a JOIN schedule_occupancies b
       ON b.resource_id = a.resource_id AND b.id > a.id AND b.span && a.span AND b.mode = a.mode
     WHERE a.resource_id = ANY ($1)`,
    [[ada.id, grace.id]],
  );
  expect(rows).toEqual([{ twice: 0 }]);
});

it('the table itself refuses a second use of a room with capacity 1', async () => {
  const { space, calendar, create } = await world();
  const room = await makeResource(space, calendar.id);
  const { id } = (await create([room.id])).body;
  const copy = `INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
    SELECT gen_random_uuid(), organization_id, project_id, mode, resource_id, instance_id, span, exclusive
    FROM schedule_occupancies WHERE instance_id = $1`;
  await expect(app.sql.query(copy, [id])).rejects.toMatchObject({ code: '23P01' });
});

it('every use counts, however many there are before the date that is full', async () => {
  const { space, calendar, api, create } = await world();
  const room = await makeResource(space, calendar.id, { capacity: 60 });
  const { id } = (await create([room.id], '12')).body;
  // 55 uses on each of 366 days and 60 on the last
  await app.sql.query(
    `INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
     SELECT gen_random_uuid(), organization_id, project_id, mode, resource_id, instance_id,
       tstzrange(day + use * interval '1 second', day + interval '30 minutes'), exclusive
     FROM schedule_occupancies, generate_series('2027-04-01T09:00:00Z', '2028-03-31T09:00:00Z', interval '1 day') AS day,
       generate_series(1, 60) AS use
     WHERE instance_id IN (SELECT id FROM schedule_instances WHERE event_id = $1) AND (use <= 55 OR day = '2028-03-31T09:00:00Z')`,
    [id],
  );
  const daily = (count: number) =>
    api.post(EVENTS, {
      calendar_id: calendar.id,
      title: 'Daily',
      resource_ids: [room.id],
      timezone: 'UTC',
      start_at: '2027-04-01T09:00:00Z',
      end_at: '2027-04-01T09:30:00Z',
      recurrence: { rrule: `FREQ=DAILY;COUNT=${count}` },
    });
  const full = await daily(366);
  expect([full.status, full.body.error?.code]).toEqual([409, 'resource_conflict']);
  expect(full.body.error.conflicts[0]).toMatchObject({ resource_id: room.id, event_id: id });
  expect((await daily(365)).status).toBe(201);
});

it('a change of the capacity has the mutexes of both modes before it locks the row, as writers of events do', async () => {
  const { space, calendar } = await world();
  const room = await makeResource(space, calendar.id, { capacity: 2 });
  const owner = await space.signIn();
  const holder = await app.sql.connect();
  try {
    await holder.query('BEGIN');
    const { rows } = await holder.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid FROM schedule_resources WHERE id = $1 FOR UPDATE',
      [room.id],
    );
    const change = owner.patch(`${ORG_SCHEDULE}/calendars/${calendar.id}/resources/${room.id}`, { capacity: 3 });
    const waiting = () =>
      app.sql.query<{ mutexes: number }>(
        `SELECT (SELECT count(*)::int FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.granted) AS mutexes
         FROM pg_stat_activity a WHERE a.wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(a.pid))`,
        [rows[0].pid],
      );
    expect((await eventually(waiting, ({ rowCount }) => rowCount === 1)).rows).toEqual([{ mutexes: 2 }]);
    await holder.query('COMMIT');
    expect((await change).body).toMatchObject({ capacity: 3 });
  } finally {
    holder.release(true);
  }
});

it('a change of an event waits for what is noted on its invitees at the same time', async () => {
  const { calendar, api } = await world();
  const { body: event } = await api.post(EVENTS, {
    calendar_id: calendar.id,
    title: 'Review',
    start_at: '2027-05-03T09:00:00Z',
    end_at: '2027-05-03T10:00:00Z',
    invitees: [{ email: 'ada@example.com' }],
  });
  const holder = await app.sql.connect();
  try {
    await holder.query('BEGIN');
    const { rows } = await holder.query<{ pid: number }>(
      `UPDATE schedule_invitees SET invitation_status = 'sent', version = version + 1 WHERE event_id = $1
       RETURNING pg_backend_pid() AS pid`,
      [event.id],
    );
    const change = api.patch(`${EVENTS}/${event.id}`, { start_at: '2027-05-03T11:00:00Z', end_at: '2027-05-03T12:00:00Z' });
    const waiting = () => app.sql.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0].pid]);
    await eventually(waiting, ({ rowCount }) => rowCount === 1);
    await holder.query('COMMIT');
    const { body, status } = await change;
    expect([status, body.start_at]).toEqual([200, '2027-05-03T11:00:00.000Z']);
  } finally {
    holder.release(true);
  }
});
