import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  PostgresConnection,
  PostgresQueueBackend,
  Queue,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
  type BackendFactory,
  type ConnectionOptions,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import type { AppConfig } from '../config/settings.js';
import { startHeartbeat } from '../persistence/database/heartbeat.js';
import { LockWatch, MIGRATION_LOCK_TIMEOUT_MS, retryWhileLocked } from '../persistence/database/lock-retries.js';
import { CONNECTION_LIMITS } from '../persistence/database/pool.js';
import { queryOnce } from '../persistence/connections/query-once.js';
import { surviveLoss } from '../persistence/connections/survive-loss.js';

/** Where BullMQ keeps its jobs: in Redis, or in a schema of its own in the suite's database. */
export type QueueConnection = { redisUrl: string } | { postgresUrl: string };

const SMALL_POOL = 2;
const CLOSE_MS = 1_000;
/** BullMQ's statements are short. */
const STATEMENT_MS = 10_000;
const PING_MS = 5_000;
/** A worker's commands block for up to 5 s. */
const BLOCKED_SOCKET_MS = 15_000;

export function queueConnection({ redisUrl }: Pick<AppConfig, 'redisUrl'>, databaseUrl: string): QueueConnection {
  return redisUrl ? { redisUrl: redisUrl.reveal() } : { postgresUrl: databaseUrl };
}

/** @nestjs/bullmq passes only a name and options to its queue class, so the backend is derived from the connection. */
export class NotificationQueue extends Queue {
  constructor(name: string, options: QueueOptions<QueueConnection>) {
    // a notification that cannot be sent immediately is dropped: workers also poll
    super(
      name,
      {
        ...options,
        connection: driverOptions(options.connection, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          commandTimeout: 2_000,
          socketTimeout: 3_000,
        }),
      } as never,
      backendOf(options.connection) as never,
    );
    // @nestjs/bullmq creates the workers from these options
    Object.assign(this.opts, { connection: options.connection });
  }

  override close(): Promise<void> {
    return closed(super.close(), this);
  }
}

export class NotificationWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions<QueueConnection>) {
    super(
      name,
      processor,
      {
        ...options,
        connection: driverOptions(options.connection, { maxRetriesPerRequest: null, socketTimeout: BLOCKED_SOCKET_MS }),
      } as never,
      backendOf(options.connection) as never,
    );
  }

  /** Jobs are only notifications, so closing does not wait for them. */
  override close(): Promise<void> {
    return closed(super.close(true), this);
  }
}

/** BullMQ waits indefinitely for an unreachable Redis; a shutdown must not. */
async function closed(closing: Promise<void>, queue: { disconnect(): Promise<void> }): Promise<void> {
  const late = Symbol('late');
  const within = (work: Promise<unknown>) => Promise.race([work.catch(() => undefined), sleep(CLOSE_MS, late, { ref: false })]);
  if ((await within(closing)) === late) await within(queue.disconnect());
}

/** Brings BullMQ's own schema in the suite's database up to date. */
export function migrateQueue(databaseUrl: string): Promise<void> {
  return onSession(databaseUrl, async (client) => {
    // BullMQ's migration takes exclusive locks even if there is nothing to do
    if ((await queueSchemaVersion(client)) >= LATEST_SCHEMA_VERSION) return;
    await client.query(`SET lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const watch = new LockWatch(rows[0].pid, (sql, values) => queryOnce({ connectionString: databaseUrl }, sql, values));
    await retryWhileLocked(() => runMigrations(client), watch).finally(() => watch.end());
  });
}

/** Whether BullMQ's own schema is up to date. */
export function isQueueMigrated(databaseUrl: string): Promise<boolean> {
  return onSession(databaseUrl, async (client) => (await queueSchemaVersion(client)) >= LATEST_SCHEMA_VERSION);
}

async function onSession<R>(connectionString: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString, application_name: 'work-suite queue' });
  surviveLoss(client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function queueSchemaVersion(client: Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}

/**
 * BullMQ caches the result of its first check of the schema. If that check fails, its worker retries in a busy loop and blocks the
 * process. `migrateQueue` has brought the schema up to date, so the check is skipped.
 */
class MigratedConnection extends PostgresConnection {
  private watched: unknown;

  constructor(connection: ConstructorParameters<typeof PostgresConnection>[0]) {
    super(connection);
    // BullMQ makes the client that listens of this
    (this as unknown as { pgModule: object }).pgModule = { Client: ListeningClient };
  }

  override waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }

  /** BullMQ sends nothing over this connection while it waits, so it would not notice that it went silent. */
  override async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    const client = await super.getListenClient();
    if (this.watched !== client) {
      this.watched = client;
      const watched = client as unknown as Client;
      const endHeartbeat = startHeartbeat(watched, { everyMs: PING_MS, timeoutMs: PING_MS });
      watched.once('end', endHeartbeat);
    }
    return client;
  }
}

/** BullMQ listens to errors only between connecting and closing. One before or after, as of a database that ends, would end the process. */
class ListeningClient extends Client {
  constructor(config: ClientConfig) {
    super(config);
    surviveLoss(this);
  }

  override removeAllListeners(...events: Parameters<Client['removeAllListeners']>): this {
    super.removeAllListeners(...events);
    surviveLoss(this);
    return this;
  }
}

/** A worker that is closed by force does not end its wait for the next job, whose timer keeps the process alive for 5 s. */
class InterruptibleBackend extends PostgresQueueBackend {
  override async close(force?: boolean): Promise<void> {
    await this.disconnectBlocking();
    await super.close(force);
  }
}

const postgresBackend: BackendFactory = (name, { connection, ...options }) => {
  const postgres = connection as ConstructorParameters<typeof PostgresConnection>[0];
  return new InterruptibleBackend(new MigratedConnection(postgres), name, { ...options, connection: postgres });
};

function backendOf(connection: QueueConnection): BackendFactory | undefined {
  return 'postgresUrl' in connection ? postgresBackend : undefined;
}

function driverOptions(connection: QueueConnection, redis: object): ConnectionOptions {
  if ('redisUrl' in connection)
    return {
      url: connection.redisUrl,
      connectTimeout: 2_000,
      keepAlive: 10_000,
      retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
      ...redis,
    };
  return {
    ...CONNECTION_LIMITS,
    connectionString: connection.postgresUrl,
    max: SMALL_POOL,
    query_timeout: STATEMENT_MS,
    application_name: 'work-suite queue',
    onConnect: surviveLoss,
  } as never;
}
