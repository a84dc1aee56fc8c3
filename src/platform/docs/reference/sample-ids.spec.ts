import { expect, jest, test } from '@jest/globals';
import { SampleIdsSource, type SampleIds } from './sample-ids.js';

test('ids are searched again once the records were replaced', async () => {
  const found: SampleIds[] = [new Map([['list_tasks', { id: 'old', parts: {} }]]), new Map([['list_tasks', { id: 'new', parts: {} }]])];
  let version = 1;
  const find = jest.fn(async () => found.shift()!);
  const source = new SampleIdsSource();
  expect((await source.get()).size).toBe(0);
  source.offer({ find, version: () => version });
  const idNow = async () => (await source.get()).get('list_tasks')?.id;
  expect([await idNow(), await idNow()]).toEqual(['old', 'old']);
  version = 2;
  const ids = await source.get();
  expect([await idNow(), await source.get()]).toEqual(['new', ids]);
  expect(find).toHaveBeenCalledTimes(2);
});

test('a failed search gives no ids, and is repeated', async () => {
  const source = new SampleIdsSource();
  const find = jest.fn(async (): Promise<SampleIds> => {
    if (find.mock.calls.length === 1) throw new Error('The process stops.');
    return new Map([['list_tasks', { parts: {} }]]);
  });
  source.offer({ find, version: () => 1 });
  expect([(await source.get()).size, (await source.get()).size]).toEqual([0, 1]);
});
