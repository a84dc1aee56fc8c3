import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { invalid, MINUTE_MS, own, sql, table, type Ctx, type Sql, type Tx } from '../../../kit/index.js';
import type { Span } from '../time/spans.js';
import { isVisible, OWNER_LEFT } from '../calendars/calendar-access.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Occupancy, OCCUPANCY_INDEXES } from '../model/records/occupancy.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { Resource } from '../model/setup/resource.entity.js';
import { requireFreeCalendar, requireFreePeople, requireFreeResources, type NewUse } from '../occupancies/conflicts.js';
import { lockCalendarsAndResources } from '../model/setup/schedule-locks.js';
import type { PlannedInstance } from './series.js';

const writeInstances = (event: ScheduleEvent, rows: readonly object[]) => sql`
  INSERT INTO ${table(Instance)} AS i (id, organization_id, project_id, mode, event_id, calendar_id, original_start_at,
    original_start_local, start_at, end_at, start_local, end_on, status, busy, resource_ids, overrides, search)
  SELECT r.id, ${own.organization}, ${event.project_id}, ${own.mode}, ${event.id}, ${event.calendar_id}, r.original_start_at,
    r.original_start_local, r.start_at, r.end_at, r.start_local, r.end_on, r.status, r.busy, r.resource_ids, r.overrides,
    schedule_search(r.title, r.location)
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, original_start_at timestamptz, original_start_local text,
    start_at timestamptz, end_at timestamptz, start_local text, end_on date, status text, busy boolean, resource_ids uuid[],
    overrides jsonb, title text, location text)
  ON CONFLICT (id) DO UPDATE SET event_id = excluded.event_id, original_start_at = excluded.original_start_at,
    original_start_local = excluded.original_start_local, start_at = excluded.start_at, end_at = excluded.end_at,
    start_local = excluded.start_local, end_on = excluded.end_on, status = excluded.status, busy = excluded.busy,
    resource_ids = excluded.resource_ids, overrides = excluded.overrides, search = excluded.search, updated_at = now(),
    version = i.version + 1
  WHERE ${own('i')}`;

/** What `EventInstances.write` needs of resources. */
interface UsableResource extends Pick<
  Resource,
  'id' | 'project_id' | 'active' | 'capacity' | 'buffer_before_minutes' | 'buffer_after_minutes' | 'member_id'
> {
  /** Of the calendar of the event. */
  buffer_before: number;
  buffer_after: number;
}

/** The resources that may be used, as they are under the locks. */
export interface Usable {
  resources: UsableResource[];
  /** A time, without buffers, at which nobody uses any of them; null if that is not known. */
  unusedAt: Span | null;
}

interface UsableRow extends UsableResource, Pick<Calendar, 'visibility' | 'owner_member_id' | 'owner_left'> {
  in_use: boolean;
}

/**
 * What `write` needs of resources, and whether an event at this time would use one that is used then, with buffers. Most events use one
 * resource. PostgreSQL keeps the plan of the statement for one, and would plan that for several again each time (0.5 ms).
 */
function usableOf(calendarId: string, ids: readonly string[], at: Span | null): Sql {
  const [start, end] = [at?.start, at?.end].map((time) => sql`${time === undefined ? null : new Date(time)}::timestamptz`);
  const isInUse = sql.join(
    OCCUPANCY_INDEXES.map(
      (condition) => sql`EXISTS (SELECT 1 FROM ${table(Occupancy)} o
      WHERE ${own('o')} AND o.resource_id = r.id AND ${condition} AND o.span && tstzrange(
        ${start} - make_interval(mins => a.buffer_before + r.buffer_before_minutes),
        ${end} + make_interval(mins => a.buffer_after + r.buffer_after_minutes)))`,
    ),
    ' OR ',
  );
  return sql`
  SELECT r.id, r.project_id, r.active, r.capacity, r.buffer_before_minutes, r.buffer_after_minutes, r.member_id,
    a.buffer_before, a.buffer_after, c.visibility, c.owner_member_id, ${OWNER_LEFT} AS owner_left, ${start} IS NULL OR ${isInUse} AS in_use
  FROM ${table(Resource)} r
  JOIN ${table(Calendar)} c ON c.id = r.calendar_id AND ${own('c')}
  JOIN ${table(Availability)} a ON ${own('a')} AND a.calendar_id = ${calendarId} AND a.resource_id IS NULL
  WHERE ${own('r')} AND ${ids.length === 1 ? sql`r.id = ${ids[0]}::uuid` : sql`r.id = ANY (${ids}::uuid[])`}`;
}

/** The use of a resource by an instance, with buffers. */
interface Use extends NewUse {
  instanceId: string;
}

/**
 * Writes the instances of an event with the resources that they occupy, under the locks of the calendar and of these resources. The
 * earlier occupancies of rewritten instances must be deleted before, so that instances do not conflict with themselves.
 */
@Injectable()
export class EventInstances {
  /**
   * Locks a calendar and resources, then reads what `write` needs of them, in one round trip. They need not exist. `at`: the time of a
   * single event, whose uses by others are looked up, too.
   */
  async begin(
    ctx: Ctx,
    tx: Tx,
    calendarId: string,
    ids: readonly string[],
    { known = [], at = null }: { known?: readonly string[]; at?: Span | null } = {},
  ): Promise<Usable> {
    // the lock's statement goes first, so that the reads after it see what earlier holders committed
    const lock = lockCalendarsAndResources(ctx, tx, [calendarId], ids);
    return (await Promise.all([lock, readUsable(ctx, tx, calendarId, ids, known, at)]))[1];
  }

  /**
   * Call it under the locks of the calendar and of all resources. `known`: resources that the event has had, which may be inactive by
   * now. `usable`: what `begin` has read.
   */
  async write(
    ctx: Ctx,
    tx: Tx,
    calendar: Calendar,
    event: ScheduleEvent,
    planned: readonly PlannedInstance[],
    { known = [], usable }: { known?: readonly string[]; usable?: Usable } = {},
  ): Promise<void> {
    const rows = planned.map((instance) => rowOf(event, instance));
    const ids = resourcesIn(event.resource_ids, planned);
    const { resources, unusedAt } = usable ?? (await readUsable(ctx, tx, calendar.id, ids, known));
    requireResources(event, ids, known, resources);
    const byId = new Map(resources.map((resource) => [resource.id, resource]));
    const live = rows.filter(({ status }) => status !== 'cancelled');
    const uses = live.flatMap((row) =>
      row.resource_ids.map((id): Use => {
        const resource = byId.get(id) as UsableResource;
        return {
          resource,
          instanceId: row.id,
          start: row.start_at.getTime() - (resource.buffer_before + resource.buffer_before_minutes) * MINUTE_MS,
          end: row.end_at.getTime() + (resource.buffer_after + resource.buffer_after_minutes) * MINUTE_MS,
        };
      }),
    );
    const spans = live.filter((row) => row.busy).map(spanOf);
    const isUnused = live.length === 1 && uses.length === resources.length && isDeepStrictEqual(spanOf(live[0]), unusedAt);
    await Promise.all([
      requireFreeCalendar(
        ctx,
        tx,
        calendar,
        spans,
        rows.map(({ id }) => id),
      ),
      isUnused ? null : requireFreeResources(ctx, tx, uses),
      requireFreePeople(
        ctx,
        tx,
        uses.map(({ resource, start, end }) => ({ resource_id: resource.id, member_id: resource.member_id, start, end })),
        event.id,
      ),
    ]);
    tx.advanced.pipelined.sql(writeInstances(event, rows));
    insertUses(tx, event.project_id, uses);
  }

  /** Writes instances of an event again, with what they occupy. `vanished`: instances that no longer exist. */
  async rewrite(
    ctx: Ctx,
    tx: Tx,
    calendar: Calendar,
    event: ScheduleEvent,
    planned: readonly PlannedInstance[],
    { known, vanished, usable }: { known: readonly string[]; vanished: readonly string[]; usable?: Usable },
  ): Promise<void> {
    const ids = planned.map(({ id }) => id);
    await tx.sql(sql`DELETE FROM ${table(Occupancy)} o WHERE ${own('o')} AND o.instance_id = ANY (${ids})`);
    if (vanished.length > 0) await this.remove(tx, vanished);
    await this.write(ctx, tx, calendar, event, planned, { known, usable });
  }

  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.sql(sql`DELETE FROM ${table(Instance)} i WHERE ${own('i')} AND i.id = ANY (${ids})`);
  }

  /** Rewrites the search vectors: title and location of the event, or of an instance that has its own. */
  async refreshSearch(tx: Tx, event: ScheduleEvent): Promise<void> {
    await tx.sql(
      sql`UPDATE ${table(Instance)} i SET search = schedule_search(COALESCE(i.overrides->>'title', ${event.title}),
          CASE WHEN i.overrides ? 'location' THEN i.overrides->>'location' ELSE ${event.location} END),
          updated_at = now(), version = i.version + 1
        WHERE ${own('i')} AND i.event_id = ${event.id}`,
    );
  }
}

/** Resources that an event, or any instance of it, has. */
export async function resourcesOf(tx: Tx, { id, resource_ids }: ScheduleEvent): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(
    sql`SELECT DISTINCT unnest(i.resource_ids) AS id FROM ${table(Instance)} i WHERE ${own('i')} AND i.event_id = ${id}`,
  );
  return [...new Set([...resource_ids, ...rows.map((row) => row.id)])];
}

/** Only the owner may use the resources of a private calendar; an event keeps those that it has. */
async function readUsable(
  ctx: Ctx,
  tx: Tx,
  calendarId: string,
  ids: readonly string[],
  known: readonly string[],
  at: Span | null = null,
): Promise<Usable> {
  if (ids.length === 0) return { resources: [], unusedAt: null };
  const rows = await tx.sql<UsableRow>(usableOf(calendarId, ids, at));
  const resources = rows.filter((row) => known.includes(row.id) || isVisible(ctx, row));
  return { resources, unusedAt: rows.some((row) => row.in_use) ? null : at };
}

function spanOf({ start_at, end_at }: Pick<PlannedInstance, 'start_at' | 'end_at'>): Span {
  return { start: start_at.getTime(), end: end_at.getTime() };
}

export function resourcesIn(ofEvent: readonly string[], planned: readonly PlannedInstance[]): string[] {
  return [...new Set(planned.flatMap(({ overrides }) => overrides.resource_ids ?? ofEvent))];
}

function rowOf(event: ScheduleEvent, instance: PlannedInstance) {
  const { overrides } = instance;
  const status = overrides.status ?? event.status;
  return {
    ...instance,
    status,
    busy: status !== 'cancelled' && event.show_as === 'busy',
    resource_ids: overrides.resource_ids ?? event.resource_ids,
    title: overrides.title ?? event.title,
    location: overrides.location === undefined ? event.location : overrides.location,
  };
}

function requireResources(
  { project_id }: ScheduleEvent,
  ids: readonly string[],
  known: readonly string[],
  resources: readonly UsableResource[],
): void {
  const usable = new Set(
    resources.filter((one) => one.project_id === project_id && (one.active || known.includes(one.id))).map(({ id }) => id),
  );
  const unusable = ids.find((id) => !usable.has(id));
  if (unusable === undefined) return;
  throw invalid('resource_ids', `must contain active resources of the project, from list_calendar_resources; ${unusable} is not one`);
}

function insertUses(tx: Tx, projectId: string | null, uses: readonly Use[]): void {
  if (uses.length === 0) return;
  tx.advanced.pipelined.sql(
    sql`INSERT INTO ${table(Occupancy)} (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
      SELECT u.id, ${own.organization}, ${projectId}, ${own.mode}, u.resource_id, u.instance_id, tstzrange(u.start_at, u.end_at),
        u.exclusive
      FROM unnest(${uses.map(() => uuidv7())}::uuid[], ${uses.map(({ resource }) => resource.id)}::uuid[],
        ${uses.map(({ instanceId }) => instanceId)}::uuid[], ${uses.map(({ start }) => new Date(start))}::timestamptz[],
        ${uses.map(({ end }) => new Date(end))}::timestamptz[], ${uses.map(({ resource }) => resource.capacity === 1)}::boolean[])
        AS u (id, resource_id, instance_id, start_at, end_at, exclusive)`,
  );
}
