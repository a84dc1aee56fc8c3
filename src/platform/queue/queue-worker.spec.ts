import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/harness/eventually.js';
import { Progress } from '../health/progress.js';
import { QueueWorker, type WorkQueue } from './queue-worker.js';

test('a queue whose maintenance or batch never ends stops no other', async () => {
  const never = () => new Promise<never>(() => undefined);
  const batches: Record<string, number> = {};
  const progress = new Progress();
  const worker = new QueueWorker(progress, { begin: async () => undefined } as never);
  const register = (name: string, parts: Partial<WorkQueue> = {}) => {
    batches[name] = 0;
    const runBatch = async () => {
      batches[name]++;
      return false;
    };
    worker.register({ name, runBatch, ...parts });
  };
  register('hung maintenance', { maintain: never });
  register('hung batch', { runBatch: never });
  register('working');
  worker.start(10);
  await sleep(50);
  const [time, tick] = [Date.now(), performance.now()];
  const before = { ...batches };
  const rounds = async () => Math.min(...['hung maintenance', 'working'].map((name) => batches[name] - before[name]));
  expect(await eventually(rounds, (count) => count > 2)).toBeGreaterThan(2);
  expect(progress.lastClaims().working.getTime()).toBeGreaterThanOrEqual(time);
  expect(progress.stalledSince(tick)).toEqual(['hung batch']);
});
