import { DAY_MS, nextChange, offsetAt } from '../../../kit/index.js';
import { contentLine } from './content-line.js';
import { localText } from './time-values.js';

/** Two dates such as the last Sunday of March are at most 371 days apart. */
const YEAR_MS = 373 * DAY_MS;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The clocks change from one offset to another at an instant; `wall` is what they show just before. Milliseconds. */
interface Change {
  at: number;
  wall: number;
  from: number;
  to: number;
}

/**
 * The VTIMEZONE of a zone that is right from `from` to `to` (milliseconds): two yearly rules, or a component per change where no such rule
 * fits. It contains no history, because some readers fail on long ones.
 */
export function timezoneComponent(zone: string, from: number, to: number): string[] {
  const first = from - YEAR_MS;
  const changes = changesOf(zone, first, to + YEAR_MS);
  const observances = yearlyObservances(changes, from, to) ?? [
    ...observance({ at: first, wall: 0, from: offsetAt(first, zone), to: offsetAt(first, zone) }),
    ...changes.flatMap((change) => observance(change)),
  ];
  return ['BEGIN:VTIMEZONE', contentLine('TZID', zone), ...observances, 'END:VTIMEZONE'];
}

function changesOf(zone: string, from: number, to: number): Change[] {
  const changes: Change[] = [];
  for (let at = nextChange(from, to, zone); at !== null; at = nextChange(at, to, zone)) {
    const before = offsetAt(at - 1, zone);
    // a change of the name only is ignored
    if (before !== offsetAt(at, zone)) changes.push({ at, wall: at + before, from: before, to: offsetAt(at, zone) });
  }
  return changes;
}

/** Two rules of which each fits one change a year from before `from` until after `to`, if there are such. */
function yearlyObservances(changes: readonly Change[], from: number, to: number): string[] | null {
  const kinds = [0, 1].map((parity) => changes.filter((_, index) => index % 2 === parity));
  const observances: string[] = [];
  for (const kind of kinds) {
    const rule = kind.length > 0 && kind[0].at <= from && kind[kind.length - 1].at >= to ? yearlyRule(kind) : null;
    if (rule === null) return null;
    observances.push(...observance(kind[0], rule));
  }
  return observances;
}

function yearlyRule(changes: readonly Change[]): string | null {
  const [{ wall, from, to }] = changes;
  const first = new Date(wall);
  const dates = changes.map((change) => new Date(change.wall));
  const isAlike = changes.every(
    (change, index) =>
      change.from === from &&
      change.to === to &&
      change.wall % DAY_MS === wall % DAY_MS &&
      dates[index].getUTCFullYear() === first.getUTCFullYear() + index &&
      dates[index].getUTCMonth() === first.getUTCMonth() &&
      dates[index].getUTCDay() === first.getUTCDay(),
  );
  if (!isAlike) return null;
  const nths = new Set(dates.map((date) => Math.ceil(date.getUTCDate() / 7)));
  const isLast = dates.every((date) => date.getUTCDate() + 7 > daysOfMonth(date));
  if (!isLast && nths.size > 1) return null;
  const nth = isLast ? -1 : [...nths][0];
  return `FREQ=YEARLY;BYMONTH=${first.getUTCMonth() + 1};BYDAY=${nth}${WEEKDAYS[first.getUTCDay()]}`;
}

function observance({ wall, from, to }: Change, rrule?: string): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    contentLine('DTSTART', localText(wall)),
    contentLine('TZOFFSETFROM', offsetText(from)),
    contentLine('TZOFFSETTO', offsetText(to)),
    ...(rrule ? [contentLine('RRULE', rrule)] : []),
    `END:${kind}`,
  ];
}

/** `+0200`; with seconds if there are some. */
function offsetText(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19).replaceAll(':', '');
  return (offset < 0 ? '-' : '+') + text.replace(/00$/, '');
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
