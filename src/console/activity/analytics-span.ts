import type { Query } from '../calls/product-calls.js';
import type { Visit } from '../frame/visit.js';
import { instantOf } from './log-filters.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The lengths to choose from, in days. */
export const LENGTHS: readonly { days: number; label: string }[] = [
  { days: 1, label: '24 hours' },
  { days: 7, label: '7 days' },
  { days: 31, label: '31 days' },
];

export interface Span {
  /** One of the lengths that end now; null for a time in the past. */
  days: number | null;
  /** For the operation, which has its own idea of the last 24 hours. */
  from: string | null;
  to: string | null;
  interval: 'hour' | 'day';
}

/** What time the address asks for: whole days that end with today, the last 24 hours, or a time in the past. */
export function spanOf({ query }: Visit): Span {
  const [from, to] = ['from', 'to'].map((name) => instantOf(query.get(name) ?? ''));
  const isPast = from !== null && to !== null && from < to;
  const given = Number(query.get('days') ?? 7);
  const days = LENGTHS.some((length) => length.days === given) ? given : 7;
  const isLong = isPast ? Date.parse(to) - Date.parse(from) > 2 * DAY_MS : days > 1;
  const asked = query.get('interval');
  const interval = asked === 'hour' || asked === 'day' ? asked : isLong ? 'day' : 'hour';
  if (isPast) return { days: null, from, to, interval };
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return { days, from: days === 1 ? null : new Date(today - (days - 1) * DAY_MS).toISOString(), to: null, interval };
}

/** The end of an interval. */
export function endOf(start: string, interval: 'hour' | 'day'): number {
  return Date.parse(start) + (interval === 'day' ? DAY_MS : HOUR_MS);
}

/** By what the calls can be narrowed, by the name in the address: the operation's parameter, and the log's filter. */
export const NARROWINGS = {
  key: { parameter: 'api_key_id', label: 'API key' },
  operation: { parameter: 'operation', label: 'Operation' },
  tool: { parameter: 'tool', label: 'MCP tool' },
  code: { parameter: 'code', label: 'Error code' },
} as const;
export type Narrowing = keyof typeof NARROWINGS;
export const NARROWING_NAMES = Object.keys(NARROWINGS) as Narrowing[];

export function narrowingsOf({ query }: Visit): Partial<Record<Narrowing, string>> {
  const given = NARROWING_NAMES.flatMap((name) => {
    const value = query.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The same for the operation. */
export function parametersOf(narrowings: Partial<Record<Narrowing, string>>): Query {
  return Object.fromEntries(Object.entries(narrowings).map(([name, value]) => [NARROWINGS[name as Narrowing].parameter, value]));
}
