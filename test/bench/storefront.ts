// npm run bench:storefront [-- --rounds 5 --seconds 4 --only place --rows 1000000]
// Compares placing and reading products with a floor on the same tables, and lists of a million rows with those of 10,000.
import { EXT_STOREFRONT } from '../../src/modules/storefront/testing/storefront-fixture.js';
import { withAndWithoutKey, type Workload } from './load.js';
import { benchModule, FEW, GROWTH_GOAL, JSON_TYPE, MANY, type Comparison, type Servers } from './module-bench.js';
import type { Server } from './server.js';
import { seedStorefront, type StorefrontTenant, type StorefrontTenants } from './storefront-seed.js';
import { createBareStorefront } from './storefront-sql.js';

const PLACE_GOAL = 0.5;
const READ_GOAL = 0.9;
const LINES = 3;

await benchModule({
  name: 'storefront',
  heading: 'base: the same rows or reads on the floor, or the product with 10,000 rows (ratio of CPU time then)',
  seed: async (url, env) => {
    await createBareStorefront(url);
    return seedStorefront(url, env, { few: FEW, many: MANY });
  },
  comparisons: (servers, tenants) => [...besideFloor(servers, tenants.few), ...lists(servers.ours, tenants)],
});

function besideFloor({ floor, ours }: Servers, { authorization, organizationId, shop, locationId, goods }: StorefrontTenant): Comparison[] {
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
      base: read(floor, `/products?organization_id=${organizationId}`),
      ours: read(ours, `${EXT_STOREFRONT}/products?expand=availability`),
    },
    ...withAndWithoutKey<Comparison>({
      name: `place ${LINES} lines`,
      goal: PLACE_GOAL,
      base: place(floor, '/orders'),
      ours: place(ours, `${EXT_STOREFRONT}/orders`),
    }),
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
