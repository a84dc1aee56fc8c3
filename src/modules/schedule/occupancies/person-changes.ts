import { CommonErrors, sql, type Tx } from '../../../kit/index.js';
import { MODES } from '../model/core/schedule-locks.js';
import type { BookingPage } from '../model/setup/booking-page.entity.js';
import type { Calendar } from '../model/setup/calendar.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { APPOINTMENTS, IS_HOSTED } from './people.js';

const overlaps = (appointments: string) => `
  SELECT 1 FROM (${appointments}) AS n
  CROSS JOIN LATERAL (${APPOINTMENTS}) AS e
  WHERE e.instance_id <> n.instance_id LIMIT 1`;

const AS_RESOURCE = overlaps(`
  SELECT o.resource_id, $4::uuid AS member_id, o.instance_id, lower(o.span) AS start_at, upper(o.span) AS end_at
  FROM schedule_occupancies o
  WHERE o.organization_id = $1 AND o.mode = $2 AND o.resource_id = $3 AND o.span && tstzrange(now(), NULL)`);

/** The bookings of calendar $3, or only those of its page $5. */
const AS_HOST = overlaps(`
  SELECT NULL::uuid AS resource_id, $4::uuid AS member_id, i.id AS instance_id,
    i.start_at - make_interval(mins => a.buffer_before) AS start_at, i.end_at + make_interval(mins => a.buffer_after) AS end_at
  FROM schedule_instances i
  JOIN schedule_availabilities a ON a.organization_id = $1 AND a.calendar_id = i.calendar_id AND a.resource_id IS NULL
  WHERE i.organization_id = $1 AND i.mode = $2 AND i.calendar_id = $3 AND i.busy AND i.end_at > now() AND ${IS_HOSTED}
    AND ($5::uuid IS NULL OR EXISTS (
      SELECT 1 FROM schedule_bookings b WHERE b.organization_id = $1 AND b.event_id = i.event_id AND b.page_id = $5))`);

/**
 * Throws `resource_conflict` if a resource that becomes a member is used while this member has other appointments. Call it under
 * `lockResource` and `lockPerson`.
 */
export async function requireNoOverlap(tx: Tx, { id, organization_id }: Resource, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, AS_RESOURCE, organization_id, [id, memberId]))
    throw CommonErrors.resourceConflict({
      param: 'member_id',
      message: 'member_id cannot be this member: future events use the resource while the member has other appointments; move some first.',
    });
}

/**
 * Throws `resource_conflict` if a member who becomes the owner of a calendar, and so the host of its bookings, has other appointments
 * meanwhile. Call it under `lockCalendar` and `lockPerson`, before the change.
 */
export async function requireFreeOwner(tx: Tx, { id, organization_id }: Calendar, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, AS_HOST, organization_id, [id, memberId, null]))
    throw CommonErrors.resourceConflict({
      param: 'owner_id',
      message: 'owner_id cannot be this member: the calendar has future bookings while the member has other appointments; move some first.',
    });
}

/**
 * Throws `resource_conflict` if the owner of the calendar, who has become the host of the page's bookings, has other appointments
 * meanwhile, such as another booking of the page. Call it under `lockCalendar` and `lockPerson`, after the change.
 */
export async function requireFreeHostOfPage(tx: Tx, { id, organization_id, calendar_id }: BookingPage, memberId: string): Promise<void> {
  if (await isFoundInAnyMode(tx, AS_HOST, organization_id, [calendar_id, memberId, id]))
    throw CommonErrors.resourceConflict({
      param: 'resource_mode',
      message:
        "resource_mode cannot be calendar: the calendar's owner would host future bookings of the page while having other appointments; " +
        'move some first, or create another page.',
    });
}

async function isFoundInAnyMode(tx: Tx, text: string, organizationId: string, values: readonly unknown[]): Promise<boolean> {
  for (const mode of MODES) if ((await tx.query(sql.legacy(text, [organizationId, mode, ...values]))).length > 0) return true;
  return false;
}
