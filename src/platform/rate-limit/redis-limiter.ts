import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { type RedisKeyChanges, storedName } from '../key-changes/key-changes.js';
import { type Admission, type Bucket, Limiter } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { admitScript, REDIS_CLOCK } from './redis-limiter.script.js';

type Reply = [admitted: 0 | 1, tightest: number, remaining: number, resetSeconds: number, stored: (string | null)[]];
type AdmittingRedis = Redis & { admitCall(keys: number, ...args: (string | number)[]): Promise<Reply> };

/** After a failure, one call per interval tries Redis again; the others do not wait for it. */
const PROBE_EVERY_MS = 500;

/**
 * Limits shared by several processes, in one round trip per call. While Redis fails, each process limits locally, counting the
 * calls that it admitted before; the shared count never includes the calls of that time.
 */
export class RedisLimiter extends Limiter {
  private readonly log = new Logger(RedisLimiter.name);
  private readonly local = new MemoryLimiter(() => Infinity);
  private readonly redis: AdmittingRedis;
  private failing = false;
  private probeAt = 0;

  /** `clock`: a Lua expression for milliseconds. */
  constructor(
    redis: Redis,
    private readonly changes: RedisKeyChanges,
    clock: string = REDIS_CLOCK,
  ) {
    super();
    redis.defineCommand('admitCall', { lua: admitScript(clock) });
    this.redis = redis as AdmittingRedis;
  }

  override async admit(buckets: readonly Bucket[], subjects: readonly string[] = []): Promise<Admission> {
    if (this.failing) {
      if (performance.now() < this.probeAt) return this.local.admit(buckets);
      this.probeAt = performance.now() + PROBE_EVERY_MS;
    }
    let reply: Reply;
    try {
      reply = await this.admitShared(buckets, subjects);
    } catch (error) {
      this.recordFailure(error as Error);
      return this.local.admit(buckets);
    }
    this.recordSuccess();
    const [admitted, tightest, remaining, resetSeconds, stored] = reply;
    if (admitted === 1) this.local.admit(buckets);
    return {
      admitted: admitted === 1,
      tightest: { limit: buckets[tightest].limit, remaining, resetSeconds },
      retryAfterSeconds: admitted === 1 ? 0 : resetSeconds,
      keysChangedAt: this.changes.observe(subjects, stored),
    };
  }

  private admitShared(buckets: readonly Bucket[], subjects: readonly string[]): Promise<Reply> {
    const keys: string[] = [];
    const args: number[] = [];
    for (const { name, id, limit, windowSeconds } of buckets) {
      keys.push(`limit:${name}:${id}`);
      args.push(limit, windowSeconds * 1000);
    }
    for (const subject of subjects) keys.push(storedName(subject));
    return this.redis.admitCall(keys.length, ...keys, ...args);
  }

  private recordFailure(error: Error): void {
    if (this.failing) return;
    this.failing = true;
    this.probeAt = performance.now() + PROBE_EVERY_MS;
    this.log.warn(`Redis does not respond (${error.message}): this process limits calls locally`);
  }

  private recordSuccess(): void {
    if (!this.failing) return;
    this.failing = false;
    this.log.log('Redis responds again: limits are shared');
  }
}
