import { dateOf, localOf, weekdayOf } from './zone-time.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `09:00` */
export function clockIn(zone: string, at: Date): string {
  return localOf(at, zone).slice(11, 16);
}

/** `Monday 29 March`; with the year if it is not this one. */
export function dayName(on: string, yearKnown?: string): string {
  const [year, month, day] = on.split('-');
  const name = `${WEEKDAYS[weekdayOf(on) - 1]} ${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === yearKnown ? name : `${name} ${year}`;
}

/** `Monday 29 March 2027, 09:00 to 09:30`; names the second day if the times are on two. */
export function spanText(zone: string, start: Date, end: Date): string {
  const [first, last] = [dateOf(start, zone), dateOf(end, zone)];
  const until = first === last ? clockIn(zone, end) : `${dayName(last)}, ${clockIn(zone, end)}`;
  return `${dayName(first)}, ${clockIn(zone, start)} to ${until}`;
}

/** `Europe/Berlin` as people read it: `Berlin`, `Buenos Aires`; with the region where it helps. */
export function zoneName(zone: string): string {
  const [region, ...rest] = zone.replaceAll('_', ' ').split('/');
  return rest.length === 0 ? region : `${rest.at(-1) as string} (${region})`;
}

/** `45 minutes`, `1 hour`, `1 hour 30 minutes` */
export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const of = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  return [...(hours > 0 ? [of(hours, 'hour')] : []), ...(rest > 0 ? [of(rest, 'minute')] : [])].join(' ');
}
