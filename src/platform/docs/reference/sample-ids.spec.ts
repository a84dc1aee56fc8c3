import { afterEach, expect, jest, test } from '@jest/globals';
import { SampleIdsSource, type SampleIds } from './sample-ids.js';

afterEach(() => {
  jest.useRealTimers();
});

test('ids are searched again once their records were erased, and checked once a minute at most', async () => {
  jest.useFakeTimers();
  const found: SampleIds[] = [new Map([['list_tasks', { id: 'old', parts: {} }]]), new Map([['list_tasks', { id: 'new', parts: {} }]])];
  let existing = 'old';
  const find = jest.fn(async () => found.shift()!);
  const areCurrent = jest.fn(async (ids: SampleIds) => ids.get('list_tasks')?.id === existing);
  const source = new SampleIdsSource();
  expect((await source.get()).size).toBe(0);
  source.offer({ find, areCurrent });
  const idNow = async () => (await source.get()).get('list_tasks')?.id;
  expect([await idNow(), await idNow()]).toEqual(['old', 'old']);
  expect([find.mock.calls.length, areCurrent.mock.calls.length]).toEqual([1, 0]);
  existing = 'new';
  expect(await idNow()).toBe('old');
  jest.advanceTimersByTime(60_000);
  expect([await idNow(), await idNow()]).toEqual(['new', 'new']);
  jest.advanceTimersByTime(60_000);
  const ids = await source.get();
  expect(await source.get()).toBe(ids);
  expect([find.mock.calls.length, areCurrent.mock.calls.length]).toEqual([2, 2]);
});

test('a failed search gives no ids, and is repeated', async () => {
  const source = new SampleIdsSource();
  const find = jest.fn(async (): Promise<SampleIds> => {
    if (find.mock.calls.length === 1) throw new Error('The process stops.');
    return new Map([['list_tasks', { parts: {} }]]);
  });
  source.offer({ find, areCurrent: async () => true });
  expect([(await source.get()).size, (await source.get()).size]).toEqual([0, 1]);
});
