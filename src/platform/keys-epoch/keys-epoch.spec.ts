import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../../../test/harness/eventually.js';
import { SilenceableProxy } from '../../../test/faults/silenceable-proxy.js';
import { startOwnRedis, type OwnRedis } from '../../../test/harness/redis.js';
import { PgNotifier, type PgSignal } from '../persistence/database/pg-notifier.js';
import type { Bucket } from '../rate-limit/limiter.js';
import { RedisLimiter } from '../rate-limit/redis-limiter.js';
import { FailFastRedis } from '../redis/redis.js';
import type { Sql } from '../../kit/index.js';
import { AnnouncedKeysEpoch, KEYS_EPOCH, type KeysEpoch, LocalKeysEpoch, RedisKeysEpoch } from './keys-epoch.js';

Logger.overrideLogger(false);
const own = await startOwnRedis();
const buckets: Bucket[] = [{ name: 'key', id: 'k', limit: 1000, windowSeconds: 60 }];

/** A committed transaction that changes keys; without a database, nothing is notified. */
async function change(epoch: KeysEpoch, database?: Client): Promise<void> {
  const actions: (() => unknown)[] = [];
  const tx = { sql: async ({ texts }: Sql) => database?.query(texts[0]), afterCommit: (action: () => unknown) => actions.push(action) };
  await epoch.announce(tx as never);
  for (const action of actions) await action();
}

/** Unlike events.once, not ended by the errors of attempts in between. */
const ready = (redis: FailFastRedis) => new Promise<void>((resolve) => void redis.once('ready', () => resolve()));

(own ? describe : describe.skip)('shared through Redis', () => {
  let server: OwnRedis = own!;
  const connections: FailFastRedis[] = [];

  async function startProcess() {
    const redis = new FailFastRedis(server.url);
    connections.push(redis);
    await ready(redis);
    const epoch = new RedisKeysEpoch(redis, { listen: () => undefined, isReceiving: true } as never);
    const limiter = new RedisLimiter(redis, epoch);
    const seen = async () => (await limiter.admit(buckets)).keysEpoch;
    return { redis, epoch, seen };
  }

  /** The first call meets a Redis without an epoch, and puts one there. */
  async function warm({ seen }: { seen(): Promise<string> }) {
    await seen();
    await sleep(50);
    return seen();
  }

  afterAll(async () => {
    await Promise.all(connections.map((redis) => redis.onApplicationShutdown()));
    await server.stop();
  });

  test('is unknown until Redis has one, and stays the same then', async () => {
    const a = await startProcess();
    expect(a.epoch.current()).toBe('');
    expect(await a.seen()).toBe('');
    const epoch = await eventually(a.seen, (seen) => seen !== '');
    expect(await a.seen()).toBe(epoch);
    expect(a.epoch.current()).toBe(epoch);
  });

  test('a change applies to the next request of every process', async () => {
    const [a, b] = [await startProcess(), await startProcess()];
    const before = [await warm(a), await warm(b)];
    for (let i = 0; i < 20; i++) {
      await change(a.epoch);
      const after = [await a.seen(), await b.seen()];
      expect(after).not.toContain('');
      expect(after[0]).not.toBe(before[0]);
      expect(after[1]).not.toBe(before[1]);
      before.splice(0, 2, ...after);
    }
  });

  test('an earlier value that returns, by a flush or a restored backup, is not taken for the earlier epoch', async () => {
    const a = await startProcess();
    const first = await warm(a);
    const value = (await a.redis.get(KEYS_EPOCH))!;
    await change(a.epoch);
    const second = await a.seen();
    await a.redis.set(KEYS_EPOCH, value);
    const third = await a.seen();
    expect(new Set([first, second, third]).size).toBe(3);
    await a.redis.flushall();
    expect(await a.seen()).toBe('');
  });

  test('a new connection is a new epoch, for Redis may have lost a change with it', async () => {
    const a = await startProcess();
    const before = await warm(a);
    const back = ready(a.redis);
    a.redis.disconnect(true);
    await back;
    const after = await a.seen();
    expect(after).not.toBe('');
    expect(after).not.toBe(before);
  });

  test('a change does not fail without Redis, and does not wait for it', async () => {
    const a = await startProcess();
    await warm(a);
    const before = a.epoch.current();
    await server.stop();
    // Redis starts again only after the change
    await change(a.epoch);
    expect(a.epoch.current()).not.toBe(before);
    expect(await a.seen()).toBe('');
    server = (await startOwnRedis(server.port))!;
  });
});

describe('within one process, and from the command line through PostgreSQL', () => {
  // no application listens in this database of the server
  const { hostname, port, username, password } = new URL(process.env.TEST_SERVER_URL as string);
  const config = { host: hostname, port: Number(port), user: username, password, database: 'postgres' };
  const cli = new Client(config);

  beforeAll(() => cli.connect());
  afterAll(() => cli.end());

  async function startServer(applicationName: string) {
    const notifier = new PgNotifier({ ...config, application_name: applicationName });
    const epoch = new LocalKeysEpoch(notifier);
    await notifier.start();
    return { notifier, epoch };
  }

  async function until(condition: () => boolean) {
    for (const end = Date.now() + 5_000; !condition() && Date.now() < end;) await sleep(5);
    expect(condition()).toBe(true);
  }

  const cut = (applicationName: string) =>
    cli.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [applicationName]);

  test('its own bump takes effect immediately, that of the command line when it arrives', async () => {
    const { notifier, epoch } = await startServer('t1');
    const first = epoch.current();
    expect(epoch.current()).toBe(first);
    await change(epoch);
    const second = epoch.current();
    expect(second).not.toBe(first);
    await change(new AnnouncedKeysEpoch(null), cli);
    await until(() => epoch.current() !== second);
    expect(epoch.current()).not.toBe('');
    await notifier.onApplicationShutdown();
  });

  test('is unknown while the channel is cut, and another one afterwards', async () => {
    const { notifier, epoch } = await startServer('t2');
    const before = epoch.current();
    await cut('t2');
    await until(() => epoch.current() === '');
    await change(new AnnouncedKeysEpoch(null), cli);
    await until(() => epoch.current() !== '');
    expect(epoch.current()).not.toBe(before);
    const again = epoch.current();
    await change(new AnnouncedKeysEpoch(null), cli);
    await until(() => epoch.current() !== again);
    await notifier.onApplicationShutdown();
  });

  test('the notifier hands each channel its payloads, and a gap after a cut', async () => {
    const notifier = new PgNotifier({ ...config, application_name: 't3' });
    const [one, two]: PgSignal[][] = [[], []];
    notifier.listen('one', (signal) => one.push(signal));
    notifier.listen('Two"s', (signal) => two.push(signal));
    await notifier.start();
    await cli.query(`SELECT pg_notify('one', 'a'), pg_notify('Two"s', 'b')`);
    await until(() => one.length === 1 && two.length === 1);
    await cut('t3');
    await until(() => one.length === 2 && two.length === 2);
    expect(one).toEqual([{ kind: 'notification', payload: 'a' }, { kind: 'gap' }]);
    expect(two).toEqual([{ kind: 'notification', payload: 'b' }, { kind: 'gap' }]);
    await notifier.onApplicationShutdown();
    await cli.query(`NOTIFY one`);
    await sleep(50);
    expect(one).toHaveLength(2);
  });

  test('a first connection that fails is reported', async () => {
    await expect(new PgNotifier({ ...config, password: 'wrong' }).start()).rejects.toThrow('password');
  });

  test('is unknown within a second if the channel goes silent, and known again over another connection', async () => {
    const proxy = await SilenceableProxy.open(config.port);
    const notifier = new PgNotifier({ ...config, port: proxy.port });
    const epoch = new LocalKeysEpoch(notifier);
    await notifier.start();
    expect(epoch.current()).not.toBe('');
    proxy.silence();
    await sleep(1_000);
    expect(epoch.current()).toBe('');
    for (const end = Date.now() + 8_000; epoch.current() === '' && Date.now() < end;) await sleep(20);
    expect(epoch.current()).not.toBe('');
    await notifier.onApplicationShutdown();
    await proxy.close();
  }, 15_000);
});
