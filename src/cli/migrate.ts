import { Logger } from '@nestjs/common';
import { bringUpToDate, migrationUrlOf, noteInLog, withMigrations } from '../database-schema.js';
import { ConfigError } from '../kit/index.js';
import { encryptionKeysOf } from '../platform/config/config.js';
import { loggerOf } from '../platform/logging/logger.js';
import {
  appliedTimestamps,
  loadMigrations,
  migrationFiles,
  pendingMigrations,
  type MigrationFolder,
} from '../platform/persistence/database/migration-files.js';
import { planOf } from '../platform/persistence/database/migration-plan.js';
import { revertTo } from '../platform/persistence/database/migrations.js';
import { refuseWrongEncryptionKey } from '../platform/secrets/encryption-check.js';
import { withDatabase } from './cli-context.js';
import { runCommand, UsageError, type Commands, type Given } from './command-line.js';

const USAGE = `Migrations, for operators.

  work-suite migrate
  work-suite migrate --status
  work-suite migrate --plan
  work-suite migrate --down-to 1798830000070

Without an option, it brings the database up to date, whether or not the suite is running. It uses MIGRATION_DATABASE_URL, or DATABASE_URL.

--status               shows how many migrations the database has and which it lacks; the exit code is 1 if it lacks some
--plan                 prints the statements of those that it lacks, and runs none
--down-to <timestamp>  reverts those that are later, the last applied first; 0 reverts all. Data in dropped tables and columns is lost.`;

const COMMANDS = {
  run: {
    options: { status: { type: 'boolean' }, plan: { type: 'boolean' }, 'down-to': { type: 'string' } },
    run: (given) => migrateAs(given),
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, ['help', '--help'].includes(args[0]) ? args : ['run', ...args]);
}

async function migrateAs(given: Given): Promise<void> {
  const downTo = given.number('down-to');
  if ([given.flag('status'), given.flag('plan'), downTo !== undefined].filter(Boolean).length > 1)
    throw new UsageError('Use one of --status, --plan and --down-to.');
  await withDatabase(async ({ config, url, folders }) => {
    Logger.overrideLogger(loggerOf(config));
    const migrationUrl = migrationUrlOf(config, url);
    if (given.flag('status')) await showStatus(migrationUrl, folders);
    else if (given.flag('plan')) await showPlan(migrationUrl, folders);
    else if (downTo !== undefined) await revert(migrationUrl, folders, downTo);
    else {
      await refuseWrongEncryptionKey(url, encryptionKeysOf(config));
      await bringUpToDate(config, url, folders);
      console.log(`The database is up to date; it has ${migrationFiles(folders).length} migrations.`);
    }
  });
}

async function showStatus(url: string, folders: readonly MigrationFolder[]): Promise<void> {
  const known = new Set(migrationFiles(folders).map(({ timestamp }) => timestamp));
  const applied = await appliedTimestamps(url);
  const unknown = applied.filter((timestamp) => !known.has(timestamp));
  const pending = await pendingMigrations(url, folders);
  console.log(`${applied.length} migrations are applied, the latest is ${applied.at(-1) ?? 'none'}.`);
  if (unknown.length > 0) console.log(`${unknown.length} of them are not of this version: ${unknown.join(', ')}.`);
  console.log(`${pending.length} are pending${pending.length > 0 ? ':' : '.'}`);
  for (const { name } of pending) console.log(`  ${name}`);
  if (pending.length > 0) process.exitCode = 1;
}

async function showPlan(url: string, folders: readonly MigrationFolder[]): Promise<void> {
  const applied = new Set(await appliedTimestamps(url));
  const migrations = await loadMigrations(folders);
  const pending = migrations.filter((_, index) => !applied.has(migrationFiles(folders)[index].timestamp));
  if (pending.length === 0) return console.log('-- The database is up to date.');
  console.log(await withMigrations(url, [], (dataSource) => planOf(dataSource, pending)));
}

async function revert(url: string, folders: readonly MigrationFolder[], timestamp: number): Promise<void> {
  const applied = await appliedTimestamps(url);
  if (timestamp !== 0 && !applied.includes(String(timestamp)))
    throw new ConfigError(
      `No migration with the timestamp ${timestamp} is applied: --down-to takes that of the last one to keep, or 0 to revert all.`,
    );
  await withMigrations(url, await loadMigrations(folders), (dataSource) => revertTo(dataSource, timestamp, { note: noteInLog }));
  console.log(`The database has the migrations up to ${timestamp}. Start the version that ends with it: this one would apply them again.`);
}
