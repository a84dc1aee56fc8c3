import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
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
  const [started, tick] = [Date.now(), performance.now()];
  worker.start(10);
  await sleep(100);
  expect(batches['hung maintenance']).toBeGreaterThan(2);
  expect(batches.working).toBeGreaterThan(2);
  const claims = progress.lastClaims();
  expect(claims.working.getTime()).toBeGreaterThan(started + 50);
  expect(progress.stalledSince(tick + 50)).toEqual(['hung batch']);
});
