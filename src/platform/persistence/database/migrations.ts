import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { ConfigError } from '../../../kit/index.js';
import { queryOnce } from '../connections/query-once.js';

const log = new Logger('Migrations');

const MIGRATION_LOCK = 7_236_114_002;
const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const MOST_NAMES = 10;
/** Of other sessions; what a migration waits for is among them. */
const LONG_TRANSACTIONS = `
  SELECT format('process %s (%s, %s) since %s', pid, coalesce(nullif(application_name, ''), 'unnamed'), state, xact_start) AS transaction
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < now()
  ORDER BY xact_start LIMIT 3`;

/** A folder with migrations, and the module to which all of them belong; null if the names of the files say it. */
export interface MigrationFolder {
  readonly path: string;
  readonly module: string | null;
}

interface MigrationFile {
  readonly timestamp: string;
  readonly path: string;
}

/** The migrations in the folders, oldest first; the names of their files start with their timestamps. */
export async function loadMigrations(folders: readonly MigrationFolder[]): Promise<(new () => MigrationInterface)[]> {
  const modules = await Promise.all(
    filesOf(folders).map(({ path }) => import(pathToFileURL(path).href) as Promise<Record<string, new () => MigrationInterface>>),
  );
  return modules.flatMap((module) => Object.values(module));
}

/** @throws ConfigError naming two files with one timestamp, whose order nobody could know, or one that does not name its module */
function filesOf(folders: readonly MigrationFolder[]): MigrationFile[] {
  const files = new Map<string, MigrationFile>();
  for (const { path: folder, module } of folders)
    for (const name of readdirSync(folder)) {
      if (!/^\d{13}-.*\.[tj]s$/.test(name) || name.endsWith('.d.ts')) continue;
      const file = { timestamp: name.slice(0, name.indexOf('-')), path: join(folder, name) };
      if (module !== null && !name.startsWith(`${file.timestamp}-${module.replaceAll('_', '-')}-`))
        throw new ConfigError(
          `The migration ${file.path} of the module ${module} must be named <timestamp>-${module.replaceAll('_', '-')}-<change>.`,
        );
      const other = files.get(file.timestamp);
      if (other) throw new ConfigError(`The migrations ${other.path} and ${file.path} have one timestamp: rename the newer one.`);
      files.set(file.timestamp, file);
    }
  return [...files.values()].sort((one, other) => Number(one.timestamp) - Number(other.timestamp));
}

/** Whether the database has all migrations of the folders. Nothing is loaded, because that takes longer than asking. */
export async function isMigrated(url: string, folders: readonly MigrationFolder[]): Promise<boolean> {
  const files = filesOf(folders);
  try {
    const rows = await queryOnce<{ timestamp: string }>({ connectionString: url }, 'SELECT "timestamp"::text FROM migrations');
    const applied = new Set(rows.map(({ timestamp }) => timestamp));
    return files.every(({ timestamp }) => applied.has(timestamp));
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/**
 * Brings the schema up to date, each migration in a transaction. A lock serializes processes that start together. A migration that does
 * not get a lock on a table within a few seconds is rolled back and tried again, because all statements on the table queue behind it.
 */
export async function migrate(dataSource: DataSource, lockTimeoutMs = 3_000): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const started = performance.now();
  const applied = noteApplied(dataSource);
  try {
    // no timeout: a migration may take long, and so may the wait for that of another process
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    const [{ locked }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [MIGRATION_LOCK])) as [{ locked: boolean }];
    if (!locked) {
      log.log('Another process is migrating the database; waiting for it.');
      await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    }
    await runner.query(`SET lock_timeout = ${lockTimeoutMs}`);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await retryWhileLocked(() => executor.executePendingMigrations(), runner, lockTimeoutMs);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout');
    await runner.release();
  }
  const names =
    applied.length > MOST_NAMES ? `${applied.slice(0, MOST_NAMES).join(', ')} and ${applied.length - MOST_NAMES} more` : applied.join(', ');
  if (applied.length > 0)
    log.log(`Applied ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'} in ${secondsSince(started)} s: ${names}.`);
}

/** The names of the migrations that will have been applied, each with its duration. A failure names its migration. */
function noteApplied({ migrations }: DataSource): string[] {
  const applied: string[] = [];
  for (const migration of migrations) {
    const up = migration.up.bind(migration);
    const { name } = migration.constructor;
    migration.up = async (runner) => {
      const started = performance.now();
      try {
        await up(runner);
      } catch (error) {
        if (isLockTimeout(error)) throw error;
        throw new Error(`The migration ${name} failed, and nothing of it was applied: ${(error as Error).message}`, { cause: error });
      }
      applied.push(`${name} (${secondsSince(started)} s)`);
    };
  }
  return applied;
}

async function retryWhileLocked(run: () => Promise<unknown>, runner: QueryRunner, lockTimeoutMs: number): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const others = (await runner.query(LONG_TRANSACTIONS)) as { transaction: string }[];
      log.warn(
        `A migration did not get a lock within ${lockTimeoutMs / 1_000} s and is tried again in ${pauseMs / 1_000} s. ` +
          `The oldest transactions: ${others.map(({ transaction }) => transaction).join('; ') || 'none'}.`,
      );
      await sleep(pauseMs);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === LOCK_NOT_AVAILABLE;
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
