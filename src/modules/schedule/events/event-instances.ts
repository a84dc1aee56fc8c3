import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, sql, type Ctx, type Tx } from '../../../kit/index.js';
import type { Span } from '../time/spans.js';
import { isVisible } from '../calendars/calendar-access.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { ownerLeft, type Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { requireFreeCalendar, requireFreePeople, requireFreeResources, type NewUse } from '../occupancies/conflicts.js';
import { lockCalendarsAndResources } from '../model/core/schedule-locks.js';
import type { PlannedInstance } from './series.js';

const MINUTE_MS = 60_000;

const WRITE_INSTANCES = `
  INSERT INTO schedule_instances (id, organization_id, project_id, mode, event_id, calendar_id, original_start_at, original_start_local,
    start_at, end_at, start_local, end_on, status, busy, resource_ids, overrides, search)
  SELECT r.id, $1, $2, $3, $4, $5, r.original_start_at, r.original_start_local, r.start_at, r.end_at, r.start_local, r.end_on, r.status,
    r.busy, r.resource_ids, r.overrides, schedule_search(r.title, r.location)
  FROM jsonb_to_recordset($6::jsonb) AS r (id uuid, original_start_at timestamptz, original_start_local text, start_at timestamptz,
    end_at timestamptz, start_local text, end_on date, status text, busy boolean, resource_ids uuid[], overrides jsonb, title text,
    location text)
  ON CONFLICT (id) DO UPDATE SET event_id = excluded.event_id, original_start_at = excluded.original_start_at,
    original_start_local = excluded.original_start_local, start_at = excluded.start_at, end_at = excluded.end_at,
    start_local = excluded.start_local, end_on = excluded.end_on, status = excluded.status, busy = excluded.busy,
    resource_ids = excluded.resource_ids, overrides = excluded.overrides, search = excluded.search, updated_at = now(),
    version = schedule_instances.version + 1`;

const INSERT_OCCUPANCIES = `
  INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
  SELECT u.id, $1, $2, $3, u.resource_id, u.instance_id, tstzrange(u.start_at, u.end_at), u.exclusive
  FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[], $8::timestamptz[], $9::boolean[])
    AS u (id, resource_id, instance_id, start_at, end_at, exclusive)`;

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

/** Whether a resource is used, with its buffers, by an event at $4 to $5. Each row is in exactly one of two indexes. */
const IN_USE = ['o.exclusive', 'NOT o.exclusive']
  .map(
    (condition) => `EXISTS (SELECT 1 FROM schedule_occupancies o
      WHERE o.organization_id = $1 AND o.mode = $6 AND o.resource_id = r.id AND ${condition} AND o.span && tstzrange(
        $4::timestamptz - make_interval(mins => a.buffer_before + r.buffer_before_minutes),
        $5::timestamptz + make_interval(mins => a.buffer_after + r.buffer_after_minutes)))`,
  )
  .join(' OR ');

const usable = (wanted: string) => `
  SELECT r.id, r.project_id, r.active, r.capacity, r.buffer_before_minutes, r.buffer_after_minutes, r.member_id,
    a.buffer_before, a.buffer_after, c.visibility, c.owner_member_id, ${ownerLeft('c')} AS owner_left,
    $4::timestamptz IS NULL OR ${IN_USE} AS in_use
  FROM schedule_resources r
  JOIN schedule_calendars c ON c.id = r.calendar_id
  JOIN schedule_availabilities a ON a.organization_id = r.organization_id AND a.calendar_id = $2 AND a.resource_id IS NULL
  WHERE r.organization_id = $1 AND ${wanted}`;
/** Most events use one resource. PostgreSQL keeps the plan of this statement, and would plan that for several anew each time (0.5 ms). */
const USABLE_ONE = usable('r.id = $3::uuid');
const USABLE = usable('r.id = ANY ($3::uuid[])');

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
    const tenant = [event.organization_id, event.project_id, event.mode];
    tx.send(sql.legacy(WRITE_INSTANCES, [...tenant, event.id, event.calendar_id, JSON.stringify(rows)]));
    insertUses(tx, tenant, uses);
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
    await tx.query(
      sql.legacy('DELETE FROM schedule_occupancies WHERE organization_id = $1 AND instance_id = ANY ($2)', [
        ctx.organizationId,
        planned.map(({ id }) => id),
      ]),
    );
    if (vanished.length > 0) await this.remove(ctx, tx, vanished);
    await this.write(ctx, tx, calendar, event, planned, { known, usable });
  }

  async remove(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(sql.legacy('DELETE FROM schedule_instances WHERE organization_id = $1 AND id = ANY ($2)', [ctx.organizationId, ids]));
  }

  /** Rewrites the search vectors: title and location of the event, or of an instance that has its own. */
  async refreshSearch(tx: Tx, event: ScheduleEvent): Promise<void> {
    await tx.query(
      sql.legacy(
        `UPDATE schedule_instances SET search = schedule_search(COALESCE(overrides->>'title', $3),
         CASE WHEN overrides ? 'location' THEN overrides->>'location' ELSE $4 END), updated_at = now(),
         version = version + 1
       WHERE organization_id = $1 AND event_id = $2`,
        [event.organization_id, event.id, event.title, event.location],
      ),
    );
  }
}

/** Resources that an event, or any instance of it, has. */
export async function resourcesOf(tx: Tx, { id, organization_id, resource_ids }: ScheduleEvent): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql.legacy('SELECT DISTINCT unnest(resource_ids) AS id FROM schedule_instances WHERE organization_id = $1 AND event_id = $2', [
      organization_id,
      id,
    ]),
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
  const span = at && [new Date(at.start), new Date(at.end)];
  const [text, wanted] = ids.length === 1 ? [USABLE_ONE, ids[0]] : [USABLE, ids];
  const rows = await tx.query<UsableRow>(sql.legacy(text, [ctx.organizationId, calendarId, wanted, ...(span ?? [null, null]), ctx.mode]));
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
  throw CommonErrors.validationFailed({
    param: 'resource_ids',
    message: `resource_ids must contain active resources of the project, from list_calendar_resources; ${unusable} is not one`,
  });
}

function insertUses(tx: Tx, tenant: readonly unknown[], uses: readonly Use[]): void {
  if (uses.length === 0) return;
  tx.send(
    sql.legacy(INSERT_OCCUPANCIES, [
      ...tenant,
      uses.map(() => uuidv7()),
      uses.map(({ resource }) => resource.id),
      uses.map(({ instanceId }) => instanceId),
      uses.map(({ start }) => new Date(start)),
      uses.map(({ end }) => new Date(end)),
      uses.map(({ resource }) => resource.capacity === 1),
    ]),
  );
}
