import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../../../test/kit/app.js';
import { Note } from '../../../../test/kit/notes.fixture.js';
import { createNotesApp } from '../../../../test/kit/notes-app.js';
import type { Workspace } from '../../../../test/kit/workspace.js';
import { Store, type GroupRead, type Tx } from '../../../kit/index.js';

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

describe('what a group reads', () => {
  /** Counts down what remains of a note, in memory; the last change of the group writes the sum of all. */
  class Countdown {
    reads = 0;
    runs = 0;
    constructor(private readonly id: string) {}

    private readonly read: GroupRead<null, { remaining: number }> = {
      name: 'countdown',
      read: async (tx, requests) => {
        this.reads++;
        const [{ remaining, now }] = await tx.query<{ remaining: string; now: Date }>(
          'SELECT remaining, now()::timestamptz(3) FROM notes_fixture WHERE id = $1 FOR UPDATE',
          [this.id],
        );
        const shared = { remaining: Number(remaining) };
        return { now, results: requests.map(() => shared) };
      },
    };

    take(amount: number, { fails = false } = {}): Promise<number> {
      return write(async (tx) => {
        this.runs++;
        const shared = await tx.readWithGroup(this.read, null);
        if (!shared) {
          const { remaining } = await tx.lock(Note, this.id);
          if (Number(remaining) < amount) throw new Error('nothing is left');
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
});
