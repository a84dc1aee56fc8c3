import { MINUTE_MS, plusDays } from '../../../kit/index.js';
import { fullSpans, type Span } from '../time/spans.js';
import { resolveWall, wallAt, wallText, weekdayOf } from '../time/zone-time.js';

export const MOST_SLOTS = 5000;

/** Local times `HH:MM`; `end` up to `24:00`. */
export interface TimeWindow {
  start: string;
  end: string;
}

export interface OpeningHours {
  /** `weekday` is 1 for Monday to 7 for Sunday. */
  rules: readonly (TimeWindow & { weekday: number })[];
  /** Each replaces the rules of its date; without windows the day is closed. */
  overrides: readonly { on: string; windows: readonly TimeWindow[] }[];
}

interface SlotSettings {
  /** The distance between the starts of slots, counted from the start of each window. */
  slotMinutes: number;
  minNoticeMinutes: number;
  /** Slots start at most so many local days after today. */
  horizonDays: number;
  /** The most bookings that start on a local day; null: any number. */
  dailyLimit: number | null;
}

/** What can be booked: a resource, or the calendar itself if `id` is null. */
export interface Bookable {
  id: string | null;
  hours: OpeningHours;
  settings: SlotSettings;
  /** Minutes that a booking keeps free before and after: those of calendar and resource together. */
  bufferBefore: number;
  bufferAfter: number;
  /** The number of simultaneous uses it allows. */
  capacity: number;
  /** Its uses, with their own buffers, in any order. */
  uses: readonly Span[];
  /** What else the person does that it is, or whose calendar it is: with buffers, in any order. It blocks whatever the capacity. */
  personBusy: readonly Span[];
}

export interface SlotsInput {
  /** The calendar's. */
  zone: string;
  now: number;
  /** Slots start at or after `from` and before `to`. */
  from: number;
  to: number;
  durationMinutes: number;
  bookables: readonly Bookable[];
  /** Events of the calendar that block everything, with its buffers: those without a resource, or all. */
  calendarBusy: readonly Span[];
  /** The starts of the calendar's live bookings on the local days in question, for `dailyLimit`. */
  bookingStarts: readonly number[];
  /** 5,000 if absent. */
  limit?: number;
}

export interface Slot extends Span {
  /** The ids of those that are free, in the order of `bookables`; the calendar itself does not appear. */
  resourceIds: string[];
}

export interface Slots {
  slots: Slot[];
  /** The first start that did not fit below the limit. */
  nextFrom: number | null;
}

/**
 * The free slots in order of their starts. Windows of a day join, and one that ends at 24:00 joins the next day's, so that a
 * slot may pass midnight; the grid of starts begins again with the first window of each day, whatever `from` is. Buffers may
 * reach outside the windows, but not into a use.
 */
export function freeSlots(input: SlotsInput): Slots {
  const { zone, durationMinutes, limit = MOST_SLOTS } = input;
  const duration = durationMinutes * MINUTE_MS;
  const windowsOf = new Map<OpeningHours, Opening[]>();
  const found = new Map<number, string[]>();
  const isFullDay = dayLimits(input);
  for (const bookable of input.bookables) {
    const { id, hours, settings } = bookable;
    const range = rangeOf(input, settings);
    let openings = windowsOf.get(hours);
    if (!openings) windowsOf.set(hours, (openings = openingsOf(hours, zone, input.from, input.to)));
    const [before, after] = [bookable.bufferBefore * MINUTE_MS, bookable.bufferAfter * MINUTE_MS];
    const blocked = union([...input.calendarBusy, ...bookable.personBusy, ...fullSpans(bookable.uses, bookable.capacity)]);
    let next = 0;
    for (const start of startsIn(openings, settings.slotMinutes * MINUTE_MS, duration, range)) {
      while (next < blocked.length && blocked[next].end <= start - before) next++;
      if (next < blocked.length && blocked[next].start < start + duration + after) continue;
      if (settings.dailyLimit !== null && isFullDay(start, settings.dailyLimit)) continue;
      const free = found.get(start);
      if (!free) found.set(start, id === null ? [] : [id]);
      else if (id !== null) free.push(id);
    }
  }
  const starts = [...found.keys()].sort((a, b) => a - b);
  return {
    slots: starts.slice(0, limit).map((start) => ({ start, end: start + duration, resourceIds: found.get(start) as string[] })),
    nextFrom: starts[limit] ?? null,
  };
}

/** A time that is taken; `id` is of the resource, null for the calendar. */
interface BusyTime extends Span {
  id: string | null;
}

/**
 * Slots and taken times of one answer, which both end at `nextFrom`: a taken time that starts earlier is never left out, since its reader
 * would hold it for free. What has begun at `from` is returned whatever the limit, so that the next answer always gets further.
 */
export function pageOf({ slots, nextFrom }: Slots, busy: readonly BusyTime[], from: number, limit: number): Slots & { busy: BusyTime[] } {
  const taken = [...busy].sort((a, b) => a.start - b.start);
  const leftOut = taken.filter(({ start }) => start > from)[limit]?.start ?? Infinity;
  const end = Math.min(nextFrom ?? Infinity, leftOut);
  return {
    slots: slots.filter(({ start }) => start < end),
    busy: taken.filter(({ start }) => start < end),
    nextFrom: end === Infinity ? null : end,
  };
}

export interface Opening extends Span {
  /** The end of the windows that follow without a gap. */
  joinedEnd: number;
}

/** Window by window of the local days from the one before `from` to that of `to`. */
export function openingsOf(hours: OpeningHours, zone: string, from: number, to: number): Opening[] {
  const overrides = new Map(hours.overrides.map(({ on, windows }) => [on, windows]));
  const openings: Opening[] = [];
  // the day after the last one may continue its windows
  const last = plusDays(dayOf(to, zone), 1);
  let [on, dayStart] = [plusDays(dayOf(from, zone), -1), 0];
  dayStart = resolveOn(on, 0, zone);
  while (on <= last) {
    const next = plusDays(on, 1);
    const dayEnd = resolveOn(next, 0, zone);
    const weekday = weekdayOf(on);
    const windows = overrides.get(on) ?? hours.rules.filter((rule) => rule.weekday === weekday);
    const spans = windows.map(({ start, end }) => ({
      start: Math.max(resolveOn(on, minutesOf(start), zone), dayStart),
      end: Math.min(resolveOn(on, minutesOf(end), zone), dayEnd),
    }));
    for (const span of union(spans)) openings.push({ ...span, joinedEnd: span.end });
    [on, dayStart] = [next, dayEnd];
  }
  for (let index = openings.length - 2; index >= 0; index--)
    if (openings[index].end === openings[index + 1].start) openings[index].joinedEnd = openings[index + 1].joinedEnd;
  return openings;
}

function* startsIn(openings: readonly Opening[], step: number, duration: number, range: Span): Generator<number> {
  for (const { start, end, joinedEnd } of openings) {
    const skipped = Math.max(0, Math.ceil((range.start - start) / step));
    const stop = Math.min(end, range.end);
    for (let at = start + skipped * step; at < stop && at + duration <= joinedEnd; at += step) yield at;
  }
}

/** The range in which slots may start. Notice and horizon only remove slots; they never move the grid. */
function rangeOf({ zone, now, from, to }: SlotsInput, { minNoticeMinutes, horizonDays }: SlotSettings): Span {
  const horizon = resolveOn(plusDays(dayOf(now, zone), horizonDays + 1), 0, zone);
  return { start: Math.max(from, now + minNoticeMinutes * MINUTE_MS), end: Math.min(to, horizon) };
}

function dayLimits({ zone, bookingStarts }: SlotsInput): (start: number, limit: number) => boolean {
  const counts = new Map<string, number>();
  for (const start of bookingStarts) counts.set(dayOf(start, zone), (counts.get(dayOf(start, zone)) ?? 0) + 1);
  return (start, limit) => (counts.get(dayOf(start, zone)) ?? 0) >= limit;
}

function dayOf(at: number, zone: string): string {
  return wallText(wallAt(at, zone)).slice(0, 10);
}

/** The instant of a local time, in minutes since midnight; 1440 is the start of the next day. */
function resolveOn(on: string, minutes: number, zone: string): number {
  return resolveWall(Date.parse(`${on}T00:00:00Z`) + minutes * MINUTE_MS, zone);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Sorted, without empty ones; overlapping and adjacent spans are one. */
function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of spans.filter((span) => span.start < span.end).sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
