import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { dataSourceOptions } from '../persistence.module.js';
import { migrate } from './migrations.js';

class WidenNotes1799000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE migrated_notes ADD COLUMN colour text');
  }

  async down(): Promise<void> {}
}

class BreakNotes1799000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE migrated_half (id int)');
    await runner.query('ALTER TABLE migrated_notes ADD COLUMN colour text');
  }

  async down(): Promise<void> {}
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

async function run(migration: new () => MigrationInterface): Promise<void> {
  const options = dataSourceOptions({ url: database.url, poolSize: 1, migrations: [migration], queryTimeoutMs: 0 });
  const dataSource = await new DataSource(options).initialize();
  await migrate(dataSource, 200).finally(() => dataSource.destroy());
}

test('a migration that waits for a long transaction lets writes pass, says what it waits for, and is applied afterwards', async () => {
  await reader.query('BEGIN; SELECT * FROM migrated_notes');
  const migrated = run(WidenNotes1799000000001);
  const waits = () => Promise.resolve(lines.find((line) => line.includes('did not get a lock')));
  expect(await eventually(waits, (line) => line !== undefined)).toMatch(
    /within 0\.2 s .* 1 s\. The oldest transactions: process \d+ \(a long report, idle in transaction\)/,
  );
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
