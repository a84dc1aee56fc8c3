import { fastify } from 'fastify';
import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';
import { EARLIER, KEEP } from './floor-keys.js';

/**
 * The floor for events: a Fastify route that writes the rows of an event with a room by bare SQL. Its prepared statements form one
 * transaction in two round trips: locks and reads, then writes. It has no API key, limit, validation, recurrence or invitees.
 */
interface NewEvent {
  calendar_id: string;
  title: string;
  start_at: string;
  end_at: string;
  resource_ids: string[];
}

interface Found {
  organization_id: string;
  project_id: string;
  template_id: string;
  timezone: string;
  organizer: object | null;
  capacity: number;
  local: string;
  from: Date;
  to: Date;
  taken: boolean;
}

/** Makes the body of the domain event as long as that of the product. */
const PADDING = 'x'.repeat(1_080);
const LOCK = 'SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)';
/** Calendar, template, owner, room with its buffers, and whether somebody uses it. */
const READ = `
  SELECT c.organization_id, c.project_id, c.timezone, t.id AS template_id, to_jsonb(o) AS organizer, r.capacity,
    to_char($3::timestamptz AT TIME ZONE c.timezone, 'YYYY-MM-DD"T"HH24:MI:SS') AS local, lower(s.span) AS from, upper(s.span) AS to,
    EXISTS (SELECT FROM schedule_occupancies u
      WHERE u.resource_id = r.id AND u.mode = 'live' AND u.span && s.span AND u.exclusive) AS taken
  FROM schedule_calendars c
  JOIN schedule_event_templates t ON t.id = c.template_id
  JOIN schedule_availabilities a ON a.calendar_id = c.id AND a.resource_id IS NULL
  JOIN schedule_resources r ON r.id = $2 AND r.project_id = c.project_id AND r.active
  LEFT JOIN LATERAL (SELECT m.id AS member_id, m.name, m.email FROM members m
    WHERE m.organization_id = c.organization_id AND m.id = c.owner_member_id) AS o ON true
  CROSS JOIN LATERAL (SELECT tstzrange($3::timestamptz - make_interval(mins => a.buffer_before + r.buffer_before_minutes),
    $4::timestamptz + make_interval(mins => a.buffer_after + r.buffer_after_minutes)) AS span) AS s
  WHERE c.id = $1`;
const EVENT = `
  INSERT INTO schedule_events (id, organization_id, project_id, mode, calendar_id, template_id, title, start_at, end_at, timezone,
    start_local, wall_clock, resource_ids, ical_uid, organizer, created_by)
  VALUES ($1, $2, $3, 'live', $4, $5, $6, $7, $8, $9, $10, false, $11, $12, $13, '{"type":"system","id":null,"email":null}')`;
const INSTANCE = `
  INSERT INTO schedule_instances (id, organization_id, project_id, mode, event_id, calendar_id, original_start_at, original_start_local,
    start_at, end_at, start_local, status, busy, resource_ids, search)
  VALUES ($1, $2, $3, 'live', $1, $4, $5, $7, $5, $6, $7, 'confirmed', true, $8, schedule_search($9, NULL))`;
const OCCUPANCY = `
  INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
  VALUES ($1, $2, $3, 'live', $4, $5, tstzrange($6, $7), $8)`;
const DOMAIN_EVENT = `
  WITH written AS (
    INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
    SELECT n, $1, $2, $3, 'live', 'event.created', false, '{"sequence":' || n || ',' || $4 FROM nextval('outbox_events_sequence') AS n
  )
  INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
  SELECT gen_random_uuid(), w.organization_id, $3, w.mode, w.id, $1, 'event.created' FROM webhook_endpoints w
  WHERE w.organization_id = $2 AND w.mode = 'live' AND w.status = 'enabled' AND (w.project_id IS NULL OR w.project_id = $3)
    AND ('event.created' = ANY(w.events) OR '*' = ANY(w.events))`;

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE), pipeline: true });
const server = fastify();

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Body: NewEvent }>('/events', async (request, reply) => {
  const { calendar_id, title, start_at, end_at, resource_ids } = request.body;
  const [room] = resource_ids;
  const id = uuidv7();
  const key = request.headers['idempotency-key'];
  const client = await pool.connect();
  const run = (name: string, text: string, values: unknown[] = []) => client.query({ name, text, values });
  try {
    const keys = [`calendar ${calendar_id}`, `resource ${room}`].map(lockKey).sort((a, b) => (a < b ? -1 : 1));
    const [, , { rows }] = await Promise.all([
      run('begin', 'BEGIN'),
      run('lock', LOCK, keys),
      run('read', READ, [calendar_id, room, start_at, end_at]),
    ]);
    const [found] = rows as [Found];
    if (found.taken) throw new Error('The room is taken.');
    const { organization_id, project_id, local, timezone, organizer } = found;
    const tenant = [organization_id, project_id];
    const event = { object: 'event', id, ...request.body, status: 'confirmed', metadata: { text: PADDING } };
    const eventId = uuidv7();
    const rest = JSON.stringify({ id: eventId, object: 'event', type: 'event.created', data: { object: event } }).slice(1);
    await Promise.all([
      run('event', EVENT, [
        ...[id, ...tenant, calendar_id, found.template_id, title, start_at, end_at, timezone, local],
        resource_ids,
        `${id}@localhost`,
        organizer,
      ]),
      run('instance', INSTANCE, [id, ...tenant, calendar_id, start_at, end_at, local, resource_ids, title]),
      run('occupancy', OCCUPANCY, [uuidv7(), ...tenant, room, id, found.from, found.to, found.capacity === 1]),
      run('domain event', DOMAIN_EVENT, [eventId, ...tenant, rest]),
      ...(key === undefined ? [] : [run('keep', KEEP, [key, JSON.stringify(event)])]),
      run('commit', 'COMMIT'),
    ]);
    return await reply.code(201).send(event);
  } catch (error) {
    await client.query('ROLLBACK');
    // a repeat finds the room taken
    const { rows: earlier } = await client.query<{ response: string }>(EARLIER, [key]);
    if (earlier.length === 0) throw error;
    return await reply.code(201).send(JSON.parse(earlier[0].response));
  } finally {
    client.release();
  }
});

function lockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });
