import { RRuleTemporal } from 'rrule-temporal';
import { dayOf } from './calendar-days.js';

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/** What in a recurrence is not of the part of RRULE (RFC 5545) that obligations take; null when it is right. */
export function recurrenceProblem(rule: string): string | null {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const unknown = [...parts.keys()].find((name) => !['FREQ', 'INTERVAL', 'COUNT', 'UNTIL'].includes(name));
  if (unknown !== undefined) return `has ${unknown || 'an empty part'}; only FREQ, INTERVAL, COUNT and UNTIL are taken`;
  if (!FREQUENCIES.includes(parts.get('FREQ') ?? '')) return `must hold FREQ=${FREQUENCIES.join(', ')}`;
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'must hold COUNT or UNTIL, not both';
  for (const name of ['INTERVAL', 'COUNT'])
    if (parts.has(name) && !/^[1-9]\d{0,3}$/.test(parts.get(name) as string)) return `must hold ${name} as a whole number from 1 to 9999`;
  if (parts.has('UNTIL') && !isMoment(parts.get('UNTIL') as string)) return 'must hold UNTIL as YYYYMMDD, a day that there is';
  return null;
}

/** A day, or a moment of one in UTC; neither a 30th of February nor 25 o'clock. */
function isMoment(until: string): boolean {
  const [, year, month, day] = /^([1-9]\d{3})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d){2}Z)?$/.exec(until) ?? [];
  return year !== undefined && dayOf(`${year}-${month}-${day}`) !== null;
}

/** The next day of a series after one of its days, by RFC 5545 (a 31st is left out where a month has none); null after the last, or the year 9999. */
export function nextDay(rule: string, startOn: string, after: string): string | null {
  const series = new RRuleTemporal({ rruleString: `DTSTART:${startOn.replaceAll('-', '')}T000000Z\nRRULE:${rule}` });
  const next = series.next(new Date(`${after}T00:00:00Z`))?.toPlainDate();
  return next && next.year <= 9999 ? next.toString() : null;
}
