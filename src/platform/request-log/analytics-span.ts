import { DAY_MS, HOUR_MS, invalid } from '../../kit/index.js';
import type { SpanQuery } from './analytics.dto.js';

const MAX_DAYS = 31;

/** The span of a query, at most 31 days; the last 24 hours unless given. */
export function spanOf(query: SpanQuery): { from: Date; to: Date } {
  const to = query.to ? new Date(query.to) : new Date();
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DAY_MS);
  if (from >= to) throw invalid('from', 'must be before to');
  // `to` may be a day, of which the end counts
  if (Math.floor((to.getTime() - from.getTime()) / DAY_MS) > MAX_DAYS) throw invalid('from', 'must be at most 31 days before to');
  return { from, to };
}

/** The starts of all intervals of a span, in milliseconds since 1970. */
export function startsOf(from: Date, to: Date, interval: 'hour' | 'day'): number[] {
  const length = interval === 'hour' ? HOUR_MS : DAY_MS;
  const starts: number[] = [];
  for (let start = Math.floor(from.getTime() / length) * length; start < to.getTime(); start += length) starts.push(start);
  return starts;
}

/** SQL for the start of the interval, in UTC, that a time is in. */
export function intervalSql(interval: 'hour' | 'day', column: string): string {
  return `date_bin('1 ${interval}', ${column}, 'epoch')`;
}
