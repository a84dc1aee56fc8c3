import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { dataSourceOptions } from '../persistence.module.js';
import { planOf } from './migration-plan.js';
import { migrate, revertTo } from './migrations.js';

class WidenNotes1799000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE migrated_notes ADD COLUMN colour text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE migrated_notes DROP COLUMN colour');
  }
}

class BreakNotes1799000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE migrated_half (id int)');
    await runner.query('ALTER TABLE migrated_notes ADD COLUMN colour text');
  }

  async down(): Promise<void> {}
}

/** Has no way back. */
class IndexNotes1799000000003 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE migrated_notes ADD COLUMN IF NOT EXISTS shade text');
    const [{ count }] = (await runner.query('SELECT count(*)::int AS count FROM migrated_notes')) as [{ count: number }];
    await runner.query(`
      CREATE INDEX CONCURRENTLY migrated_notes_colour_idx
        ON migrated_notes (colour)`);
    await runner.query(`COMMENT ON INDEX migrated_notes_colour_idx IS 'for ${count} notes'`);
  }
}

const lines: string[] = [];
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let reader: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  reader = new Client({ connectionString: database.url, application_name: 'a long report' });
  await reader.connect();
  await reader.query('CREATE TABLE migrated_notes (text text)');
  for (const level of ['log', 'warn'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation((message: unknown) => void lines.push(String(message)));
});
afterAll(async () => {
  await reader.end();
  await database.drop();
});

type Migrations = (new () => MigrationInterface)[];

async function withMigrations<R>(migrations: Migrations, work: (dataSource: DataSource) => Promise<R>): Promise<R> {
  const options = dataSourceOptions({ url: database.url, poolSize: 2, migrations, queryTimeoutMs: 0 });
  const dataSource = await new DataSource(options).initialize();
  return work(dataSource).finally(() => dataSource.destroy());
}

const quick = { lockTimeoutMs: 200, watch: { lookEveryMs: 20, sayEveryMs: 100 } };
const run = (...migrations: Migrations) => withMigrations(migrations, (dataSource) => migrate(dataSource, quick));
const logged = (pattern: RegExp) => eventually(() => Promise.resolve(lines.some((line) => pattern.test(line))), Boolean);
const revert = (timestamp: number, ...migrations: Migrations) =>
  withMigrations(migrations, (dataSource) => revertTo(dataSource, timestamp, quick));

test('a migration that waits for a long transaction lets writes pass, says what it waits for, and is applied afterwards', async () => {
  await reader.query('BEGIN; SELECT * FROM migrated_notes');
  const migrated = run(WidenNotes1799000000001);
  await logged(/^A migration did not get a lock within 0\.2 s .* waited behind process \d+ \(user \w+, a long report, idle /);
  const writer = new Client({ connectionString: database.url, statement_timeout: 5_000 });
  await writer.connect();
  await writer.query(`INSERT INTO migrated_notes VALUES ('not blocked')`);
  await writer.end();
  await reader.query('COMMIT');
  await migrated;
  expect((await reader.query('SELECT text, colour FROM migrated_notes')).rows).toEqual([{ text: 'not blocked', colour: null }]);
  expect(lines.at(-1)).toMatch(/^Applied 1 migration in \d+\.\d s: WidenNotes1799000000001 \(\d+\.\d s\)\.$/);
});

test('a failure names its migration, and nothing of it stays', async () => {
  await expect(run(BreakNotes1799000000002)).rejects.toThrow(
    /^The migration BreakNotes1799000000002 failed, and nothing of it was applied: column "colour" .* already exists$/,
  );
  expect((await reader.query(`SELECT to_regclass('migrated_half') AS half`)).rows).toEqual([{ half: null }]);
});

test('a plan has the statements of migrations, and nothing of them was run', async () => {
  const migrations = [IndexNotes1799000000003 as Migrations[number], BreakNotes1799000000002];
  expect(await withMigrations([], (dataSource) => planOf(dataSource, migrations))).toBe(`-- IndexNotes1799000000003
ALTER TABLE migrated_notes ADD COLUMN IF NOT EXISTS shade text;
CREATE INDEX CONCURRENTLY migrated_notes_colour_idx
ON migrated_notes (colour);
COMMENT ON INDEX migrated_notes_colour_idx IS 'for 1 notes';

-- BreakNotes1799000000002
CREATE TABLE migrated_half (id int);
ALTER TABLE migrated_notes ADD COLUMN colour text;
`);
  expect((await reader.query(`SELECT to_regclass('migrated_notes_colour_idx') AS built`)).rows).toEqual([{ built: null }]);
});

test('outside of a transaction, only an index that is built concurrently waits for old transactions, and it says for which', async () => {
  await reader.query('BEGIN; SELECT * FROM migrated_notes');
  const migrated = run(WidenNotes1799000000001, IndexNotes1799000000003 as Migrations[number]);
  await logged(/did not get a lock/);
  // the index must not wait for a process that waits for its turn
  const second = run(WidenNotes1799000000001, IndexNotes1799000000003 as Migrations[number]);
  await logged(/^Another process is migrating the database/);
  await reader.query('COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM information_schema.tables');
  // longer than the timeout
  await logged(/^A migration has waited for a lock for \d+ s, behind process \d+ \(user \w+, a long report, /);
  await reader.query('COMMIT');
  await Promise.all([migrated, second]);
  const { rows } = await reader.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'migrated_notes_colour_idx'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
  expect(lines.filter((line) => /^Applied 1 migration in .*: IndexNotes1799000000003 /.test(line))).toHaveLength(1);
});

test('migrations are reverted down to a timestamp, and none of them if one has no way back or is unknown', async () => {
  const all = [WidenNotes1799000000001, IndexNotes1799000000003 as Migrations[number]];
  await expect(revert(1799000000000, ...all)).rejects.toThrow(
    'The migration IndexNotes1799000000003 has no down(), so nothing was reverted: restore a backup to go back further.',
  );
  await expect(revert(1799000000000, WidenNotes1799000000001)).rejects.toThrow(/^The migration IndexNotes1799000000003 is not one of /);
  Object.assign(IndexNotes1799000000003.prototype, { down: (runner: QueryRunner) => runner.query('DROP INDEX migrated_notes_colour_idx') });
  await revert(1799000000000, ...all);
  expect(lines.at(-1)).toMatch(/^Reverted 2 migrations in .*: IndexNotes1799000000003 \(.*\), WidenNotes1799000000001 \(/);
  expect((await reader.query('SELECT text FROM migrated_notes')).rows).toEqual([{ text: 'not blocked' }]);
  await revert(1799000000000, ...all);
});
