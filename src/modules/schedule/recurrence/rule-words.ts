import { dayText } from '../../../kit/index.js';
import { weekdayOf } from '../time/zone-time.js';
import type { Frequency, RecurrenceRule, Weekday } from './recurrence-rule.js';

const UNITS: Record<Frequency, string> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' };
const NAMES: Record<Weekday, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const WEEK = Object.keys(NAMES) as Weekday[];
const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];

/**
 * The rule in words, with the days that it takes from its start: `every week on Monday, 12 times`,
 * `every month on the last Friday until 30 April 2027`. rrule-temporal 2.2.7 calls the second to last Friday the last one.
 */
export function describeRule(rule: RecurrenceRule, startLocal: string): string {
  const { frequency, interval, count, untilOn } = rule;
  const unit = UNITS[frequency];
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  return `${every}${daysOf(rule, startLocal.slice(0, 10))}${count === null ? ` until ${dayText(untilOn as string)}` : timesText(count)}`;
}

function daysOf({ frequency, byDay, byMonthDay }: RecurrenceRule, startOn: string): string {
  if (frequency === 'MONTHLY') {
    if (byDay.length > 0) return ` on the ${listed(byDay.map(({ nth, weekday }) => `${nthText(nth as number)} ${NAMES[weekday]}`))}`;
    return ` on the ${listed(byMonthDay.length > 0 ? inOrder(byMonthDay).map(monthDayText) : [monthDayText(Number(startOn.slice(8)))])}`;
  }
  const named = WEEK.filter((one) => byDay.some(({ weekday }) => weekday === one)).map((one) => NAMES[one]);
  if (frequency === 'DAILY') return named.length > 0 ? `, only on ${listed(named)}` : '';
  return ` on ${listed(named.length > 0 ? named : [NAMES[WEEK[weekdayOf(startOn) - 1]]])}`;
}

/** `third`, `last`, `second to last` */
function nthText(nth: number): string {
  if (nth > 0) return NTH[nth - 1];
  return nth === -1 ? 'last' : `${NTH[-nth - 1]} to last`;
}

/** The last day of the month comes last. */
function inOrder(days: readonly number[]): number[] {
  const [last, ...others] = [...days].sort((one, other) => one - other);
  return last < 0 ? [...others, last] : [last, ...others];
}

function monthDayText(day: number): string {
  if (day < 0) return 'last day';
  const ending = new Intl.PluralRules('en', { type: 'ordinal' }).select(day);
  return `${day}${({ one: 'st', two: 'nd', few: 'rd' } as Record<string, string>)[ending] ?? 'th'}`;
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1) as string}`;
}

function timesText(count: number): string {
  return count === 1 ? ', once' : `, ${count} times`;
}
