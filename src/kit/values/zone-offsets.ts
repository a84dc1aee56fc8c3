import { LRUCache } from 'lru-cache';
import { DAY_MS } from './durations.js';
import { Temporal } from 'temporal-polyfill';

/** The release of the time zone database that this process has, such as `2026b`; empty if it has none. */
export const TZ_RELEASE = process.versions.tz ?? '';

const BLOCK_MS = 2922 * DAY_MS;
const LONGEST_NAME = 64;

/** The offsets of a zone in a block of eight years: `offsets[0]` before `changes[0]`, and so on. Milliseconds. */
interface Block {
  changes: number[];
  offsets: number[];
}

const blocks = new LRUCache<string, Block>({ max: 2000 });
const zones = new LRUCache<string, { id: string | null }>({ max: 1000 });

/**
 * The IANA name in its usual case, `europe/berlin` becomes `Europe/Berlin`; an alias stays; null if there is no such zone.
 *
 * @example
 * ```ts
 * import { canonicalZone } from 'work-suite/kit';
 *
 * const zone = canonicalZone('europe/berlin'); // 'Europe/Berlin'
 * ```
 */
export function canonicalZone(text: string): string | null {
  if (text.length > LONGEST_NAME || !/^[A-Za-z]/.test(text)) return null;
  let known = zones.get(text);
  if (!known) {
    known = { id: null };
    try {
      known.id = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    zones.set(text, known);
  }
  return known.id;
}

/**
 * The zone's offset from UTC at an instant, both in milliseconds.
 *
 * @example
 * ```ts
 * import { offsetAt } from 'work-suite/kit';
 *
 * const offset = offsetAt(Date.parse('2026-07-01T00:00:00Z'), 'Europe/Berlin');
 * ```
 */
export function offsetAt(at: number, zone: string): number {
  const { changes, offsets } = blockOf(Math.floor(at / BLOCK_MS), zone);
  let index = 0;
  while (index < changes.length && changes[index] <= at) index++;
  return offsets[index];
}

/**
 * The first instant after `after` and before `before` at which the zone's offset changes; null if there is none. Milliseconds.
 *
 * @example
 * ```ts
 * import { nextChange } from 'work-suite/kit';
 *
 * const now = Date.parse('2026-11-29T00:00:00Z');
 * const change = nextChange(now, now + 365 * 86_400_000, 'Europe/Berlin'); // the begin of summer time
 * ```
 */
export function nextChange(after: number, before: number, zone: string): number | null {
  for (let number = Math.floor(after / BLOCK_MS); number * BLOCK_MS < before; number++) {
    const found = blockOf(number, zone).changes.find((change) => change > after);
    if (found !== undefined) return found < before ? found : null;
  }
  return null;
}

/** Queries Temporal once per zone and block, because a query takes more than ten microseconds. */
function blockOf(number: number, zone: string): Block {
  const key = `${number} ${zone}`;
  let block = blocks.get(key);
  if (!block) {
    block = readBlock(number, zone);
    blocks.set(key, block);
  }
  return block;
}

function readBlock(number: number, zone: string): Block {
  // the millisecond before the block, as a change at its very beginning is not after its beginning
  let time = Temporal.Instant.fromEpochMilliseconds(number * BLOCK_MS - 1).toZonedDateTimeISO(zone);
  const block: Block = { changes: [], offsets: [time.offsetNanoseconds / 1e6] };
  for (;;) {
    const next = time.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= (number + 1) * BLOCK_MS) return block;
    block.changes.push(next.epochMilliseconds);
    block.offsets.push(next.offsetNanoseconds / 1e6);
    time = next;
  }
}
