import { expect, test } from '@jest/globals';
import type { Json } from '../../../../test/harness/api-document.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import { EXT_SCHEDULE, makeCalendar, makeResource } from '../testing/schedule-fixture.js';

const app = await sharedApp();
const EVENTS = `${EXT_SCHEDULE}/events`;
const NOW = new Date('2019-07-01T12:00:00Z');

/** A calendar in Brazil, which abolished summer time in April 2019, and an event that was planned in 2018. */
async function planned(values: Json) {
  const space = await app.workspace();
  const calendar = await makeCalendar(space, { owner_id: space.owner.id, timezone: 'America/Sao_Paulo' });
  const room = await makeResource(space, calendar.id);
  const { client: api } = await space.key({ module: 'schedule' });
  const create = async (body: Json) => {
    const { body: made, status } = await api.post(EVENTS, { calendar_id: calendar.id, title: 'Review', ...body });
    expect([status, made.error]).toEqual([201, undefined]);
    return made;
  };
  const event = await create({ invitees: [{ email: 'ada@example.com' }], ...values });
  const hour = (columns: string[]) => columns.map((column) => `${column} = ${column} - interval '1 hour'`).join(', ');
  const summer = `start_at > '2019-11-03'`;
  await app.sql.query(
    `UPDATE schedule_instances SET ${hour(['start_at', 'end_at', 'original_start_at'])} WHERE event_id = $1 AND ${summer}`,
    [event.id],
  );
  await app.sql.query(`UPDATE schedule_events SET ${hour(['start_at', 'end_at'])} WHERE id = $1 AND ${summer}`, [event.id]);
  await app.sql.query(`UPDATE schedule_events SET tz_release = '2018e' WHERE id = $1`, [event.id]);
  await app.sql.query(
    `UPDATE schedule_occupancies o SET span = tstzrange(i.start_at, i.end_at)
     FROM schedule_instances i WHERE i.id = o.instance_id AND i.event_id = $1`,
    [event.id],
  );
  const starts = async () => {
    const { rows } = await app.sql.query<{ at: Date }>('SELECT start_at AS at FROM schedule_instances WHERE event_id = $1 ORDER BY 1', [
      event.id,
    ]);
    return rows.map(({ at }) => at.toISOString().slice(0, 16));
  };
  const mails = async (subject: string) =>
    (
      await app.sql.query('SELECT recipient, text, calendar FROM mails WHERE organization_id = $1 AND subject = $2', [
        space.organizationId,
        subject,
      ])
    ).rows;
  return { space, room, api, create, event, starts, mails, follow: () => app.runScheduledJob('schedule.follow_zones', NOW) };
}

test('an event at a local time moves with its clocks, and its invitees learn of that', async () => {
  const local = { start_at: '2019-11-04T09:00', end_at: '2019-11-04T10:00' };
  const { space, event, starts, mails, follow, api } = await planned(local);
  expect(await starts()).toEqual(['2019-11-04T11:00']);
  for (let round = 0; round < 2; round++) await follow();
  expect(await starts()).toEqual(['2019-11-04T12:00']);
  expect((await api.get(`${EVENTS}/${event.id}`)).body).toMatchObject({
    start_at: '2019-11-04T12:00:00.000Z',
    end_at: '2019-11-04T13:00:00.000Z',
    start_local: '2019-11-04T09:00:00',
    sequence: 1,
  });
  const [mail, ...more] = await mails('Changed: Review');
  expect([mail.recipient, more]).toEqual(['ada@example.com', []]);
  expect(mail.calendar).toContain('DTSTART:20191104T120000Z');
  expect(mail.calendar).toContain('SEQUENCE:1');
  const updates = (await eventsOf(app, space)).filter(({ type }) => type === 'event.updated');
  expect(updates.map(({ data }) => [data.previous_attributes, data.context])).toEqual([
    [expect.objectContaining({ start_at: '2019-11-04T11:00:00.000Z' }), { apply_to: 'all', instance_ids: [] }],
  ]);
});

test('an event that follows a newer release stays', async () => {
  const { event, starts, follow } = await planned({ start_at: '2019-11-04T09:00', end_at: '2019-11-04T10:00' });
  await app.sql.query(`UPDATE schedule_events SET tz_release = '9999a' WHERE id = $1`, [event.id]);
  await follow();
  expect(await starts()).toEqual(['2019-11-04T11:00']);
  const { rows } = await app.sql.query('SELECT tz_release FROM schedule_events WHERE id = $1', [event.id]);
  expect(rows).toEqual([{ tz_release: '9999a' }]);
});

test('of a series, only dates to come that are elsewhere move', async () => {
  const series = { start_at: '2019-06-10T09:00', end_at: '2019-06-10T10:00', recurrence: { rrule: 'FREQ=MONTHLY;BYDAY=2MO;COUNT=7' } };
  const { starts, follow } = await planned(series);
  expect((await starts()).slice(-3)).toEqual(['2019-10-14T12:00', '2019-11-11T11:00', '2019-12-09T11:00']);
  await follow();
  const all = ['06-10', '07-08', '08-12', '09-09', '10-14', '11-11', '12-09'].map((day) => `2019-${day}T12:00`);
  expect(await starts()).toEqual(all);
});

test('a past event is passed over once and for all, without a trace', async () => {
  const { event, follow, api } = await planned({ start_at: '2019-06-10T09:00', end_at: '2019-06-10T10:00' });
  const { body: before } = await api.get(`${EVENTS}/${event.id}`);
  await follow();
  const { rows } = await app.sql.query('SELECT tz_release FROM schedule_events WHERE id = $1', [event.id]);
  expect(rows).toEqual([{ tz_release: process.versions.tz }]);
  expect((await api.get(`${EVENTS}/${event.id}`)).body).toEqual(before);
});

test('an event given as an instant stays', async () => {
  const { event, starts, follow } = await planned({ start_at: '2019-11-04T09:00:00-02:00', end_at: '2019-11-04T10:00:00-02:00' });
  expect(event.sequence).toBe(0);
  const before = await starts();
  await follow();
  expect(await starts()).toEqual(before);
});

test('a move that would conflict is left to the organizer', async () => {
  const local = { start_at: '2019-11-04T09:00', end_at: '2019-11-04T10:00' };
  const { space, room, create, event, starts, mails, follow, api } = await planned(local);
  await api.patch(`${EVENTS}/${event.id}`, { resource_ids: [room.id] });
  await create({ start_at: '2019-11-04T12:30:00Z', end_at: '2019-11-04T13:00:00Z', resource_ids: [room.id] });
  for (let round = 0; round < 2; round++) await follow();
  expect(await starts()).toEqual(['2019-11-04T11:00']);
  const [mail, ...more] = await mails('Not moved: Review');
  expect([mail.recipient, more]).toEqual([space.owner.email, []]);
  expect(mail.text).toContain('The rules of the time zone America/Sao_Paulo have changed.');
  expect(await mails('Changed: Review')).toEqual([]);
});
