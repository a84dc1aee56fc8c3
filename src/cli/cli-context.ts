import 'reflect-metadata';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource, type MigrationInterface } from 'typeorm';
import { ConfigError } from '../kit/index.js';
import { loadConfig } from '../platform/config/config.js';
import type { AppConfig } from '../platform/config/settings.js';
import { openDatabase } from '../platform/persistence/database/database.js';
import { startEmbeddedPostgres } from '../platform/persistence/embedded-postgres/embedded-postgres.js';
import { requireEncryptionKey } from '../platform/persistence/database/encryption-check.js';
import { isMigrated, loadMigrations, migrate } from '../platform/persistence/database/migrations.js';
import { startableModules } from '../platform/registry/startable-modules.js';
import { queryOnce } from '../platform/persistence/connections/query-once.js';
import { loadSuite } from '../suite/load-suite.js';
import { migrationFolders } from '../suite/migration-folders.js';
import { loadModules } from '../suite/suite-modules.js';
import { CliModule } from './cli.module.js';

const CONNECTIONS = 2;

/** Provides the platform's services to a command, on the server's database, whether or not the server runs. */
export function withServices<R>(work: (services: INestApplicationContext) => Promise<R>): Promise<R> {
  return withDatabase(({ config, url, migrations, modules }) => {
    const persistence = { url, poolSize: CONNECTIONS, cursorSecret: config.cursorSecret.reveal(), migrations };
    return NestFactory.createApplicationContext(CliModule.register(config, persistence, modules), {
      logger: ['fatal', 'error'],
      abortOnError: false,
    });
  }, work);
}

/** Provides all services, of the modules too. The application does not listen, and works on no queue. */
export async function withApplication<R>(work: (app: INestApplicationContext) => Promise<R>): Promise<R> {
  const { createApp } = await import('../app.js');
  return withDatabase(async ({ config, url, migrations, modules }) => {
    if (migrations.length > 0) throw new ConfigError('The database lacks migrations: start the suite first, which runs them.');
    return createApp({ config: { ...config, appRole: 'api', logLevel: 'error' }, databaseUrl: url, modules });
  }, work);
}

interface Opened {
  config: AppConfig;
  url: string;
  /** Those that the database lacks, and all others with them. */
  migrations: readonly (new () => MigrationInterface)[];
  modules: readonly Type[];
}

async function withDatabase<S extends INestApplicationContext, R>(
  create: (opened: Opened) => Promise<S>,
  work: (services: S) => Promise<R>,
): Promise<R> {
  const suite = await loadSuite();
  const config = loadConfig(undefined, { settings: suite.settings });
  const { modules: listed, migrations: ofPackages } = await loadModules(suite);
  const folders = migrationFolders(ofPackages);
  const database = await openForCommand(config);
  try {
    const migrations = (await isMigrated(database.url, folders)) ? [] : await loadMigrations(folders);
    const services = await create({ config, url: database.url, migrations, modules: startableModules(listed).modules });
    try {
      if (migrations.length > 0) await migrate(services.get(DataSource));
      await requireEncryptionKey(database.url, config.encryptionKey.reveal());
      return await work(services);
    } finally {
      await services.close();
    }
  } finally {
    if (database.started && !(await isUsedByOthers(database.url))) await database.stop();
  }
}

/** `started`: this command started the embedded server, so it also stops it. */
async function openForCommand(config: AppConfig): Promise<{ url: string; started: boolean; stop(): Promise<void> }> {
  if (config.databaseUrl) return { ...(await openDatabase(config)), started: false };
  const embedded = await startEmbeddedPostgres(config.dataDir);
  return { url: embedded.url, started: !embedded.reused, stop: () => embedded.stop() };
}

/** Whether a server has started meanwhile and uses this command's PostgreSQL. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const [{ used }] = await queryOnce<{ used: boolean }>(
    { connectionString: url },
    `SELECT count(*) > 0 AS used FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return used;
}
