import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { ConfigError } from '../../config/config-error.js';
import { makeDataDir } from '../../config/data-dir.js';
import type { AppConfig } from '../../config/settings.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';

const OLDEST_VERSION = 14;
/** Any number will do, as long as every version of the suite uses the same. */
const SINGLE_PROCESS_LOCK = 7_236_114_001;
const RETAKE_EVERY_MS = 500;

/** The database this process works on. */
export interface Database {
  url: string;
  /** Whether an embedded server ran already: left by a process that was killed, or another process's that lives. */
  reused: boolean;
  /** Ends the embedded server, also a reused one; nothing for a server of DATABASE_URL. */
  stop(): Promise<void>;
}

/** Finds or starts the database; every reason why it cannot serve is one clear sentence. */
export async function openDatabase(config: Pick<AppConfig, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  if (!config.databaseUrl) {
    makeDataDir(config.dataDir);
    const embedded = await startEmbeddedPostgres(config.dataDir);
    return { url: embedded.url, reused: embedded.reused, stop: () => embedded.stop() };
  }
  const url = config.databaseUrl.reveal();
  await checkServer(url);
  return { url, reused: false, stop: async () => undefined };
}

async function checkServer(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS name`,
    );
    if (rows[0].version < OLDEST_VERSION)
      throw new ConfigError(`DATABASE_URL leads to PostgreSQL ${rows[0].name}, but ${OLDEST_VERSION} or newer is needed.`);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { message, code } = error as Error & { code?: string };
    throw new ConfigError(`The database at ${place(url)} cannot be used: ${message || code}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** An address without the credentials in it. */
function place(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/**
 * Without Redis, limits and revoked keys are known to one process only, so a second one on the same database would be wrong
 * in silence. The lock lives on a connection of its own and ends with it, however the process ends.
 */
export class SingleProcessLock {
  private readonly log = new Logger('Database');
  private client: Client | null = null;
  private released = false;

  private constructor(
    private readonly url: string,
    private readonly onLost: () => void,
  ) {}

  /** `onLost` is called when the connection broke and another process has taken the lock since. */
  static async hold(url: string, onLost: () => void): Promise<SingleProcessLock> {
    const lock = new SingleProcessLock(url, onLost);
    if (await lock.take()) return lock;
    throw new ConfigError(
      'Another process already serves this database: set REDIS_URL for all of them to run several, or stop the other one.',
    );
  }

  async release(): Promise<void> {
    this.released = true;
    await this.client?.end();
  }

  private async take(): Promise<boolean> {
    const client = new Client({ connectionString: this.url, keepAlive: true, application_name: 'work-suite single process' });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [SINGLE_PROCESS_LOCK]);
    if (!rows[0].held) {
      await client.end();
      return false;
    }
    this.client = client;
    client.once('end', () => void this.retake());
    return true;
  }

  private async retake(): Promise<void> {
    while (!this.released) {
      try {
        if (await this.take()) return;
        this.log.fatal('The database was away, and another process serves it now; this one ends.');
        return this.onLost();
      } catch {
        await sleep(RETAKE_EVERY_MS);
      }
    }
  }
}
