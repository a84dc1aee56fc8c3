import {
  changedFrom,
  DomainError,
  Mails,
  ScheduledJob,
  Store,
  TZ_RELEASE,
  sql,
  table,
  own,
  organizationNameOf,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
  type Tx,
  type UnscopedSql,
} from '../../../kit/index.js';
import { publish } from '../calendars/publish.js';
import { EventAccess, type NamedEvent } from '../event-views/event-access.js';
import { CalendarEventEvents } from '../event-views/calendar-events.events.js';
import { eventView } from '../event-views/event-view.js';
import { EventChanges } from '../events/event-changes.js';
import { EventInstances, resourcesOf } from '../events/event-instances.js';
import type { PlannedInstance } from '../events/series.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { eventMail, onlyReaderOf } from '../invitations/event-mails.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { moveByZone, timesByZone } from './zone-times.js';

interface DueEvent extends DueRow {
  organization: string;
}

/** Marks past events as handled, from the last one of the batch before; returns the last one. Nothing visible in the API changes. */
const passOverPast = (now: Date, last: LastPassed) => sql.unscoped('past events of all organizations')`
  WITH batch AS (
    SELECT e.tz_release, e.id FROM ${table(ScheduleEvent)} e
    WHERE e.wall_clock AND e.tz_release < ${TZ_RELEASE} AND (e.tz_release, e.id) > (${last.tz_release}, ${last.id}::uuid)
    ORDER BY e.tz_release, e.id LIMIT 5000
  ), passed AS (
    UPDATE ${table(ScheduleEvent)} past SET tz_release = ${TZ_RELEASE} FROM batch b
    WHERE past.id = b.id AND past.tz_release < ${TZ_RELEASE}
      AND NOT EXISTS (SELECT 1 FROM ${table(Instance)} i WHERE i.event_id = past.id AND i.start_at > ${now})
  )
  SELECT b.tz_release, b.id FROM batch b ORDER BY b.tz_release DESC, b.id DESC LIMIT 1`;

interface LastPassed {
  tz_release: string;
  id: string;
}

/**
 * After a new release of the time zone database, moves future wall-clock events to the instants at which their local time now is. Events
 * that would then conflict are not moved, and the organizer is notified. Events that a process with a newer release has handled are left
 * alone, so that processes with different releases do not undo each other's moves.
 */
@ScheduledJob({
  name: 'schedule.follow_zones',
  everySeconds: 3600,
})
export class FollowZones implements ScheduledJobHandler<DueEvent> {
  constructor(
    private readonly store: Store,
    private readonly access: EventAccess,
    private readonly changes: EventChanges,
    private readonly eventInstances: EventInstances,
    private readonly mails: Mails,
  ) {}

  /** Past events never move, so they need not be looked at in every run. */
  async prepare(unscoped: UnscopedSql, now: Date, signal: AbortSignal): Promise<void> {
    let last: LastPassed | undefined = { tz_release: '', id: '00000000-0000-0000-0000-000000000000' };
    while (last) {
      signal.throwIfAborted();
      [last] = await unscoped.query<LastPassed>(passOverPast(now, last));
    }
  }

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT e.id, e.organization_id, e.project_id, e.mode, ${organizationNameOf('e')} AS organization
      FROM ${table(ScheduleEvent)} e
      WHERE e.wall_clock AND e.tz_release < ${TZ_RELEASE}
        AND EXISTS (SELECT 1 FROM ${table(Instance)} i WHERE i.event_id = e.id AND i.start_at > ${now})`;
  }

  handle(ctx: Ctx, { id, organization }: DueEvent, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const named = await this.changes.begin(ctx, tx, await this.access.get(ctx, id, tx));
      const { event } = named;
      if (event.tz_release >= TZ_RELEASE) return;
      // not a visible change, so the version stays the same
      await tx.sql(sql`UPDATE ${table(ScheduleEvent)} e SET tz_release = ${TZ_RELEASE} WHERE ${own('e')} AND e.id = ${id}`);
      const future = await tx.list(Instance, { event_id: id }, sql`t.start_at > ${now}`);
      const moved = future.flatMap((instance) => moveByZone(event, instance) ?? []);
      if (moved.length === 0) return;
      try {
        await tx.attempt(() => this.move(ctx, tx, named, moved, now));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        await this.tellOrganizer(ctx, tx, event, organization);
      }
    });
  }

  private async move(ctx: Ctx, tx: Tx, { event, calendar }: NamedEvent, moved: readonly PlannedInstance[], now: Date): Promise<void> {
    const before = eventView(event, null);
    const times = event.start_at > now ? timesByZone(event) : {};
    const changed = await tx.advanced.touch(event, { ...times, sequence: event.sequence + 1, tz_release: TZ_RELEASE });
    await this.eventInstances.rewrite(ctx, tx, calendar, changed, moved, { known: await resourcesOf(tx, event), vanished: [] });
    const after = eventView(changed, null);
    publish(tx, calendar, CalendarEventEvents.updated, {
      object: after,
      previous: changedFrom(before, after),
      context: { apply_to: 'all', instance_ids: event.rrule === null ? [] : moved.map(({ id }) => id) },
    });
    await this.changes.follow(ctx, tx, event, changed);
  }

  private async tellOrganizer(ctx: Ctx, tx: Tx, event: ScheduleEvent, organization: string): Promise<void> {
    if (!event.organizer) return;
    const opening =
      `The rules of the time zone ${event.timezone} have changed. The event should keep its local time, but would then conflict with ` +
      'another one, so it keeps its time in UTC. Please move it.';
    const mail = { to: event.organizer.email, as: 'host' as const, subject: `Not moved: ${event.title}`, opening };
    const instances = await this.changes.instancesOf(tx, event);
    const onlyReader = onlyReaderOf(await tx.get(Calendar, event.calendar_id));
    await this.mails.send(ctx, tx, eventMail({ event, instance: null, instances, organization, onlyReader }, mail));
  }
}
