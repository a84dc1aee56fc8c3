import { RRuleTemporal } from 'rrule-temporal';
import { dayOf } from './calendar-days.js';

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/** Why a recurrence is outside the supported subset of RRULE (RFC 5545), or null. */
export function recurrenceProblem(rule: string): string | null {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const unknown = [...parts.keys()].find((name) => !['FREQ', 'INTERVAL', 'COUNT', 'UNTIL'].includes(name));
  if (unknown !== undefined) return `has ${unknown || 'an empty part'}; only FREQ, INTERVAL, COUNT and UNTIL are supported`;
  if (!FREQUENCIES.includes(parts.get('FREQ') ?? '')) return `must contain FREQ=${FREQUENCIES.join(', ')}`;
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'must contain either COUNT or UNTIL, not both';
  for (const name of ['INTERVAL', 'COUNT'])
    if (parts.has(name) && !/^[1-9]\d{0,3}$/.test(parts.get(name) as string)) return `must contain ${name} as an integer from 1 to 9999`;
  if (parts.has('UNTIL') && !isMoment(parts.get('UNTIL') as string)) return 'must contain UNTIL as an existing day, YYYYMMDD';
  return null;
}

/** Whether UNTIL is an existing day, or an existing time in UTC. */
function isMoment(until: string): boolean {
  const [, year, month, day] = /^([1-9]\d{3})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d){2}Z)?$/.exec(until) ?? [];
  return year !== undefined && dayOf(`${year}-${month}-${day}`) !== null;
}

/**
 * The day of a series after a given one, by RFC 5545: months without a 31st are skipped. Null after the last day or the
 * year 9999.
 */
export function nextDay(rule: string, startOn: string, after: string): string | null {
  const series = new RRuleTemporal({ rruleString: `DTSTART:${startOn.replaceAll('-', '')}T000000Z\nRRULE:${rule}` });
  const next = series.next(new Date(`${after}T00:00:00Z`))?.toPlainDate();
  return next && next.year <= 9999 ? next.toString() : null;
}
