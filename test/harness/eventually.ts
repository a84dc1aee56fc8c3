import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

const MOST_PAUSE_MS = 200;

/**
 * Reads until the value satisfies the predicate, and returns it. After a minute, which ends before the limit of the test, it fails with
 * the last value, so that no test waits in vain for a state and passes. A shorter limit would make a busy machine fail.
 *
 * @example
 * ```ts
 * import { expect } from '@jest/globals';
 * import { eventually, type Subscription } from 'work-suite/testing';
 *
 * export async function expectDeliveries(endpoint: Subscription, count: number): Promise<void> {
 *   const received = await eventually(() => Promise.resolve(endpoint.got()), ({ length }) => length >= count);
 *   expect(received).toHaveLength(count);
 * }
 * ```
 */
export async function eventually<T>(read: () => Promise<T>, satisfied: (value: T) => boolean, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  // ever longer pauses, or the reads would slow down what they wait for on a busy machine
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, MOST_PAUSE_MS)) {
    const value = await read();
    if (satisfied(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`No value satisfied ${satisfied.toString()} for ${withinMs} ms. The last one: ${inspect(value, { depth: 4 })}`);
    await sleep(pauseMs);
  }
}
