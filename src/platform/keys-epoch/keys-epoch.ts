// How a changed key takes effect in every process at the next call.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Tx } from '../../kit/index.js';
import type { PgNotifier } from '../persistence/database/pg-notifier.js';

/** The name of the shared value in Redis. */
export const KEYS_EPOCH = 'keys:epoch';
const PG_CHANNEL = 'keys_changed';
const BUMP_FOR_MS = 3_000;
const BUMP_PAUSE_MS = 100;
const REPEAT_EVERY_MS = 1_000;

/**
 * Makes a changed key take effect at the very next call of every process. A cached key is stored with the epoch that was
 * `current()` before it was read from the database, and is good only while a call's epoch equals it. '' equals nothing.
 */
export abstract class KeysEpoch {
  abstract current(): string;
  /** Once it resolves, no cache filled earlier is used. */
  abstract bump(): Promise<void>;

  private readonly log = new Logger(KeysEpoch.name);
  private owed = 0;

  /**
   * Announces the keys that a transaction changes: now, so that nothing is stored while nobody can be told, and after its
   * commit, before it is answered. Called first, so that a repetition which changes nothing announces again what is stored.
   */
  async announce(tx: Tx): Promise<void> {
    await this.bump();
    tx.afterCommit(() => this.bumpOrOwe());
  }

  private async bumpOrOwe(): Promise<void> {
    try {
      await this.bump();
    } catch (error) {
      if (++this.owed === 1) void this.payOwed();
      throw error;
    }
  }

  /** The change is stored, and whoever asked for it may not come back: goes on until the processes are told. */
  private async payOwed(): Promise<void> {
    this.log.error('A change of keys is stored but could not be announced; until it is, other processes may accept what it ended.');
    for (let paid = 0; paid < this.owed;) {
      await sleep(REPEAT_EVERY_MS, undefined, { ref: false });
      const owed = this.owed;
      await this.bump().then(
        () => (paid = owed),
        () => undefined,
      );
    }
    this.owed = 0;
    this.log.log('The change of keys is announced.');
  }
}

/** Running processes may still hold the old key. */
export class KeysEpochUnreachable extends Error {
  override readonly name = 'KeysEpochUnreachable';

  constructor(cause: unknown) {
    super('The change of keys could not be announced to the running processes', { cause });
  }
}

/**
 * The stored value is random, as a counter would repeat itself after a flush. What callers compare is a token of this
 * process, renewed with each connection too: a Redis that crashed or failed over may have come back with an older value.
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

  /** Takes the value that the limiter's script read, and answers the epoch of that call. */
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
    const giveUpAt = performance.now() + BUMP_FOR_MS;
    for (;;) {
      try {
        await this.redis.set(KEYS_EPOCH, value);
        return;
      } catch (error) {
        if (performance.now() + BUMP_PAUSE_MS > giveUpAt) throw new KeysEpochUnreachable(error);
        await sleep(BUMP_PAUSE_MS);
      }
    }
  }
}

/** For the only process on a database; changes made by the command line arrive through PostgreSQL. */
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

/** For the command line beside a process without Redis. It caches no keys, so its own epoch is always unknown. */
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
