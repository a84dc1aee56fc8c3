// npm run bench:schedule [-- --rounds 5 --seconds 4 --only create --rows 1000000]
// Compares the schedule with a Fastify route that writes the same rows, and a calendar of a million events with one of 10,000.
import { EXT_SCHEDULE } from '../../src/modules/schedule/testing/schedule-fixture.js';
import type { CpuClock } from './cpu.js';
import { measure, warmUp, withAndWithoutKey, type Workload } from './load.js';
import { benchModule, EFFORT, FEW, GROWTH_GOAL, isAsked, JSON_TYPE, MANY, type Comparison, type Servers } from './module-bench.js';
import { printAtMost } from './report.js';
import { availabilityPath, seedSchedule, WINDOW, type ScheduleTenant } from './schedule-seed.js';
import type { Server } from './server.js';

const IN_WINDOW = 100;
const CREATE_GOAL = 0.5;
const AVAILABILITY_GOAL_US = 50_000;
const AVAILABILITY_QUERIES = 2;
const PAGE_GOAL_US = 20_000;
const PAGE_GOAL_BYTES = 25 * 1024;
const PAGE_REQUESTS = 1_000;
/** A response of a megabyte needs so much time that fewer must do. */
const AVAILABILITY_REQUESTS = 200;
const HOUR_MS = 3_600_000;

type Seeded = Awaited<ReturnType<typeof seedSchedule>>;

await benchModule({
  name: 'schedule',
  heading: 'base: a Fastify route that writes the same rows by bare SQL, or the product with 10,000 events (ratio of CPU time then)',
  settings: { RATE_LIMIT_PER_PUBLIC_ADDRESS: '1000000000' },
  seed: (url, env) => seedSchedule(url, env, { few: FEW, many: MANY }),
  comparisons,
  more: async ({ ours }, { tenant, statements }, database) => {
    await absolute('availability', availability(ours, tenant), AVAILABILITY_GOAL_US, AVAILABILITY_REQUESTS, database);
    if (isAsked('availability')) printAtMost('availability, queries', { ours: [statements.length] }, AVAILABILITY_QUERIES);
    const bytes = await absolute('booking page', bookingPage(ours, tenant), PAGE_GOAL_US, PAGE_REQUESTS, database);
    if (bytes !== null) printAtMost('booking page, bytes', { ours: [bytes] }, PAGE_GOAL_BYTES);
  },
});

/** Prints the CPU time of a request, by so many after as many for warming up; returns the size of a response. */
async function absolute(name: string, workload: Workload, goal: number, requests: number, database: CpuClock): Promise<number | null> {
  if (!isAsked(name)) return null;
  await warmUp(workload, database, requests);
  const rounds = await measure(workload, database, { rounds: EFFORT.rounds, requests: Math.ceil(requests / EFFORT.rounds) });
  printAtMost(`${name}, server us`, { ours: rounds.map(({ serverCpu }) => serverCpu) }, goal);
  printAtMost(`${name}, server + database us`, { ours: rounds.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu) }, goal);
  return (await (await fetch(workload.server.url + workload.requests[0].path, { headers: workload.headers })).arrayBuffer()).byteLength;
}

function comparisons({ floor, ours }: Servers, { tenant }: Seeded): Comparison[] {
  const headers = { authorization: tenant.authorization };
  const create = (server: Server, path: string, nextBody: () => string, own = {}): Workload => ({
    server,
    headers: { ...JSON_TYPE, ...own },
    requests: [{ method: 'POST', path }],
    nextBody,
    isExpected: (body) => (body as Json).object === 'event',
  });
  const window = (calendar: string): Workload => ({
    server: ours,
    headers,
    requests: [{ path: `${EXT_SCHEDULE}/calendars/${calendar}/events?from=${WINDOW.from}&to=${WINDOW.to}&limit=${IN_WINDOW}` }],
    isExpected: (body) => (body as { data: unknown[] }).data.length === IN_WINDOW,
  });
  // both write into the same rooms, so each has its own hours
  const next = newEvents(tenant);
  return [
    ...withAndWithoutKey<Comparison>({
      name: 'create with a room',
      goal: CREATE_GOAL,
      base: create(floor, '/events', next),
      ours: create(ours, `${EXT_SCHEDULE}/events`, next, headers),
    }),
    {
      name: `window of ${MANY.toLocaleString('en')} / of 10,000`,
      goal: GROWTH_GOAL,
      byCost: true,
      base: window(tenant.few),
      ours: window(tenant.many),
    },
  ];
}

interface Json {
  object?: unknown;
}

/** One hour after the other, in one room after the other. */
function newEvents({ rooms }: ScheduleTenant): () => string {
  const first = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  let number = 0;
  return () => {
    const { calendarId, resourceId } = rooms[number % rooms.length];
    const start = first + Math.floor(number++ / rooms.length) * HOUR_MS;
    return JSON.stringify({
      calendar_id: calendarId,
      title: 'Review of the quarter',
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + HOUR_MS).toISOString(),
      resource_ids: [resourceId],
    });
  };
}

function availability(server: Server, tenant: ScheduleTenant): Workload {
  return {
    server,
    headers: { authorization: tenant.authorization },
    requests: [{ path: availabilityPath(tenant) }],
    // the seeded uses leave nine times free on each of 44 working days at least
    isExpected: (body) => (body as { slots: unknown[] }).slots.length >= 44 * 9,
  };
}

function bookingPage(server: Server, { slug }: ScheduleTenant): Workload {
  return {
    server,
    requests: [{ path: `/b/${slug}` }],
    isExpected: (body) => typeof body === 'string' && body.includes('<h1'),
  };
}
