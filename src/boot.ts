import 'reflect-metadata';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { createApp } from './app.js';
import { prepareDemo } from './demo/demo.js';
import { installEchoReceiver } from './demo/echo-receiver.js';
import { whyNotListening } from './listening-port.js';
import { MODULES } from './modules.js';
import { BaseUrl } from './platform/config/base-url.js';
import { publicUrl } from './platform/config/config.js';
import { moduleSlices, settingsIn } from './platform/config/module-slices.js';
import { PROJECT_ROOT } from './platform/config/project-root.js';
import type { AppConfig } from './platform/config/settings.js';
import { DocumentCache, hashOfFolder } from './platform/openapi/document-cache.js';
import type { Database } from './platform/persistence/database/database.js';
import { requireEncryptionKey } from './platform/persistence/database/encryption-check.js';
import { isMigrated, loadMigrations, migrate } from './platform/persistence/database/migrations.js';
import { dataSourceOptions } from './platform/persistence/persistence.module.js';
import { startableModules } from './platform/registry/startable-modules.js';
import { migrateQueue } from './platform/queue/queue-backend.js';
import { writePidFile } from './pid-file.js';
import { respondWhileStarting } from './starting-server.js';

export interface CacheFolders {
  /** The folder of the running code. */
  code: string;
  /** The folder for files that are derived from the code. */
  folder: string;
}

/** Creates the tables and the application on an open database, listens, and in development prepares the demo. */
export async function boot(config: AppConfig, database: Database, cache?: CacheFolders): Promise<NestFastifyApplication> {
  // invalid settings of modules fail the start before anything is changed
  const { modules, leftOut } = startableModules(MODULES);
  moduleSlices(config, modules);
  for (const reason of [...leftOut, ...config.given.unknownVariables(settingsIn(modules))]) new Logger('Start').warn(reason);
  // the workers start with the application, so the tables must exist first
  const endResponses = await migrateDatabase(database, config);
  await requireEncryptionKey(database.url, config.encryptionKey.reveal());
  if (!config.redisUrl) await migrateQueue(database.url);
  const app = await createApp({
    config: { ...config, baseUrl: publicUrl(config, config.port) },
    databaseUrl: database.url,
    modules,
    documentCache: cache && new DocumentCache(cache.folder, hashOfFolder(cache.code)),
  });
  if (config.nodeEnv === 'development') installEchoReceiver(app);
  await endResponses?.();
  const port = await listen(app, config);
  app.get(BaseUrl).value = publicUrl(config, port);
  if (config.nodeEnv === 'development') writePidFile(config);
  if (config.nodeEnv === 'development' && config.appRole !== 'worker') await prepareDemo(app, config);
  else new Logger('Start').log(`Listening at ${publicUrl(config, port)}`);
  return app;
}

/** If there is something to migrate, health checks get responses meanwhile, until the returned function is called. */
async function migrateDatabase({ url }: Database, config: AppConfig): Promise<(() => Promise<void>) | undefined> {
  const folder = join(PROJECT_ROOT, 'dist', 'migrations');
  if (await isMigrated(url, folder)) return undefined;
  const endResponses = await respondWhileStarting(config);
  const migrations = await loadMigrations(folder);
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 2, migrations, queryTimeoutMs: 0 })).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  return endResponses;
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
