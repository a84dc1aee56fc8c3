import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../../../test/harness/app.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { Note } from '../../../../test/harness/fixtures/notes.fixture.js';
import { createNotesApp } from '../../../../test/harness/fixtures/notes-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { sql, Store, type GroupRead, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';

let app: TestApp;
let workspace: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createNotesApp();
  workspace = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const TOGETHER = 12;
/** Changes that may wait for locks of others, each with a connection of its own. */
const FEW = 2;
const note = (title: string, remaining: string | null = null) => ({
  project_id: workspace.eng.id,
  title,
  body: null,
  extra: {},
  remaining,
});
const write = <R>(change: (tx: Tx) => Promise<R>) => store.write(workspace.ctx(), change);
const insert = (tx: Tx, title: string) => tx.insert(Note, note(title), { pipelined: true });
const together = <R>(change: (n: number) => Promise<R>, count = TOGETHER) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => change(n)));
const valuesOf = <R>(settled: PromiseSettledResult<R>[]) =>
  settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
/** Locks as another process would; returns what ends its transaction. */
const locked = async (sql: string, values: unknown[] = []) => {
  const client = await app.sql.connect();
  await client.query('BEGIN');
  await client.query(sql, values);
  return async (end: 'COMMIT' | 'ROLLBACK') => {
    await client.query(end);
    client.release();
  };
};
const openTransactions = async () => {
  const where = `state LIKE 'idle in transaction%' AND datname = current_database()`;
  return (await app.sql.query(`SELECT 1 FROM pg_stat_activity WHERE ${where}`)).rowCount;
};
const transactionsOf = async (like: string) =>
  (
    await app.sql.query<{ count: string }>(
      `SELECT count(*) AS count FROM notes_fixture WHERE title LIKE $1 GROUP BY xmin::text ORDER BY 1 DESC`,
      [like],
    )
  ).rows.map(({ count }) => Number(count));

describe('gapless numbers of optimistic changes', () => {
  const series = (name: string) => ({
    /** The runs of each change. */
    runs: [] as number[],
    async next(tx: Tx, n: number, isLast = true): Promise<number> {
      tx.optimistic();
      this.runs[n] = (this.runs[n] ?? 0) + 1;
      const number = await tx.nextGapless(name, workspace.eng.id);
      if (!isLast) await tx.list(Note, { title: 'nothing' });
      await insert(tx, `${name} ${number}`);
      return number;
    },
  });
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);

  it('are drawn for a group at once, and its changes share a transaction', async () => {
    const invoices = series('invoices');
    const numbers = valuesOf(await together((n) => write((tx) => invoices.next(tx, n))));
    expect(sorted(numbers)).toEqual(upTo(TOGETHER));
    expect((await transactionsOf('invoices %'))[0]).toBeGreaterThan(2);
    expect(invoices.runs).toEqual(Array(TOGETHER).fill(1));
  });

  it.each([
    ['before it is written', () => Promise.reject(new Error('refused'))],
    ['because a constraint rejects it', (tx: Tx) => insert(tx, 'forbidden')],
  ])('have no gap if one of the changes fails afterwards, %s', async (how, fail) => {
    const orders = series(`orders ${how}`);
    const settled = await together((n) =>
      write(async (tx) => {
        const number = await orders.next(tx, n);
        if (n === 3) await fail(tx);
        return number;
      }),
    );
    expect(settled.flatMap((result, n) => (result.status === 'rejected' ? [n] : []))).toEqual([3]);
    expect(sorted(valuesOf(settled))).toEqual(upTo(TOGETHER - 1));
    expect(await write((tx) => tx.nextGapless(`orders ${how}`, workspace.eng.id))).toBe(TOGETHER);
  });

  it('have no gap either if a change waits for a statement afterwards: it runs again by itself', async () => {
    const notes = series('deliveries');
    const numbers = valuesOf(await together((n) => write((tx) => notes.next(tx, n, n !== 4))));
    expect(sorted(numbers)).toEqual(upTo(TOGETHER));
    expect(notes.runs[4]).toBe(2);
  });

  it('are drawn by each change itself while another transaction holds the series', async () => {
    const held = series('held');
    await write((tx) => held.next(tx, 0));
    const release = await locked(`UPDATE counters SET last = last + 1 WHERE series = 'held'`);
    const numbers = together((n) => write((tx) => held.next(tx, n)), FEW);
    try {
      await expect(write((tx) => insert(tx, 'beside a held series'))).resolves.toMatchObject({ title: 'beside a held series' });
    } finally {
      await release('ROLLBACK');
    }
    expect(sorted(valuesOf(await numbers))).toEqual(upTo(FEW + 1).slice(1));
  });
});

describe('a change that sends a statement of its own', () => {
  let titles = 0;

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['writes while it waits for the group', (tx) => tx.insert(Note, note(`joining ${++titles}`))],
    ['draws a number of another series meanwhile', (tx) => tx.nextGapless('joining too', workspace.eng.id)],
  ])('%s runs again, and loses nothing', async (what, meanwhile) => {
    const numbers: number[] = [];
    for (let n = 0; n < 3; n++) {
      const next = async (tx: Tx) => {
        tx.optimistic();
        return (await Promise.all([tx.nextGapless(`joining ${what}`, workspace.eng.id), meanwhile(tx)]))[0];
      };
      numbers.push(await write(next));
    }
    expect(numbers).toEqual([1, 2, 3]);
    const { rows } = await app.sql.query(
      `SELECT (SELECT count(*) FROM notes_fixture WHERE title LIKE 'joining %')::int AS written,
         (SELECT last FROM counters WHERE series = 'joining too') AS last`,
    );
    expect(rows[0]).toEqual({ written: 3, last: what.startsWith('draws') ? 3 : null });
    // another session may be about to end its transaction
    await eventually(openTransactions, (open) => open === 0);
  });

  it('runs again whatever it makes of the error that ends its run', async () => {
    const change = write(async (tx) => {
      tx.optimistic();
      const number = await tx.nextGapless('replaced', workspace.eng.id);
      await tx.list(Note, { title: 'nothing' }).catch(() => Promise.reject(new Error('replaced')));
      return number;
    });
    await expect(change).resolves.toBe(1);
  });
});

describe('what a group reads', () => {
  /** Counts down what remains of a note, in memory; the last change of the group writes the sum of all. */
  class Countdown {
    reads = 0;
    runs = 0;
    constructor(private readonly id: string) {}

    private readonly read: GroupRead<null, { remaining: number }> = {
      tenant: workspace.ctx(),
      name: 'countdown',
      read: async (tx, requests) => {
        this.reads++;
        const [{ remaining, now }] = await tx.query<{ remaining: string; now: Date }>(
          platformSql('SELECT remaining, now()::timestamptz(3) FROM notes_fixture WHERE id = $1 FOR UPDATE', [this.id]),
        );
        const shared = { remaining: Number(remaining) };
        return { now, results: requests.map(() => shared) };
      },
    };

    take(amount: number, { fails = false, isRejected = false } = {}): Promise<number> {
      return write(async (tx) => {
        this.runs++;
        if (isRejected) tx.check(sql`SELECT raise_stale_row()`);
        const shared = await tx.readWithGroup(this.read, null);
        if (!shared) {
          const { remaining } = await tx.lock(Note, this.id);
          if (Number(remaining) < amount) throw new Error('nothing is left');
          if (fails) throw new Error('failed again');
          tx.increment(Note, this.id, { remaining: String(-amount) }, new Date());
          return Number(remaining) - amount;
        }
        if (shared.remaining < amount) throw new Error('nothing is left');
        tx.requireCommit();
        const left = shared.remaining - amount;
        // the other changes of the group run before or after, but not now
        await Promise.resolve();
        shared.remaining = left;
        if (fails) throw new Error('failed after it had altered what the group shares');
        tx.increment(Note, this.id, { remaining: String(-amount) }, new Date());
        return left;
      });
    }
  }
  const countdown = async (title: string, remaining: string) => {
    const { id } = await write((tx) => tx.insert(Note, note(title, remaining)));
    return { id, of: new Countdown(id), remaining: async () => (await store.get(workspace.ctx(), Note, id)).remaining };
  };

  it('is read once, and each change starts from what those before it have made of it', async () => {
    const { of, remaining } = await countdown('shared countdown', '100');
    const left = valuesOf(await together(() => of.take(1)));
    expect(left).toEqual(Array.from({ length: TOGETHER }, (_, n) => 99 - n));
    expect(await remaining()).toBe(String(100 - TOGETHER));
    expect(of.reads).toBeLessThan(TOGETHER / 2);
  });

  it('is not altered by a change that is refused: the others are committed at their first run', async () => {
    const { of, remaining } = await countdown('refusing countdown', '5');
    const settled = await together(() => of.take(1));
    expect(valuesOf(settled)).toEqual([4, 3, 2, 1, 0]);
    expect(of.runs).toBe(TOGETHER);
    expect(await remaining()).toBe('0');
  });

  it('is read again by each change if one fails after it has altered it', async () => {
    const { of, remaining } = await countdown('failing countdown', '60');
    const settled = await together((n) => of.take(1, { fails: n === 2 }));
    expect(settled.flatMap((result, n) => (result.status === 'rejected' ? [n] : []))).toEqual([2]);
    expect(valuesOf(settled).sort((a, b) => b - a)).toEqual(Array.from({ length: TOGETHER - 1 }, (_, n) => 59 - n));
    expect(await remaining()).toBe(String(60 - (TOGETHER - 1)));
  });

  it('refuses no change because of what another one has made of it and was rolled back', async () => {
    const { of, remaining } = await countdown('outdated countdown', '10');
    // the first takes nearly all, and its group fails when it is written
    const settled = await together((n) => of.take(n === 0 ? 9 : 2, { isRejected: n === 0 }), 3);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await remaining()).toBe('6');
  });

  it('is read by each change itself while another transaction has locked it', async () => {
    const { id, of, remaining } = await countdown('locked countdown', '50');
    const release = await locked('SELECT 1 FROM notes_fixture WHERE id = $1 FOR UPDATE', [id]);
    const taken = together(() => of.take(2), FEW);
    try {
      await expect(write((tx) => insert(tx, 'beside a lock'))).resolves.toMatchObject({ title: 'beside a lock' });
    } finally {
      await release('COMMIT');
    }
    expect((await taken).flatMap((r) => (r.status === 'rejected' ? [[r.reason.message, r.reason.cause?.message]] : []))).toEqual([]);
    expect(valuesOf(await taken)).toHaveLength(FEW);
    expect(await remaining()).toBe(String(50 - 2 * FEW));
  });

  it('is not altered by a change that comes too late: it runs again after the others', async () => {
    const { id } = await write((tx) => tx.insert(Note, note('letters')));
    await app.sql.query(`UPDATE notes_fixture SET body = '' WHERE id = $1`, [id]);
    const read: GroupRead<null, { body: string }> = {
      tenant: workspace.ctx(),
      name: 'letters',
      read: async (tx, requests) => {
        const text = 'SELECT body, now()::timestamptz(3) FROM notes_fixture WHERE id = $1 FOR UPDATE';
        const [{ body, now }] = await tx.query<{ body: string; now: Date }>(platformSql(text, [id]));
        const shared = { body };
        return { now, results: requests.map(() => shared) };
      },
    };
    const append = (letter: string, turns: number) =>
      write(async (tx) => {
        const shared = await tx.readWithGroup(read, null);
        const row = shared ?? (await tx.lock(Note, id));
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        tx.requireCommit();
        const body = `${row.body}${letter}`;
        if (shared) shared.body = body;
        tx.send(platformSql('UPDATE notes_fixture SET body = $2 WHERE id = $1', [id, body]));
      });
    for (let round = 0; round < 5; round++)
      expect((await together((n) => append('abc'[n % 3], n % 3))).map(({ status }) => status)).toEqual(Array(TOGETHER).fill('fulfilled'));
    expect((await store.get(workspace.ctx(), Note, id)).body).toHaveLength(5 * TOGETHER);
  });

  it('is all read before the group ends, also if another of its reads fails', async () => {
    const sent: string[] = [];
    const slow: GroupRead<null, string> = {
      tenant: workspace.ctx(),
      // statements are sent in the order of the names
      name: 'a slow read',
      read: async (tx, requests) => {
        const [{ now }] = await tx.query<{ now: Date }>(platformSql('SELECT now()::timestamptz(3), $1::int', [1]));
        await new Promise((resolve) => setTimeout(resolve, 20));
        sent.push(await tx.query(platformSql('SELECT $1::int', [2])).then(String, (error: { code: string }) => error.code));
        return { now, results: requests.map(() => 'read') };
      },
    };
    const failing: GroupRead<null, string> = {
      tenant: workspace.ctx(),
      name: 'b failing read',
      read: (tx) => tx.query(platformSql('SELECT 1 / $1::int', [0])) as never,
    };
    const settled = await Promise.all([slow, failing, slow, failing].map((read) => write((tx) => tx.readWithGroup(read, null))));
    expect(settled.filter((result) => result !== null && result !== 'read')).toEqual([]);
    // in the transaction that has failed, not in that of the next group
    expect(sent).toContain('25P02');
  });
});
