// Invalidates cached keys in every process when a key changes.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Tx } from '../../kit/index.js';
import type { PgNotifier } from '../persistence/database/pg-notifier.js';

/** The name of the shared value in Redis. */
export const KEYS_EPOCH = 'keys:epoch';
const PG_CHANNEL = 'keys_changed';
const BUMP_TIMEOUT_MS = 3_000;
const BUMP_RETRY_MS = 100;
const RETRY_EVERY_MS = 1_000;

/**
 * Makes a changed key take effect at the very next call of every process. A cached key is stored with the epoch that was
 * `current()` before it was read from the database, and is valid only while a call's epoch equals it. '' equals nothing.
 */
export abstract class KeysEpoch {
  abstract current(): string;
  /** Once it resolves, no key that was cached earlier is used. */
  abstract bump(): Promise<void>;

  private readonly log = new Logger(KeysEpoch.name);
  private pending = 0;

  /**
   * Announces that a transaction changes keys: immediately, so that the transaction fails if the announcement is impossible, and
   * again after its commit and before its response. Call it first, so that a repeat which changes nothing announces again.
   */
  async announce(tx: Tx): Promise<void> {
    await this.bump();
    tx.afterCommit(() => this.bumpOrRetryLater());
  }

  private async bumpOrRetryLater(): Promise<void> {
    try {
      await this.bump();
    } catch (error) {
      if (++this.pending === 1) void this.retryPending();
      throw error;
    }
  }

  /** The change is committed, and the client may not repeat the request: retries until the announcement succeeds. */
  private async retryPending(): Promise<void> {
    this.log.error(
      'A change of keys is committed but could not be announced. Until it is, other processes may accept keys that it made invalid.',
    );
    for (let announced = 0; announced < this.pending;) {
      await sleep(RETRY_EVERY_MS, undefined, { ref: false });
      const pending = this.pending;
      await this.bump().then(
        () => (announced = pending),
        () => undefined,
      );
    }
    this.pending = 0;
    this.log.log('The change of keys is announced.');
  }
}

/** Running processes may still have the old key cached. */
export class KeysEpochUnreachable extends Error {
  override readonly name = 'KeysEpochUnreachable';

  constructor(cause: unknown) {
    super('The change of keys could not be announced to the running processes', { cause });
  }
}

/**
 * The stored value is random, because a counter would repeat values after a flush. Callers compare a token of this process, which is
 * also renewed with each connection: after a crash or failover Redis may have an older value.
 */
export class RedisKeysEpoch extends KeysEpoch {
  private token = '';
  private stored: string | null | undefined;

  constructor(private readonly redis: Redis) {
    super();
    redis.on('ready', () => (this.stored = undefined));
  }

  override current(): string {
    return this.token;
  }

  /** Receives the value that the limiter's script read, and returns the epoch of that call. */
  observe(stored: string | null): string {
    if (stored === null) this.redis.set(KEYS_EPOCH, randomUUID(), 'NX').catch(() => undefined);
    if (stored !== this.stored) {
      this.stored = stored;
      this.token = stored === null ? '' : randomUUID();
    }
    return this.token;
  }

  override async bump(): Promise<void> {
    const value = randomUUID();
    const giveUpAt = performance.now() + BUMP_TIMEOUT_MS;
    for (;;) {
      try {
        await this.redis.set(KEYS_EPOCH, value);
        return;
      } catch (error) {
        if (performance.now() + BUMP_RETRY_MS > giveUpAt) throw new KeysEpochUnreachable(error);
        await sleep(BUMP_RETRY_MS);
      }
    }
  }
}

/** For the only process on a database; PostgreSQL notifies it of changes made by the command line. */
export class LocalKeysEpoch extends KeysEpoch {
  private token = randomUUID();

  constructor(private readonly notifier: PgNotifier) {
    super();
    notifier.listen(PG_CHANNEL, () => (this.token = randomUUID()));
  }

  override current(): string {
    return this.notifier.connected ? this.token : '';
  }

  override async bump(): Promise<void> {
    this.token = randomUUID();
  }
}

/** For the command line, if no Redis is configured. It caches no keys, so its epoch is always unknown. */
export class AnnouncedKeysEpoch extends KeysEpoch {
  constructor(private readonly database: { query(sql: string): Promise<unknown> }) {
    super();
  }

  override current(): string {
    return '';
  }

  override async bump(): Promise<void> {
    try {
      await this.database.query(`NOTIFY ${PG_CHANNEL}`);
    } catch (error) {
      throw new KeysEpochUnreachable(error);
    }
  }
}
