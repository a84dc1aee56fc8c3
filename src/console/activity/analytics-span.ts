import { DAY_MS, HOUR_MS } from '../../kit/index.js';
import type { Visit } from '../frame/visit.js';
import type { Parameters } from '../frame/parameters.js';
import { timeOf } from './log-filters.js';

/** The lengths to choose from, in days. */
export const LENGTHS: readonly { days: number; label: string }[] = [
  { days: 1, label: '24 hours' },
  { days: 7, label: '7 days' },
  { days: 31, label: '31 days' },
];

export interface Span {
  /** One of the lengths that end now; null for a time in the past. */
  days: number | null;
  /** For the operation; null for its default, the last 24 hours. */
  from: string | null;
  to: string | null;
  interval: 'hour' | 'day';
}

/** The parameters of the address except the filters. */
export const SPAN_PARAMETERS: Parameters = {
  days: { label: 'Length of time', values: LENGTHS.map(({ days }) => String(days)), isView: true },
  interval: { label: 'Intervals', values: ['hour', 'day'], isView: true },
  from: { label: 'From', isView: true },
  to: { label: 'To', isView: true },
};

/** The period of the address: whole days up to today, the last 24 hours, or a time in the past. */
export function spanOf({ query }: Visit): Span {
  const [from, to] = ['from', 'to'].map((name) => timeOf(query.get(name)?.trim()) || null);
  const isPast = from !== null || to !== null;
  const days = Number(query.get('days') || 7);
  const isLong = isPast ? lengthOf(from, to) > 2 * DAY_MS : days > 1;
  const asked = query.get('interval');
  const interval = asked === 'hour' || asked === 'day' ? asked : isLong ? 'day' : 'hour';
  if (isPast) return { days: null, from, to, interval };
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return { days, from: days === 1 ? null : new Date(today - (days - 1) * DAY_MS).toISOString(), to: null, interval };
}

function lengthOf(from: string | null, to: string | null): number {
  const end = to === null ? Date.now() : Date.parse(to);
  return from === null ? DAY_MS : end - Date.parse(from);
}

/** The period of the same length before, so that its intervals can be compared one by one. */
export function before({ from, to }: { from: string; to: string }, { days, interval }: Pick<Span, 'days' | 'interval'>) {
  const step = interval === 'day' ? DAY_MS : HOUR_MS;
  const length = days === null ? Math.ceil((Date.parse(to) - Date.parse(from)) / step) * step : days * DAY_MS;
  const earlier = (time: string) => new Date(Date.parse(time) - length).toISOString();
  return { from: earlier(from), to: earlier(to) };
}

/** The end of an interval. */
export function endOf(start: string, interval: 'hour' | 'day'): number {
  return Date.parse(start) + (interval === 'day' ? DAY_MS : HOUR_MS);
}

/** The filters of the calls. The log has filters with the same names. */
export const NARROWINGS = {
  key: { label: 'API key', of: 'api_key_id' },
  operation: { label: 'Operation' },
  tool: { label: 'MCP tool' },
  code: { label: 'Error code' },
} as const satisfies Parameters;
export type Narrowing = keyof typeof NARROWINGS;
export const NARROWING_NAMES = Object.keys(NARROWINGS) as Narrowing[];

export function narrowingsOf({ query }: Visit): Partial<Record<Narrowing, string>> {
  const given = NARROWING_NAMES.flatMap((name) => {
    const value = query.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}
