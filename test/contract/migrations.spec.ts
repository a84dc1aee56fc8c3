import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { loadMigrations, migrationFiles } from '../../src/platform/persistence/database/migration-files.js';
import { dataSourceOptions } from '../../src/platform/persistence/persistence.module.js';
import { databaseUrl, onServer } from '../harness/database-server.js';

const FOLDER = join(PROJECT_ROOT, 'migrations');
/** The files that `npm test` has compiled from it. */
const COMPILED = join(PROJECT_ROOT, 'dist', 'migrations');
const FILE = /^(\d{13})-([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\.ts$/;
/**
 * How many are reverted one by one, from the newest. Those before them were when they were new, and nobody edits them since: the schema is
 * compared after each group of them. `npm run test:slow` compares it after each.
 */
const ONE_BY_ONE = Number(process.env.MIGRATIONS_ONE_BY_ONE ?? 30);
const GROUP = 12;

describe('migrations', () => {
  const name = `work_suite_migrations_${randomBytes(6).toString('hex')}`;
  const serverUrl = process.env.TEST_SERVER_URL as string;
  let database: DataSource;
  let migrations: (new () => MigrationInterface)[];
  /** After all migrations. */
  let whole: ReadonlySet<string>;

  beforeAll(async () => {
    const namesIn = (path: string) => migrationFiles([{ path, module: null }]).map((file) => file.name);
    // a leftover of a renamed or deleted one would be applied as well
    expect(namesIn(COMPILED)).toEqual(namesIn(FOLDER));
    migrations = await loadMigrations([{ path: COMPILED, module: null }]);
    // an ordinary owner: no managed PostgreSQL gives a superuser; the parameter is for rows of this test
    await onServer(serverUrl, `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
    await onServer(serverUrl, `GRANT SET ON PARAMETER session_replication_role TO ${name}`);
    await onServer(serverUrl, `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`);
    const url = new URL(databaseUrl(serverUrl, name));
    url.username = url.password = name;
    database = await new DataSource(dataSourceOptions({ url: url.href, poolSize: 1, migrations: [] })).initialize();
  });
  afterAll(async () => {
    await database.destroy();
    await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    await onServer(serverUrl, `REVOKE SET ON PARAMETER session_replication_role FROM ${name}`);
    await onServer(serverUrl, `DROP ROLE ${name}`);
  });

  test('are named <timestamp>-<module>-<what-changes>.ts and contain one class of that name', () => {
    const files = readdirSync(FOLDER).sort();
    expect(files.filter((file) => !FILE.test(file))).toEqual([]);
    const classes = files.map((file) => {
      const [, timestamp, words] = FILE.exec(file) as RegExpExecArray;
      return (
        words
          .split('-')
          .map((word) => word[0].toUpperCase() + word.slice(1))
          .join('') + timestamp
      );
    });
    expect(migrations.map((migration) => migration.name)).toEqual(classes);
    expect(new Set(files.map((file) => file.slice(0, 13))).size).toBe(files.length);
  });

  test('can be applied, and reverted to the exact previous schema', async () => {
    const schema = new Schema(database);
    const isCompared = (index: number) => index >= migrations.length - ONE_BY_ONE || index % GROUP === 0;
    const before: ReadonlySet<string>[] = [];
    for (const [index, migration] of migrations.entries()) {
      if (isCompared(index)) before[index] = await schema.read();
      await step(database, migration, 'up');
    }
    whole = await schema.read();
    expect(whole.size).toBeGreaterThan(100);
    // read at once
    expect(difference(await new Schema(database).read(), whole)).toEqual([]);
    for (const [index, migration] of [...migrations.entries()].reverse()) {
      await step(database, migration, 'down');
      if (isCompared(index)) expect([migration.name, difference(await schema.read(), before[index])]).toEqual([migration.name, []]);
    }
    expect([...before[0]]).toEqual([]);
  });

  test('say what to run if the database user may not create an extension, and accept one that a superuser created', async () => {
    const [role, limited] = [`${name}_user`, `${name}_limited`];
    await onServer(serverUrl, `CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
    await onServer(serverUrl, `CREATE DATABASE ${limited} TEMPLATE template0`);
    const url = Object.assign(new URL(databaseUrl(serverUrl, limited)), { username: role, password: 'limited' }).href;
    const Extension = migrations.find((migration) => migration.name.startsWith('PlatformBtreeGist')) as new () => MigrationInterface;
    const migrate = async (as: string, work: (connection: DataSource) => Promise<unknown>) => {
      const connection = await new DataSource(dataSourceOptions({ url: as, poolSize: 1, migrations: [] })).initialize();
      await work(connection).finally(() => connection.destroy());
    };
    try {
      await expect(migrate(url, (connection) => step(connection, Extension, 'up'))).rejects.toThrow(
        `The database user "${role}" may not create the extension btree_gist. Run one of these as a superuser in the database ` +
          `"${limited}", then start again: CREATE EXTENSION btree_gist WITH SCHEMA public; or ` +
          `GRANT CREATE ON DATABASE "${limited}" TO "${role}";`,
      );
      await migrate(databaseUrl(serverUrl, limited), (connection) => connection.query('CREATE EXTENSION btree_gist WITH SCHEMA public'));
      await migrate(url, (connection) => step(connection, Extension, 'up'));
    } finally {
      await onServer(serverUrl, `DROP DATABASE ${limited} WITH (FORCE)`);
      await onServer(serverUrl, `DROP ROLE ${role}`);
    }
  });

  test('can be applied again; to one number series per type preserve every number that was returned', async () => {
    const first = migrations.findIndex(({ name }) => name.startsWith('DocumentsNumberSeries'));
    const after = migrations.slice(first);
    for (const migration of migrations.slice(0, first)) await step(database, migration, 'up');
    await database.query(`SET session_replication_role = replica`);
    await database.query(`
      INSERT INTO projects (id, organization_id, key, name, timezone)
      SELECT id::uuid, '${uuid(9)}', key, key, 'UTC' FROM (VALUES ('${uuid(1)}', 'ENG'), ('${uuid(2)}', 'OPS')) AS v (id, key)`);
    await database.query(`
      INSERT INTO document_type_versions (id, organization_id, type_id, number, name, published_by, definition)
      VALUES ('${uuid(3)}', '${uuid(9)}', '${uuid(4)}', 1, 'Agreement', '{}',
        '{"numbering": {"pattern": "AGR-{YYYY}-{SEQ:4}", "reset": "year"}}')`);
    await database.query(`
      INSERT INTO documents (id, organization_id, project_id, mode, type_id, type_code, type_version, number, title, state,
        lifecycle_stage, data_values, approval_outcome, approval_round, created_by, created_at)
      SELECT id::uuid, '${uuid(9)}', project::uuid, 'live', '${uuid(4)}', 'agreement', 1, number, title, state, state, '{}', 'not_required',
        round, '{}', created_at::timestamptz
      FROM (VALUES
        ('${uuid(11)}', '${uuid(1)}', 'AGR-2025-0001', 'a draft, the oldest', 'draft', 0, '2025-03-01'),
        ('${uuid(12)}', '${uuid(2)}', 'AGR-2025-0001', 'finalized', 'finalized', 1, '2025-04-01'),
        ('${uuid(13)}', '${uuid(3)}', 'AGR-2025-0001', 'submitted', 'draft', 1, '2025-05-01'),
        ('${uuid(14)}', '${uuid(1)}', 'AGR-2025-0002', 'one of its own', 'draft', 0, '2025-06-01'),
        ('${uuid(15)}', '${uuid(1)}', 'AGR-2025-0003', 'of an earlier pattern', 'draft', 1, '2025-06-02')
      ) AS v (id, project, number, title, state, round, created_at)`);
    await database.query(`
      INSERT INTO counters (organization_id, project_id, mode, series, last)
      SELECT '${uuid(9)}', project::uuid, 'live', 'document ${uuid(4)} 2025', last
      FROM (VALUES ('${uuid(1)}', 2), ('${uuid(2)}', 1)) AS v (project, last)`);
    await database.query(`RESET session_replication_role`);
    for (const migration of after) await step(database, migration, 'up');
    expect(difference(await new Schema(database).read(), whole)).toEqual([]);

    const documents = await database.query<unknown[]>(`SELECT title, number, number_repeated AS repeated FROM documents ORDER BY id`);
    expect(documents).toEqual([
      { title: 'a draft, the oldest', number: 'AGR-2025-0004', repeated: false },
      { title: 'finalized', number: 'AGR-2025-0001', repeated: false },
      { title: 'submitted', number: 'AGR-2025-0001', repeated: true },
      { title: 'one of its own', number: 'AGR-2025-0002', repeated: false },
      { title: 'of an earlier pattern', number: 'AGR-2025-0003', repeated: false },
    ]);
    expect(await database.query(`SELECT document_id, action, detail FROM document_audit_entries`)).toEqual([
      { document_id: uuid(11), action: 'papers.renumber', detail: { before: 'AGR-2025-0001', after: 'AGR-2025-0004' } },
    ]);
    const last = `SELECT last FROM counters WHERE series LIKE 'document %' AND project_id = organization_id`;
    expect(await database.query(last)).toEqual([{ last: 4 }]);
    await step(database, after[0], 'down');
    expect(await database.query(`SELECT project_id, last FROM counters WHERE series LIKE 'document %' ORDER BY 1`)).toEqual([
      { project_id: uuid(1), last: 4 },
      { project_id: uuid(2), last: 4 },
    ]);
    await step(database, after[0], 'up');
  });
});

async function step(database: DataSource, Migration: new () => MigrationInterface, direction: 'up' | 'down'): Promise<void> {
  const runner = database.createQueryRunner();
  const migration = new Migration();
  const isWhole = direction === 'down' || migration.transaction !== false;
  try {
    if (isWhole) await runner.startTransaction();
    await migration[direction](runner);
    if (isWhole) await runner.commitTransaction();
  } finally {
    await runner.release();
  }
}

/**
 * The schema in lines. Reads again only what may have changed since the last time: PostgreSQL takes longer to print all definitions than to
 * run most migrations.
 */
class Schema {
  /** By the object. */
  private readonly lines = new Map<string, string[]>();
  /** Transactions from this one on are new. */
  private since = '0';

  constructor(private readonly database: DataSource) {}

  /** Every object once: NOT NULL stands with its column, the index of a constraint with the constraint. */
  async read(): Promise<Set<string>> {
    const { since } = this;
    const [{ next }] = await this.database.query<{ next: string }[]>(`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`);
    this.since = next;
    // definitions contain the names of tables and columns
    const [{ tables }] = await this.database.query<{ tables: string[] }[]>(
      `SELECT ARRAY(SELECT c.oid FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND (c.xmin::text::bigint >= $1
          OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.xmin::text::bigint >= $1)
          OR EXISTS (SELECT FROM pg_attrdef d WHERE d.adrelid = c.oid AND d.xmin::text::bigint >= $1))) AS tables`,
      [since],
    );
    const found = await this.database.query<{ key: string; line: string }[]>(CHANGED, [since, tables]);
    const [{ keys }] = await this.database.query<{ keys: string[] }[]>(`SELECT ARRAY(${KEYS}) AS keys`);
    const present = new Set(keys);
    for (const [key, changed] of Map.groupBy(found, (one) => one.key))
      this.lines.set(
        key,
        changed.map(({ line }) => line),
      );
    for (const key of this.lines.keys()) if (!present.has(key)) this.lines.delete(key);
    return new Set([...this.lines.values()].flat());
  }
}

const RELATIONS = `pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')`;
const CONSTRAINTS = `pg_constraint o WHERE o.connamespace = 'public'::regnamespace AND o.contype <> 'n'`;
const INDEXES = `pg_index o JOIN pg_class c ON c.oid = o.indexrelid
  WHERE c.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = o.indexrelid AND contype IN ('p', 'u', 'x'))`;
const TRIGGERS = `pg_trigger o WHERE NOT o.tgisinternal`;
const FUNCTIONS = `pg_proc o WHERE o.pronamespace = 'public'::regnamespace`;
const TYPES = `pg_type o WHERE o.typnamespace = 'public'::regnamespace AND o.typtype IN ('e', 'd')`;

const KEYS = `
  SELECT 'relation ' || c.oid FROM ${RELATIONS}
  UNION ALL SELECT 'constraint ' || o.oid FROM ${CONSTRAINTS}
  UNION ALL SELECT 'index ' || o.indexrelid FROM ${INDEXES}
  UNION ALL SELECT 'trigger ' || o.oid FROM ${TRIGGERS}
  UNION ALL SELECT 'function ' || o.oid FROM ${FUNCTIONS}
  UNION ALL SELECT 'type ' || o.oid FROM ${TYPES}`;

/** What transactions from $1 on have written, and what belongs to the tables $2. */
const CHANGED = `
  SELECT 'relation ' || c.oid AS key, concat_ws(' ', 'relation', c.relkind, c.relname, array_to_string(c.reloptions, ',')) AS line
    FROM ${RELATIONS} AND (c.xmin::text::bigint >= $1 OR c.oid = ANY($2))
  UNION ALL SELECT 'relation ' || c.oid, 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || ' ' || a.attnotnull || ' ' || COALESCE(pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.oid = ANY($2) AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'constraint ' || o.oid, 'constraint ' || o.conrelid::regclass || ' ' || o.conname || ' ' || pg_get_constraintdef(o.oid)
    FROM ${CONSTRAINTS} AND (o.xmin::text::bigint >= $1 OR o.conrelid = ANY($2) OR o.confrelid = ANY($2))
  UNION ALL SELECT 'index ' || o.indexrelid, 'index ' || pg_get_indexdef(o.indexrelid)
    FROM ${INDEXES} AND (o.xmin::text::bigint >= $1 OR c.xmin::text::bigint >= $1 OR o.indrelid = ANY($2))
  UNION ALL SELECT 'trigger ' || o.oid, 'trigger ' || pg_get_triggerdef(o.oid)
    FROM ${TRIGGERS} AND (o.xmin::text::bigint >= $1 OR o.tgrelid = ANY($2))
  UNION ALL SELECT 'function ' || o.oid, 'function ' || pg_get_functiondef(o.oid) FROM ${FUNCTIONS} AND o.xmin::text::bigint >= $1
  UNION ALL SELECT 'type ' || o.oid, 'type ' || o.typname FROM ${TYPES} AND o.xmin::text::bigint >= $1`;

function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  const without = (some: ReadonlySet<string>, others: ReadonlySet<string>) => [...some].filter((line) => !others.has(line));
  return [...without(one, other), ...without(other, one)].sort();
}

function uuid(last: number): string {
  return `00000000-0000-7000-8000-${String(last).padStart(12, '0')}`;
}
