// Invalidates cached keys in every process when what they were read from changes.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Tx } from '../../kit/index.js';
import { platformSql } from '../../kit/internal.js';
import type { PgNotifier } from '../persistence/database/pg-notifier.js';

/** Whose change concerns all keys. */
export const EVERY_KEY = '*';
const PG_CHANNEL = 'keys_changed';
const BUMP_TIMEOUT_MS = 500;
const BUMP_RETRY_MS = 100;
/** Values of keys that nobody uses expire. */
const EXPIRES_SECONDS = 7 * 86_400;
/** Subjects that a process remembers. Past this many it forgets all, and reads each key once more. */
const MOST_SUBJECTS = 100_000;

/** The name of the value in Redis that another value replaces with each change of the subject. */
export const storedName = (subject: string): string => `keys:changed:${subject}`;

/**
 * Makes a change take effect at the very next call of every process or, while Redis is away, within a second. What changes are subjects:
 * a key, by its id, an organization with its members and roles, by its id, and `EVERY_KEY`. Each process counts the changes that
 * it hears of. A cached key is stored with the count before it was read from the database, and is valid while no subject of
 * it has changed since.
 */
export abstract class KeyChanges {
  /** How many changes this process has heard of. */
  abstract count(): number;

  /** The count at the last change of these subjects; Infinity while this process may miss changes, so that no cached key is valid. */
  abstract lastOf(subjects: readonly string[]): number;

  /** Announces that a transaction changes a subject: PostgreSQL notifies every process when it commits. */
  async announce(tx: Tx, subject: string): Promise<void> {
    await tx.sql(platformSql(`SELECT pg_notify('${PG_CHANNEL}', $1)`, [subject]));
    tx.afterCommit(() => this.takeEffect(subject));
  }

  /** The same for all keys and a transaction that is not one of the store. Call the result after its commit. */
  async announceEveryKey(client: { query(text: string): Promise<unknown> }): Promise<() => Promise<void>> {
    await client.query(`SELECT pg_notify('${PG_CHANNEL}', '${EVERY_KEY}')`);
    return () => this.takeEffect(EVERY_KEY);
  }

  /** Called after the commit and before the response: applies the change before the notification arrives. Never throws. */
  protected abstract takeEffect(subject: string): Promise<void>;
}

/** For a process that PostgreSQL notifies of changes: enough for the only process on a database. */
export class NotifiedKeyChanges extends KeyChanges {
  private changes = 0;
  private everyKey = 0;
  private readonly last = new Map<string, number>();

  constructor(private readonly notifier: PgNotifier) {
    super();
    notifier.listen(PG_CHANNEL, (signal) => this.note((signal.kind === 'notification' && signal.payload) || EVERY_KEY));
  }

  override count(): number {
    return this.changes;
  }

  override lastOf(subjects: readonly string[]): number {
    if (!this.notifier.isReceiving) return Infinity;
    let last = this.everyKey;
    for (const subject of subjects) last = Math.max(last, this.last.get(subject) ?? 0);
    return last;
  }

  protected note(subject: string): void {
    this.changes++;
    if (subject !== EVERY_KEY && this.last.size < MOST_SUBJECTS) {
      this.last.set(subject, this.changes);
    } else {
      this.everyKey = this.changes;
      this.last.clear();
    }
  }

  protected override async takeEffect(subject: string): Promise<void> {
    this.note(subject);
  }
}

/**
 * For several processes. The values in Redis are random, because counters would repeat values after a flush. With each new connection a
 * process forgets those that it has seen: after a crash or failover Redis may have older ones.
 */
export class RedisKeyChanges extends NotifiedKeyChanges {
  private readonly seen = new Map<string, string>();

  constructor(
    private readonly redis: Redis,
    notifier: PgNotifier,
  ) {
    super(notifier);
    redis.on('ready', () => this.seen.clear());
  }

  /** Receives the values of the subjects that the limiter's script read; the result is `lastOf` for that call. */
  observe(subjects: readonly string[], stored: readonly (string | null)[]): number {
    if (this.seen.size >= MOST_SUBJECTS) this.seen.clear();
    let isKnown = true;
    subjects.forEach((subject, at) => {
      const value = stored[at];
      if (value === null) {
        isKnown = false;
        this.redis.set(storedName(subject), randomUUID(), 'EX', EXPIRES_SECONDS, 'NX').catch(() => undefined);
      } else if (value !== this.seen.get(subject)) {
        this.seen.set(subject, value);
        this.note(subject);
      }
    });
    return isKnown ? this.lastOf(subjects) : Infinity;
  }

  protected override async takeEffect(subject: string): Promise<void> {
    this.note(subject);
    await bump(this.redis, subject);
  }
}

/** For the command line, which caches no keys. */
export class AnnouncedKeyChanges extends KeyChanges {
  constructor(private readonly redis: Redis | null) {
    super();
  }

  override count(): number {
    return 0;
  }

  override lastOf(): number {
    return Infinity;
  }

  protected override async takeEffect(subject: string): Promise<void> {
    if (this.redis) await bump(this.redis, subject);
  }
}

async function bump(redis: Redis, subject: string): Promise<void> {
  const giveUpAt = performance.now() + BUMP_TIMEOUT_MS;
  for (;;) {
    try {
      await redis.set(storedName(subject), randomUUID(), 'EX', EXPIRES_SECONDS);
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
