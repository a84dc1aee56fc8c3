// npm run bench:inventory [-- --rounds 5 --seconds 4 --only reserve --rows 1000000]
// Compares reservations and movements with Fastify routes that write the same rows, and lists of a million rows with those of 10,000.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../kit/database-server.js';
import { EXT_INVENTORY } from '../kit/inventory-fixture.js';
import { cpuOfPostgres } from './cpu.js';
import { seedInventory, type InventoryTenant, type InventoryTenants } from './inventory-seed.js';
import { createBareInventory } from './inventory-sql.js';
import { compare, load, warmUp, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const FEW = 10_000;
const CLIENTS = 32;
const RESERVE_GOAL = 0.8;
const MOVE_GOAL = 0.5;
/** A list of a million rows may cost at most this much more than one of 10,000. */
const GROWTH_GOAL = 0.95;
const WARM_UP_REQUESTS = 1_000;
const JSON_TYPE = { 'content-type': 'application/json' };

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

interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-bench-inventory-'));
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE inventory');
  await run(databaseUrl(postgres.url, 'inventory'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareInventory(url);
  const tenants = await seedInventory(url, env, { few: FEW, many: MANY });
  const floor = await startServer(buildFloor('floor-inventory'), { DATABASE_URL: url });
  running.push(floor);
  const ours = await startServer(OURS, env);
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: a Fastify route with the same statements, or the product with 10,000 rows (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const { base, ours: measured, ...line } of [...writes(floor, ours, tenants.few), ...lists(ours, tenants)]) {
    if (!line.name.includes(asked.only)) continue;
    for (const workload of [base, measured]) await warmUp(workload, database, WARM_UP_REQUESTS);
    printComparison(line, await compare(base, measured, database, effort));
  }
  console.log(`\nload average ${load()}`);
}

function writes(floor: Server, ours: Server, { authorization, locationId, hot, items }: InventoryTenant): Comparison[] {
  let number = 0;
  const body = (item: () => string, more: object) => () =>
    JSON.stringify({ item_id: item(), location_id: locationId, quantity: '1', reference: `R-${number++}`, ...more });
  const write = (server: Server, path: string, nextBody: () => string, connections: number): Workload => ({
    server,
    connections,
    headers: server === ours ? { ...JSON_TYPE, authorization } : JSON_TYPE,
    requests: [{ method: 'POST', path }],
    nextBody,
    isExpected: (answer) => String((answer as { object?: string }).object).startsWith('stock_'),
  });
  const line = (
    name: string,
    goal: number | null,
    base: string,
    path: string,
    next: () => string,
    connections: number,
    baseNext = next,
  ): Comparison => ({
    name,
    goal,
    base: write(floor, base, baseNext, connections),
    ours: write(ours, `${EXT_INVENTORY}${path}`, next, connections),
  });
  const reserve = body(() => hot, {});
  // the bare UPDATE bypasses the lock that the product's writes take
  const unlocked = body(() => items[0], {});
  const receive = body(() => items[number % items.length], { kind: 'receipt', cost_amount: 100 });
  return [
    line(`reserve, ${CLIENTS} clients / UPDATE`, RESERVE_GOAL, '/update', '/reservations', reserve, CLIENTS, unlocked),
    line(`reserve, ${CLIENTS} clients / rows`, RESERVE_GOAL, '/reservations', '/reservations', reserve, CLIENTS),
    line('movements of many items', MOVE_GOAL, '/movements', '/movements', receive, 10),
    line(
      'movements of one item',
      MOVE_GOAL,
      '/movements',
      '/movements',
      body(() => hot, { kind: 'receipt', cost_amount: 100 }),
      10,
    ),
  ];
}

function lists(ours: Server, { few, many }: InventoryTenants): Comparison[] {
  const list = (tenant: InventoryTenant, path: string, least: number): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_INVENTORY}/${path}` }],
    isExpected: (body) => (body as { data: unknown[] }).data.length >= least,
  });
  const paths: readonly (readonly [name: string, path: (tenant: InventoryTenant) => string, least: number])[] = [
    ['items by name', () => 'items?sort=name', 25],
    ['low items', () => 'items?low=true', 25],
    ['levels changed since', ({ late }) => `stock-levels?sort=updated_at&updated_after=${late}`, 25],
    ['levels of an item', ({ seeded }) => `stock-levels?item_id=${seeded}`, 1],
    ['newest movements', () => 'movements', 25],
    ['movements of an item', ({ seeded }) => `movements?item_id=${seeded}`, 1],
    ['movements at a location', ({ locationId }) => `movements?location_id=${locationId}`, 25],
    ['movements by reference', () => 'movements?reference=PO-77', 1],
    ['active reservations', () => 'reservations?status=active', 25],
    ['reservations by reference', () => 'reservations?reference=SO-77', 1],
  ];
  return paths.map(([name, path, least]) => ({
    name: `${name}, ${MANY.toLocaleString('en')}`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: list(few, path(few), least),
    ours: list(many, path(many), least),
  }));
}
