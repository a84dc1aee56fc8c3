import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { createApp } from './app.js';
import { bringUpToDate, isUpToDate } from './database-schema.js';
import { callAsDemo } from './demo/calls.js';
import { prepareDemo } from './demo/demo.js';
import { installEchoReceiver } from './demo/echo-receiver.js';
import { manifestOf } from './kit/internal.js';
import { whyNotListening } from './listening-port.js';
import { BaseUrl } from './platform/config/base-url.js';
import { SampleIdsSource } from './platform/docs/reference/sample-ids.js';
import { encryptionKeysOf, publicUrl } from './platform/config/config.js';
import { moduleSlices, settingsIn } from './platform/config/module-slices.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from './platform/config/project-root.js';
import type { AppConfig } from './platform/config/settings.js';
import { DocumentCache, hashOfFolder } from './platform/openapi/document-cache.js';
import type { Database } from './platform/persistence/database/database.js';
import { noteModules } from './platform/persistence/database/installed-modules.js';
import { migrationFiles, type MigrationFolder } from './platform/persistence/database/migration-files.js';
import { noteDatabase } from './platform/outbound/database-identity.js';
import { poolOf } from './platform/persistence/database/pool.js';
import { Preparation } from './platform/health/preparation.js';
import { Release } from './platform/health/release.js';
import { startableModules } from './platform/registry/startable-modules.js';
import { refuseWrongEncryptionKey, requireEncryptionKey } from './platform/secrets/encryption-check.js';
import { writePidFile } from './pid-file.js';
import type { Suite } from './suite/define-suite.js';
import { migrationFolders } from './suite/migration-folders.js';
import { requireOwnEntities } from './suite/own-tables.js';
import { loadModules } from './suite/suite-modules.js';
import { respondWhileStarting } from './starting-server.js';

export interface CacheFolders {
  /** The folder of the running code. */
  code: string;
  /** The folder for files that are derived from the code. */
  folder: string;
}

/** Creates the tables and the application on an open database, listens, and in development prepares the demo. */
export async function boot(config: AppConfig, database: Database, suite: Suite, cache?: CacheFolders): Promise<NestFastifyApplication> {
  // invalid modules and settings of theirs fail the start before anything is changed
  const loaded = await loadModules(suite);
  const { modules, leftOut } = startableModules(loaded.modules);
  const registry = AppModule.registry(config, modules);
  moduleSlices(config, modules);
  const { version, commit } = Release.of(config);
  new Logger('Start').log(`Work suite ${version}, commit ${commit ?? 'unknown'}`);
  for (const reason of [...leftOut, ...config.given.unknownVariables(settingsIn(modules))]) new Logger('Start').warn(reason);
  // the workers start with the application, so the tables must exist first
  const folders = migrationFolders(loaded.migrations);
  const requireValid = () => {
    AppModule.requireRoutes({ config, databaseUrl: database.url, modules, registry });
    requireOwnEntities(migrationFiles(folders), modules.map(manifestOf));
  };
  await migrateDatabase(database, config, folders, requireValid);
  if (!(await requireEncryptionKey(database.url, encryptionKeysOf(config))))
    new Logger('Start').warn('Stored secrets are encrypted with a later key of ENCRYPTION_KEYS: run `work-suite secrets rotate`.');
  for (const sentence of await noteModules(database.url, modules.map(manifestOf))) new Logger('Start').warn(sentence);
  const app = await createApp({
    config: { ...config, baseUrl: publicUrl(config, config.port) },
    databaseUrl: database.url,
    modules,
    registry,
    documentCache: cache && new DocumentCache(cache.folder, hashOfCode(cache)),
  });
  await noteDatabase(poolOf(app.get(DataSource)));
  if (config.nodeEnv === 'development') installEchoReceiver(app);
  const withDemo = config.nodeEnv === 'development' && config.appRole !== 'worker';
  const serve = async () => {
    const port = await listen(app, config);
    app.get(BaseUrl).value = publicUrl(config, port);
    if (config.nodeEnv === 'development') writePidFile(config);
    if (!withDemo) return new Logger('Start').log(`Listening at ${addressesOf(config, port)}`);
    const created = await prepareDemo(app, config);
    // The ids are found in the background: neither readiness nor the first page of the documentation waits for them. After a restart of
    // `dev`, that page finds them.
    if (config.demoBanner !== 'line') void app.get(SampleIdsSource).get();
    if (created) void callAsDemo(app, created);
  };
  await (withDemo ? app.get(Preparation).during(serve) : serve());
  return app;
}

/** The URL for clients; with the address and port of this process, if they reach it by another one. */
function addressesOf(config: AppConfig, port: number): string {
  const url = publicUrl(config, port);
  if (config.baseUrl === undefined) return url;
  return `${url}, on ${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}

/** The suite's, and that of the project, whose modules are not in the bundle. */
function hashOfCode({ code }: CacheFolders): string {
  const config = join(PROJECT_ROOT, 'dist', 'suite.config.js');
  const folders = PROJECT_ROOT === PACKAGE_ROOT ? [code] : [code, join(PROJECT_ROOT, 'dist'), join(PROJECT_ROOT, 'node_modules')];
  return [...folders.map(hashOfFolder), existsSync(config) ? readFileSync(config, 'utf8') : ''].join();
}

/** If there is something to migrate, health checks get responses meanwhile. */
async function migrateDatabase(
  { url }: Database,
  config: AppConfig,
  folders: readonly MigrationFolder[],
  requireValid: () => void,
): Promise<void> {
  if (await isUpToDate(config, url, folders)) return;
  await refuseWrongEncryptionKey(url, encryptionKeysOf(config));
  // the application, which reads them otherwise, starts with the tables
  requireValid();
  const endResponses = await respondWhileStarting(config);
  await bringUpToDate(config, url, folders);
  // until the application listens, a proxy finds the port closed and uses another process
  await endResponses();
}

async function listen(app: NestFastifyApplication, config: AppConfig): Promise<number> {
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw whyNotListening(error, config);
  }
  return (app.getHttpServer().address() as { port: number }).port;
}
