import { Client } from 'pg';

/**
 * The statements of a new event with a room on the product's tables, in one round trip: locks; calendar, template, owner, room and
 * buffers; the check of the room; the event, its instance and what it occupies; the domain event and its deliveries.
 */
const BARE_CREATE_EVENT = `
  CREATE OR REPLACE FUNCTION bare_create_event(
    names text[], new_id uuid, calendar uuid, room uuid, name text, starts timestamptz, ends timestamptz, use_id uuid, event_id uuid,
    event_rest text)
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE c schedule_calendars; t schedule_event_templates; r schedule_resources; a schedule_availabilities; o record;
    local text; s tstzrange;
  BEGIN
    SELECT * INTO c FROM schedule_calendars WHERE id = calendar;
    SELECT * INTO t FROM schedule_event_templates WHERE id = c.template_id;
    SELECT id AS member_id, m.name, m.email INTO o FROM members m WHERE m.organization_id = c.organization_id AND m.id = c.owner_member_id;
    PERFORM pg_advisory_xact_lock(key) FROM (SELECT hashtextextended(n, 0) AS key FROM unnest(names) AS n ORDER BY 1) AS keys;
    SELECT * INTO r FROM schedule_resources WHERE id = room AND project_id = c.project_id AND active;
    SELECT * INTO a FROM schedule_availabilities WHERE calendar_id = calendar AND resource_id IS NULL;
    s := tstzrange(starts - make_interval(mins => a.buffer_before + r.buffer_before_minutes),
                   ends + make_interval(mins => a.buffer_after + r.buffer_after_minutes));
    IF EXISTS (SELECT FROM schedule_occupancies u
      WHERE u.resource_id = room AND u.mode = 'live' AND u.span && s AND u.exclusive AND NOT u.soft)
    THEN RETURN false; END IF;
    local := to_char(starts AT TIME ZONE c.timezone, 'YYYY-MM-DD"T"HH24:MI:SS');
    INSERT INTO schedule_events (id, organization_id, project_id, mode, calendar_id, template_id, title, start_at, end_at, timezone,
      start_local, wall_clock, resource_ids, ical_uid, organizer, created_by)
    VALUES (new_id, c.organization_id, c.project_id, 'live', c.id, t.id, name, starts, ends, c.timezone, local, false, ARRAY[room],
      new_id || '@localhost', to_jsonb(o), '{"type":"system","id":null,"email":null}');
    INSERT INTO schedule_instances (id, organization_id, project_id, mode, event_id, calendar_id, original_start_at, original_start_local,
      start_at, end_at, start_local, status, busy, resource_ids, search)
    VALUES (new_id, c.organization_id, c.project_id, 'live', new_id, c.id, starts, local, starts, ends, local, 'confirmed', true,
      ARRAY[room], schedule_search(name, NULL));
    INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
    VALUES (use_id, c.organization_id, c.project_id, 'live', room, new_id, s, r.capacity = 1);
    INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
    SELECT n, event_id, c.organization_id, c.project_id, 'live', 'event.created', false, '{"sequence":' || n || ',' || event_rest
    FROM nextval('outbox_events_sequence') AS n;
    INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
    SELECT gen_random_uuid(), w.organization_id, c.project_id, w.mode, w.id, bare_create_event.event_id, 'event.created'
    FROM webhook_endpoints w
    WHERE w.organization_id = c.organization_id AND w.mode = 'live' AND w.status = 'enabled'
      AND (w.project_id IS NULL OR w.project_id = c.project_id) AND ('event.created' = ANY(w.events) OR '*' = ANY(w.events));
    RETURN true;
  END $$`;

export async function createBareCreateEvent(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(BARE_CREATE_EVENT);
  } finally {
    await client.end();
  }
}
