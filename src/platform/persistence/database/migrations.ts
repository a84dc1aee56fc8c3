import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MigrationExecutor, type DataSource, type MigrationInterface } from 'typeorm';
import { queryOnce } from '../connections/query-once.js';

const MIGRATION_LOCK = 7_236_114_002;
const UNDEFINED_TABLE = '42P01';

/** The migrations in a folder, oldest first; the names of their files start with their timestamps. */
export async function loadMigrations(folder: string): Promise<(new () => MigrationInterface)[]> {
  const modules = await Promise.all(
    filesOf(folder).map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, new () => MigrationInterface>>),
  );
  return modules.flatMap((module) => Object.values(module));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{13}-.*\.[tj]s$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
}

/** Whether the database has all migrations of the folder. Nothing is loaded, because that takes longer than asking. */
export async function isMigrated(url: string, folder: string): Promise<boolean> {
  try {
    const rows = await queryOnce<{ timestamp: string }>({ connectionString: url }, 'SELECT "timestamp"::text FROM migrations');
    const applied = new Set(rows.map(({ timestamp }) => timestamp));
    return filesOf(folder).every((file) => applied.has(file.slice(0, file.indexOf('-'))));
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/** Brings the schema up to date. A lock serializes processes that start together. */
export async function migrate(dataSource: DataSource): Promise<number> {
  const runner = dataSource.createQueryRunner();
  try {
    // no timeout: a migration may take long, and so may the wait for that of another process
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    return (await executor.executePendingMigrations()).length;
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout');
    await runner.release();
  }
}
