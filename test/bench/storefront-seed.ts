import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Client as ApiClient } from '../harness/client.js';
import { insideOf } from '../harness/inside.js';
import { locationsOf } from '../../src/modules/inventory/testing/inventory-fixture.js';
import { makeShop, makeStocked, type Shop } from '../../src/modules/storefront/testing/storefront-fixture.js';
import { createWorkspace, signIn, PASSWORD, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
const PRODUCTS = 200;
/** One of so many seeded orders is open, unpaid and unfulfilled. */
const RARE = 100;
const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');

/** What the measured requests need. */
export interface StorefrontTenant {
  authorization: string;
  organizationId: string;
  shop: Shop;
  locationId: string;
  /** With plenty of stock. */
  goods: { variantId: string; itemId: string }[];
}

export interface StorefrontTenants {
  few: StorefrontTenant;
  many: StorefrontTenant;
}

/** Creates two organizations through the product, and seeds their rows by SQL. */
export async function seedStorefront(
  databaseUrl: string,
  env: Record<string, string>,
  { few, many }: { few: number; many: number },
): Promise<StorefrontTenants> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await app.listen(0, '127.0.0.1');
    const host = { url: await app.getUrl(), inside: insideOf(app) };
    const tenants = {
      few: await createTenant(await createWorkspace(host), host.url),
      many: await createTenant(await createWorkspace(host), host.url),
    };
    await seedRows(client, tenants.few.shop, few);
    await seedRows(client, tenants.many.shop, many);
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function createTenant(space: Workspace, url: string): Promise<StorefrontTenant> {
  const apiOf = async (module: string) => {
    const { secret } = await space.key({ module, mode: 'live', rate_limit_per_minute: NO_LIMIT });
    return { secret, api: new ApiClient(url, { authorization: `Bearer ${secret}` }) };
  };
  const [{ secret, api: client }, { api: inventory }] = [await apiOf('storefront'), await apiOf('inventory')];
  const shop = await makeShop(await signIn(url, { email: space.owner.email, password: PASSWORD }), space.eng.id);
  const goods: StorefrontTenant['goods'] = [];
  for (let number = 0; number < PRODUCTS; number++)
    goods.push(await makeStocked({ client, inventory }, space.eng.id, `HOT-${number}`, { quantity: '900000000' }));
  const { MAIN: locationId } = await locationsOf(inventory, space.eng.id);
  return { authorization: `Bearer ${secret}`, organizationId: space.organizationId, shop, locationId, goods };
}

/** So many products with a variant each, and so many completed orders with a line, a payment and a parcel each. */
async function seedRows(client: Client, shop: Shop, count: number): Promise<void> {
  // skips foreign keys and triggers, whose values are the same here
  await client.query('SET session_replication_role = replica');
  const random = 'substr(md5(c.project_id::text || r.n), 1, 15)';
  const idOf = (kind: string) => `(lpad(to_hex(${EPOCH_MS} + r.n * 1000::bigint), 12, '0') || '7${kind}00' || '8' || ${random})::uuid`;
  await client.query(
    `CREATE TEMP TABLE seed AS SELECT r.n, ${idOf('1')} AS product_id, ${idOf('2')} AS variant_id, ${idOf('3')} AS order_id,
       c.organization_id, c.project_id, c.id AS channel_id, to_timestamp(${EPOCH_MS / 1000}) + r.n * interval '1 second' AS at
     FROM generate_series(1, $2::int) AS r (n), storefront_channels c WHERE c.id = $1`,
    [shop.channelId, count],
  );
  const rows = `r.organization_id, r.project_id, 'live'`;
  const actor = `'{"type":"system","id":null,"email":null}'`;
  const isRare = `r.n % ${RARE} = 0`;
  await client.query(`
    INSERT INTO storefront_products (organization_id, project_id, mode, id, title, slug, status, category_ids, tax_class, created_by,
      search, created_at, updated_at)
    SELECT ${rows}, r.product_id, 'Product ' || md5(r.n::text), 'product-' || r.n, CASE WHEN ${isRare} THEN 'draft' ELSE 'archived' END,
      CASE WHEN ${isRare} THEN ARRAY['${shop.categoryId}'::uuid] ELSE '{}' END, 'standard', ${actor},
      to_tsvector('simple', 'product ' || r.n), r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO storefront_product_categories (category_id, product_id, mode, created_at, title)
    SELECT '${shop.categoryId}', p.id, p.mode, p.created_at, p.title FROM storefront_products p JOIN seed r ON r.product_id = p.id
    WHERE p.category_ids <> '{}'`);
  await client.query(`
    INSERT INTO storefront_variants (organization_id, project_id, mode, id, product_id, position, sku, price_amount, currency, created_at,
      updated_at)
    SELECT ${rows}, r.variant_id, r.product_id, 1, 'SKU-' || r.n, 1000, 'EUR', r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO storefront_orders (organization_id, project_id, mode, id, channel_id, number, state, payment_state, fulfillment_state,
      email, currency, prices_include_tax, subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount, shipping_tax_amount,
      shipping_total_amount, shipping_cancelled_amount, shipping_refunded_amount, cancelled_amount, returned_amount, paid_amount,
      refunded_amount, taxes, ordered_quantity, cancelled_quantity, fulfilled_quantity, placed_at, created_by, search,
      created_at, updated_at)
    SELECT ${rows}, r.order_id, r.channel_id, 'S-' || r.n, CASE WHEN ${isRare} THEN 'open' ELSE 'completed' END,
      CASE WHEN ${isRare} THEN 'unpaid' ELSE 'paid' END, CASE WHEN ${isRare} THEN 'unfulfilled' ELSE 'fulfilled' END,
      'b-' || (r.n % (${count} / 2)) || '@example.com', 'EUR', true, 1000, 0, 0, 160, 1000, 0, 0, 0, 0, 0, 0, 1000, 0, '[]', 1, 0, 1, r.at,
      ${actor}, to_tsvector('simple', 's ' || r.n), r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO storefront_order_lines (organization_id, project_id, mode, id, order_id, position, variant_id, sku, title, quantity,
      unit_amount, subtotal_amount, discount_amount, tax_amount, total_amount, tax_code, tax_rate, item_quantity, placed, reservations,
      fulfilled_quantity, cancelled_quantity, refunded_quantity, cancelled_amount, refunded_amount)
    SELECT ${rows}, gen_random_uuid(), r.order_id, 1, r.variant_id, 'SKU-' || r.n, 'Product', 1, 1000, 1000, 0, 160, 1000, 'S19', 19, 1,
      true, '[]', 1, 0, 0, 0, 0 FROM seed r`);
  await client.query(`
    INSERT INTO storefront_payments (organization_id, project_id, mode, id, order_id, amount, status, provider, reference, "on", created_by)
    SELECT ${rows}, gen_random_uuid(), r.order_id, 1000, 'succeeded', 'bank', 'P-' || r.n, '2026-01-01', ${actor} FROM seed r`);
  await client.query('DROP TABLE seed');
  await client.query('SET session_replication_role = origin');
}
