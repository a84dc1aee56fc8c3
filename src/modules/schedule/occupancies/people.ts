/** Each row of occupancies is in exactly one of two indexes, so there is a branch for each. */
const OTHER_RESOURCES = ['o.exclusive', 'NOT o.exclusive']
  .map(
    (condition) => `
  SELECT o.instance_id, lower(o.span) AS start_at, upper(o.span) AS end_at
  FROM schedule_resources r JOIN schedule_occupancies o ON o.resource_id = r.id
  WHERE r.organization_id = $1 AND r.member_id = n.member_id AND r.id IS DISTINCT FROM n.resource_id
    AND o.organization_id = $1 AND o.mode = $2 AND o.span && tstzrange(n.start_at, n.end_at) AND ${condition}`,
  )
  .join(' UNION ALL ');

/** SQL: whether instance `i` is a booking for which the owner of its calendar is the host. */
export const IS_HOSTED = `EXISTS (
  SELECT 1 FROM schedule_bookings b JOIN schedule_booking_pages p ON p.organization_id = b.organization_id AND p.id = b.page_id
  WHERE b.organization_id = $1 AND b.event_id = i.event_id AND b.status IN ('pending', 'confirmed')
    AND (p.resource_mode = 'calendar' OR cardinality(i.resource_ids) = 0))`;

const ownCalendars = (isOfPerson: string) => `
  SELECT i.id, i.start_at - make_interval(mins => a.buffer_before), i.end_at + make_interval(mins => a.buffer_after)
  FROM schedule_calendars c
  JOIN schedule_availabilities a ON a.organization_id = c.organization_id AND a.calendar_id = c.id AND a.resource_id IS NULL
  JOIN schedule_instances i ON i.calendar_id = c.id
  WHERE c.organization_id = $1 AND c.owner_member_id = n.member_id AND i.organization_id = $1 AND i.mode = $2 AND i.busy
    AND tstzrange(i.start_at, i.end_at) && tstzrange(
      n.start_at - make_interval(mins => a.buffer_after), n.end_at + make_interval(mins => a.buffer_before))
    AND (n.resource_id IS NULL OR n.resource_id <> ALL (i.resource_ids)) AND ${isOfPerson}`;

/**
 * SQL: the appointments of a person `n.member_id` that touch `n.start_at` to `n.end_at`: uses of resources that are this person, and
 * bookings of pages whose host they are. Those of the resource `n.resource_id` itself are left out, because its capacity limits them. All
 * calendars of the organization ($1) count, in one mode ($2), whatever project they are in. The times have their buffers.
 */
export const APPOINTMENTS = `${OTHER_RESOURCES} UNION ALL ${ownCalendars(IS_HOSTED)}`;

/** SQL: the appointments, and the busy events of the person's own calendars. */
export const ENGAGEMENTS = `${OTHER_RESOURCES} UNION ALL ${ownCalendars(`(c.personal OR ${IS_HOSTED})`)}`;
