import { CommonErrors, own, sql, table, type Mode, type Sql, type Tx } from '../../../kit/index.js';
import { MODES } from '../model/setup/schedule-locks.js';
import { Booking } from '../model/records/booking.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Occupancy } from '../model/records/occupancy.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import type { BookingPage } from '../model/setup/booking-page.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { appointmentsIn, IS_HOSTED } from './people.js';

const overlaps = (mode: Mode, appointments: Sql) => sql.inOrganization('a person has one time in both modes and all projects')`
  SELECT 1 FROM (${appointments}) AS n
  CROSS JOIN LATERAL (${appointmentsIn(mode)}) AS e
  WHERE e.instance_id <> n.instance_id LIMIT 1`;

const asResource = (mode: Mode, { id }: Resource, memberId: string) =>
  overlaps(
    mode,
    sql`
  SELECT o.resource_id, ${memberId}::uuid AS member_id, o.instance_id, lower(o.span) AS start_at, upper(o.span) AS end_at
  FROM ${table(Occupancy)} o
  WHERE o.organization_id = ${own.organization} AND o.mode = ${mode} AND o.resource_id = ${id} AND o.span && tstzrange(now(), NULL)`,
  );

/** The bookings of a calendar, or only those of a page of it. */
const asHost = (mode: Mode, calendarId: string, memberId: string, pageId: string | null) =>
  overlaps(
    mode,
    sql`
  SELECT NULL::uuid AS resource_id, ${memberId}::uuid AS member_id, i.id AS instance_id,
    i.start_at - make_interval(mins => a.buffer_before) AS start_at, i.end_at + make_interval(mins => a.buffer_after) AS end_at
  FROM ${table(Instance)} i
  JOIN ${table(Availability)} a
    ON a.organization_id = ${own.organization} AND a.calendar_id = i.calendar_id AND a.resource_id IS NULL
  WHERE i.organization_id = ${own.organization} AND i.mode = ${mode} AND i.calendar_id = ${calendarId} AND i.busy AND i.end_at > now()
    AND ${IS_HOSTED} ${pageId === null ? sql`` : ofPage(pageId)}`,
  );

const ofPage = (pageId: string) => sql`AND EXISTS (
  SELECT 1 FROM ${table(Booking)} b
  WHERE b.organization_id = ${own.organization} AND b.event_id = i.event_id AND b.page_id = ${pageId})`;

/**
 * Throws `resource_conflict` if a resource that becomes a member is used while this member has other appointments. Call it under
 * `lockResource` and `lockPerson`.
 */
export async function requireNoOverlap(tx: Tx, resource: Resource, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, (mode) => asResource(mode, resource, memberId)))
    throw CommonErrors.resourceConflict({
      param: 'member_id',
      message: 'member_id cannot be this member: future events use the resource while the member has other appointments; move some first.',
    });
}

/**
 * Throws `resource_conflict` if a member who becomes the owner of a calendar, and so the host of its bookings, has other appointments
 * meanwhile. Call it under `lockCalendar` and `lockPerson`, before the change.
 */
export async function requireFreeOwner(tx: Tx, { id }: Calendar, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, (mode) => asHost(mode, id, memberId, null)))
    throw CommonErrors.resourceConflict({
      param: 'owner_id',
      message: 'owner_id cannot be this member: the calendar has future bookings while the member has other appointments; move some first.',
    });
}

/**
 * Throws `resource_conflict` if the owner of the calendar, who has become the host of the page's bookings, has other appointments
 * meanwhile, such as another booking of the page. Call it under `lockCalendar` and `lockPerson`, after the change.
 */
export async function requireFreeHostOfPage(tx: Tx, { id, calendar_id }: BookingPage, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, (mode) => asHost(mode, calendar_id, memberId, id)))
    throw CommonErrors.resourceConflict({
      param: 'resource_mode',
      message:
        "resource_mode cannot be calendar: the calendar's owner would host future bookings of the page while having other appointments; " +
        'move some first, or create another page.',
    });
}

async function isFoundInAnyMode(tx: Tx, statement: (mode: Mode) => Sql): Promise<boolean> {
  for (const mode of MODES) if ((await tx.sql(statement(mode))).length > 0) return true;
  return false;
}
