import 'reflect-metadata';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { createApp } from './app.js';
import { MODULES } from './modules.js';
import { prepareDemo } from './demo/demo.js';
import { installEchoReceiver } from './demo/echo-receiver.js';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig, publicUrl } from './platform/config/config.js';
import { PROJECT_ROOT } from './platform/config/project-root.js';
import type { AppConfig } from './platform/config/settings.js';
import { BaseUrl } from './platform/config/base-url.js';
import { DocumentCache, hashOfFolder } from './platform/openapi/document-cache.js';
import { checkRedis } from './platform/redis/check-redis.js';
import { openDatabase, SingleProcessLock, type Database } from './platform/persistence/database/database.js';
import { isMigrated, loadMigrations, migrate } from './platform/persistence/database/migrations.js';
import { dataSourceOptions } from './platform/persistence/persistence.module.js';
import { migrateQueue } from './platform/queue/queue-backend.js';

interface CacheFolders {
  /** The folder of the running code. */
  code: string;
  /** The folder for files that are derived from the code. */
  folder: string;
}

/** Runs the service with the settings of this process. A configuration error is printed as one sentence. */
export async function run(cache?: CacheFolders): Promise<void> {
  try {
    await start(loadConfig(), cache && new DocumentCache(cache.folder, hashOfFolder(cache.code)));
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  }
}

/** Boots this process: database, schema, application, demo data; then serves until it is stopped. */
async function start(config: AppConfig, documentCache: DocumentCache | undefined): Promise<void> {
  if (config.redisUrl) await checkRedis(config.redisUrl.reveal());
  const database = await openDatabase(config);
  let lock: SingleProcessLock | undefined;
  try {
    if (!config.redisUrl) lock = await SingleProcessLock.hold(database.url, () => process.kill(process.pid, 'SIGTERM'));
    const app = await boot(config, database, documentCache);
    stopOnSignals(app, config, async () => {
      await lock?.release();
      await database.stop();
    });
  } catch (error) {
    await lock?.release();
    // a server that was already running belongs to the process that has the lock
    if (lock || !database.reused) await database.stop();
    throw error;
  }
}

async function boot(config: AppConfig, database: Database, documentCache?: DocumentCache): Promise<NestFastifyApplication> {
  // the workers start with the application, so the tables must exist first
  await migrateDatabase(database);
  if (!config.redisUrl) await migrateQueue(database.url);
  const app = await createApp({
    config: { ...config, baseUrl: publicUrl(config, config.port) },
    databaseUrl: database.url,
    modules: MODULES,
    documentCache,
  });
  if (config.nodeEnv === 'development') installEchoReceiver(app);
  const port = await listen(app, config);
  app.get(BaseUrl).value = publicUrl(config, port);
  if (config.nodeEnv === 'development') writePidFile(config);
  if (config.nodeEnv === 'development' && config.appRole !== 'worker') await prepareDemo(app, config);
  else new Logger('Start').log(`Listening at ${publicUrl(config, port)}`);
  return app;
}

async function migrateDatabase({ url }: Database): Promise<void> {
  const folder = join(PROJECT_ROOT, 'dist', 'migrations');
  if (await isMigrated(url, folder)) return;
  const migrations = await loadMigrations(folder);
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 2, migrations, queryTimeoutMs: 0 })).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function listen(app: NestFastifyApplication, { host, port }: AppConfig): Promise<number> {
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${port} is in use by another program: set PORT to a free one, or end that program.`);
    if (code === 'EACCES') throw new ConfigError(`PORT ${port} may not be opened by this user: set PORT to one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new ConfigError(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
  return (app.getHttpServer().address() as { port: number }).port;
}

/** Completes running requests, accepts no new ones, then ends. Further signals are ignored; the timeout ends the process. */
function stopOnSignals(app: NestFastifyApplication, config: AppConfig, afterwards: () => Promise<void>): void {
  const log = new Logger('Stop');
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      log.error(`Requests did not finish within ${config.shutdownTimeoutSeconds} s; ending without them.`);
      void afterwards().finally(() => process.exit(1));
    }, config.shutdownTimeoutSeconds * 1000).unref();
    await app.close();
    removePidFile(config);
    await afterwards();
    // with the exit code that the watchdog has set, if it has ended the process
    process.exit();
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

/** The file that tells `npm run demo:reset` which process to stop. */
function writePidFile(config: AppConfig): void {
  mkdirSync(config.dataDir, { recursive: true });
  writeFileSync(pidFile(config), `${process.pid}\n`);
}

/** Does not remove the file of another process: two may share a folder and use different databases. */
function removePidFile(config: AppConfig): void {
  const file = pidFile(config);
  if (existsSync(file) && readFileSync(file, 'utf8').trim() === String(process.pid)) rmSync(file);
}

function pidFile({ dataDir }: AppConfig): string {
  return join(dataDir, 'server.pid');
}
