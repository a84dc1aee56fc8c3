// npm run bench:inventory [-- --rounds 5 --seconds 4 --only reserve --rows 1000000]
// Compares reservations and movements with Fastify routes that write the same rows, and lists of a million rows with those of 10,000.
import { EXT_INVENTORY } from '../../src/modules/inventory/testing/inventory-fixture.js';
import { seedInventory, type InventoryTenant, type InventoryTenants } from './inventory-seed.js';
import { createBareInventory } from './inventory-sql.js';
import { withAndWithoutKey, type Workload } from './load.js';
import { benchModule, FEW, GROWTH_GOAL, JSON_TYPE, MANY, type Comparison, type Servers } from './module-bench.js';
import type { Server } from './server.js';

const CLIENTS = 32;
const RESERVE_GOAL = 0.4;
const MOVE_GOAL = 0.5;

await benchModule({
  name: 'inventory',
  heading: 'base: a Fastify route with the same statements, or the product with 10,000 rows (ratio of CPU time then)',
  seed: async (url, env) => {
    await createBareInventory(url);
    return seedInventory(url, env, { few: FEW, many: MANY });
  },
  comparisons: (servers, tenants) => [...writes(servers, tenants.few), ...lists(servers.ours, tenants)],
});

function writes({ floor, ours }: Servers, { authorization, locationId, hot, items }: InventoryTenant): Comparison[] {
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
  ].flatMap(withAndWithoutKey);
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
