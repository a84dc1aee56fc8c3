import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { ConfigError } from '../../../kit/index.js';
import { makeDataDir } from '../../config/data-dir.js';
import type { AppConfig } from '../../config/settings.js';
import { closeSocket, startHeartbeat } from './heartbeat.js';
import { queryOnce } from '../connections/query-once.js';
import { surviveLoss } from '../connections/survive-loss.js';
import { checkPooler, poolerUrlOf } from './pooler.js';
import { LOCK_TIMEOUT_MS, sessionSettings, STATEMENT_TIMEOUT_MS } from './pool.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';

const OLDEST_VERSION = 14;
/** An arbitrary number, which must be the same in every version of the suite. */
const SINGLE_PROCESS_LOCK = 7_236_114_001;
const RETAKE_EVERY_MS = 500;
const PING_EVERY_MS = 5_000;

/** The database of this process. */
export interface Database {
  /** Past a pooler, if there is one. */
  url: string;
  /** Whether an embedded server was already running: it was left by a killed process or belongs to another one. */
  reused: boolean;
  /** Stops the embedded server, also a reused one; does nothing for the server at DATABASE_URL. */
  stop(): Promise<void>;
}

/** Connects to DATABASE_URL or starts the embedded server. Throws a ConfigError with the reason if the database cannot be used. */
export async function openDatabase(config: Pick<AppConfig, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>): Promise<Database> {
  if (!config.databaseUrl) {
    makeDataDir(config.dataDir);
    const embedded = await startEmbeddedPostgres(config.dataDir);
    return { url: embedded.url, reused: embedded.reused, stop: () => embedded.stop() };
  }
  const poolerUrl = poolerUrlOf(config);
  const url = (config.databaseDirectUrl ?? config.databaseUrl).reveal();
  await checkServer(url, config.databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  if (poolerUrl !== undefined) await checkPooler(poolerUrl, url);
  return { url, reused: false, stop: async () => undefined };
}

/**
 * @param variable the setting that the URL is from
 * @throws ConfigError if there is no PostgreSQL that is new enough, or a pooler in front of it
 */
export async function checkServer(url: string, variable: string): Promise<void> {
  try {
    const [{ version, name, timeout }] = await queryOnce<{ version: number; name: string; timeout: number }>(
      { connectionString: url, connectionTimeoutMillis: 5_000, options: sessionSettings(LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS) },
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS name,
         (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS timeout`,
    );
    if (version < OLDEST_VERSION)
      throw new ConfigError(`${variable} points to PostgreSQL ${name}, but ${OLDEST_VERSION} or newer is required.`);
    // options in the URL take the place of these
    if (timeout !== STATEMENT_TIMEOUT_MS && !new URL(url).searchParams.has('options')) throw leadsToPooler(url, variable);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { message, code } = error as Error & { code?: string };
    // of PgBouncer; others ignore the options
    if (message.includes('unsupported startup parameter')) throw leadsToPooler(url, variable);
    throw new ConfigError(`The database at ${withoutCredentials(url)} cannot be used: ${message || code}.`);
  }
}

function leadsToPooler(url: string, variable: string): ConfigError {
  return new ConfigError(
    `${variable} leads to a pooler at ${withoutCredentials(url)}, which passes no session settings on to PostgreSQL: ` +
      (variable === 'DATABASE_URL' ? 'set DATABASE_DIRECT_URL to the same database past the pooler.' : 'set it to the server itself.'),
  );
}

/** The host and the database; a parameter `host` takes the place of the URL's own. */
function withoutCredentials(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

/** A session of PostgreSQL; process ids are reused, but not with the same start. */
interface Session {
  pid: number;
  since: string;
}

/** If a connection went silent, the server still has its session, which would hold the lock for hours. */
const END_SESSION =
  'SELECT pg_terminate_backend(pid, 2000) AS ended FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz';

/**
 * Without Redis, only one process knows limits and revoked keys, so a second process on the same database would be wrong silently.
 * The lock is held on a dedicated connection and ends with it, however the process ends.
 */
export class SingleProcessLock {
  private readonly log = new Logger('Database');
  private client: Client | null = null;
  private session: Session | null = null;
  private released = false;

  private constructor(
    private readonly url: string,
    private readonly onLost: () => void,
  ) {}

  /** `onLost` is called if the connection broke and another process has acquired the lock since. */
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
    const client = new Client({
      connectionString: this.url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      application_name: 'work-suite single process',
    });
    surviveLoss(client);
    let held: boolean;
    try {
      await client.connect();
      held = await this.lockOn(client);
    } catch (error) {
      closeSocket(client, 'the lock was not acquired');
      throw error;
    }
    if (!held || this.released) {
      await client.end();
      return held;
    }
    this.client = client;
    const endHeartbeat = startHeartbeat(client, { everyMs: PING_EVERY_MS, timeoutMs: PING_EVERY_MS });
    client.once('end', () => {
      endHeartbeat();
      void this.retake();
    });
    return true;
  }

  /** Tries to acquire the lock, after ending the earlier session of this process that may hold it. */
  private async lockOn(client: Client): Promise<boolean> {
    if (this.session) {
      const { rows } = await client.query<{ ended: boolean }>(END_SESSION, [this.session.pid, this.session.since]);
      if (rows.some(({ ended }) => !ended)) throw new Error('the earlier session has not ended');
    }
    const session = await client.query<Session>(
      'SELECT pid, backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
    );
    // known before the lock is requested: if the answer is lost, this session may hold it
    this.session = session.rows[0];
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [SINGLE_PROCESS_LOCK]);
    return rows[0].held;
  }

  private async retake(): Promise<void> {
    while (!this.released) {
      try {
        if (await this.take()) return;
        this.log.fatal('The database connection was lost, and another process uses the database now; this process ends.');
        return this.onLost();
      } catch {
        await sleep(RETAKE_EVERY_MS);
      }
    }
  }
}
