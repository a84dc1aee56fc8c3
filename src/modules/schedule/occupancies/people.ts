import { own, sql, table, type Mode, type Sql } from '../../../kit/index.js';
import { Booking } from '../model/records/booking.entity.js';
import { Instance } from '../model/records/instance.entity.js';
import { Occupancy, OCCUPANCY_INDEXES } from '../model/records/occupancy.entity.js';
import { Availability } from '../model/setup/availability.entity.js';
import { BookingPage } from '../model/setup/booking-page.entity.js';
import { Calendar } from '../model/setup/calendar.entity.js';
import { Resource } from '../model/setup/resource.entity.js';

// Conditions are written out instead of `own`, because a person has one time in all projects, whatever project the caller is pinned to.

const otherResources = (mode: Sql) =>
  sql.join(
    OCCUPANCY_INDEXES.map(
      (condition) => sql`
  SELECT o.instance_id, lower(o.span) AS start_at, upper(o.span) AS end_at
  FROM ${table(Resource)} r JOIN ${table(Occupancy)} o ON o.resource_id = r.id
  WHERE r.organization_id = ${own.organization} AND r.member_id = n.member_id AND r.id IS DISTINCT FROM n.resource_id
    AND o.organization_id = ${own.organization} AND o.mode = ${mode} AND o.span && tstzrange(n.start_at, n.end_at) AND ${condition}`,
    ),
    ' UNION ALL ',
  );

/** Whether instance `i` is a booking for which the owner of its calendar is the host. */
export const IS_HOSTED = sql`EXISTS (
  SELECT 1 FROM ${table(Booking)} b JOIN ${table(BookingPage)} p
    ON p.organization_id = b.organization_id AND p.project_id = b.project_id AND p.id = b.page_id
  WHERE b.organization_id = ${own.organization} AND b.project_id = i.project_id AND b.mode = i.mode AND b.event_id = i.event_id
    AND b.status IN ('pending', 'confirmed') AND (p.resource_mode = 'calendar' OR cardinality(i.resource_ids) = 0))`;

const ownCalendars = (mode: Sql, isOfPerson: Sql) => sql`
  SELECT i.id, i.start_at - make_interval(mins => a.buffer_before), i.end_at + make_interval(mins => a.buffer_after)
  FROM ${table(Calendar)} c
  JOIN ${table(Availability)} a ON a.organization_id = c.organization_id AND a.calendar_id = c.id AND a.resource_id IS NULL
  JOIN ${table(Instance)} i ON i.calendar_id = c.id
  WHERE c.organization_id = ${own.organization} AND c.owner_member_id = n.member_id
    AND i.organization_id = ${own.organization} AND i.mode = ${mode} AND i.busy
    AND tstzrange(i.start_at, i.end_at) && tstzrange(
      n.start_at - make_interval(mins => a.buffer_after), n.end_at + make_interval(mins => a.buffer_before))
    AND (n.resource_id IS NULL OR n.resource_id <> ALL (i.resource_ids)) AND ${isOfPerson}`;

const OWN_MODE = sql`${own.mode}`;

/** The appointments, as `APPOINTMENTS`, in a mode that need not be the caller's. */
export const appointmentsIn = (mode: Mode) => appointments(sql`${mode}`);

const appointments = (mode: Sql) => sql`${otherResources(mode)} UNION ALL ${ownCalendars(mode, IS_HOSTED)}`;

/**
 * The appointments of a person `n.member_id` that touch `n.start_at` to `n.end_at`: uses of resources that are this person, and bookings of
 * pages whose host they are. Those of the resource `n.resource_id` itself are left out, because its capacity limits them. All calendars of
 * the organization count, whatever project they are in, so a statement with it is in all projects. The times have their buffers.
 */
export const APPOINTMENTS = appointments(OWN_MODE);

/** The appointments, and the busy events of the person's own calendars. */
export const ENGAGEMENTS = sql`${otherResources(OWN_MODE)} UNION ALL ${ownCalendars(OWN_MODE, sql`(c.personal OR ${IS_HOSTED})`)}`;
