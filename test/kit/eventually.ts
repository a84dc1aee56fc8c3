import { setTimeout as sleep } from 'node:timers/promises';

/** Reads until the value satisfies the predicate, at most five seconds by default. Resolves to the last value, for an assertion. */
export async function eventually<T>(read: () => Promise<T>, satisfied: (value: T) => boolean, withinMs = 5_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (satisfied(value) || Date.now() > deadline) return value;
    await sleep(20);
  }
}
