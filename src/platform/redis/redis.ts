// Redis, for state that several processes share.

import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';

/**
 * The connection for rate limits and keys: a command succeeds or fails fast, as every caller has a fallback. Not for queues, whose
 * commands block. Commands are neither queued while it is down nor repeated after a reconnect, so no call is charged twice.
 */
export class FailFastRedis extends Redis implements OnApplicationShutdown {
  private readonly log = new Logger('Redis');
  private closing = false;

  constructor(url: string, prefix = '') {
    super(url, {
      keyPrefix: prefix,
      connectTimeout: 2_000,
      // If the host stops responding, close the connection and resolve the name again.
      socketTimeout: 3_000,
      commandTimeout: 250,
      disconnectTimeout: 250,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
      // A primary that became a replica stays connected and rejects writes; its name may now resolve to the new primary.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    });
    let reason = '';
    let up: boolean | undefined;
    this.on('error', (error: Error) => (reason = error.message || (error as NodeJS.ErrnoException).code || error.name));
    this.on('ready', () => {
      this.log.log('connected');
      up = true;
    });
    this.on('close', () => {
      if (up !== false && !this.closing) this.log.warn(`connection lost${reason && `: ${reason}`}`);
      up = false;
      reason = '';
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    await this.quit().catch(() => this.disconnect());
  }
}
