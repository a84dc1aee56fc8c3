import { DataSource, type QueryRunner } from 'typeorm';
import { ConfigError } from './kit/index.js';
import { noteMigration } from './platform/audit/installation-log.js';
import type { AppConfig } from './platform/config/settings.js';
import {
  loadMigrations,
  migrationFiles,
  pendingMigrations,
  type MigrationClass,
  type MigrationFolder,
} from './platform/persistence/database/migration-files.js';
import { checkServer } from './platform/persistence/database/database.js';
import { migrate } from './platform/persistence/database/migrations.js';
import { dataSourceOptions } from './platform/persistence/persistence.module.js';
import { isQueueMigrated, migrateQueue } from './platform/queue/queue-backend.js';
import { requireOwnTables } from './suite/own-tables.js';

type Config = Pick<AppConfig, 'migrationDatabaseUrl' | 'migrateAtStart' | 'redisUrl'>;

/**
 * Whether the schema in the database, and without Redis that of the queue, has everything that this version needs.
 * @throws ConfigError if it has not, and may not be changed at a start
 */
export async function isUpToDate(config: Config, url: string, folders: readonly MigrationFolder[]): Promise<boolean> {
  const pending = (await pendingMigrations(url, folders)).map(({ name }) => name);
  if (!config.redisUrl && !(await isQueueMigrated(url))) pending.push('the tables of the queue');
  if (pending.length === 0) return true;
  if (config.migrateAtStart === 'no')
    throw new ConfigError(
      `The database lacks ${pending[0]}${pending.length > 1 ? ` and ${pending.length - 1} more migrations` : ''}, ` +
        'and MIGRATE_AT_START is no: run "work-suite migrate" first.',
    );
  return false;
}

/**
 * Brings the schema of the suite, and without Redis that of the queue, up to date.
 * @throws ConfigError if a migration names the table of another module; nothing is changed then
 */
export async function bringUpToDate(config: Config, url: string, folders: readonly MigrationFolder[]): Promise<void> {
  const migrationUrl = migrationUrlOf(config, url);
  if (migrationUrl !== url) await checkServer(migrationUrl, 'MIGRATION_DATABASE_URL');
  const pending = await pendingMigrations(migrationUrl, folders);
  if (pending.length > 0) {
    requireOwnTables(migrationFiles(folders), pending);
    await withMigrations(migrationUrl, await loadMigrations(folders), (dataSource) => migrate(dataSource, { note: noteInLog }));
  }
  if (!config.redisUrl) await migrateQueue(migrationUrl);
  if (migrationUrl !== url && (await pendingMigrations(url, folders)).length > 0)
    throw new ConfigError('MIGRATION_DATABASE_URL and DATABASE_URL are different databases: set both to the same one.');
}

/** Enters a migration in the audit log of the installation. */
export function noteInLog(runner: QueryRunner, action: 'migrated' | 'reverted', name: string): Promise<void> {
  return noteMigration((text, values) => runner.query(text, values), action, name);
}

export function migrationUrlOf({ migrationDatabaseUrl }: Pick<Config, 'migrationDatabaseUrl'>, url: string): string {
  return migrationDatabaseUrl?.reveal() ?? url;
}

/** On a data source that has the migrations and lets statements run as long as they need. */
export async function withMigrations<R>(
  url: string,
  migrations: readonly MigrationClass[],
  work: (dataSource: DataSource) => Promise<R>,
): Promise<R> {
  const dataSource = await new DataSource(
    dataSourceOptions({ url, poolSize: 2, role: 'migrate', migrations, queryTimeoutMs: 0 }),
  ).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
