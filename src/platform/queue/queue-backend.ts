import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  Queue,
  Worker,
  type ConnectionOptions,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import type { AppConfig } from '../config/settings.js';

/** Where BullMQ keeps its jobs: Redis, or its own schema in the suite's database. */
export type QueueConnection = { redisUrl: string } | { postgresUrl: string };

const SMALL_POOL = 2;
const CLOSE_MS = 1_000;

export function queueConnection({ redisUrl }: Pick<AppConfig, 'redisUrl'>, databaseUrl: string): QueueConnection {
  return redisUrl ? { redisUrl: redisUrl.reveal() } : { postgresUrl: databaseUrl };
}

/** @nestjs/bullmq makes its queues by name and options alone; the backend follows from the connection among them. */
export class WakeQueue extends Queue {
  constructor(name: string, options: QueueOptions<QueueConnection>) {
    // a wake that cannot be sent at once is not worth keeping: the reconciler is the other way
    super(
      name,
      { ...options, connection: driverOptions(options.connection, { enableOfflineQueue: false, maxRetriesPerRequest: 1 }) } as never,
      backendOf(options.connection) as never,
    );
    // what is read back as options must make the workers alike
    Object.assign(this.opts, { connection: options.connection });
  }

  override close(): Promise<void> {
    return closed(super.close(), this);
  }
}

export class WakeWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions<QueueConnection>) {
    super(
      name,
      processor,
      { ...options, connection: driverOptions(options.connection, { maxRetriesPerRequest: null }) } as never,
      backendOf(options.connection) as never,
    );
  }

  /** A job is only a wake, so none is waited for. */
  override close(): Promise<void> {
    return closed(super.close(true), this);
  }
}

/** BullMQ waits for ever for a Redis that is away; a shutdown must not. */
async function closed(closing: Promise<void>, queue: { disconnect(): Promise<void> }): Promise<void> {
  const late = Symbol('late');
  const within = (work: Promise<unknown>) => Promise.race([work.catch(() => undefined), sleep(CLOSE_MS, late, { ref: false })]);
  if ((await within(closing)) === late) await within(queue.disconnect());
}

function backendOf(connection: QueueConnection) {
  return 'postgresUrl' in connection ? createPostgresBackend : undefined;
}

function driverOptions(connection: QueueConnection, redis: object): ConnectionOptions {
  if ('redisUrl' in connection)
    return {
      url: connection.redisUrl,
      connectTimeout: 2_000,
      retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
      ...redis,
    };
  return { connectionString: connection.postgresUrl, max: SMALL_POOL, migrate: true, application_name: 'work-suite queue' } as never;
}
