import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MigrationExecutor, type DataSource, type MigrationInterface } from 'typeorm';

const MIGRATION_LOCK = 7_236_114_002;

/** The migrations in a folder, oldest first; the names of their files start with their timestamps. */
export async function loadMigrations(folder: string): Promise<(new () => MigrationInterface)[]> {
  const files = readdirSync(folder)
    .filter((name) => /^\d{13}-.*\.[tj]s$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, new () => MigrationInterface>>),
  );
  return modules.flatMap((module) => Object.values(module));
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
