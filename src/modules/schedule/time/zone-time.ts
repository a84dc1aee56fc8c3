import { DAY_MS, invalid, isCalendarDay, isInstant, MINUTE_MS, offsetAt, plusDays, validationError } from '../../../kit/index.js';

const LOCAL = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Times whose dates have four digits in every zone, also with buffers and some days around them. */
const FIRST_DAY = '1000-01-04';
export const LAST_DAY = '9999-12-27';
const [EARLIEST, LATEST] = [Date.parse(`${FIRST_DAY}T00:00:00Z`), Date.parse(`${LAST_DAY}T24:00:00Z`)];

/** Throws an error that names `param` unless the time can be scheduled. */
export function requireSchedulable(param: string, at: Date): Date {
  if (isSchedulable(at)) return at;
  throw validationError([{ param, code: 'invalid_value', message: `${param} must be from ${FIRST_DAY} to ${LAST_DAY}` }]);
}

export function isSchedulable(at: Date): boolean {
  return at.getTime() >= EARLIEST && at.getTime() <= LATEST;
}

/** Whether it is a local time `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS` of an `isCalendarDay`. */
export function isLocalTime(text: string): boolean {
  return LOCAL.test(text) && isCalendarDay(text.slice(0, 10));
}

/**
 * The instant at which the clocks of the zone show a local time `YYYY-MM-DDTHH:MM[:SS]`. As RFC 5545 3.3.5 says, of a time
 * that occurs twice it is the first, and one that is skipped counts on from before the gap (Temporal: `compatible`).
 */
export function resolveLocal(local: string, zone: string): Date {
  return new Date(resolveWall(wallTime(local), zone));
}

const OR_LOCAL = 'an RFC 3339 time with an offset, or a local time such as 2027-03-29T09:00';

/** For the descriptions of arguments that `comparedInstantOf` reads. */
export const OR_DAY = `a day, ${OR_LOCAL}`;

/** A time that a caller sends: with an offset, or that of the clocks of the zone. Throws an error that names `param`. */
export function instantOf(param: string, text: string, zone: string, expected = OR_LOCAL): Date {
  if (isInstant(text)) return requireSchedulable(param, new Date(text));
  if (isLocalTime(text)) return requireSchedulable(param, resolveLocal(text, zone));
  throw validationError([{ param, code: 'invalid_value', message: `${param} must be ${expected}` }]);
}

/** The same of a filter, which can also be a day of the zone: `from` is its start, `to` its end. */
export function comparedInstantOf(param: 'from' | 'to', text: string, zone: string): Date {
  if (!isCalendarDay(text)) return instantOf(param, text, zone, OR_DAY);
  return requireSchedulable(param, startOfDay(param === 'to' ? plusDays(text, 1) : text, zone));
}

/** Refuses a window that is empty, or whose `to`, as the caller sent it, is more days after `from`. */
export function requireWindow(from: Date, to: Date, sentTo: string | undefined, longestDays: number): void {
  if (to <= from) throw invalid('to', 'must be after from');
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  // a day is as many days after `from` as its start is; a change of the clocks makes the window an hour longer
  const after = sentTo !== undefined && isCalendarDay(sentTo) ? Math.round(days) - 1 : days;
  if (after > longestDays) throw invalid('to', `must be at most ${longestDays} days after from`);
}

/** The local time `YYYY-MM-DDTHH:MM:SS` that the clocks of the zone show at an instant. */
export function localOf(instant: Date, zone: string): string {
  return wallText(wallAt(instant.getTime(), zone));
}

/** The date `YYYY-MM-DD` that the clocks of the zone show at an instant. */
export function dateOf(instant: Date, zone: string): string {
  return localOf(instant, zone).slice(0, 10);
}

/** The zone's offset at an instant as RFC 3339 writes it: `+02:00`. */
export function utcOffsetAt(instant: Date, zone: string): string {
  const minutes = Math.round(offsetAt(instant.getTime(), zone) / MINUTE_MS);
  const of = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${of(Math.floor(Math.abs(minutes) / 60))}:${of(Math.abs(minutes) % 60)}`;
}

/** `Date.toISOString` for thousands of instants, milliseconds since 1970, on few days: many times faster, as it keeps their texts. */
export function instantWriter(): (at: number) => string {
  const days = new Map<number, string>();
  const minutes = new Map<number, string>();
  return (at) => {
    if (at % MINUTE_MS !== 0) return new Date(at).toISOString();
    const day = Math.floor(at / DAY_MS);
    const minute = at - day * DAY_MS;
    let date = days.get(day);
    if (date === undefined) days.set(day, (date = new Date(at).toISOString().slice(0, 11)));
    let time = minutes.get(minute);
    if (time === undefined) minutes.set(minute, (time = new Date(at).toISOString().slice(11)));
    return date + time;
  };
}

/** The first instant of a date `YYYY-MM-DD`, which is not always midnight. */
export function startOfDay(on: string, zone: string): Date {
  return resolveLocal(`${on}T00:00`, zone);
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(on: string): number {
  return new Date(`${on}T00:00:00Z`).getUTCDay() || 7;
}

/** A wall-clock time as the milliseconds at which clocks in UTC show it. */
export function wallTime(local: string): number {
  return Date.parse(`${local}Z`);
}

export function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19);
}

export function wallAt(at: number, zone: string): number {
  return at + offsetAt(at, zone);
}

/** The instant of a wall-clock time, both in milliseconds; see `resolveLocal`. */
export function resolveWall(wall: number, zone: string): number {
  // no change of clocks moves them by more than a day
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  const first = wall - before;
  if (before === after || offsetAt(first, zone) === before) return first;
  const second = wall - after;
  return offsetAt(second, zone) === after ? second : first;
}
