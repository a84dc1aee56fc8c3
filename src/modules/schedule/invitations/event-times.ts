import { describeRule } from '../recurrence/expand.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { plusDays, utcOffsetAt } from '../time/zone-time.js';
import { ruleOf, type TimedEvent } from './event-objects.js';

/** When an event takes place, in words: in its own zone, which is named, and in UTC. */
export function timesOf(time: TimedEvent, zone: string): { local: string; utc: string | null } {
  const { all_day, start_on, end_on, start_at, end_at } = time;
  if (all_day) {
    const last = plusDays(end_on as string, -1);
    const days = last === start_on ? dayOf(start_on) : `${dayOf(start_on as string)} to ${dayOf(last)}`;
    return { local: `${days}, all day`, utc: null };
  }
  return { local: `${spanIn(zone, start_at, end_at)} (${zone}, UTC${utcOffsetAt(start_at, zone)})`, utc: spanIn('UTC', start_at, end_at) };
}

/** How a series repeats, in words; null for a single event. */
export function repeatsOf(event: ScheduleEvent): string | null {
  const rule = ruleOf(event);
  return rule ? describeRule(rule, event.start_on ?? event.start_local) : null;
}

/** `Monday 29 March 2027, 09:00 to 10:30`. */
function spanIn(timeZone: string, start: Date, end: Date): string {
  const date = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const [first, last] = [date.format(start), date.format(end)];
  return `${first}, ${clock.format(start)} to ${first === last ? '' : `${last}, `}${clock.format(end)}`;
}

function dayOf(on: string): string {
  const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return date.format(new Date(`${on}T00:00:00Z`));
}
