import { isCalendarDay, plusDays, validationError, type DomainError } from '../../../kit/index.js';
import { LAST_DAY, localOf, resolveLocal } from '../time/zone-time.js';

export const MOST_INSTANCES = 366;
export const LONGEST_YEARS = 5;

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const PARTS = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'WKST', 'COUNT', 'UNTIL'] as const;
const UNTIL = /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/;

export type Frequency = (typeof FREQUENCIES)[number];
export type Weekday = (typeof WEEKDAYS)[number];

/** A recurrence rule of RFC 5545 within the supported subset. */
export interface RecurrenceRule {
  frequency: Frequency;
  /** 1 to 99. */
  interval: number;
  /** In a monthly rule one weekday with its `nth`, 1 to 5 or -1 to -5; otherwise several without. Empty: not part of the rule. */
  byDay: readonly { weekday: Weekday; nth?: number }[];
  /** 1 to 31, -1 for the last day of the month. Empty: not part of the rule. */
  byMonthDay: readonly number[];
  weekStart: Weekday | null;
  /** Either this or `untilOn`. */
  count: number | null;
  /** The last local date on which an instance may start. The time of day is that of the start, so the date is sufficient. */
  untilOn: string | null;
}

/** Where a series starts: `2027-03-29T09:00` for one with times, `2027-03-29` for one of whole days. */
export interface SeriesStart {
  local: string;
  zone: string;
}

/**
 * Reads the value of an RRULE. The error names `param` and the part of the rule that is at fault.
 * UNTIL may be a date, a UTC time or a time in the zone of the start; with a start of whole days it must be a date.
 */
export function parseRule(text: string, start: SeriesStart, param = 'recurrence.rrule'): RecurrenceRule {
  return new RuleReader(text, start, param).rule();
}

/** The value of an RRULE, with UNTIL as RFC 5545 demands: in UTC, or a date in a series of whole days. */
export function formatRule(rule: RecurrenceRule, start: SeriesStart): string {
  const parts = [`FREQ=${rule.frequency}`];
  if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.byDay.length > 0) parts.push(`BYDAY=${rule.byDay.map(({ nth, weekday }) => `${nth ?? ''}${weekday}`).join(',')}`);
  if (rule.byMonthDay.length > 0) parts.push(`BYMONTHDAY=${rule.byMonthDay.join(',')}`);
  if (rule.weekStart !== null) parts.push(`WKST=${rule.weekStart}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.untilOn !== null) parts.push(`UNTIL=${untilText(rule.untilOn, start)}`);
  return parts.join(';');
}

function untilText(on: string, { local, zone }: SeriesStart): string {
  if (local.length === 10) return on.replaceAll('-', '');
  const until = resolveLocal(on + local.slice(10), zone);
  return until.toISOString().replace(/[-:]|\.\d+/g, '');
}

class RuleReader {
  private readonly parts: ReadonlyMap<string, string>;

  constructor(
    text: string,
    private readonly start: SeriesStart,
    private readonly param: string,
  ) {
    this.parts = this.split(text);
  }

  rule(): RecurrenceRule {
    const frequency = this.oneOf('FREQ', FREQUENCIES);
    if (frequency === null) throw this.fault('FREQ is required');
    const count = this.number('COUNT', 1, MOST_INSTANCES);
    const untilOn = this.untilOn();
    if (count !== null && untilOn !== null) throw this.fault('COUNT and UNTIL must not both be set');
    if (count === null && untilOn === null) throw this.fault('COUNT or UNTIL is required');
    const byDay = this.byDay(frequency);
    const byMonthDay = this.byMonthDay(frequency);
    if (byDay.length > 0 && byMonthDay.length > 0) throw this.fault('BYDAY and BYMONTHDAY must not both be set');
    const interval = this.number('INTERVAL', 1, 99) ?? 1;
    return { frequency, interval, byDay, byMonthDay, weekStart: this.oneOf('WKST', WEEKDAYS), count, untilOn };
  }

  private split(text: string): Map<string, string> {
    const parts = new Map<string, string>();
    for (const part of text
      .trim()
      .toUpperCase()
      .replace(/^RRULE:/, '')
      .split(';')) {
      const [name, value, ...more] = part.split('=');
      if (value === undefined || value === '' || more.length > 0) throw this.fault(`"${part}" must have the form NAME=VALUE`);
      if (!(PARTS as readonly string[]).includes(name)) throw this.fault(`${name} is not supported`, PARTS);
      if (parts.has(name)) throw this.fault(`${name} must not be repeated`);
      parts.set(name, value);
    }
    return parts;
  }

  private oneOf<T extends string>(name: string, values: readonly T[]): T | null {
    const value = this.parts.get(name);
    if (value === undefined) return null;
    if (!(values as readonly string[]).includes(value)) throw this.fault(`${name} must be one of ${values.join(', ')}`, values);
    return value as T;
  }

  private number(name: string, from: number, to: number): number | null {
    const value = this.parts.get(name);
    if (value === undefined) return null;
    if (!/^\d{1,3}$/.test(value) || Number(value) < from || Number(value) > to)
      throw this.fault(`${name} must be a whole number from ${from} to ${to}`);
    return Number(value);
  }

  private list(name: string): string[] {
    const items = this.parts.get(name)?.split(',') ?? [];
    if (new Set(items).size < items.length) throw this.fault(`${name} must not repeat a value`);
    return items;
  }

  private byDay(frequency: Frequency): RecurrenceRule['byDay'] {
    const items = this.list('BYDAY');
    if (frequency === 'MONTHLY' && items.length > 1) throw this.fault('BYDAY of a monthly rule must be one day such as 2TU or -1FR');
    return items.map((item) => {
      const match = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(item);
      if (!match || (match[1] === undefined) !== (frequency !== 'MONTHLY')) {
        const message =
          frequency === 'MONTHLY' ? 'BYDAY of a monthly rule must be one day such as 2TU or -1FR' : 'BYDAY must be days such as MO,WE';
        throw this.fault(message);
      }
      const weekday = match[2] as Weekday;
      return match[1] === undefined ? { weekday } : { weekday, nth: Number(match[1]) };
    });
  }

  private byMonthDay(frequency: Frequency): number[] {
    const items = this.list('BYMONTHDAY');
    if (items.length > 0 && frequency !== 'MONTHLY') throw this.fault('BYMONTHDAY requires FREQ=MONTHLY');
    return items.map((item) => {
      if (!/^(-1|[1-9]|[12]\d|3[01])$/.test(item)) throw this.fault('BYMONTHDAY must be days from 1 to 31, or -1 for the last one');
      return Number(item);
    });
  }

  private untilOn(): string | null {
    const value = this.parts.get('UNTIL');
    if (value === undefined) return null;
    const match = UNTIL.exec(value);
    const on = match && `${match[1]}-${match[2]}-${match[3]}`;
    if (!match || !isCalendarDay(on)) throw this.fault('UNTIL must be a date such as 20270630 or a UTC time such as 20270630T070000Z');
    // it may mean forever; the instances themselves are limited
    if (on > LAST_DAY) return on;
    const last = match[4] === undefined ? on : this.lastStart(on, `${match[4]}:${match[5]}:${match[6]}`, match[7] === 'Z');
    if (last < this.start.local.slice(0, 10)) throw this.fault('UNTIL must not be before the start');
    return last;
  }

  /** The last date on which an event at the start's time of day starts no later than UNTIL. */
  private lastStart(on: string, time: string, isUtc: boolean): string {
    const { local, zone } = this.start;
    if (local.length === 10) throw this.fault('UNTIL of an all-day event must be a date such as 20270630');
    const startTime = local.slice(10);
    if (!isUtc) return `T${time}` >= startTime ? on : plusDays(on, -1);
    const until = new Date(`${on}T${time}Z`);
    const localDay = localOf(until, zone).slice(0, 10);
    return resolveLocal(localDay + startTime, zone) <= until ? localDay : plusDays(localDay, -1);
  }

  private fault(message: string, allowed?: readonly string[]): DomainError {
    return ruleFault(this.param, message, allowed);
  }
}

export function ruleFault(param: string, message: string, allowed?: readonly string[]): DomainError {
  return validationError([{ param, code: 'invalid_value', message: `${param}: ${message}`, ...(allowed ? { allowed } : {}) }]);
}
