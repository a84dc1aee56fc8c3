import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../../test/kit/app.js';
import { NotesModule, NOTES_TABLE } from '../../../../test/kit/notes.fixture.js';
import type { Workspace } from '../../../../test/kit/workspace.js';
import { Store, type Tx } from '../../../kit/index.js';

/** Runs as a concurrent caller would, outside of the write around it. */
const elsewhere = AsyncLocalStorage.snapshot();

let app: TestApp;
let space: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createTestApp({ modules: [NotesModule] });
  await app.sql.query(NOTES_TABLE);
  space = await app.workspace();
  store = app.app.get(Store);
});
afterAll(() => app.close());

const many = (count: number, draw: (tx: Tx, n: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, n) => store.write(space.ctx(), (tx) => draw(tx, n))));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b);

describe('numbers', () => {
  it('are given once each, to more askers than the pool has connections', async () => {
    expect(ascending(await many(40, (tx) => tx.next('drawn', space.eng.id)))).toEqual(upTo(40));
  });

  it('run apart for each series, project and mode', async () => {
    await many(6, (tx, n) => tx.next(n % 2 ? 'odd' : 'even', n < 3 ? space.eng.id : space.ops.id));
    const draw = (mode: 'live' | 'test', series: string, id: string) => store.write(space.ctx(mode), (tx) => tx.next(series, id));
    expect(
      await Promise.all([
        draw('live', 'even', space.eng.id),
        draw('live', 'odd', space.eng.id),
        draw('live', 'odd', space.ops.id),
        draw('test', 'odd', space.ops.id),
      ]),
    ).toEqual([3, 2, 3, 1]);
  });

  it('of a change that fails are lost, and nobody waits for it', async () => {
    const failing = store.write(space.ctx(), async (tx) => {
      expect(await tx.next('failed', space.eng.id)).toBe(1);
      expect(await elsewhere(() => many(2, (other) => other.next('failed', space.eng.id)))).toEqual([2, 3]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await many(1, (tx) => tx.next('failed', space.eng.id))).toEqual([4]);
  });

  it('are refused to those who asked while the database could not give them, and given again after', async () => {
    await expect(many(2, (tx) => tx.next('refused', 'no uuid'))).rejects.toThrow('uuid');
    expect(await many(1, (tx) => tx.next('refused', space.eng.id))).toEqual([1]);
  });

  it('without gaps are given back by a change that fails', async () => {
    const failing = store.write(space.ctx(), async (tx) => {
      expect(await tx.nextGapless('invoice', space.eng.id)).toBe(1);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(ascending(await many(4, (tx) => tx.nextGapless('invoice', space.eng.id)))).toEqual(upTo(4));
  });
});
