import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import type { Json } from '../harness/api-document.js';
import { insideOf } from '../harness/inside.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../../src/modules/schedule/testing/schedule-fixture.js';
import { recordStatements, takeStatements } from '../harness/statements.js';
import { createWorkspace, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
const RESOURCES = 50;
/** A GiST index is built much faster than it grows row by row. */
const SPAN_INDEX = 'schedule_instances_span_idx';
/** Uses of each resource per day. */
const USES_PER_DAY = 4;
const ROOMS = 40;
const CALENDAR = 'c.id AS calendar_id, c.organization_id, c.project_id, c.template_id, c.timezone';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LONGEST_DAYS = 62;
/** Minutes from the start of one event to that of the next one. */
const EVERY_MINUTES = 15;
const FIRST_EVENT = Date.parse('2020-01-06T00:00:00Z');

/** What the measured requests need. */
export interface ScheduleTenant {
  organizationId: string;
  projectId: string;
  authorization: string;
  /** Calendars with very different numbers of events, one each quarter of an hour. */
  few: string;
  many: string;
  /** A calendar of many busy resources, its booking page, and the span that is asked for. */
  shared: string;
  slug: string;
  from: string;
  to: string;
  /** Calendars with one room each, in which events are created. */
  rooms: { calendarId: string; templateId: string; resourceId: string }[];
}

/** A hundred events of the calendars `few` and `many`. */
export const WINDOW = {
  from: new Date(FIRST_EVENT + 4_000 * EVERY_MINUTES * MINUTE_MS).toISOString(),
  to: new Date(FIRST_EVENT + 4_100 * EVERY_MINUTES * MINUTE_MS).toISOString(),
};

/** Creates an organization through the product, and its events by SQL. Also counts the statements of an availability query. */
export async function seedSchedule(
  databaseUrl: string,
  env: Record<string, string>,
  { few, many }: { few: number; many: number },
): Promise<{ tenant: ScheduleTenant; statements: string[] }> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await app.listen(0, '127.0.0.1');
    const space = await createWorkspace({ url: await app.getUrl(), inside: insideOf(app) });
    const tenant = await createTenant(space);
    await seedEvents(client, tenant.few, few);
    await seedEvents(client, tenant.many, many);
    await seedUses(client, tenant);
    await client.query('VACUUM ANALYZE');
    const statements = await statementsOf(app, tenant);
    if (process.env.SHOW) console.log(statements.join('\n--\n'));
    return { tenant, statements };
  } finally {
    await client.end();
    await app.close();
  }
}

async function createTenant(space: Workspace): Promise<ScheduleTenant> {
  const calendar = (name: string) =>
    makeCalendar(space, { name, timezone: 'Europe/Berlin', owner_id: space.owner.id, project_id: space.eng.id });
  const [few, many, shared] = [await calendar('Few'), await calendar('Many'), await calendar('Shared')];
  for (let number = 0; number < RESOURCES; number++) await makeResource(space, shared.id, { name: `Room ${number}` });
  const rooms: ScheduleTenant['rooms'] = [];
  for (let number = 0; number < ROOMS; number++) {
    const { id, template_id } = await calendar(`Calendar ${number}`);
    rooms.push({ calendarId: id, templateId: template_id as string, resourceId: (await makeResource(space, id)).id });
  }
  const screen = await space.signIn();
  const settings = { slot_minutes: 30, buffer_before: 5, buffer_after: 5, min_notice_minutes: 120, horizon_days: 90, daily_limit: null };
  const rules = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:00' }));
  await ok(screen.put(`${ORG_SCHEDULE}/calendars/${shared.id}/availability`, { rules, settings }));
  const slug = 'meet-the-team';
  const page: Json = { calendar_id: shared.id, slug, title: 'Meet the team', duration_minutes: [30, 60], resource_mode: 'least_busy' };
  await ok(screen.post(`${ORG_SCHEDULE}/booking-pages`, page));
  const { secret } = await space.key({ module: 'schedule', project_id: space.eng.id, rate_limit_per_minute: NO_LIMIT });
  const from = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
  return {
    organizationId: space.organizationId,
    projectId: space.eng.id,
    authorization: `Bearer ${secret}`,
    few: few.id,
    many: many.id,
    shared: shared.id,
    slug,
    from: from.toISOString(),
    to: new Date(from.getTime() + LONGEST_DAYS * DAY_MS).toISOString(),
    rooms,
  };
}

/** Events of the calendar, one after the other. */
async function seedEvents(client: Client, calendarId: string, count: number): Promise<void> {
  const start = `to_timestamp(${FIRST_EVENT / 1000}) + make_interval(mins => n * ${EVERY_MINUTES})`;
  await insertEvents(
    client,
    `SELECT ${timedId(`${FIRST_EVENT} + n::bigint * 1000`)} AS new_id, ${CALENDAR}, '{}'::uuid[] AS resource_ids, ${start} AS start_at,
       ${start} + interval '${EVERY_MINUTES} minutes' AS end_at, 'Event ' || n AS title
     FROM schedule_calendars c, generate_series(0, $2::int - 1) AS n WHERE c.id = $1`,
    [calendarId, count],
  );
}

/** Takes every resource of the shared calendar some times a day, at different times. */
async function seedUses(client: Client, { shared, from }: ScheduleTenant): Promise<void> {
  const start = `$2::timestamptz + make_interval(days => day, mins => 420 + use * 150 + (place::int * 7) % 60)`;
  await insertEvents(
    client,
    `SELECT gen_random_uuid() AS new_id, ${CALENDAR}, ARRAY[r.id] AS resource_ids, ${start} AS start_at,
       ${start} + interval '30 minutes' AS end_at,
       'Use ' || use AS title
     FROM schedule_calendars c, generate_series(0, ${LONGEST_DAYS}) AS day, generate_series(0, ${USES_PER_DAY - 1}) AS use,
       (SELECT id, row_number() OVER (ORDER BY id) AS place FROM schedule_resources WHERE calendar_id = $1) AS r
     WHERE c.id = $1`,
    [shared, from],
  );
  await client.query(
    `INSERT INTO schedule_occupancies (id, organization_id, project_id, mode, resource_id, instance_id, span, exclusive)
     SELECT gen_random_uuid(), i.organization_id, i.project_id, i.mode, i.resource_ids[1], i.id,
       tstzrange(i.start_at - interval '5 minutes', i.end_at + interval '5 minutes'), true
     FROM schedule_instances i WHERE i.calendar_id = $1`,
    [shared],
  );
}

/** `rows`: the ids, times and titles of single events, with the columns of their calendar. */
async function insertEvents(client: Client, rows: string, values: unknown[]): Promise<void> {
  // skips foreign keys and the trigger, whose values are the same here
  await client.query('SET session_replication_role = replica');
  const {
    rows: [{ definition }],
  } = await client.query<{ definition: string }>(`SELECT pg_get_indexdef('${SPAN_INDEX}'::regclass) AS definition`);
  await client.query(`DROP INDEX ${SPAN_INDEX}`);
  const local = `to_char(e.start_at AT TIME ZONE e.timezone, 'YYYY-MM-DD"T"HH24:MI:SS')`;
  await client.query(
    `WITH e AS (
       SELECT s.new_id AS id, s.organization_id, s.project_id, s.calendar_id, s.template_id, s.timezone, s.title, s.start_at, s.end_at,
         s.resource_ids
       FROM (${rows}) AS s
     ), events AS (
       INSERT INTO schedule_events (id, organization_id, project_id, mode, calendar_id, template_id, title, start_at, end_at, timezone,
         start_local, wall_clock, resource_ids, ical_uid, created_by, tz_release, created_at, updated_at)
       SELECT e.id, e.organization_id, e.project_id, 'live', e.calendar_id, e.template_id, e.title, e.start_at, e.end_at,
         e.timezone, ${local}, true, e.resource_ids, e.id || '@localhost',
         '{"type":"system","id":null,"email":null}', '', e.start_at, e.start_at FROM e
     )
     INSERT INTO schedule_instances (id, organization_id, project_id, mode, event_id, calendar_id, original_start_at,
       original_start_local, start_at, end_at, start_local, status, busy, resource_ids)
     SELECT e.id, e.organization_id, e.project_id, 'live', e.id, e.calendar_id, e.start_at, ${local}, e.start_at, e.end_at, ${local},
       'confirmed', true, e.resource_ids FROM e`,
    values,
  );
  await client.query(definition);
  await client.query('SET session_replication_role = origin');
}

/** The statements of one availability query, without those of the platform. */
async function statementsOf(app: NestFastifyApplication, tenant: ScheduleTenant): Promise<string[]> {
  const headers = { authorization: tenant.authorization };
  const url = availabilityPath(tenant);
  // caches the key
  await app.inject({ url, headers });
  recordStatements();
  const { statusCode, body } = await app.inject({ url, headers });
  const statements = takeStatements();
  if (statusCode !== 200) throw new Error(body);
  return statements.filter((text) => /\bschedule_|^BEGIN|^COMMIT/.test(text));
}

/** Of all resources, for 62 days. */
export function availabilityPath({ shared, from, to }: ScheduleTenant): string {
  return `${EXT_SCHEDULE}/calendars/${shared}/availability?from=${from}&to=${to}&duration_minutes=60`;
}

function timedId(ms: string): string {
  return `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
}

async function ok(response: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await response;
  if (status >= 300) throw new Error(text);
}
