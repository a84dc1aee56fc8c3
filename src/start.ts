import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { format, inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CacheFolders } from './boot.js';
import { closePort } from './close-port.js';
import { requirePort } from './listening-port.js';
import { misplacedDecorator } from './misplaced-decorator.js';
import { removePidFile } from './pid-file.js';
import { endsOnExceptions, survivesRejections } from './unhandled-errors.js';
import { ConfigError } from './kit/index.js';
import { isProduction, loadConfig } from './platform/config/config.js';
import type { AppConfig } from './platform/config/settings.js';
import type { Suite } from './suite/define-suite.js';
import { loadSuite } from './suite/load-suite.js';
import { Draining } from './platform/health/draining.js';
import { loggerOf } from './platform/logging/logger.js';
import { openDatabase, SingleProcessLock } from './platform/persistence/database/database.js';
import { flushSpans } from './platform/tracing/tracing.js';
import { checkRedis } from './platform/redis/check-redis.js';

interface RunOptions {
  /** By default that of the project's suite.config.ts. */
  suite?: Suite | undefined;
  cache?: CacheFolders;
}

/** Runs a suite with the settings of this process. A configuration error is printed as one sentence. */
export async function run({ suite: given, cache }: RunOptions = {}): Promise<void> {
  try {
    const suite = given ?? (await loadSuite());
    await start(loadConfig(undefined, { settings: suite.settings }), suite, cache);
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}

/** A line like all others where programs read the log; a plain sentence for people. */
function reportFailure(error: unknown): void {
  const sentence = error instanceof ConfigError ? error.message : misplacedDecorator(error);
  if (!isProduction()) return console.error(sentence ?? error);
  const log = loggerOf({ logLevel: 'fatal', logFormat: 'json' });
  if (log) log.fatal?.(sentence ?? inspect(error), 'Start');
}

/** What libraries print for people, such as ioredis about a connection that is being closed, is a line like all others. */
function logConsole(): void {
  const log = new Logger('Console');
  const levels = { error: 'error', warn: 'warn', log: 'log', info: 'log', debug: 'debug' } as const;
  for (const [name, level] of Object.entries(levels)) {
    console[name as keyof typeof levels] = (...values: unknown[]) => log[level](format(...values));
  }
}

/** Boots this process: database, schema, application, demo data; then serves until it is stopped. */
async function start(config: AppConfig, suite: Suite, cache: CacheFolders | undefined): Promise<void> {
  Logger.overrideLogger(loggerOf(config));
  if (config.logFormat === 'json') logConsole();
  await requirePort(config);
  if (config.redisUrl) await checkRedis(config.redisUrl.reveal());
  const database = await openDatabase(config);
  let lock: SingleProcessLock | undefined;
  try {
    if (!config.redisUrl) lock = await SingleProcessLock.hold(database.url, () => process.kill(process.pid, 'SIGINT'));
    // loaded only now: it takes a second of CPU time, and what fails a start is found before
    const { boot } = await import('./boot.js');
    const app = await boot(config, database, suite, cache);
    survivesRejections();
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

/**
 * SIGTERM: for the shutdown delay the process serves requests but is not ready, so that load balancers stop sending to it. Then, or at
 * once after SIGINT, it accepts no new connections, completes running requests and jobs, and ends. The timeout ends it without them. An
 * exception that nothing caught is like SIGINT.
 */
function stopOnSignals(app: NestFastifyApplication, config: AppConfig, afterwards: () => Promise<void>): void {
  const log = new Logger('Stop');
  const atOnce = new AbortController();
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    app.get(Draining).begin();
    // nobody sends requests to a worker
    const delaySeconds = config.appRole === 'worker' || atOnce.signal.aborted ? 0 : config.shutdownDelaySeconds;
    log.log(`Stopping: ${delaySeconds > 0 ? `not ready, the port closes in ${delaySeconds} s` : 'what runs is finished'}`);
    await sleep(delaySeconds * 1000, null, { signal: atOnce.signal }).catch(() => undefined);
    setTimeout(() => {
      log.error(`Requests did not finish within ${config.shutdownTimeoutSeconds} s; ending without them.`);
      void afterwards().finally(() => process.exit(1));
    }, config.shutdownTimeoutSeconds * 1000).unref();
    await closePort(app.getHttpServer());
    await app.close();
    removePidFile(config);
    await afterwards();
    await flushSpans();
    log.log('Stopped');
    // with the exit code that the watchdog has set, if it has ended the process
    process.exit();
  };
  process.on('SIGTERM', () => void stop());
  const stopAtOnce = () => {
    atOnce.abort();
    void stop();
  };
  process.on('SIGINT', stopAtOnce);
  endsOnExceptions(stopAtOnce);
}
