import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { loadModule } from 'libpg-query';
import { DataSource, type EntityMetadata, type Repository, type Table } from 'typeorm';
import { manifestOf, scopingOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { planOf } from '../../src/platform/persistence/rows/entity-plan.js';
import { Reader } from '../../src/platform/persistence/rows/reader.js';
import { titleOf } from '../../src/platform/persistence/rows/row-title.js';
import { narrow, Values } from '../../src/platform/persistence/rows/sql.js';
import { createTestApp, type TestApp } from '../harness/app.js';
import { readCatalog } from './sql-gate/catalog.js';
import { SqlGate } from './sql-gate/gate.js';

/** Tables without an entity, because only SQL accesses them for speed. */
const WITHOUT_ENTITY = [
  'api_key_end_notices', // read and written by one scheduled job
  'audit_chains',
  'counters',
  'default_permissions',
  'deleted_objects', // written with deleted_rows
  'deleted_rows', // read and written by statements over sets
  'idempotency_records',
  'installation',
  'installation_keys',
  'installed_modules',
  'jobs',
  'migrations',
  'project_setups',
  'request_bodies',
  'request_log_counts',
  'request_log_days',
  'scheduled_jobs',
  'webhook_attempts',
  'webhook_rates',
  'workers',
];

/** Columns of bytes that are no files: secrets, hashes and what is encrypted. */
const NO_FILES = [
  'api_key_secrets.hash',
  'audit_chains.deleted_hash',
  'audit_chains.last_hash',
  'audit_entries.hash',
  'idempotency_records.fingerprint',
  'idempotency_records.scope',
  'installation_keys.sealed',
  'oauth_clients.secret',
  'oauth_records.id',
  'organization_erasures.last_audit_hash',
  'request_bodies.content',
  'second_factors.secret',
  'sessions.token_hash',
  'sign_in_failures.subject',
  'webhook_endpoints.headers',
  'webhook_endpoints.secret',
];

const OF_MODULES = new Set(MODULES.flatMap((module) => manifestOf(module).entities));

function isOf({ app }: TestApp, entity: Type): boolean {
  if (OF_MODULES.has(entity)) return true;
  try {
    // the token has only the name of the class, which several may have
    return app.get<Repository<object>>(getRepositoryToken(entity) as Type, { strict: false }).target === entity;
  } catch {
    return false;
  }
}

const caller = { organizationId: 'organization', projectId: 'project', mode: 'live' as const };

const TABLES_AT_ONCE = 20;

/** TypeORM compares each column with the constraints of all tables that it loads at once, which takes the square of their number. */
function loadTablesInParts({ driver }: DataSource): void {
  type Loads = { loadTables(names: readonly string[]): Promise<Table[]> };
  const runner = Object.getPrototypeOf(driver.createQueryRunner('master')) as Loads;
  const { loadTables } = runner;
  jest.spyOn(runner, 'loadTables').mockImplementation(async function (this: Loads, names) {
    const tables: Table[] = [];
    for (let at = 0; at < names.length; at += TABLES_AT_ONCE)
      tables.push(...(await loadTables.call(this, names.slice(at, at + TABLES_AT_ONCE))));
    return tables;
  });
}

describe('entities and migrations', () => {
  let app: TestApp;
  let database: DataSource;
  let entities: readonly EntityMetadata[];
  /** Nest keeps the entities of all applications of a process: those of the fixtures of other spec files. */
  let others: readonly EntityMetadata[];
  beforeAll(async () => {
    app = await createTestApp();
    database = app.app.get(DataSource);
    entities = database.entityMetadatas.filter(({ target }) => isOf(app, target as Type));
    others = database.entityMetadatas.filter((entity) => !entities.includes(entity));
  });
  afterAll(() => app.close());

  test('agree: TypeORM generates no schema change', async () => {
    loadTablesInParts(database);
    const { upQueries } = await database.driver.createSchemaBuilder().log();
    expect(
      upQueries.map(({ query }) => query).filter((query) => !others.some(({ tableName }) => query.includes(`"${tableName}"`))),
    ).toEqual([]);
    expect(entities.length).toBeGreaterThan(10);
  });

  test('agree: every table has an entity or is a known exception', async () => {
    const { rows } = await app.sql.query<{ tablename: string }>(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
    const known = new Set(entities.map(({ tableName }) => tableName));
    expect(rows.map(({ tablename }) => tablename).filter((table) => !known.has(table))).toEqual(WITHOUT_ENTITY);
  });

  test('every record in the bin has a title', () => {
    const restorable = MODULES.flatMap((module) => manifestOf(module).restorable ?? []).map(({ entity }) => database.getMetadata(entity));
    const rowOf = ({ columns }: EntityMetadata) =>
      Object.fromEntries(columns.filter(({ isNullable }) => !isNullable).map(({ databaseName }) => [databaseName, 'x']));
    expect(restorable.filter((entity) => titleOf(rowOf(entity)) === undefined).map(({ name }) => name)).toEqual([]);
    expect(restorable.length).toBeGreaterThan(3);
  });

  test('files are objects: of other bytes than those, a table has only what earlier versions wrote', async () => {
    const { rows } = await app.sql.query<{ column: string }>(`
      SELECT c.table_name || '.' || c.column_name AS column FROM information_schema.columns c
      WHERE c.table_schema = 'public' AND c.data_type = 'bytea' AND c.table_name <> 'objects' AND NOT EXISTS (
        SELECT FROM information_schema.columns o WHERE o.table_schema = 'public' AND o.table_name = c.table_name
          AND o.column_name = c.column_name || '_object_id')
      ORDER BY 1`);
    expect(rows.map(({ column }) => column)).toEqual(NO_FILES);
  });

  // for the following TypeORM compares only names
  test('agree: every index that an entity declares by name exists', async () => {
    const declared = entities.flatMap(({ tableName, ownIndices }) =>
      ownIndices.filter(({ synchronize }) => !synchronize).map(({ name }) => `${tableName}.${name}`),
    );
    const { rows } = await app.sql.query<{ index: string }>(
      `SELECT tablename || '.' || indexname AS index FROM pg_indexes WHERE schemaname = 'public'`,
    );
    const existing = new Set(rows.map(({ index }) => index));
    expect(declared.filter((index) => !existing.has(index))).toEqual([]);
  });

  test('no index is the beginning of another index of its table', async () => {
    const redundant = async () => {
      const { rows } = await app.sql.query<{ pair: string }>(`
        SELECT format('%s in %s', i.indexrelid::regclass, longer.indexrelid::regclass) AS pair
        FROM pg_index i JOIN pg_index longer ON longer.indrelid = i.indrelid AND longer.indexrelid <> i.indexrelid
        JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
        WHERE n.nspname IN ('public', 'probe') AND NOT i.indisunique AND i.indexprs IS NULL
          AND pg_get_expr(i.indpred, t.oid) IS NOT DISTINCT FROM pg_get_expr(longer.indpred, t.oid)
          AND longer.indkey::text || ' ' LIKE i.indkey::text || ' %'
          AND longer.indclass::text || ' ' LIKE i.indclass::text || ' %'
          AND longer.indoption::text || ' ' LIKE i.indoption::text || ' %'`);
      return rows.map(({ pair }) => pair);
    };
    expect(await redundant()).toEqual([]);
    await app.sql.query(`
      CREATE SCHEMA probe; CREATE TABLE probe.pairs (a integer, b integer);
      CREATE INDEX short ON probe.pairs (a); CREATE INDEX long ON probe.pairs (a, b); CREATE INDEX part ON probe.pairs (a) WHERE b > 0`);
    expect(await redundant()).toEqual(['probe.short in probe.long']);
    await app.sql.query('DROP SCHEMA probe CASCADE');
  });

  test('agree on check constraints', async () => {
    const declared = entities.flatMap(({ tableName, checks }) =>
      checks.map(({ name, expression }) => ({ table: tableName, name: name!, expression })),
    );
    const normalized = await normalizedByPostgres(
      app,
      declared,
      (probe, { expression }, index) => `ALTER TABLE ${probe} ADD CONSTRAINT probed_${index} CHECK (${expression})`,
      `SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE connamespace = pg_my_temp_schema()`,
    );
    const { rows } = await app.sql.query<Written & { table: string }>(
      `SELECT c.relname AS table, o.conname AS name, pg_get_constraintdef(o.oid) AS text
       FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE o.connamespace = 'public'::regnamespace AND o.contype = 'c'`,
    );
    const migrated = new Map(rows.map(({ table, name, text }) => [`${table}.${name}`, text]));
    const differing = declared
      .map(({ table, name }, index) => ({ name, entity: normalized[index], migration: migrated.get(`${table}.${name}`) }))
      .filter(({ entity, migration }) => entity !== migration);
    expect(differing).toEqual([]);
    expect(declared.length).toBeGreaterThan(5);
  });

  test('agree on the conditions of partial indexes', async () => {
    const declared = entities.flatMap(({ tableName, ownIndices }) =>
      ownIndices
        .filter(({ synchronize }) => synchronize)
        .map(({ name, where }) => ({ table: tableName, name, expression: where as string | undefined })),
    );
    const partial = declared.filter(({ expression }) => expression !== undefined);
    const normalized = await normalizedByPostgres(
      app,
      partial,
      (probe, { expression }, index) => `CREATE INDEX probed_${index} ON ${probe} ((1)) WHERE ${expression}`,
      `SELECT c.relname AS name, pg_get_expr(i.indpred, i.indrelid) AS text
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = pg_my_temp_schema()`,
    );
    const { rows } = await app.sql.query<Written>(
      `SELECT c.relname AS name, pg_get_expr(i.indpred, i.indrelid) AS text
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
    );
    const migrated = new Map(rows.map(({ name, text }) => [name, text]));
    const differing = declared
      .map((one) => ({ name: one.name, entity: normalized[partial.indexOf(one)] ?? null, migration: migrated.get(one.name) }))
      .filter(({ entity, migration }) => entity !== migration);
    expect(differing).toEqual([]);
    expect(partial.length).toBeGreaterThan(5);
  });

  // the store adds them to its own statements, which are not parsed
  test('virtual columns read only rows of the caller', async () => {
    await loadModule();
    const gate = new SqlGate(await readCatalog(database));
    const withSome = entities.filter(
      ({ target, columns }) => typeof target === 'function' && scopingOf(target) && columns.some((column) => column.isVirtualProperty),
    );
    const faults = withSome.flatMap(({ target }) => {
      const plan = planOf(database, target as never);
      const values = new Values();
      const text = `SELECT ${plan.selectAll} FROM ${plan.table} t WHERE ${narrow(plan, caller as never, values)}`;
      return gate.faultOf({ caller, text, values: values.list, unscoped: null, beyond: [] }) ?? [];
    });
    expect(faults).toEqual([]);
    expect(withSome.length).toBeGreaterThan(5);
  });

  test('names are read for answers, and by no write', async () => {
    const reader = new Reader(database, null as never);
    const hasNames = ({ columns }: EntityMetadata) => columns.some((one) => one.isVirtualProperty && one.propertyName === 'names');
    const named = database.entityMetadatas.filter(hasNames);
    const readsNames = async (entity: unknown, lock?: string) => {
      let read = '';
      const on = { query: ({ text }: { text: string }) => ((read = text), Promise.resolve({ rows: [], rowCount: 0, command: 'SELECT' })) };
      await reader.find(on, caller as never, entity as never, 'id', lock);
      return read.includes('AS "names"');
    };
    for (const { name, target } of named)
      expect([name, await readsNames(target), await readsNames(target, '')]).toEqual([name, true, false]);
    expect(named.length).toBeGreaterThan(5);
  });
});

interface Expression {
  table: string;
  expression?: string;
}

interface Written {
  name: string;
  text: string | null;
}

/** PostgreSQL's canonical texts of expressions over the columns of their tables, so that they can be compared with others. */
async function normalizedByPostgres<E extends Expression>(
  app: TestApp,
  expressions: readonly E[],
  define: (probe: string, expression: E, index: number) => string,
  read: string,
): Promise<string[]> {
  const tables = [...new Set(expressions.map(({ table }) => table))];
  const probeOf = (table: string) => `pg_temp.probe_${tables.indexOf(table)}`;
  const client = await app.sql.connect();
  try {
    await client.query('BEGIN');
    // one text of many statements
    const probes = tables.map((table) => `CREATE TEMP TABLE probe_${tables.indexOf(table)} (LIKE public."${table}")`);
    await client.query([...probes, ...expressions.map((one, index) => define(probeOf(one.table), one, index))].join(';\n'));
    const { rows } = await client.query<{ name: string; text: string }>(read);
    const texts = new Map(rows.map(({ name, text }) => [name, text]));
    return expressions.map((_, index) => texts.get(`probed_${index}`)!);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
