import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';
import { ConfigError } from '../../../kit/index.js';
import { isLockTimeout, LockWatch, MIGRATION_LOCK_TIMEOUT_MS, retryWhileLocked } from './lock-retries.js';

const log = new Logger('Migrations');

const MIGRATION_LOCK = 7_236_114_002;
const MOST_NAMES = 10;
/** How often a process asks whether another one has ended its migrations. */
const TURN_MS = 200;

interface MigrationOptions {
  lockTimeoutMs?: number;
  /** How often it is looked what a migration waits for, and how often that is logged. */
  watch?: { lookEveryMs: number; sayEveryMs: number };
  /** Called in the transaction of each migration, as the last that it does. */
  note?: (runner: QueryRunner, action: 'migrated' | 'reverted', name: string) => Promise<void>;
}

/**
 * Brings the schema up to date, each migration in a transaction. A lock serializes processes that start together. A migration that does
 * not get a lock on a table within a few seconds is rolled back and tried again, because all statements on the table queue behind it.
 */
export async function migrate(
  dataSource: DataSource,
  { lockTimeoutMs = MIGRATION_LOCK_TIMEOUT_MS, watch, note }: MigrationOptions = {},
): Promise<void> {
  const started = performance.now();
  const applied: string[] = [];
  for (const migration of dataSource.migrations) {
    const run = migration.up.bind(migration);
    const { name } = migration.constructor;
    const up = async (runner: QueryRunner) => {
      await run(runner);
      await note?.(runner, 'migrated', name);
    };
    migration.up = (runner) => {
      const failed = (extent: string) => `The migration ${name} failed, and ${extent} of it was applied`;
      return migration.transaction === false
        ? withPatientIndexes(runner, () => noted(applied, name, failed('a part'), () => up(runner)), lockTimeoutMs)
        : noted(applied, name, failed('nothing'), () => up(runner));
    };
  }
  await withMigrationLock(dataSource, { lockTimeoutMs, watch }, (executor) => executor.executePendingMigrations());
  report('Applied', applied, started);
}

/**
 * Reverts the applied migrations with later timestamps, the last applied first, each in a transaction.
 * @throws ConfigError if this version does not know one of them, or knows no way back; nothing is reverted then
 */
export async function revertTo(
  dataSource: DataSource,
  timestamp: number,
  { lockTimeoutMs = MIGRATION_LOCK_TIMEOUT_MS, watch, note }: MigrationOptions = {},
): Promise<void> {
  const started = performance.now();
  const reverted: string[] = [];
  await withMigrationLock(dataSource, { lockTimeoutMs, watch }, async (executor, runner) => {
    const later = (await executor.getExecutedMigrations()).filter((one) => one.timestamp > timestamp);
    const undone = later.map((applied) => reversible(applied, dataSource));
    for (const [index, { name, instance }] of undone.entries()) {
      await runner.startTransaction();
      try {
        await noted(reverted, name, `The migration ${name} could not be reverted, and nothing of it was`, async () => {
          await instance.down(runner);
          await note?.(runner, 'reverted', name);
        });
        await executor.deleteMigration(later[index]);
        await runner.commitTransaction();
      } catch (error) {
        await runner.rollbackTransaction();
        throw error;
      }
    }
  });
  report('Reverted', reverted, started);
}

function reversible({ name }: Migration, { migrations }: DataSource): { name: string; instance: DataSource['migrations'][number] } {
  const instance = migrations.find((migration) => (migration.name ?? migration.constructor.name) === name);
  if (!instance) throw new ConfigError(`The migration ${name} is not one of this version: revert it with the version that applied it.`);
  if (typeof (instance as { down?: unknown }).down !== 'function')
    throw new ConfigError(`The migration ${name} has no down(), so nothing was reverted: restore a backup to go back further.`);
  return { name, instance };
}

/** On a session that has the lock of migrations, which waits for no lock on a table longer than the timeout. */
async function withMigrationLock(
  dataSource: DataSource,
  { lockTimeoutMs, watch: pace }: { lockTimeoutMs: number; watch: MigrationOptions['watch'] },
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<unknown>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const [{ pid }] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  const watch = new LockWatch(pid, (sql, values) => dataSource.query(sql, values), pace);
  try {
    // no timeout: a migration may take long, and so may the wait for that of another process
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await takeTurn(runner);
    await runner.query(`SET lock_timeout = ${lockTimeoutMs}`);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await retryWhileLocked(() => work(executor, runner), watch, lockTimeoutMs);
  } finally {
    await watch.end();
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout');
    await runner.release();
  }
}

/** Not by a statement that waits for the lock: CREATE INDEX CONCURRENTLY in the other process would wait for that, and deadlock. */
async function takeTurn(runner: QueryRunner): Promise<void> {
  const isMine = async () => {
    const [{ locked }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [MIGRATION_LOCK])) as [{ locked: boolean }];
    return locked;
  };
  if (await isMine()) return;
  log.log('Another process is migrating the database; waiting for it.');
  do await sleep(TURN_MS);
  while (!(await isMine()));
}

/**
 * For a migration with `transaction = false`, which builds an index CONCURRENTLY: that waits for old transactions, but nothing waits behind
 * it, and with a timeout it would leave an invalid index. All other statements of the migration have the timeout.
 */
async function withPatientIndexes(runner: QueryRunner, run: () => Promise<void>, lockTimeoutMs: number): Promise<void> {
  const query = runner.query.bind(runner);
  const patient = async (sql: string, ...rest: unknown[]): Promise<unknown> => {
    const send = () => query(sql, ...(rest as [])) as Promise<unknown>;
    if (!/\bCONCURRENTLY\b/i.test(sql)) return send();
    await query('SET lock_timeout = 0');
    try {
      return await send();
    } finally {
      await query(`SET lock_timeout = ${lockTimeoutMs}`);
    }
  };
  runner.query = patient as QueryRunner['query'];
  try {
    await run();
  } finally {
    runner.query = query;
  }
}

/** Notes the migration with its duration. A failure names it. */
async function noted(done: string[], name: string, failure: string, run: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  try {
    await run();
  } catch (error) {
    if (isLockTimeout(error)) throw error;
    throw new Error(`${failure}: ${(error as Error).message}`, { cause: error });
  }
  done.push(`${name} (${secondsSince(started)} s)`);
}

function report(what: string, done: readonly string[], started: number): void {
  if (done.length === 0) return;
  const names = done.length > MOST_NAMES ? `${done.slice(0, MOST_NAMES).join(', ')} and ${done.length - MOST_NAMES} more` : done.join(', ');
  log.log(`${what} ${done.length} ${done.length === 1 ? 'migration' : 'migrations'} in ${secondsSince(started)} s: ${names}.`);
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
