import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestApp, type TestApp } from '../../../test/harness/app.js';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import { eventually } from '../../../test/harness/eventually.js';
import { Note, NOTES_TABLE, NotesModule } from '../../../test/harness/fixtures/notes.fixture.js';
import { DomainModule, ScheduledJob, sql, Store, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../kit/index.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import { PLATFORM_DECLARATIONS } from '../platform-declarations.js';
import { RENEW_EVERY_MS } from '../queue/lease.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner } from './scheduled-job-runner.js';

const NAME = 'chores.clean_rooms';
const HOUR_MS = 3_600_000;

const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ROOM: Room = { id: idOf(1), organization_id: randomUUID(), project_id: randomUUID(), mode: 'test', name: 'Room 1' };

interface Room extends DueRow {
  name: string;
}

/** What is due, how handling it goes, and what happened. */
const chores = {
  rooms: [ROOM],
  failing: new Set<string>(),
  hold: false,
  /** What handling a row writes. */
  write: null as ((store: Store, ctx: Ctx) => Promise<unknown>) | null,
  runs: [] as Date[],
  handled: [] as { ctx: Ctx; row: Room; now: Date }[],
  inParallel: 0,
  mostInParallel: 0,
};

/** A room stays due however often it is cleaned. */
@ScheduledJob({
  name: NAME,
  everySeconds: 3_600,
  followsMails: true,
})
class CleanRooms implements ScheduledJobHandler<Room> {
  constructor(private readonly store: Store) {}

  due(now: Date): Sql {
    chores.runs.push(now);
    return sql.unscoped('rooms of a test')`
      SELECT r.*, 'Room ' || ${1}::text AS name
      FROM json_to_recordset(${JSON.stringify(chores.rooms)}::json) AS r (id uuid, organization_id uuid, project_id uuid, mode text)`;
  }

  async handle(ctx: Ctx, row: Room, now: Date, signal: AbortSignal): Promise<void> {
    chores.handled.push({ ctx, row, now });
    chores.mostInParallel = Math.max(chores.mostInParallel, ++chores.inParallel);
    try {
      if (chores.hold) await once(signal, 'abort').then(() => signal.throwIfAborted());
      await chores.write?.(this.store, ctx);
      if (chores.failing.has(row.id)) throw new Error('no broom');
    } finally {
      chores.inParallel--;
    }
  }
}

const manifest = {
  name: 'chores',
  title: 'Chores',
  guide: 'For the test of scheduled jobs.',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [],
};

@DomainModule({
  ...manifest,
  scheduledJobs: [CleanRooms],
})
class ChoresModule {}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: TestApp;

const startApp = () =>
  createTestApp({ modules: [ChoresModule, NotesModule], env: { QUEUE_RECONCILE_MS: '100' }, databaseUrl: database.url });
const state = async () =>
  (
    await app.sql.query<{ due_at: Date; leased_until: Date | null; last_error: string | null; runs: number }>(
      `SELECT due_at, leased_until, last_error, runs FROM scheduled_jobs WHERE name = $1`,
      [NAME],
    )
  ).rows[0];
const settled = () => eventually(state, (it) => it !== undefined && it.leased_until === null && it.due_at.getTime() > Date.now());
const makeDue = (changes = `leased_until = NULL`) =>
  app.sql.query(`UPDATE scheduled_jobs SET due_at = now() - interval '5 hours', ${changes} WHERE name = $1`, [NAME]);
const reconciled = () => new Promise((resolve) => setTimeout(resolve, 400));
/** Waits for a run after the given number of them. */
const runAfter = (before: number) =>
  eventually(
    async () => chores.runs,
    ({ length }) => length > before,
  );
/** Runs the job as the workers do, and returns its state afterwards. */
const nextRun = async () => {
  const before = chores.runs.length;
  await makeDue();
  await runAfter(before);
  return settled();
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => void Object.assign(chores, { rooms: [ROOM], failing: new Set(), hold: false, write: null, mostInParallel: 0 }));

describe('a scheduled job', () => {
  test('runs at the first start, and then once per interval', async () => {
    const { due_at, last_error } = await settled();
    await reconciled();
    expect(chores.runs).toHaveLength(1);
    expect(due_at.getTime()).toBe(chores.runs[0].getTime() + HOUR_MS);
    expect(last_error).toBeNull();
  });

  test('makes up for all missed runs by one', async () => {
    const before = chores.runs.length;
    const { due_at } = await nextRun();
    expect(due_at.getTime()).toBe(chores.runs.at(-1)!.getTime() + HOUR_MS);
    await reconciled();
    expect(chores.runs).toHaveLength(before + 1);
  });

  test('that fails records why, and runs again at its next time', async () => {
    const before = chores.runs.length;
    chores.failing.add(ROOM.id);
    expect(await nextRun()).toMatchObject({ leased_until: null, last_error: `1 of 1 rows failed, first ${ROOM.id}: no broom` });
    await reconciled();
    expect(chores.runs).toHaveLength(before + 1);
    chores.failing.clear();
    await app.runScheduledJob(NAME);
    await makeDue();
    expect((await eventually(state, ({ last_error }) => last_error === null)).last_error).toBeNull();
  });

  test('runs in one process at a time; a run interrupted by a shutdown is taken over at once', async () => {
    await settled();
    const before = chores.runs.length;
    chores.hold = true;
    await makeDue();
    await runAfter(before);
    const second = await startApp();
    await reconciled();
    expect(chores.runs).toHaveLength(before + 1);
    chores.hold = false;
    await app.close();
    app = second;
    expect((await runAfter(before + 1)).length).toBe(before + 2);
    expect([chores.mostInParallel, (await settled()).last_error]).toEqual([1, null]);
  });

  test('that follows mails runs at once, and once more if it was running', async () => {
    await settled();
    const before = chores.runs.length;
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    chores.write = () => {
      started.resolve();
      return ended.promise;
    };
    const jobs = app.service<ScheduledJobRunner>('ScheduledJobRunner');
    await jobs.runMailFollowers();
    await started.promise;
    for (let mail = 0; mail < 3; mail++) await jobs.runMailFollowers();
    await reconciled();
    expect(chores.runs).toHaveLength(before + 1);
    chores.write = null;
    ended.resolve();
    await runAfter(before + 1);
    const { due_at } = await settled();
    await reconciled();
    expect(chores.runs).toHaveLength(before + 2);
    expect(due_at.getTime()).toBe(chores.runs.at(-1)!.getTime() + HOUR_MS);
  });

  test('of a process that died is taken over once its lease has expired', async () => {
    const before = chores.runs.length;
    await makeDue(`leased_until = now() + interval '1 minute'`);
    await reconciled();
    expect(chores.runs).toHaveLength(before);
    await makeDue(`leased_until = now() - interval '1 second'`);
    await runAfter(before);
    expect((await settled()).leased_until).toBeNull();
  });

  test('writes nothing more once another worker has taken it over', async () => {
    await app.sql.query(NOTES_TABLE);
    const workspace = await app.workspace();
    const room = { ...ROOM, organization_id: workspace.organizationId, project_id: workspace.eng.id };
    chores.rooms = [room, { ...room, id: idOf(2) }];
    chores.handled = [];
    const [started, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const insert = (store: Store, ctx: Ctx, title: string, until?: Promise<void>) =>
      store.write(ctx, async (tx) => {
        await tx.insert(Note, { project_id: workspace.eng.id, title, body: null, extra: {} });
        started.resolve();
        await until;
      });
    let first!: CallContext;
    chores.write = (store, ctx) => insert(store, (first = ctx as CallContext), 'of the first worker', resumed.promise);
    const timers = jest.spyOn(globalThis, 'setInterval');
    await makeDue();
    await started.promise;
    // of all jobs that run
    const renewals = timers.mock.calls.filter(([, ms]) => ms === RENEW_EVERY_MS).map(([renew]) => renew as () => void);
    timers.mockRestore();
    const { runs } = await state();
    let others = 0;
    chores.write = (store, ctx) => insert(store, ctx, `of the second worker ${++others}`);
    const second = await startApp();
    // again if the first worker renewed its lease just then
    const expire = () =>
      app.sql.query(
        `UPDATE scheduled_jobs SET due_at = now() - interval '5 hours', leased_until = now() - interval '1 second'
         WHERE name = $1 AND runs = $2`,
        [NAME, runs],
      );
    await eventually(
      () => expire().then(state),
      (it) => it.runs > runs,
    );
    const taken = await settled();
    for (const renew of renewals) renew();
    const isLost = async () => {
      try {
        first.requireLease!();
        return false;
      } catch {
        return true;
      }
    };
    await eventually(isLost, (lost) => lost);
    resumed.resolve();
    // ends with its run
    await app.close();
    app = second;
    const titles = await app.sql.query<{ title: string }>('SELECT title FROM notes_fixture ORDER BY title');
    expect(titles.rows.map(({ title }) => title)).toEqual(['of the second worker 1', 'of the second worker 2']);
    // the first worker handled one of two rows, and its result did not replace that of the second
    expect(chores.handled).toHaveLength(3);
    expect(await state()).toEqual(taken);
  });

  test('whose interval became shorter is brought forward', async () => {
    const before = chores.runs.length;
    await app.sql.query(`UPDATE scheduled_jobs SET due_at = now() + interval '30 days'`);
    const second = await startApp();
    const { due_at } = await eventually(state, (it) => it.due_at.getTime() < Date.now() + 2 * HOUR_MS);
    expect(due_at.getTime()).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    await second.close();
    expect(chores.runs).toHaveLength(before);
  });
});

describe('the due rows', () => {
  const rooms = (count: number) => Array.from({ length: count }, (_, n) => ({ ...ROOM, id: idOf(n + 1) }));
  const handled = async (now?: Date) => {
    chores.handled = [];
    const error = await app.runScheduledJob(NAME, now).then(
      () => null,
      (thrown: Error) => thrown.message,
    );
    return { error, ids: chores.handled.map(({ row }) => row.id) };
  };

  test('are handled by the system in their tenants, with the selected columns', async () => {
    const other: Room = { ...ROOM, id: idOf(2), organization_id: randomUUID(), project_id: null, mode: 'live' };
    chores.rooms = [ROOM, other];
    const now = new Date('2030-01-01T00:00:00Z');
    expect((await handled(now)).error).toBeNull();
    expect(chores.handled).toMatchObject(
      [ROOM, other].map((room) => ({
        now,
        row: { ...room, name: 'Room 1' },
        ctx: {
          organizationId: room.organization_id,
          projectId: room.project_id,
          mode: room.mode,
          actor: { type: 'system', id: null },
          memberId: null,
          requestId: null,
        },
      })),
    );
  });

  test('of some organizations only are handled by a run that asks for it', async () => {
    const other: Room = { ...ROOM, id: idOf(2), organization_id: randomUUID() };
    chores.rooms = [ROOM, other];
    chores.failing.add(ROOM.id);
    chores.handled = [];
    await app.app.get(ScheduledJobRunner).run(NAME, new Date(), [other.organization_id]);
    expect(chores.handled.map(({ row }) => row.id)).toEqual([other.id]);
  });

  test('are handled batch by batch, each once per run although it stays due, and again by the next run', async () => {
    const all = rooms(1_001);
    chores.rooms = [...all].reverse();
    for (let run = 0; run < 2; run++) expect(await handled()).toEqual({ error: null, ids: all.map(({ id }) => id) });
  });

  test('that fail do not hold up the others; the run is reported as failed', async () => {
    chores.rooms = rooms(4);
    chores.failing = new Set([idOf(1), idOf(3)]);
    expect(await handled()).toEqual({
      error: `2 of 4 rows failed, first ${idOf(1)}: no broom`,
      ids: [1, 2, 3, 4].map(idOf),
    });
    chores.failing.clear();
    expect(await handled()).toEqual({ error: null, ids: [1, 2, 3, 4].map(idOf) });
  });

  test('that fail again are left out of a run, which is reported as failed too', async () => {
    chores.rooms = rooms(2);
    chores.failing.add(idOf(1));
    await nextRun();
    await app.runScheduledJob(NAME).catch(() => undefined);
    chores.handled = [];
    expect((await nextRun()).last_error).toBe('1 rows failed before and are retried later');
    expect(chores.handled.map(({ row }) => row.id)).toEqual([idOf(2)]);
    chores.failing.clear();
    await app.runScheduledJob(NAME);
    chores.handled = [];
    expect((await nextRun()).last_error).toBeNull();
    expect(chores.handled).toHaveLength(2);
  });

  test('that are not handled yet wait for another run when the worker stops', async () => {
    await settled();
    const second = await startApp();
    await settled();
    chores.rooms = rooms(3);
    chores.hold = true;
    chores.handled = [];
    const run = second.runScheduledJob(NAME);
    const interrupted = expect(run).rejects.toThrow('The worker is stopping.');
    await eventually(
      async () => chores.handled,
      ({ length }) => length === 1,
    );
    await second.close();
    await interrupted;
    expect(chores.handled.map(({ row }) => row.id)).toEqual([idOf(1)]);
  });
});

describe('a test', () => {
  test('can run a scheduled job at a chosen time', async () => {
    const runner = app.app.get(ScheduledJobRunner);
    const later = new Date(Date.now() + 24 * HOUR_MS);
    await runner.run(NAME, later);
    expect(chores.runs.at(-1)).toBe(later);
    chores.failing.add(ROOM.id);
    await expect(runner.run(NAME)).rejects.toThrow('no broom');
    await expect(runner.run('chores.nothing')).rejects.toThrow(
      'There is no scheduled job chores.nothing; there are chores.clean_rooms, custom_fields.purge, keys.announce_end, ' +
        'oauth.end_unused_connections, platform.audit_retention, platform.collect_files, platform.erase_organizations, ' +
        'platform.move_files, platform.purge, platform.purge_test_rows, request_log.count_days.',
    );
  });

  test('runs it after the run that is in progress', async () => {
    const runner = app.app.get(ScheduledJobRunner);
    await Promise.all([runner.run(NAME), runner.run(NAME), runner.run(NAME)]);
    expect(chores.mostInParallel).toBe(1);
  });
});

describe('the boot rejects', () => {
  @ScheduledJob({
    name: 'chores.hurry',
    everySeconds: 0.5,
  })
  class Hurry extends CleanRooms {}

  @DomainModule({
    ...manifest,
    scheduledJobs: [Hurry],
  })
  class HurryModule {}

  @DomainModule({
    ...manifest,
    name: 'more_chores',
    scheduledJobs: [CleanRooms],
  })
  class AgainModule {}

  test.each([
    [
      'a scheduled job of two modules',
      [ChoresModule, AgainModule],
      /more_chores: the scheduled job chores\.clean_rooms begins with the name of the module chores/,
    ],
    [
      'one more often than every second',
      [HurryModule],
      /everySeconds of the scheduled job chores\.hurry must be a whole number of at least 1/,
    ],
  ])('%s', (_, modules, reason) => {
    expect(
      () =>
        new ScheduledJobRunner(
          null as never,
          new ModuleRegistry(modules, PLATFORM_DECLARATIONS),
          null as never,
          null as never,
          null as never,
          null as never,
          null as never,
        ),
    ).toThrow(reason);
  });
});
