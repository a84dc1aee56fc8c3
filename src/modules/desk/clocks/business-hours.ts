import { DAY_MS, MINUTE_MS, nextChange, offsetAt } from '../../../kit/index.js';
import type { Window } from '../model/business-hours.entity.js';

const SECOND_MS = 1000;
/** The longest search for a due time. Without it, hours whose every open day is a holiday would be searched forever. */
const LONGEST_SEARCH_MS = 3660 * DAY_MS;

/** Business time: the windows in the local time of the zone, except on holidays. */
export interface BusinessHours {
  /** IANA name. */
  zone: string;
  windows: readonly Window[];
  /** Dates `YYYY-MM-DD`, on which nobody works. */
  holidays: readonly string[];
}

/** Milliseconds; the end is exclusive. */
interface Span {
  start: number;
  end: number;
}

/** Business seconds between two instants, to the millisecond; 0 if `to` is not after `from`. Without hours, all time counts. */
export function businessSeconds(hours: BusinessHours | null, from: Date, to: Date): number {
  if (to <= from) return 0;
  if (hours === null) return (to.getTime() - from.getTime()) / SECOND_MS;
  let used = 0;
  for (const { start, end } of openSpans(hours, from.getTime(), to.getTime())) used += end - start;
  return used / SECOND_MS;
}

/**
 * The instant at which `seconds` business seconds have passed since `from`; `from` itself if there are none to wait for. Null if
 * that takes more than ten years.
 */
export function afterBusinessSeconds(hours: BusinessHours | null, from: Date, seconds: number): Date | null {
  if (seconds <= 0) return from;
  let left = Math.round(seconds * SECOND_MS);
  if (hours === null) return new Date(from.getTime() + left);
  for (const { start, end } of openSpans(hours, from.getTime(), from.getTime() + LONGEST_SEARCH_MS)) {
    if (end - start >= left) return new Date(start + left);
    left -= end - start;
  }
  return null;
}

/** The business time between two instants, in order. Between two changes of the clocks local time runs as UTC does. */
function* openSpans(hours: BusinessHours, from: number, to: number): Generator<Span> {
  const week = weekOf(hours.windows);
  if (week.every((day) => day.length === 0)) return;
  const holidays = new Set(hours.holidays);
  for (let start = from; start < to;) {
    const end = nextChange(start, Math.min(to, start + LONGEST_SEARCH_MS), hours.zone) ?? to;
    const offset = offsetAt(start, hours.zone);
    for (const open of openWalls(week, holidays, start + offset, end + offset))
      yield { start: open.start - offset, end: open.end - offset };
    start = end;
  }
}

/** The same in local time, as the milliseconds of the same wall-clock time in UTC. */
function* openWalls(week: readonly Span[][], holidays: ReadonlySet<string>, from: number, to: number): Generator<Span> {
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const date = new Date(day);
    const windows = week[date.getUTCDay()];
    if (windows.length === 0 || holidays.has(date.toISOString().slice(0, 10))) continue;
    for (const window of windows) {
      const start = Math.max(from, day + window.start);
      const end = Math.min(to, day + window.end);
      if (start < end) yield { start, end };
    }
  }
}

/** The windows of each day, Sunday first as `Date` counts, in order and without overlaps. */
function weekOf(windows: readonly Window[]): Span[][] {
  const week: Span[][] = Array.from({ length: 7 }, () => []);
  const spans = windows.map(({ weekday, start, end }) => ({ day: weekday % 7, start: millisecondsOf(start), end: millisecondsOf(end) }));
  for (const { day, start, end } of spans.sort((one, other) => one.start - other.start)) {
    const last = week[day].at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (start < end) week[day].push({ start, end });
  }
  return week;
}

function millisecondsOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number);
  return (hour * 60 + minute) * MINUTE_MS;
}
