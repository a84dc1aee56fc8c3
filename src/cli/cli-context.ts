import 'reflect-metadata';
import { userInfo } from 'node:os';
import { Logger, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { bringUpToDate, isUpToDate } from '../database-schema.js';
import { BaseUrl } from '../platform/config/base-url.js';
import { encryptionKeysOf, loadConfig, publicUrl } from '../platform/config/config.js';
import type { AppConfig } from '../platform/config/settings.js';
import { DeveloperModule } from '../platform/developer/developer.module.js';
import { openDatabase } from '../platform/persistence/database/database.js';
import { startEmbeddedPostgres } from '../platform/persistence/embedded-postgres/embedded-postgres.js';
import type { MigrationFolder } from '../platform/persistence/database/migration-files.js';
import { actForOperator } from '../platform/persistence/transactions/call-context.js';
import { startableModules } from '../platform/registry/startable-modules.js';
import { refuseWrongEncryptionKey, requireEncryptionKey } from '../platform/secrets/encryption-check.js';
import { queryOnce } from '../platform/persistence/connections/query-once.js';
import { loadSuite } from '../suite/load-suite.js';
import { migrationFolders } from '../suite/migration-folders.js';
import { loadModules } from '../suite/suite-modules.js';
import { CliModule } from './cli.module.js';

const CONNECTIONS = 2;

/** Provides the platform's services to a command, on the server's database, whether or not the server runs. */
export function withServices<R>(work: (services: INestApplicationContext) => Promise<R>): Promise<R> {
  return withMigratedDatabase(({ config, url, modules }) => {
    const persistence = { url, poolSize: CONNECTIONS, role: 'command', cursorSecret: config.cursorSecret.reveal() };
    return NestFactory.createApplicationContext(CliModule.register(config, persistence, [...modules, DeveloperModule]), {
      logger: ['fatal', 'error'],
      abortOnError: false,
    });
  }, work);
}

/** Provides all services, of the modules too. The application does not listen, and works on no queue. */
export async function withApplication<R>(work: (app: INestApplicationContext) => Promise<R>): Promise<R> {
  const { createApp } = await import('../app.js');
  return withMigratedDatabase(async ({ config, url, modules }) => {
    const own = { ...config, appRole: 'api', logLevel: 'error', otelExporterOtlpEndpoint: undefined } as const;
    const app = await createApp({ config: own, databaseUrl: url, modules });
    // jobs send mails whose links lead to the suite
    app.get(BaseUrl).value = publicUrl(config, config.port);
    return app;
  }, work);
}

interface CliConfig {
  config: AppConfig;
  url: string;
  /** Where the migrations are. */
  folders: readonly MigrationFolder[];
  modules: readonly Type[];
}

function withMigratedDatabase<S extends INestApplicationContext, R>(
  create: (opened: CliConfig) => Promise<S>,
  work: (services: S) => Promise<R>,
): Promise<R> {
  return withDatabase(async (opened) => {
    const { config, url, folders } = opened;
    // only the command's output goes to stdout
    Logger.overrideLogger(['fatal', 'error']);
    if (!(await isUpToDate(config, url, folders))) {
      await refuseWrongEncryptionKey(url, encryptionKeysOf(config));
      await bringUpToDate(config, url, folders);
    }
    await requireEncryptionKey(url, encryptionKeysOf(config));
    const services = await create(opened);
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  });
}

/** The suite's database as it is; an embedded server runs meanwhile. */
export async function withDatabase<R>(work: (opened: CliConfig) => Promise<R>): Promise<R> {
  const [, , name, subcommand] = process.argv;
  actForOperator({ operation: `${name} ${subcommand ?? ''}`.trim(), operator: operatorName(), address: null, userAgent: null });
  const suite = await loadSuite();
  const config = loadConfig(undefined, { settings: suite.settings });
  const { modules: listed, migrations: ofPackages } = await loadModules(suite);
  const database = await openForCommand(config);
  try {
    return await work({ config, url: database.url, folders: migrationFolders(ofPackages), modules: startableModules(listed).modules });
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

/** In a container, the number of the user can have no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
