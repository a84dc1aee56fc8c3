import { plusDays } from '../../../kit/index.js';
import { dayInYear, yearOf } from '../model/days.js';
import type { EntryKind } from '../model/values.js';
import { allocate, type Grant, type Use } from './allocation.js';

/** An entry of the ledger, in hundredths of a day. */
export interface Entry {
  kind: EntryKind;
  on: string;
  amount: number;
  expires_on: string | null;
  lot_on: string | null;
  automatic: boolean;
}

/** How the rest of a year's days is carried over, in hundredths of a day. */
export interface CarryOver {
  /** Null: without limit. */
  limit: number | null;
  /** `MM-DD`; null: the end of the next year. */
  expires: string | null;
}

const YEAR_END = '12-31';

/** The entries as lots and uses. A negative adjustment counts as a use on its day; expiries follow from the lots' periods. */
export function booksOf(entries: readonly Entry[]): { grants: Grant[]; uses: Use[] } {
  const grants: Grant[] = [];
  const uses: Use[] = [];
  for (const { kind, on, amount, expires_on } of entries) {
    if (kind === 'expiry') continue;
    if (kind === 'use' || (kind === 'adjustment' && amount < 0)) uses.push({ on, amount: -amount });
    else grants.push({ on, expires_on, amount });
  }
  return { grants, uses: netByDay(uses) };
}

/** Sums the uses by day, so that a reversed use has no effect. */
function netByDay(uses: readonly Use[]): Use[] {
  const days = new Map<string, number>();
  for (const { on, amount } of uses) days.set(on, (days.get(on) ?? 0) + amount);
  return [...days].filter(([, amount]) => amount > 0).map(([on, amount]) => ({ on, amount }));
}

/**
 * The entries that are missing before `today`: expiries, and carry-overs from one year to the next. If leave in the past was corrected,
 * they compensate the difference.
 */
export function missingEntries(entries: readonly Entry[], carryOver: CarryOver, today: string): Entry[] {
  const missing: Entry[] = [];
  // in chronological order, because days that were carried over may have expired, too
  for (let day = nextExpiry(entries, '', today); day !== null; day = nextExpiry([...entries, ...missing], day, today))
    missing.push(...missingOn(day, [...entries, ...missing], carryOver));
  return missing;
}

/** The first day after `after` and before `before` on which days expire. */
export function nextExpiry(entries: readonly Entry[], after: string, before: string): string | null {
  let first: string | null = null;
  for (const { kind, expires_on } of entries)
    if (kind !== 'expiry' && expires_on !== null && expires_on > after && expires_on < before && (first === null || expires_on < first))
      first = expires_on;
  return first;
}

function carriedUntil(expiresOn: string, { expires }: CarryOver): string | null {
  return expiresOn.endsWith(YEAR_END) ? dayInYear(yearOf(expiresOn) + 1, expires ?? YEAR_END) : null;
}

function missingOn(expiresOn: string, entries: readonly Entry[], carryOver: CarryOver): Entry[] {
  const { grants, uses } = booksOf(entries);
  const lots = allocate(grants, uses).lots.filter(({ expires_on }) => expires_on === expiresOn);
  const missing: Entry[] = [];
  const on = plusDays(expiresOn, 1);
  const posted = (of: (entry: Entry) => boolean) => entries.filter(of).reduce((sum, { amount }) => sum + amount, 0);
  for (const lot of lots) {
    const expired = posted(({ kind, lot_on, expires_on }) => kind === 'expiry' && lot_on === lot.on && expires_on === expiresOn);
    const amount = -lot.left - expired;
    if (amount !== 0) missing.push({ kind: 'expiry', on, amount, expires_on: expiresOn, lot_on: lot.on, automatic: true });
  }
  const until = carriedUntil(expiresOn, carryOver);
  if (until === null) return missing;
  const left = lots.reduce((sum, lot) => sum + lot.left, 0);
  const carried = posted(({ kind, on: day, automatic }) => kind === 'carry_over' && day === on && automatic);
  const amount = Math.min(left, carryOver.limit ?? left) - carried;
  if (amount !== 0) missing.push({ kind: 'carry_over', on, amount, expires_on: until, lot_on: null, automatic: true });
  return missing;
}
