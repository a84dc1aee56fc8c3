// Invalidates cached keys in every process when a key changes.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Tx } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import type { PgNotifier } from '../persistence/database/pg-notifier.js';

/** The name of the shared value in Redis. */
export const KEYS_EPOCH = 'keys:epoch';
const PG_CHANNEL = 'keys_changed';
const NOTIFY = `SELECT pg_notify('${PG_CHANNEL}', '')`;
const BUMP_TIMEOUT_MS = 500;
const BUMP_RETRY_MS = 100;

/**
 * Makes a changed key take effect at the very next call of every process or, while Redis is away, within a second. A cached key is
 * stored with the epoch that was `current()` before it was read from the database, and is valid only while a call's epoch equals it.
 * '' equals nothing: a process that may miss notifications reads keys from the database.
 */
export abstract class KeysEpoch {
  abstract current(): string;

  /** Announces that a transaction changes keys: PostgreSQL notifies every process when it commits. */
  async announce(tx: Tx): Promise<void> {
    await tx.sql(platformSql(NOTIFY));
    tx.afterCommit(() => this.takeEffect());
  }

  /** The same for a transaction that is not one of the store. Call the result after its commit. */
  async announceOn(client: { query(text: string): Promise<unknown> }): Promise<() => Promise<void>> {
    await client.query(NOTIFY);
    return () => this.takeEffect();
  }

  /** Called after the commit and before the response: applies the change before the notification arrives. Never throws. */
  protected abstract takeEffect(): Promise<void>;
}

/** For a process that is notified of changes. */
abstract class NotifiedKeysEpoch extends KeysEpoch {
  protected token = '';

  constructor(private readonly notifier: PgNotifier) {
    super();
    notifier.listen(PG_CHANNEL, () => this.forget());
  }

  override current(): string {
    return this.notifier.isReceiving ? this.token : '';
  }

  /** From now on, no key that was cached earlier is used. */
  protected forget(): void {
    this.token = randomUUID();
  }
}

/**
 * For several processes. The value in Redis is random, because a counter would repeat values after a flush. Callers compare a token
 * of this process, which is also renewed with each connection: after a crash or failover Redis may have an older value.
 */
export class RedisKeysEpoch extends NotifiedKeysEpoch {
  private stored: string | null | undefined;

  constructor(
    private readonly redis: Redis,
    notifier: PgNotifier,
  ) {
    super(notifier);
    redis.on('ready', () => (this.stored = undefined));
  }

  /** Receives the value that the limiter's script read, and returns the epoch of that call. */
  observe(stored: string | null): string {
    if (stored === null) this.redis.set(KEYS_EPOCH, randomUUID(), 'NX').catch(() => undefined);
    if (stored !== this.stored) {
      this.stored = stored;
      this.forget();
    }
    return stored === null ? '' : this.current();
  }

  protected override takeEffect(): Promise<void> {
    this.forget();
    return bump(this.redis);
  }
}

/** For the only process on a database; PostgreSQL notifies it of changes made by the command line. */
export class LocalKeysEpoch extends NotifiedKeysEpoch {
  protected override token: string = randomUUID();

  protected override async takeEffect(): Promise<void> {
    this.forget();
  }
}

/** For the command line. It caches no keys, so its epoch is always unknown. */
export class AnnouncedKeysEpoch extends KeysEpoch {
  constructor(private readonly redis: Redis | null) {
    super();
  }

  override current(): string {
    return '';
  }

  protected override async takeEffect(): Promise<void> {
    if (this.redis) await bump(this.redis);
  }
}

async function bump(redis: Redis): Promise<void> {
  const giveUpAt = performance.now() + BUMP_TIMEOUT_MS;
  for (;;) {
    try {
      await redis.set(KEYS_EPOCH, randomUUID());
      return;
    } catch (error) {
      if (performance.now() + BUMP_RETRY_MS > giveUpAt) {
        const { message } = error as Error;
        new Logger('Keys').warn(`Redis does not respond (${message}): other processes learn of a change of keys from PostgreSQL`);
        return;
      }
      await sleep(BUMP_RETRY_MS);
    }
  }
}
