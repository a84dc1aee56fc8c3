import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DataSource, MigrationInterface } from 'typeorm';

const MIGRATION_LOCK = 7_236_114_002;

/** The migrations in a folder, oldest first; the names of their files start with their timestamps. */
export async function loadMigrations(folder: string): Promise<(new () => MigrationInterface)[]> {
  const files = readdirSync(folder).filter((name) => /^\d{13}-.*\.[tj]s$/.test(name) && !name.endsWith('.d.ts')).sort();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, new () => MigrationInterface>>));
  return modules.flatMap((module) => Object.values(module));
}

/** Brings the schema up to date; processes that start together take turns. */
export async function migrate(dataSource: DataSource): Promise<number> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return (await dataSource.runMigrations({ transaction: 'each' })).length;
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
