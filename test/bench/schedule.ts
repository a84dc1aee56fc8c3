// npm run bench:schedule [-- --rounds 5 --seconds 4 --only create --rows 1000000]
// Compares the schedule with a Fastify route that writes the same rows, and a calendar of a million events with one of 10,000.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../kit/database-server.js';
import { EXT_SCHEDULE } from '../kit/schedule-fixture.js';
import { cpuOfPostgres } from './cpu.js';
import { compare, load, measure, warmUp, type Workload } from './load.js';
import { printAtMost, printComparison, printHeading, type ReportLine } from './report.js';
import { availabilityPath, seedSchedule, WINDOW, type ScheduleTenant } from './schedule-seed.js';
import { createBareCreateEvent } from './schedule-sql.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const FEW = 10_000;
const IN_WINDOW = 100;
const CREATE_GOAL = 0.5;
/** A window of a million events may cost at most this much more than one of 10,000. */
const GROWTH_GOAL = 0.95;
const AVAILABILITY_GOAL_US = 50_000;
const AVAILABILITY_QUERIES = 2;
const PAGE_GOAL_US = 20_000;
const PAGE_GOAL_BYTES = 25 * 1024;
const WARM_UP_REQUESTS = 1_000;
/** A response of a megabyte needs so much time that fewer must do. */
const AVAILABILITY_REQUESTS = 200;
const JSON_TYPE = { 'content-type': 'application/json' };
const HOUR_MS = 3_600_000;

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
  },
});
const MANY = Number(asked.rows);
const effort = { rounds: Number(asked.rounds), seconds: Number(asked.seconds) };
const settings = { ...MEASURED_SETTINGS, RATE_LIMIT_PER_PUBLIC_ADDRESS: '1000000000' };

interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-bench-schedule-'));
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE schedule');
  await run(databaseUrl(postgres.url, 'schedule'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  const env = { ...settings, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareCreateEvent(url);
  const { tenant, statements } = await seedSchedule(url, env, { few: FEW, many: MANY });
  const floor = await startServer(buildFloor('floor-schedule'), { DATABASE_URL: url });
  running.push(floor);
  const ours = await startServer(OURS, env);
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: a Fastify route with the same statements, or the product with 10,000 events (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const { base, ours: measured, ...line } of comparisons(floor, ours, tenant)) {
    if (!line.name.includes(asked.only)) continue;
    for (const workload of [base, measured]) await warmUp(workload, database, WARM_UP_REQUESTS);
    printComparison(line, await compare(base, measured, database, effort));
  }
  await absolute('availability', availability(ours, tenant), AVAILABILITY_GOAL_US, AVAILABILITY_REQUESTS);
  if ('availability'.includes(asked.only)) printAtMost('availability, queries', { ours: [statements.length] }, AVAILABILITY_QUERIES);
  const page = bookingPage(ours, tenant);
  const bytes = await absolute('booking page', page, PAGE_GOAL_US, WARM_UP_REQUESTS);
  if (bytes !== null) printAtMost('booking page, bytes', { ours: [bytes] }, PAGE_GOAL_BYTES);
  console.log(`\nload average ${load()}`);

  /** Prints the CPU time of a request, by so many after as many for warming up; returns the size of a response. */
  async function absolute(name: string, workload: Workload, goal: number, requests: number): Promise<number | null> {
    if (!name.includes(asked.only)) return null;
    await warmUp(workload, database, requests);
    const rounds = await measure(workload, database, { rounds: effort.rounds, requests: Math.ceil(requests / effort.rounds) });
    printAtMost(`${name}, server us`, { ours: rounds.map(({ serverCpu }) => serverCpu) }, goal);
    printAtMost(`${name}, server + database us`, { ours: rounds.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu) }, goal);
    return (await (await fetch(workload.server.url + workload.requests[0].path, { headers: workload.headers })).arrayBuffer()).byteLength;
  }
}

function comparisons(floor: Server, ours: Server, tenant: ScheduleTenant): Comparison[] {
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
    {
      name: 'create with a room',
      goal: CREATE_GOAL,
      base: create(floor, '/events', next),
      ours: create(ours, `${EXT_SCHEDULE}/events`, next, headers),
    },
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
