import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { firstIdAt } from '../../../kit/index.js';
import { dropPartitions, isLong, makePartitions, partitionsOf } from './partitions.js';

const DAY_MS = 24 * 60 * 60_000;
const KEEP_DAYS = 20;
const NOW = Date.now();
const ORGANIZATION = '01990000-0000-7000-8000-000000000001';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  await pool.query(`
    CREATE SEQUENCE parcels_number;
    CREATE TABLE couriers (id uuid PRIMARY KEY);
    INSERT INTO couriers VALUES ('${ORGANIZATION}');
    CREATE TABLE parcels (
      id uuid PRIMARY KEY,
      courier_id uuid CONSTRAINT parcels_courier_fkey REFERENCES couriers,
      number bigint NOT NULL DEFAULT nextval('parcels_number'),
      label text CONSTRAINT parcels_label_check CHECK (label <> ''),
      folded text GENERATED ALWAYS AS (lower(label)) STORED
    ) WITH (fillfactor = 70);
    CREATE INDEX parcels_label_idx ON parcels (label, id) WHERE label IS NOT NULL;
    CREATE FUNCTION parcels_trim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.label := trim(NEW.label); RETURN NEW; END $$;
    CREATE TRIGGER parcels_trim BEFORE INSERT ON parcels FOR EACH ROW EXECUTE FUNCTION parcels_trim();
    GRANT SELECT ON parcels TO pg_monitor`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const idAt = (days: number, n = 1) => firstIdAt(NOW + days * DAY_MS).slice(0, -3) + String(n).padStart(3, '0');
const add = (days: number, label: string) =>
  pool.query('INSERT INTO parcels (id, courier_id, label) VALUES ($1, $2, $3)', [idAt(days), ORGANIZATION, label]);
const labels = async () =>
  (await pool.query<{ label: string }>('SELECT label FROM parcels ORDER BY label')).rows.map(({ label }) => label).join(' ');
const partitionOf = async (label: string) =>
  (await pool.query<{ name: string }>('SELECT tableoid::regclass::text AS name FROM parcels WHERE label = $1', [label])).rows[0].name;
const names = async () => (await partitionsOf(pool, 'parcels')).map(({ name }) => name.replace('partitions.parcels_', ''));
const day = (days: number) => new Date(NOW + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');

/** Everything that PostgreSQL has on the table. */
async function shape(): Promise<unknown[]> {
  const { rows } = await pool.query<{ has: string }>(`
    SELECT conname || ' ' || pg_get_constraintdef(oid) AS has FROM pg_constraint WHERE conrelid = 'parcels'::regclass
    UNION ALL SELECT replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'parcels'
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'parcels'::regclass AND NOT tgisinternal
    UNION ALL SELECT format('%s %s %s %s', attname, atttypid::regtype, attnotnull, attgenerated) FROM pg_attribute
      WHERE attrelid = 'parcels'::regclass AND attnum > 0
    UNION ALL SELECT relacl::text FROM pg_class WHERE oid = 'parcels'::regclass
    ORDER BY 1`);
  return rows.map(({ has }) => has);
}

test('a table is partitioned with all that it has, and its rows stay where they are', async () => {
  await add(-50, 'old');
  await add(0, ' today ');
  const before = await shape();
  const file = async (name: string) => (await pool.query<{ file: string }>('SELECT pg_relation_filenode($1) AS file', [name])).rows[0].file;
  const [rows, index] = [await file('parcels'), await file('parcels_label_idx')];
  for (const statement of [`bound('parcels', 'id')`, `validate('parcels')`, `bound('parcels', 'id')`, `split('parcels', 'id')`])
    await pool.query(`SELECT partitions.${statement}`);
  expect(await shape()).toEqual(before);
  expect([await file('partitions.parcels_before'), await file('partitions.parcels_label_idx')]).toEqual([rows, index]);
  expect(await names()).toEqual(['before', 'default']);
  await add(1, ' soon ');
  await expect(add(1, 'soon')).rejects.toThrow('parcels_pkey');
});

test('partitions are made ahead; what has none is kept in the default one', async () => {
  await add(9, 'late');
  expect(await partitionOf('late')).toBe('partitions.parcels_default');
  await makePartitions(pool, 'parcels', KEEP_DAYS, new Date(NOW + 9 * DAY_MS));
  // that of the day of the late row cannot be made
  expect(await names()).toEqual(['before', 'default', day(10), day(12)]);
  await add(14, 'early');
  await makePartitions(pool, 'parcels', 400, new Date(NOW + 14 * DAY_MS));
  // a long one follows that day as well
  expect(await names()).toEqual(['before', 'default', day(10), day(12), day(15)]);
  await add(11, ' eleventh ');
  await add(13, 'thirteenth');
  await add(54, 'last');
  expect(await partitionOf('eleventh')).toBe(`partitions.parcels_${day(10)}`);
  expect(await partitionOf('last')).toBe(`partitions.parcels_${day(15)}`);
  const { rows } = await pool.query<{ indexdef: string }>(`SELECT indexdef FROM pg_indexes WHERE tablename = 'parcels_${day(10)}'`);
  expect(rows.map(({ indexdef }) => indexdef.replace(/.* USING /, '')).sort()).toEqual([
    'btree (id)',
    'btree (label, id) WHERE (label IS NOT NULL)',
  ]);
  expect((await pool.query(`SELECT reloptions FROM pg_class WHERE relname = 'parcels_${day(12)}'`)).rows).toEqual([
    { reloptions: ['fillfactor=70'] },
  ]);
});

test('a query by id reads one partition', async () => {
  const { rows } = await pool.query<Record<'QUERY PLAN', string>>(`EXPLAIN (COSTS off) SELECT FROM parcels WHERE id = '${idAt(13)}'`);
  expect(rows[0]['QUERY PLAN']).toBe(`Index Only Scan using parcels_${day(12)}_pkey on parcels_${day(12)} parcels`);
});

test('old partitions are dropped; one that spans more days than rows may be kept longer is not waited for', async () => {
  await dropPartitions(pool, 'parcels', new Date(NOW + 11 * DAY_MS));
  expect(await names()).toEqual(['default', day(10), day(12), day(15)]);
  expect(await labels()).toBe('early eleventh last late thirteenth');
  // a reader of the oldest delays that one only
  const reader = await pool.connect();
  await reader.query(`BEGIN; SELECT FROM partitions.parcels_${day(10)}`);
  await expect(dropPartitions(pool, 'parcels', new Date(NOW + 14 * DAY_MS))).rejects.toThrow('lock timeout');
  await reader.query('COMMIT');
  reader.release();
  // what was late is in the default partition, which is not dropped
  expect(await names()).toEqual(['default', day(10), day(15)]);
  const [rest, made] = await partitionsOf(pool, 'parcels');
  expect([isLong(rest, KEEP_DAYS), isLong(made, KEEP_DAYS), isLong(made, KEEP_DAYS / 2)]).toEqual([true, false, true]);
  await dropPartitions(pool, 'parcels', new Date(NOW + 14 * DAY_MS));
  expect(await labels()).toBe('early last late');
});

test('only who may delete from the table can drop its partitions', async () => {
  const role = `${database.url.split('/').at(-1)?.split('?')[0]}_reader`;
  await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT SELECT ON parcels TO ${role}`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'reader'];
  const other = new Pool({ connectionString: url.href, max: 1 });
  try {
    await expect(dropPartitions(other, 'parcels', new Date(NOW + 99 * DAY_MS))).rejects.toMatchObject({ code: '42501' });
    await expect(makePartitions(other, 'parcels', KEEP_DAYS, new Date(NOW + 99 * DAY_MS))).rejects.toMatchObject({ code: '42501' });
  } finally {
    await other.end();
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('the way back leaves one table with all rows; ids that no clock has made do not stop the way there', async () => {
  const before = await shape();
  await pool.query(`SELECT partitions.merge('parcels')`);
  expect([await shape(), await names(), await labels()]).toEqual([before, [], 'early last late']);
  expect((await pool.query(`SELECT reloptions FROM pg_class WHERE oid = 'parcels'::regclass`)).rows).toEqual([
    { reloptions: ['fillfactor=70'] },
  ]);
  await pool.query(`INSERT INTO parcels (id, label) VALUES ('f2e3c6a4-1d2e-4b3c-9a57-3f4b8f1d2a60', 'random')`);
  for (const statement of [`bound('parcels', 'id')`, `validate('parcels')`, `split('parcels', 'id')`])
    await pool.query(`SELECT partitions.${statement}`);
  expect(await partitionOf('random')).toBe('partitions.parcels_default');
  expect(await labels()).toBe('early last late random');
});
