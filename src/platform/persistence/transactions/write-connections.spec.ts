import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import { WriteConnections, type Client } from './write-connections.js';

// writes that still wait at the end of a test are not refused during another one
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(max: number, connect = (): Promise<unknown> => Promise.resolve({ release: () => undefined })) {
  const writes = new WriteConnections({ options: { max }, connect } as unknown as Pool);
  /** The organizations whose writes have got a connection, in order. */
  const started: string[] = [];
  const held: (() => void)[] = [];
  const begin = async (organization: string) => {
    const connections = writes.of(organization);
    const client: Client = await connections.acquire();
    started.push(organization);
    held.push(() => connections.release(client));
  };
  return { begin, started, endFirst: () => held.shift()?.() };
}

async function beginMany({ begin }: ReturnType<typeof open>, organization: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) void begin(organization);
  await settle();
}

describe('the connections for writes', () => {
  it.each([
    [10, 8, 9],
    [5, 3, 4],
    [3, 1, 2],
    [2, 1, 1],
    [1, 1, 1],
  ])('of a pool of %i are %i for one organization and %i for all', async (max, ofOne, ofAll) => {
    const writes = open(max);
    await beginMany(writes, 'hot', 20);
    expect(writes.started).toHaveLength(ofOne);
    await beginMany(writes, 'other', 20);
    expect(writes.started).toHaveLength(ofAll);
  });

  it('go to the organizations in turn', async () => {
    const writes = open(10);
    await beginMany(writes, 'hot', 12);
    await beginMany(writes, 'a', 3);
    await beginMany(writes, 'b', 2);
    expect(writes.started.slice(8)).toEqual(['a']);
    for (let n = 0; n < 5; n++) {
      writes.endFirst();
      await settle();
    }
    expect(writes.started.slice(9)).toEqual(['hot', 'a', 'b', 'hot', 'a']);
    for (let n = 0; n < 20; n++) {
      writes.endFirst();
      await settle();
    }
    expect(writes.started).toHaveLength(17);
  });

  it('are refused with 503 after ten seconds, and the place of a refused write is not lost', async () => {
    const writes = open(1);
    await writes.begin('a');
    const refused = expect(writes.begin('b')).rejects.toMatchObject({ spec: { status: 503 } });
    await jest.advanceTimersByTimeAsync(10_000);
    await refused;
    await beginMany(writes, 'c', 1);
    writes.endFirst();
    await settle();
    expect(writes.started).toEqual(['a', 'c']);
  });

  it('that the pool cannot give are free for the next write', async () => {
    let fails = true;
    const connect = () => (fails ? Promise.reject(new Error('no route')) : Promise.resolve({ release: () => undefined }));
    const writes = open(1, connect);
    await expect(writes.begin('a')).rejects.toThrow('no route');
    fails = false;
    await writes.begin('a');
    expect(writes.started).toEqual(['a']);
  });
});
