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
import { AnnouncedKeyChanges, EVERY_KEY, type KeyChanges, NotifiedKeyChanges, RedisKeyChanges, storedName } from './key-changes.js';

Logger.overrideLogger(false);
const own = await startOwnRedis();
const buckets: Bucket[] = [{ name: 'key', id: 'k', limit: 1000, windowSeconds: 60 }];

const ORGANIZATION = '01980000-0000-7000-8000-000000000001';
const KEY = '01980000-0000-7000-8000-000000000002';
const OTHER_KEY = '01980000-0000-7000-8000-000000000003';
const SUBJECTS = [EVERY_KEY, ORGANIZATION, KEY];

/** A committed transaction that changes a subject; without a database, nothing is notified. */
async function change(changes: KeyChanges, subject: string, database?: Client): Promise<void> {
  const actions: (() => unknown)[] = [];
  const tx = {
    sql: async ({ texts, holes }: Sql) => database?.query(texts[0], (holes as { list: unknown[] }[])[0].list),
    afterCommit: (action: () => unknown) => actions.push(action),
  };
  await changes.announce(tx as never, subject);
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
    const changes = new RedisKeyChanges(redis, { listen: () => undefined, isReceiving: true } as never);
    const limiter = new RedisLimiter(redis, changes);
    const seen = async (subjects = SUBJECTS) => (await limiter.admit(buckets, subjects)).keysChangedAt;
    return { redis, changes, seen };
  }

  /** The first call meets a Redis without values, and puts them there. */
  async function warm({ seen }: { seen(): Promise<number> }) {
    await seen();
    await sleep(50);
    return seen();
  }

  afterAll(async () => {
    await Promise.all(connections.map((redis) => redis.onApplicationShutdown()));
    await server.stop();
  });

  test('is unknown until Redis has values, and stays the same then', async () => {
    const a = await startProcess();
    expect(await a.seen()).toBe(Infinity);
    const changedAt = await eventually(a.seen, (seen) => seen !== Infinity);
    expect(await a.seen()).toBe(changedAt);
    expect(a.changes.lastOf(SUBJECTS)).toBe(changedAt);
  });

  test('a change applies to the next call of every process, and to other keys only if it concerns them', async () => {
    const [a, b] = [await startProcess(), await startProcess()];
    const others = [EVERY_KEY, ORGANIZATION, OTHER_KEY];
    for (const { seen } of [a, b]) for (const subjects of [SUBJECTS, others]) await warm({ seen: () => seen(subjects) });
    for (let i = 0; i < 5; i++)
      for (const subject of SUBJECTS) {
        const read = [a.changes.count(), b.changes.count()];
        const before = [await a.seen(others), await b.seen(others)];
        await change(a.changes, subject);
        for (const [at, { seen }] of [a, b].entries()) {
          const after = await seen();
          expect(after).toBeGreaterThan(read[at]);
          expect(after).not.toBe(Infinity);
          const changed = (await seen(others)) !== before[at];
          expect({ subject, changed }).toEqual({ subject, changed: subject !== KEY });
        }
      }
  });

  test('an earlier value that returns, by a flush or a restored backup, counts as a change', async () => {
    const a = await startProcess();
    await warm(a);
    const value = (await a.redis.get(storedName(KEY)))!;
    await change(a.changes, KEY);
    await a.seen();
    const read = a.changes.count();
    await a.redis.set(storedName(KEY), value);
    expect(await a.seen()).toBeGreaterThan(read);
    await a.redis.flushall();
    expect(await a.seen()).toBe(Infinity);
  });

  test('after a new connection all keys are read again, for Redis may have lost a change with it', async () => {
    const a = await startProcess();
    await warm(a);
    const read = a.changes.count();
    const back = ready(a.redis);
    a.redis.disconnect(true);
    await back;
    const after = await a.seen();
    expect(after).not.toBe(Infinity);
    expect(after).toBeGreaterThan(read);
  });

  test('a change does not fail without Redis, and does not wait for it', async () => {
    const a = await startProcess();
    await warm(a);
    const read = a.changes.count();
    await server.stop();
    // Redis starts again only after the change
    await change(a.changes, KEY);
    expect(a.changes.lastOf(SUBJECTS)).toBeGreaterThan(read);
    expect(await a.seen()).toBe(Infinity);
    server = (await startOwnRedis(server.port))!;
  });

  test('names have the prefix of the installation', async () => {
    const redis = new FailFastRedis(server.url, 'acme:');
    connections.push(redis);
    await ready(redis);
    const changes = new RedisKeyChanges(redis, { listen: () => undefined, isReceiving: true } as never);
    await new RedisLimiter(redis, changes).admit(buckets, SUBJECTS);
    await change(changes, KEY);
    const plain = await startProcess();
    expect(await plain.redis.mget(`acme:${storedName(KEY)}`, 'acme:limit:key:k')).not.toContain(null);
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
    const changes = new NotifiedKeyChanges(notifier);
    await notifier.start();
    return { notifier, changes };
  }

  async function until(condition: () => boolean) {
    for (const end = Date.now() + 5_000; !condition() && Date.now() < end;) await sleep(5);
    expect(condition()).toBe(true);
  }

  const cut = (applicationName: string) =>
    cli.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [applicationName]);

  test('its own change takes effect immediately, that of the command line when it arrives', async () => {
    const { notifier, changes } = await startServer('t1');
    const others = [EVERY_KEY, ORGANIZATION, OTHER_KEY];
    const first = changes.lastOf(SUBJECTS);
    expect(changes.lastOf(SUBJECTS)).toBe(first);
    await change(changes, KEY);
    const second = changes.lastOf(SUBJECTS);
    expect(second).toBeGreaterThan(first);
    await change(new AnnouncedKeyChanges(null), KEY, cli);
    await until(() => changes.lastOf(SUBJECTS) > second);
    expect(changes.lastOf(SUBJECTS)).not.toBe(Infinity);
    expect(changes.lastOf(others)).toBe(first);
    // versions before 1.1 do not name what changes
    await cli.query('NOTIFY keys_changed');
    await until(() => changes.lastOf(others) > first);
    await notifier.onApplicationShutdown();
  });

  test('is unknown while the channel is cut, and all keys are read again afterwards', async () => {
    const { notifier, changes } = await startServer('t2');
    const read = changes.count();
    await cut('t2');
    await until(() => changes.lastOf(SUBJECTS) === Infinity);
    await change(new AnnouncedKeyChanges(null), KEY, cli);
    await until(() => changes.lastOf(SUBJECTS) !== Infinity);
    expect(changes.lastOf(SUBJECTS)).toBeGreaterThan(read);
    const again = changes.count();
    await change(new AnnouncedKeyChanges(null), KEY, cli);
    await until(() => changes.lastOf(SUBJECTS) > again);
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
    const changes = new NotifiedKeyChanges(notifier);
    await notifier.start();
    expect(changes.lastOf(SUBJECTS)).not.toBe(Infinity);
    proxy.silence();
    await sleep(1_000);
    expect(changes.lastOf(SUBJECTS)).toBe(Infinity);
    for (const end = Date.now() + 8_000; changes.lastOf(SUBJECTS) === Infinity && Date.now() < end;) await sleep(20);
    expect(changes.lastOf(SUBJECTS)).not.toBe(Infinity);
    await notifier.onApplicationShutdown();
    await proxy.close();
  }, 15_000);
});
