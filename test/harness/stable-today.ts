import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_TEST_MS = 20_000;

/** Today's date in UTC. Waits for tomorrow if that is about to begin, so that a test that calls it first ends on the same day. */
export async function stableToday(): Promise<string> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  // a timer may fire a millisecond early
  if (left < LONGEST_TEST_MS) await sleep(left + 10);
  return new Date().toISOString().slice(0, 10);
}
