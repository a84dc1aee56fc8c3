import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Client as ApiClient } from '../harness/client.js';
import { insideOf } from '../harness/inside.js';
import { locationsOf, makeItem, move } from '../../src/modules/inventory/testing/inventory-fixture.js';
import { createWorkspace, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
const ITEMS = 200;
const PLENTY = '900000000000';
/** One of so many seeded items is low, and one of so many reservations active. */
const RARE = 100;
const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');

/** What the measured requests need. */
export interface InventoryTenant {
  authorization: string;
  locationId: string;
  /** One with plenty of stock, and many. */
  hot: string;
  items: string[];
  /** An item of the seeded rows. */
  seeded: string;
  /** A time after most of the seeded rows. */
  late: string;
}

export interface InventoryTenants {
  few: InventoryTenant;
  many: InventoryTenant;
}

/** Creates two organizations through the product, and seeds their rows by SQL. */
export async function seedInventory(
  databaseUrl: string,
  env: Record<string, string>,
  { few, many }: { few: number; many: number },
): Promise<InventoryTenants> {
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
    for (const [name, count] of [
      ['few', few],
      ['many', many],
    ] as const)
      Object.assign(tenants[name], await seedRows(client, tenants[name].locationId, count));
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function createTenant(space: Workspace, url: string): Promise<InventoryTenant> {
  const { secret } = await space.key({ module: 'inventory', mode: 'live', rate_limit_per_minute: NO_LIMIT });
  const authorization = `Bearer ${secret}`;
  const api = new ApiClient(url, { authorization });
  const { MAIN: locationId } = await locationsOf(api, space.eng.id);
  const items: string[] = [];
  for (let number = 0; number <= ITEMS; number++) {
    const { id } = await makeItem(api, { project_id: space.eng.id, sku: `HOT-${number}` });
    await move(api, { kind: 'receipt', item_id: id, location_id: locationId, quantity: PLENTY.slice(0, 9), cost_amount: 1 });
    items.push(id);
  }
  return { authorization, locationId, hot: items[0], items: items.slice(1), seeded: '', late: '' };
}

/** So many items, each with a level, a movement and a reservation. */
async function seedRows(client: Client, locationId: string, count: number): Promise<{ seeded: string; late: string }> {
  // skips foreign keys and triggers, whose values are the same here
  await client.query('SET session_replication_role = replica');
  const at = (n: string) => `to_timestamp(${EPOCH_MS / 1000}) + ${n} * interval '1 second'`;
  const idOf = (kind: string) =>
    `(lpad(to_hex(${EPOCH_MS} + r.n * 1000::bigint), 12, '0') || '7${kind}00' || '8' || substr(md5(r.n::text), 1, 15))::uuid`;
  await client.query(
    `CREATE TEMP TABLE seed AS SELECT r.n, ${idOf('1')} AS item_id, l.organization_id, l.project_id, l.id AS location_id, ${at('r.n')} AS at
     FROM generate_series(1, $2::int) AS r (n), stock_locations l WHERE l.id = $1`,
    [locationId, count],
  );
  // ids differ between the organizations
  await client.query(`UPDATE seed SET item_id = (substr(item_id::text, 1, 24) || substr(md5(organization_id::text || n), 1, 12))::uuid`);
  const rows = `r.organization_id, r.project_id, 'live'`;
  const actor = `'{"type":"system","id":null,"email":null}'`;
  await client.query(`
    INSERT INTO inventory_items (organization_id, project_id, mode, id, sku, name, unit, quantity_scale, tracking, valuation_method,
      low, currency, created_by, search, created_at, updated_at)
    SELECT ${rows}, r.item_id, 'SKU-' || lpad(r.n::text, 8, '0'), 'Item ' || md5(r.n::text), 'pcs', 0, 'none', 'average',
      r.n % ${RARE} = 0, 'EUR', ${actor}, to_tsvector('simple', 'sku ' || r.n), r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO stock_totals (organization_id, project_id, mode, id, on_hand, value_amount, sequence)
    SELECT ${rows}, r.item_id, 10, 1000, 1 FROM seed r`);
  await client.query(`
    INSERT INTO stock_levels (organization_id, project_id, mode, id, item_id, location_id, on_hand, created_at, updated_at)
    SELECT ${rows}, gen_random_uuid(), r.item_id, r.location_id, 10, r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO stock_movements (organization_id, project_id, mode, id, item_id, location_id, kind, sequence, quantity, change, cost_amount,
      on_hand_after, item_quantity_after, item_value_after, reference, occurred_at, created_by, created_at, updated_at)
    SELECT ${rows}, gen_random_uuid(), r.item_id, r.location_id, 'receipt', 1, 10, 10, 1000, 10, 10, 1000, 'PO-' || r.n, r.at, ${actor},
      r.at, r.at FROM seed r`);
  await client.query(`
    INSERT INTO stock_reservations (organization_id, project_id, mode, id, item_id, location_id, quantity, status, reference, ended_at,
      created_by, created_at, updated_at)
    SELECT ${rows}, gen_random_uuid(), r.item_id, r.location_id, 1, CASE WHEN r.n % ${RARE} = 0 THEN 'active' ELSE 'released' END,
      'SO-' || r.n, CASE WHEN r.n % ${RARE} = 0 THEN NULL ELSE r.at END, ${actor}, r.at, r.at FROM seed r`);
  const { rows: found } = await client.query<{ item_id: string; at: Date }>('SELECT item_id, at FROM seed WHERE n = $1', [
    Math.floor(count * 0.9),
  ]);
  await client.query('DROP TABLE seed');
  await client.query('SET session_replication_role = origin');
  return { seeded: found[0].item_id, late: found[0].at.toISOString() };
}
