import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { KEYS_EPOCH, type RedisKeysEpoch } from '../keys-epoch/keys-epoch.js';
import { type Admission, type Bucket, Limiter } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { admitScript, REDIS_CLOCK } from './redis-limiter.script.js';

type Reply = [admitted: 0 | 1, tightest: number, remaining: number, resetSeconds: number, epoch: string | null];
type AdmittingRedis = Redis & { admitCall(keys: number, ...args: (string | number)[]): Promise<Reply> };

/** After a failure, one call per interval tries Redis again; the others do not wait for it. */
const PROBE_EVERY_MS = 500;

/**
 * The limits of many processes, in one round trip per call. While Redis fails, each process limits by itself, knowing
 * what it admitted before; the shared count does not learn of those calls afterwards.
 */
export class RedisLimiter extends Limiter {
  private readonly log = new Logger(RedisLimiter.name);
  private readonly alone = new MemoryLimiter(() => '');
  private readonly redis: AdmittingRedis;
  private failing = false;
  private probeAt = 0;

  /** `clock`: a Lua expression for milliseconds. */
  constructor(
    redis: Redis,
    private readonly epoch: RedisKeysEpoch,
    clock: string = REDIS_CLOCK,
  ) {
    super();
    redis.defineCommand('admitCall', { lua: admitScript(clock) });
    this.redis = redis as AdmittingRedis;
  }

  override async admit(buckets: readonly Bucket[]): Promise<Admission> {
    if (this.failing) {
      if (performance.now() < this.probeAt) return this.alone.admit(buckets);
      this.probeAt = performance.now() + PROBE_EVERY_MS;
    }
    let reply: Reply;
    try {
      reply = await this.ask(buckets);
    } catch (error) {
      this.lose(error as Error);
      return this.alone.admit(buckets);
    }
    this.recover();
    const [admitted, tightest, remaining, resetSeconds, stored] = reply;
    if (admitted === 1) this.alone.admit(buckets);
    return {
      admitted: admitted === 1,
      tightest: { limit: buckets[tightest].limit, remaining, resetSeconds },
      retryAfterSeconds: admitted === 1 ? 0 : resetSeconds,
      keysEpoch: this.epoch.observe(stored),
    };
  }

  private ask(buckets: readonly Bucket[]): Promise<Reply> {
    const keys: string[] = [];
    const args: number[] = [];
    for (const { name, id, limit, windowSeconds } of buckets) {
      keys.push(`limit:${name}:${id}`);
      args.push(limit, windowSeconds * 1000);
    }
    return this.redis.admitCall(keys.length + 1, ...keys, KEYS_EPOCH, ...args);
  }

  private lose(error: Error): void {
    if (this.failing) return;
    this.failing = true;
    this.probeAt = performance.now() + PROBE_EVERY_MS;
    this.log.warn(`Redis does not answer (${error.message}): this process limits calls by itself`);
  }

  private recover(): void {
    if (!this.failing) return;
    this.failing = false;
    this.log.log('Redis answers again: limits are shared');
  }
}
