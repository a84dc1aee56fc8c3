import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { createTestDatabase } from '../../../test/kit/test-database.js';
import { eventually } from '../../../test/kit/eventually.js';
import { DomainModule, Sweep, type SweepHandler } from '../../kit/index.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { SweepRunner } from './sweep-runner.js';

const NAME = 'chores.sweep_floor';
const HOUR_MS = 3_600_000;

/** What the tests turn, and what they read: every run, and how many there are at the same time. */
const floor = { runs: [] as Date[], atOnce: 0, mostAtOnce: 0, fails: false, hold: false };

@Injectable()
@Sweep({ name: NAME, everySeconds: 3_600 })
class SweepFloor implements SweepHandler {
  async run(now: Date, signal: AbortSignal): Promise<void> {
    floor.runs.push(now);
    floor.mostAtOnce = Math.max(floor.mostAtOnce, ++floor.atOnce);
    try {
      if (floor.hold) await once(signal, 'abort').then(() => signal.throwIfAborted());
      if (floor.fails) throw new Error('no broom');
    } finally {
      floor.atOnce--;
    }
  }
}

const manifest = {
  name: 'chores',
  title: 'Chores',
  guide: 'For the test of sweeps.',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [],
};

@DomainModule({ ...manifest, sweeps: [SweepFloor] })
class ChoresModule {}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: TestApp;

const startApp = () => createTestApp({ modules: [ChoresModule], env: { QUEUE_RECONCILE_MS: '100' }, databaseUrl: database.url });
const row = async () =>
  (
    await app.sql.query<{ due_at: Date; leased_until: Date | null; last_error: string | null }>(
      `SELECT due_at, leased_until, last_error FROM sweeps WHERE name = $1`,
      [NAME],
    )
  ).rows[0];
const settled = () => eventually(row, (it) => it !== undefined && it.leased_until === null && it.due_at.getTime() > Date.now());
const makeDue = (changes = `leased_until = NULL`) => app.sql.query(`UPDATE sweeps SET due_at = now() - interval '5 hours', ${changes}`);
const reconciled = () => new Promise((resolve) => setTimeout(resolve, 400));

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startApp();
}, 60_000);
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => void Object.assign(floor, { fails: false, hold: false, mostAtOnce: 0 }));

describe('a sweep', () => {
  test('runs at the first start, and then once per interval', async () => {
    const { due_at, last_error } = await settled();
    await reconciled();
    expect(floor.runs).toHaveLength(1);
    expect(due_at.getTime()).toBe(floor.runs[0].getTime() + HOUR_MS);
    expect(last_error).toBeNull();
  });

  test('catches up once on all that it missed', async () => {
    const before = floor.runs.length;
    await makeDue();
    await eventually(
      async () => floor.runs,
      ({ length }) => length > before,
    );
    expect((await settled()).due_at.getTime()).toBe(floor.runs.at(-1)!.getTime() + HOUR_MS);
    await reconciled();
    expect(floor.runs).toHaveLength(before + 1);
  });

  test('that fails says why, and runs again at its next time', async () => {
    const before = floor.runs.length;
    floor.fails = true;
    await makeDue();
    await eventually(
      async () => floor.runs,
      ({ length }) => length > before,
    );
    expect(await settled()).toMatchObject({ leased_until: null, last_error: 'no broom' });
    await reconciled();
    expect(floor.runs).toHaveLength(before + 1);
    floor.fails = false;
    await makeDue();
    expect((await eventually(row, ({ last_error }) => last_error === null)).last_error).toBeNull();
  });

  test('runs in one process at a time; what a stop cuts short, another process takes over at once', async () => {
    await settled();
    const before = floor.runs.length;
    floor.hold = true;
    await makeDue();
    await eventually(
      async () => floor.runs,
      ({ length }) => length > before,
    );
    const second = await startApp();
    await reconciled();
    expect(floor.runs).toHaveLength(before + 1);
    floor.hold = false;
    await app.close();
    app = second;
    expect(
      await eventually(
        async () => floor.runs.length,
        (length) => length > before + 1,
      ),
    ).toBe(before + 2);
    expect([floor.mostAtOnce, (await settled()).last_error]).toEqual([1, null]);
  }, 30_000);

  test('of a process that fell silent is taken over once its lease is out', async () => {
    const before = floor.runs.length;
    await makeDue(`leased_until = now() + interval '1 minute'`);
    await reconciled();
    expect(floor.runs).toHaveLength(before);
    await makeDue(`leased_until = now() - interval '1 second'`);
    await eventually(
      async () => floor.runs,
      ({ length }) => length > before,
    );
    expect((await settled()).leased_until).toBeNull();
  });

  test('whose interval became shorter does not wait out the old one', async () => {
    const before = floor.runs.length;
    await app.sql.query(`UPDATE sweeps SET due_at = now() + interval '30 days'`);
    const second = await startApp();
    expect((await eventually(row, ({ due_at }) => due_at.getTime() < Date.now() + 2 * HOUR_MS)).due_at.getTime()).toBeLessThanOrEqual(
      Date.now() + HOUR_MS,
    );
    await second.close();
    expect(floor.runs).toHaveLength(before);
  }, 30_000);
});

describe('a test', () => {
  test('runs a sweep when it wants, at the time it wants', async () => {
    const runner = app.app.get(SweepRunner);
    const later = new Date(Date.now() + 24 * HOUR_MS);
    await runner.run(NAME, later);
    expect(floor.runs.at(-1)).toBe(later);
    floor.fails = true;
    await expect(runner.run(NAME)).rejects.toThrow('no broom');
    await expect(runner.run('chores.nothing')).rejects.toThrow('There is no sweep chores.nothing; there are chores.sweep_floor.');
  });

  test('runs it after the run that is under way', async () => {
    const runner = app.app.get(SweepRunner);
    await Promise.all([runner.run(NAME), runner.run(NAME), runner.run(NAME)]);
    expect(floor.mostAtOnce).toBe(1);
  });
});

describe('the boot refuses', () => {
  @Sweep({ name: 'chores.hurry', everySeconds: 0.5 })
  class Hurry extends SweepFloor {}

  @DomainModule({ ...manifest, sweeps: [Hurry] })
  class HurryModule {}

  @DomainModule({
    ...manifest,
    name: 'more_chores',
    sweeps: [SweepFloor],
  })
  class AgainModule {}

  test.each([
    ['a sweep of two modules', [ChoresModule, AgainModule], /The sweep chores\.sweep_floor is declared twice/],
    ['one more often than every second', [HurryModule], /The sweep chores\.hurry must run every 1 or more whole seconds/],
  ])('%s', (_, modules, reason) => {
    expect(() => new SweepRunner(null as never, new ModuleRegistry(modules), null as never, null as never)).toThrow(reason);
  });
});
