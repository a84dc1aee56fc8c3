import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { TestApp } from '../../../../test/harness/app.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES } from '../../../../test/harness/fixtures/fixture-apps.js';
import { knobs, Note, NoteEvents } from '../../../../test/harness/fixtures/notes.fixture.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { Contexts, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { platformSql, type Tenant } from '../../../kit/internal.js';

let app: TestApp;
let workspace: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const note = (title: string, project = workspace.eng.id) => ({ project_id: project, title, body: null, extra: {} });
const titles = async () =>
  (await app.sql.query<{ title: string }>('SELECT title FROM notes_fixture ORDER BY title')).rows.map(({ title }) => title);
const count = async (sql: string) => Number((await app.sql.query<{ count: string }>(sql)).rows[0].count);
const connections = async (state: string) =>
  (
    await app.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = $1
        AND application_name ~ '^work-suite( POST|$)'`,
      [state],
    )
  ).rows[0].n;

describe('a transaction', () => {
  it('rejects statements after its end, when its connection may belong to another transaction', async () => {
    const before = await titles();
    const ways = (tx: Tx, row: Note): (() => Promise<unknown>)[] => [
      () => tx.insert(Note, note('too late')),
      () => tx.advanced.pipelined.insert(Note, note('too late')),
      () => tx.advanced.pipelined.update(row, { body: 'too late' }),
      () => tx.advanced.mutex('too late'),
    ];
    const row = Object.assign(new Note(), { ...note('any'), id: workspace.eng.id, version: 1 });
    const late: (() => Promise<unknown>)[] = [];
    const follow = (tx: Tx) => late.push(...ways(tx, row));
    await expect(
      store.write(workspace.ctx(), async (tx) => {
        follow(tx);
        await tx.insert(Note, note('forbidden'));
      }),
    ).rejects.toThrow();
    // of which the time is known
    await store.write(workspace.ctx(), async (tx) => {
      follow(tx);
      await tx.advanced.mutex('in time');
    });
    // which has not even begun
    await store.write(workspace.ctx(), (tx) => Promise.resolve(follow(tx)));
    for (const { status, reason } of (await Promise.allSettled(late.map((way) => way()))) as PromiseRejectedResult[])
      expect([status, String(reason)]).toEqual(['rejected', expect.stringContaining('has ended')]);
    expect(late).toHaveLength(12);
    expect(await titles()).toEqual(before);
  });

  it('joins the one around it outside a request too, and shows it what was written', async () => {
    const ctx = workspace.ctx();
    await expect(
      store.write(ctx, async (tx) => {
        const outer = await tx.insert(Note, note('outer'));
        await store.write(ctx, async (inner) => inner.update(await inner.target(Note, outer.id), { body: 'changed inside' }));
        expect((await store.get(ctx, Note, outer.id)).body).toBe('changed inside');
        throw new Error('undone together');
      }),
    ).rejects.toThrow('undone together');
    expect(await titles()).not.toContain('outer');
  });

  it('is not needed to read by SQL: a reader sees what a write around it wrote, and cannot write', async () => {
    const ctx = workspace.ctx();
    const reader = store.reader(ctx);
    const count = async () =>
      (await reader.sql<{ n: number }>(platformSql('SELECT count(*)::int AS n FROM notes_fixture WHERE title = $1', ['read'])))[0].n;
    await store.write(ctx, async (tx) => {
      await tx.insert(Note, note('read'));
      expect(await count()).toBe(1);
      expect(
        await reader.sql(platformSql(`WITH n AS (SELECT title FROM notes_fixture) SELECT title FROM n WHERE title = 'read'`)),
      ).toHaveLength(1);
      await tx.delete((await tx.list(Note, { title: 'read' }))[0]);
    });
    expect(await count()).toBe(0);
    for (const text of [`DELETE FROM notes_fixture`, `WITH d AS (DELETE FROM notes_fixture RETURNING id) SELECT id FROM d`])
      await expect(reader.sql(platformSql(text))).rejects.toThrow('A reader runs SELECT');
  });

  it('rejects a nested write of another context, and joins that of a derived context', async () => {
    const ctx = workspace.ctx();
    const within = app.app.get(Contexts).systemWithin(ctx);
    await store.write(ctx, async (tx) => {
      const { id } = await tx.insert(Note, note('shared'));
      await expect(store.write(workspace.ctx(), () => Promise.resolve())).rejects.toThrow('inside a write of another context');
      await store.write(within, async (inner) => inner.update(await inner.target(Note, id), { body: 'by the suite' }));
      expect((await store.get(within, Note, id)).body).toBe('by the suite');
    });
    await store.write(workspace.ctx(), async () => {
      await expect(store.write(within, () => Promise.resolve())).rejects.toThrow('inside a write of another context');
    });
    // what a write left running may write once that has ended
    const later = await store.write(ctx, () =>
      Promise.resolve({ after: sleep(50).then(() => store.write(workspace.ctx(), async () => 'done')) }),
    );
    expect(await later.after).toBe('done');
  });

  it('releases its connection if it fails while it is being opened', async () => {
    const holding = Array.from({ length: 5 }, () => store.write(workspace.ctx(), () => sleep(100)));
    await sleep(20);
    await expect(store.write(workspace.ctx(), () => Promise.reject(new Error('early')))).rejects.toThrow('early');
    await Promise.all(holding);
    expect(
      await eventually(
        () => connections('idle in transaction'),
        (n) => n === 0,
      ),
    ).toBe(0);
  });

  it('that waits for a lock keeps none of others waiting, however many of its organization wait', async () => {
    const held = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('held')));
    const stranger = await app.workspace();
    const holder = await app.sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM notes_fixture WHERE id = $1 FOR UPDATE', [held.id]);
    const waiting = Array.from({ length: 20 }, (_, n) =>
      store.write(workspace.ctx(), async (tx) => tx.update(await tx.lock(Note, held.id), { body: `${n}` })),
    );
    let unlocked = false;
    const unlock = async () => {
      unlocked = true;
      await holder.query('COMMIT');
      holder.release();
    };
    // without a bound they would wait until the lock is free
    const timer = setTimeout(() => void unlock(), 30_000);
    await eventually(
      () => count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      (waits) => waits >= 3,
    );
    const other = await store.write(stranger.ctx(), async (tx) => {
      const row = await tx.insert(Note, note('of a stranger', stranger.eng.id));
      return tx.lock(Note, row.id);
    });
    expect([(await store.get(stranger.ctx(), Note, other.id)).title, (await store.get(workspace.ctx(), Note, held.id)).title]).toEqual([
      'of a stranger',
      'held',
    ]);
    expect(unlocked).toBe(false);
    clearTimeout(timer);
    await unlock();
    await Promise.all(waiting);
    expect((await store.get(workspace.ctx(), Note, held.id)).version).toBe(21);
  });

  it('whose connection breaks gets 503, writes nothing and does not affect others', async () => {
    const { client } = await workspace.key();
    let release = (): void => undefined;
    knobs.hold = new Promise((resolve) => (release = resolve));
    const ran = knobs.created;
    const cut = client.post(NOTES, note('cut'));
    await eventually(
      async () => knobs.created,
      (created) => created > ran,
    );
    await eventually(
      () => connections('idle in transaction'),
      (n) => n > 0,
    );
    await app.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name LIKE 'work-suite POST %' AND state = 'idle in transaction'`,
    );
    release();
    knobs.hold = null;
    const response = await cut;
    expect([response.status, response.body.error.code]).toEqual([503, 'unavailable']);
    expect((await client.post(NOTES, note('after the cut'))).status).toBe(201);
    expect(await titles()).not.toContain('cut');
  });
});

describe('the EntityManager of TypeORM', () => {
  const write = (change: (tx: Tx, manager: EntityManager) => Promise<unknown>) =>
    store.write(workspace.ctx(), async (tx) => change(tx, await tx.advanced.entityManager('save finds rows by id')));
  const row = (title: string) => ({ ...note(title), id: uuidv7(), organization_id: workspace.organizationId, mode: 'live' as const });

  it('writes and reads in the transaction of the store, and commits with it', async () => {
    const ctx = workspace.ctx();
    const { id } = await store.write(ctx, (tx) => tx.insert(Note, note('managed')));
    await write(async (tx, manager) => {
      await tx.advanced.pipelined.update(await tx.lock(Note, id), { body: 'by the store' });
      const notes = manager.getRepository(Note);
      const seen = await notes.findOneByOrFail({ id });
      expect(seen).toMatchObject({ body: 'by the store', version: 2 });
      await notes.save(Object.assign(seen, { body: 'by TypeORM' }));
      await notes.insert(row('managed, too'));
      expect(await tx.get(Note, id)).toMatchObject({ body: 'by TypeORM', version: 3 });
      // other transactions do not see it before the commit
      expect(await titles()).not.toContain('managed, too');
      expect(await tx.advanced.entityManager('save finds rows by id')).toBe(manager);
    });
    expect(await titles()).toContain('managed, too');
    expect(await store.get(ctx, Note, id)).toMatchObject({ body: 'by TypeORM', version: 3 });
    expect(await connections('idle in transaction')).toBe(0);
  });

  it('loses its writes with those of the store', async () => {
    const before = await titles();
    await expect(
      write(async (tx, manager) => {
        await manager.insert(Note, row('lost by TypeORM'));
        await tx.insert(Note, note('lost by the store'));
        throw new Error('undone together');
      }),
    ).rejects.toThrow('undone together');
    await expect(write((_tx, manager) => manager.insert(Note, row('forbidden')))).rejects.toMatchObject({
      spec: { code: 'validation_failed' },
      occurrence: { param: 'title' },
    });
    expect(await titles()).toEqual(before);
  });

  it('has savepoints, but cannot end the transaction', async () => {
    let late = (): Promise<unknown> => Promise.resolve();
    await write(async (tx, manager) => {
      await tx.insert(Note, note('beside a savepoint'));
      const part = manager.transaction(async (inner) => {
        await inner.insert(Note, row('in a savepoint'));
        throw new Error('undone alone');
      });
      await expect(part).rejects.toThrow('undone alone');
      for (const end of ['COMMIT', 'rollback', ' end;', 'ROLLBACK WORK', '/* a */ COMMIT', '-- \u2028\n;abort', '/**//* b\n*/--\rEND'])
        await expect(manager.query(end)).rejects.toThrow('The platform ends this transaction');
      await expect(manager.query('/* /* */ */ COMMIT')).rejects.toThrow('cannot begin with a nested comment');
      expect(await manager.query('/* not an end */ SELECT 1 AS one /* COMMIT */')).toEqual([{ one: 1 }]);
      for (const several of ['SELECT 1; COMMIT', 'SELECT 1; SELECT 2']) {
        const part = manager.transaction((inner) => inner.query(several));
        await expect(part).rejects.toThrow('multiple commands');
      }
      await expect(manager.queryRunner?.commitTransaction()).rejects.toThrow('The platform ends this transaction');
      await manager.transaction((inner) => inner.insert(Note, row('in a released savepoint')));
      late = () => manager.insert(Note, row('too late'));
    });
    await expect(late()).rejects.toThrow('has ended');
    expect(await titles()).toEqual(expect.arrayContaining(['beside a savepoint', 'in a released savepoint']));
    expect(await titles()).not.toContain('in a savepoint');
    expect(await titles()).not.toContain('too late');
  });
});

it('a row is not written if it would stay the same, whatever the order of the keys of jsonb', async () => {
  const extra = { list: [1], a: { long: 1, b: 2 } };
  const { id } = await store.write(workspace.ctx(), (tx) => tx.insert(Note, { ...note('same'), extra }));
  const update = (changed: Record<string, unknown>) =>
    store.write(workspace.ctx(), async (tx) => (await tx.update(await tx.lock(Note, id), { extra: changed })).version);
  expect(await update(extra)).toBe(1);
  expect(await update({ a: { b: 2, long: 1 }, list: [1] })).toBe(1);
  expect(await update({ a: { b: 2, long: 1 }, list: [1, 2] })).toBe(2);
});

describe('a touched row', () => {
  it('has a new version without a change, takes changes along, and is a conflict when it is stale', async () => {
    const before = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('touched')));
    // times have milliseconds
    await sleep(5);
    const [touched, changed] = await store.write(workspace.ctx(), async (tx) => {
      const first = await tx.advanced.touch(await tx.lock(Note, before.id));
      return [first, await tx.advanced.touch(first, { body: 'taken along' })];
    });
    expect(touched).toEqual({ ...before, version: 2, updated_at: touched.updated_at });
    expect(touched.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
    expect(changed).toEqual({ ...touched, version: 3, body: 'taken along' });
    expect(await store.find(workspace.ctx(), Note, before.id)).toEqual(changed);
    await expect(store.write(workspace.ctx(), (tx) => tx.advanced.touch(touched))).rejects.toMatchObject({
      spec: { code: 'resource_conflict' },
    });
  });
});

describe('a mutex', () => {
  it('is held by one transaction at a time, whatever the order of the names, which sees what earlier holders wrote', async () => {
    const names = ['one', 'two', '', 'one'];
    const counted = await store.write(workspace.ctx(), (tx) => tx.insert(Note, { ...note('counted'), extra: { count: 0 } }));
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.write(workspace.ctx(), async (tx) => {
          await tx.advanced.mutex(...(index % 2 ? names : [...names].reverse()));
          const row = await tx.get(Note, counted.id);
          await tx.update(row, { extra: { count: (row.extra.count as number) + 1 } });
        }),
      ),
    );
    expect((await store.get(workspace.ctx(), Note, counted.id)).extra).toEqual({ count: 12 });
  });

  it('may be locked together with a read, which runs once the mutex is held', async () => {
    const row = await store.write(workspace.ctx(), (tx) => tx.insert(Note, note('read under a mutex')));
    const [first, second] = await Promise.all(
      [1, 2].map((place) =>
        store.write(workspace.ctx(), async (tx) => {
          const [, [seen]] = await Promise.all([tx.advanced.mutex('read'), tx.list(Note, { id: row.id })]);
          await tx.update(seen, { body: `${seen.body ?? ''}${place}` });
          return place;
        }),
      ),
    );
    expect((await store.get(workspace.ctx(), Note, row.id)).body).toHaveLength([first, second].length);
  });
});

describe('a mutex that cannot be locked in time', () => {
  it('can be done without when an attempt tried to lock it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let taken = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (taken = resolve));
    const holder = store.write(workspace.ctx(), async (tx) => {
      await tx.advanced.mutex('held');
      taken();
      await held;
    });
    await isHeld;
    const { created_at } = await store
      .write(workspace.ctx(), async (tx) => {
        await tx.sql(platformSql(`SET LOCAL lock_timeout = '20ms'`));
        await expect(tx.attempt(() => tx.advanced.mutex('free', 'held'))).rejects.toMatchObject({ spec: { code: 'unavailable' } });
        return tx.advanced.pipelined.insert(Note, note('without a mutex'));
      })
      .finally(release);
    await holder;
    expect(created_at).toBeInstanceOf(Date);
    expect(await titles()).toContain('without a mutex');
  });
});

describe('a pinned caller', () => {
  it('changes nothing that is outside its project, not even by moving a row there', async () => {
    const pinned = await workspace.key({ project_id: workspace.eng.id });
    const { body } = await pinned.client.post(NOTES, { title: 'stays', project_id: workspace.eng.id });
    await store.write(workspace.ctx(), async (tx) =>
      tx.update(await tx.get(Note, body.id), { project_id: workspace.ops.id } as Partial<Note>),
    );
    expect((await pinned.client.get(`${NOTES}/${body.id}`)).body.project_id).toBe(workspace.eng.id);
  });
});

describe('a context that no caller brought', () => {
  const tenant = (changes: Partial<Tenant> = {}): Tenant => ({
    organizationId: workspace.organizationId,
    projectId: workspace.eng.id,
    mode: 'test',
    ...changes,
  });
  const write = (ctx: Ctx, title: string) =>
    store.write(ctx, async (tx) => {
      const written = await tx.insert(Note, note(title, workspace.ops.id));
      tx.emit(NoteEvents.created, { object: { title } as never, projectId: written.project_id });
      return written;
    });

  it('commits separately, on behalf of the suite or of a visitor, and only in its tenant', async () => {
    const contexts = app.app.get(Contexts);
    const bySystem = await write(contexts.system(tenant()), 'by the system');
    const byGuest = await write(contexts.guest(tenant(), 'guest@example.com', 'req_1'), 'by a guest');
    expect([bySystem, byGuest].map(({ project_id, mode }) => [project_id, mode])).toEqual(Array(2).fill([workspace.eng.id, 'test']));
    const { rows } = await app.sql.query<{ actor: unknown; request: unknown }>(
      `SELECT body::jsonb->'actor' AS actor, body::jsonb #> '{request,id}' AS request FROM outbox_events WHERE organization_id = $1
        AND mode = 'test' ORDER BY sequence`,
      [workspace.organizationId],
    );
    expect(rows.map(({ actor }) => actor)).toEqual([
      { type: 'system', id: null, email: null },
      { type: 'guest', id: null, email: 'guest@example.com' },
    ]);
    // no call caused the first
    expect(rows.map(({ request }) => request)).toEqual([null, 'req_1']);
    const elsewhere = [
      tenant({ mode: 'live' }),
      tenant({ projectId: workspace.ops.id }),
      tenant({ organizationId: (await app.workspace()).organizationId }),
    ];
    for (const other of elsewhere) expect(await store.find(contexts.system(other), Note, byGuest.id)).toBeNull();
    expect(await store.find(contexts.system(tenant({ projectId: null })), Note, byGuest.id)).not.toBeNull();
  });

  it('may do nothing that requires a scope, a permission or a member', () => {
    for (const ctx of [app.app.get(Contexts).system(tenant()), app.app.get(Contexts).guest(tenant(), null)]) {
      expect([ctx.memberId, ctx.scopes.size, ctx.permissions.size, ctx.scenario]).toEqual([null, 0, 0, null]);
    }
  });
});

describe('what cannot be stored', () => {
  it.each([
    ['half a surrogate pair in a text', '{"title":"a\\ud800"}'],
    ['NUL in free JSON', '{"title":"x","extra":{"a":"b\\u0000"}}'],
    ['half a surrogate pair in a name of free JSON', '{"title":"x","extra":{"\\udc00":1}}'],
    ['an unpaired surrogate in the name of an unknown field', '{"title":"x","\\ud800":1}'],
  ])('rejects %s', async (_what, json) => {
    const { client } = await workspace.key();
    const body = json.replace('{', `{"project_id":"${workspace.eng.id}",`);
    const { status, body: rejection } = await client.send('post', NOTES, body, { 'content-type': 'application/json' });
    expect([status, rejection.error.code]).toEqual([400, 'validation_failed']);
  });
});
