import { DAY_MS, isCalendarDay } from '../../../kit/index.js';
import { invalid } from './hr.errors.js';

const EARLIEST = '1900-01-01';
const LATEST = '2199-12-31';

/** Days since 1970-01-01, for arithmetic. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

export function dayOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

export function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(number: number): number {
  // 1970-01-01 was a Thursday
  return (((number + 3) % 7) + 7) % 7;
}

/** The day of a year, `MM-DD`; February 29 becomes the 28th where there is none. */
export function dayInYear(year: number, monthAndDay: string): string {
  const day = `${year}-${monthAndDay}`;
  return isCalendarDay(day) ? day : `${year}-02-28`;
}

/** Rejects implausible dates, most of which are typing errors. */
export function requireHrDay(param: string, day: string | null | undefined): void {
  if (day === null || day === undefined || (day >= EARLIEST && day <= LATEST)) return;
  throw invalid(param, `must be from ${EARLIEST} to ${LATEST}`);
}
