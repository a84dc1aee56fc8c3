// npm run bench:storefront [-- --rounds 5 --seconds 4 --only place --rows 1000000]
// Compares placing and reading products with a floor on the same tables, and lists of a million rows with those of 10,000.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../kit/database-server.js';
import { EXT_STOREFRONT } from '../kit/storefront-fixture.js';
import { cpuOfPostgres } from './cpu.js';
import { compare, load, warmUp, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';
import { seedStorefront, type StorefrontTenant, type StorefrontTenants } from './storefront-seed.js';
import { createBareStorefront } from './storefront-sql.js';

const FEW = 10_000;
const PLACE_GOAL = 0.5;
const READ_GOAL = 0.9;
/** A list of a million rows may cost at most this much more than one of 10,000. */
const GROWTH_GOAL = 0.95;
const WARM_UP_REQUESTS = 1_000;
const LINES = 3;
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

const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-bench-storefront-'));
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE storefront');
  await run(databaseUrl(postgres.url, 'storefront'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareStorefront(url);
  const tenants = await seedStorefront(url, env, { few: FEW, many: MANY });
  const floor = await startServer(buildFloor('floor-storefront'), { DATABASE_URL: url });
  running.push(floor);
  const ours = await startServer(OURS, env);
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: the same rows or reads on the floor, or the product with 10,000 rows (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const { base, ours: measured, ...line } of [...besideFloor(floor, ours, tenants.few), ...lists(ours, tenants)]) {
    if (!line.name.includes(asked.only)) continue;
    for (const workload of [base, measured]) await warmUp(workload, database, WARM_UP_REQUESTS);
    printComparison(line, await compare(base, measured, database, effort));
  }
  console.log(`\nload average ${load()}`);
}

function besideFloor(floor: Server, ours: Server, { authorization, shop, locationId, goods }: StorefrontTenant): Comparison[] {
  let number = 0;
  const body = () => {
    const lines = Array.from({ length: LINES }, () => goods[number++ % goods.length]);
    return JSON.stringify({
      project_id: shop.projectId,
      channel_id: shop.channelId,
      shipping_method_id: shop.shippingMethodId,
      location_id: locationId,
      email: 'ada@example.com',
      lines: lines.map(({ variantId, itemId }) => ({ variant_id: variantId, item_id: itemId, quantity: 1 })),
      place: true,
    });
  };
  const place = (server: Server, path: string): Workload => ({
    server,
    headers: server === ours ? { ...JSON_TYPE, authorization } : JSON_TYPE,
    requests: [{ method: 'POST', path }],
    nextBody: body,
    isExpected: (answer) => (answer as { object?: string; state?: string }).state === 'open',
  });
  const read = (server: Server, path: string): Workload => ({
    server,
    headers: { authorization },
    requests: [{ path }],
    isExpected: (answer) => (answer as { data: unknown[] }).data.length === 25,
  });
  return [
    {
      name: 'products with availability',
      goal: READ_GOAL,
      base: read(floor, '/products'),
      ours: read(ours, `${EXT_STOREFRONT}/products?expand=availability`),
    },
    { name: `place ${LINES} lines`, goal: PLACE_GOAL, base: place(floor, '/orders'), ours: place(ours, `${EXT_STOREFRONT}/orders`) },
  ];
}

function lists(ours: Server, { few, many }: StorefrontTenants): Comparison[] {
  const list = (tenant: StorefrontTenant, path: string, least: number): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_STOREFRONT}/${path}` }],
    isExpected: (body) => (body as { data: unknown[] }).data.length >= least,
  });
  const paths: readonly (readonly [name: string, path: (tenant: StorefrontTenant) => string, least: number])[] = [
    ['products by title', () => 'products?sort=title', 25],
    ['products of a category', ({ shop }) => `products?category_id=${shop.categoryId}`, 25],
    ['drafts of products', () => 'products?status=draft', 25],
    ['product by SKU', () => 'products?sku=SKU-77', 1],
    ['newest orders', () => 'orders', 25],
    ['open orders', () => 'orders?state=open', 25],
    ['unpaid orders', () => 'orders?payment_state=unpaid', 25],
    ['orders of a buyer', () => 'orders?email=b-77@example.com', 2],
    ['order by number', () => 'orders?number=S-77', 1],
    ['orders with a SKU', () => 'orders?sku=SKU-77', 1],
    ['orders of a channel', ({ shop }) => `orders?channel_id=${shop.channelId}`, 25],
  ];
  return paths.map(([name, path, least]) => ({
    name: `${name}, ${MANY.toLocaleString('en')}`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: list(few, path(few), least),
    ours: list(many, path(many), least),
  }));
}
