import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OwnRedis, startOwnRedis, startRedis } from '../../../test/harness/redis.js';
import { RedisKeyChanges } from '../key-changes/key-changes.js';
import { FailFastRedis } from '../redis/redis.js';
import { eventually } from '../../../test/harness/eventually.js';
import type { Bucket } from './limiter.js';
import { calls, LimiterModel } from '../../../test/harness/limiter-model.js';
import { RedisLimiter } from './redis-limiter.js';

Logger.overrideLogger(false);
const server = await startRedis();
const own = await startOwnRedis();
const run = `t${process.pid}-${Date.now()}`;
const connections: FailFastRedis[] = [];

/** Unlike events.once, not ended by the errors of attempts in between. */
const ready = (redis: FailFastRedis) => new Promise<void>((resolve) => void redis.once('ready', () => resolve()));

async function connect(url: string, clock?: string) {
  const redis = new FailFastRedis(url);
  connections.push(redis);
  await ready(redis);
  const changes = new RedisKeyChanges(redis, { listen: () => undefined, isReceiving: true } as never);
  return { redis, limiter: new RedisLimiter(redis, changes, clock) };
}

/** Stops the clock by which a limiter tries Redis again, so that it does so at most once. Returns the calls that it sends to Redis. */
function stopClock(redis: FailFastRedis) {
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  return jest.spyOn(redis as FailFastRedis & { admitCall(): Promise<unknown> }, 'admitCall');
}

/** Buckets of this run alone, as the server may be shared. */
const bucket = (name: string, id: string, limit: number, windowSeconds = 60): Bucket => ({
  name,
  id: `${run}:${id}`,
  limit,
  windowSeconds,
});

afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await Promise.all(connections.map((redis) => redis.onApplicationShutdown()));
  await server?.stop();
  await own?.stop();
});

(server ? describe : describe.skip)('with Redis', () => {
  const url = server?.url ?? '';

  test('decides and counts as the naive model does, call for call', async () => {
    const clockKey = `${run}:clock`;
    const { redis, limiter } = await connect(url, `tonumber(redis.call('GET', '${clockKey}'))`);
    // a machine without a free core may not answer within the product's limit
    redis.options.commandTimeout = 60_000;
    let attempt = 0;
    await fc.assert(
      fc.asyncProperty(calls, fc.nat(100_000), async (sequence, start) => {
        const model = new LimiterModel();
        const prefix = `${run}:${attempt++}:`;
        let now = 1_800_000_000_000 + start;
        for (const { pauseMs, buckets } of sequence) {
          now += pauseMs;
          const unique = buckets.map((one) => ({ ...one, id: prefix + one.id }));
          await redis.set(clockKey, now);
          const { keysChangedAt: _, ...admission } = await limiter.admit(unique);
          expect(admission).toEqual(model.admit(unique, now));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a small clock step back admits no extra calls, and one beyond the window resets the buckets', async () => {
    const clockKey = `${run}:stepping`;
    const { redis, limiter } = await connect(url, `tonumber(redis.call('GET', '${clockKey}'))`);
    const one = [bucket('key', 'stepping', 1)];
    await redis.set(clockKey, 1_000_000);
    expect((await limiter.admit(one)).admitted).toBe(true);
    await redis.set(clockKey, 970_000);
    expect(await limiter.admit(one)).toMatchObject({ admitted: false, retryAfterSeconds: 60 });
    await redis.set(clockKey, 500_000);
    expect((await limiter.admit(one)).admitted).toBe(true);
  });

  test('of 200 concurrent calls through two processes exactly the limit is admitted, and the others are not charged', async () => {
    const [a, b] = [await connect(url), await connect(url)];
    const buckets = [bucket('key', 'rush', 60), bucket('org', 'rush', 600)];
    const admissions = await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? a : b).limiter.admit(buckets)));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(60);
    expect((await a.limiter.admit([buckets[1]])).tightest.remaining).toBe(600 - 61);
  });

  test("with Redis's clock no window contains more than the limit, and waiting for Retry-After is enough", async () => {
    const { redis, limiter } = await connect(url);
    const one = [bucket('key', 'real', 3, 1)];
    const admittedAt: { earliest: number; latest: number }[] = [];
    for (; admittedAt.length < 9; await sleep(20)) {
      const earliest = await redisTime(redis);
      if ((await limiter.admit(one)).admitted) admittedAt.push({ earliest, latest: await redisTime(redis) });
    }
    for (let i = 3; i < admittedAt.length; i++) expect(admittedAt[i].latest - admittedAt[i - 3].earliest).toBeGreaterThanOrEqual(1000);
    while ((await limiter.admit(one)).admitted);
    await sleep((await limiter.admit(one)).retryAfterSeconds * 1000);
    expect((await limiter.admit(one)).admitted).toBe(true);
  });

  test('leaves no keys once a window is over', async () => {
    const { redis, limiter } = await connect(url);
    await limiter.admit([bucket('key', 'gone', 5, 1)]);
    expect(await redis.pttl(`limit:key:${run}:gone`)).toBeGreaterThan(0);
    await sleep(1_100);
    expect(await redis.exists(`limit:key:${run}:gone`)).toBe(0);
  });
});

async function redisTime(redis: FailFastRedis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Number(micros) / 1000;
}

(own ? describe : describe.skip)('when Redis fails', () => {
  let redisServer: OwnRedis = own!;
  const buckets = [bucket('key', 'fault', 60)];

  test('a frozen server costs the wait of one call; the process limits locally, uses no cached key, logs once and recovers', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const log = jest.spyOn(Logger.prototype, 'log');
    const { limiter, redis } = await connect(redisServer.url);
    for (let i = 0; i < 10; i++) await limiter.admit(buckets);
    log.mockClear();
    process.kill(redisServer.pid, 'SIGSTOP');
    try {
      const sent = stopClock(redis);
      const admissions = [];
      for (let i = 0; i < 100; i++) admissions.push(await limiter.admit(buckets));
      expect(sent).toHaveBeenCalledTimes(1);
      expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(50);
      expect(admissions.every(({ keysChangedAt }) => keysChangedAt === Infinity)).toBe(true);
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      jest.mocked(performance.now).mockRestore();
      process.kill(redisServer.pid, 'SIGCONT');
    }
    await eventually(
      () => limiter.admit([bucket('key', 'other', 60)]),
      ({ keysChangedAt }) => keysChangedAt !== Infinity,
    );
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('one that ended is not used until it is available again', async () => {
    const { limiter, redis } = await connect(redisServer.url);
    await limiter.admit(buckets);
    await redisServer.stop();
    const sent = stopClock(redis);
    for (let i = 0; i < 20; i++) expect((await limiter.admit(buckets)).keysChangedAt).toBe(Infinity);
    expect(sent).toHaveBeenCalledTimes(1);
    jest.mocked(performance.now).mockRestore();

    const back = ready(redis);
    redisServer = (await startOwnRedis(redisServer.port))!;
    try {
      await back;
      const { keysChangedAt } = await eventually(
        () => limiter.admit(buckets),
        (admission) => admission.keysChangedAt !== Infinity,
      );
      expect(keysChangedAt).not.toBe(Infinity);
    } finally {
      await redisServer.stop();
    }
  });
});
