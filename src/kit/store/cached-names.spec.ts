import { describe, expect, it } from '@jest/globals';
import { CachedNames } from './cached-names.js';
import type { Ctx } from '../callers/ctx.js';

const CTX = {} as Ctx;

describe('names', () => {
  it('are read once for all ids of a response, and not again', async () => {
    const reads: string[][] = [];
    const names = new CachedNames(async (_, ids) => {
      reads.push(ids);
      return ids.filter((id) => id !== 'gone').map((id) => ({ id, name: `Name of ${id}` }));
    });
    const nameOf = await names.of(CTX, ['a', null, 'b', 'a', 'gone']);
    expect(['a', 'b', 'gone', null].map(nameOf)).toEqual(['Name of a', 'Name of b', null, null]);
    expect((await names.of(CTX, ['b', 'gone', 'c']))('c')).toBe('Name of c');
    expect((await names.of(CTX, ['a', 'b', 'c']))('a')).toBe('Name of a');
    expect(reads).toEqual([['a', 'b', 'gone'], ['c']]);
  });

  it('that one caller may not see are known to others', async () => {
    const names = new CachedNames(async ({ organizationId }, ids) =>
      organizationId === 'theirs' ? [] : ids.map((id) => ({ id, name: 'A' })),
    );
    const nameFor = async (organizationId: string) => (await names.of({ organizationId } as Ctx, ['a']))('a');
    expect([await nameFor('theirs'), await nameFor('ours'), await nameFor('theirs')]).toEqual([null, 'A', null]);
  });

  it('that could not be read are read again', async () => {
    let fails = true;
    const names = new CachedNames(async (_, ids) => {
      if (fails) throw new Error('away');
      return ids.map((id) => ({ id, name: id.toUpperCase() }));
    });
    await expect(names.of(CTX, ['a'])).rejects.toThrow('away');
    fails = false;
    expect((await names.of(CTX, ['a']))('a')).toBe('A');
  });
});
