import { plusDays, currentTime } from '../../../kit/index.js';
import { expand } from '../recurrence/expand.js';
import { describeRule } from '../recurrence/rule-words.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { dayName, spanText } from '../time/moments.js';
import { resolveLocal, utcOffsetAt } from '../time/zone-time.js';
import { deviationsOf, ruleOf, spanOf, type TimedEvent } from './event-objects.js';

/** The most dates of each kind that a mail names. */
const MOST_NAMED = 10;

/** When an event takes place, in words: in its own zone, which is named, and in UTC. */
export function timesOf(time: TimedEvent, zone: string): { local: string; utc: string | null } {
  const { all_day, start_on, end_on, start_at, end_at } = time;
  if (all_day) return { local: `${daysOf(start_on as string, end_on as string)}, all day`, utc: null };
  return {
    local: `${spanText(zone, start_at, end_at)} (${zone}, UTC${utcOffsetAt(start_at, zone)})`,
    utc: spanText('UTC', start_at, end_at),
  };
}

/** How a series repeats, in words; null for a single event. */
export function repeatsOf(event: ScheduleEvent): string | null {
  const rule = ruleOf(event);
  return rule ? describeRule(rule, event.start_on ?? event.start_local) : null;
}

/**
 * Where a series deviates from its rule: `Not on: Monday 29 March 2027`, and for a date that was changed, what it has of its own.
 * Dates that are over are left out.
 */
export function deviationsInWords(event: ScheduleEvent, instances: readonly Instance[], now = currentTime()): [string, string][] {
  const rule = ruleOf(event);
  if (!rule) return [];
  const { changed, canceledOn } = deviationsOf(event, instances);
  // a rule that was changed may no longer have the date
  const planned = new Set(expand(rule, event.start_local.slice(0, 10)));
  const today = now.toISOString().slice(0, 10);
  const omitted = canceledOn.filter((on) => on >= today && planned.has(on));
  const upcoming = changed.filter(({ end_at }) => end_at > now);
  return [
    ...(omitted.length > 0 ? [['Not on', listed(omitted.map((on) => dayName(on)))] as [string, string]] : []),
    ...upcoming.slice(0, MOST_NAMED).map((instance) => ['Changed', changeInWords(event, instance)] as [string, string]),
    ...(upcoming.length > MOST_NAMED ? [['Changed', more(upcoming.length)] as [string, string]] : []),
  ];
}

/** `Monday 22 March 2027: Wednesday 24 March 2027, 14:00 to 15:00, Off-site`. */
function changeInWords(event: ScheduleEvent, instance: Instance): string {
  const { overrides, status, original_start_local } = instance;
  const span = spanOf(instance);
  const at = span.all_day
    ? daysOf(span.start_on as string, span.end_on as string)
    : spanText(event.timezone, instance.start_at, instance.end_at);
  const isElsewhere = instance.start_at.getTime() !== resolveLocal(original_start_local, event.timezone).getTime();
  const own = [
    ...(overrides.time || isElsewhere ? [at] : []),
    ...(overrides.title ? [overrides.title] : []),
    ...(overrides.location ? [overrides.location] : []),
    ...(status === event.status ? [] : [status]),
  ];
  const text = own.length > 0 ? own.join(', ') : 'details of its own';
  return `${dayName(original_start_local.slice(0, 10))}: ${text.replace(/\s+/g, ' ')}`;
}

function listed(days: readonly string[]): string {
  return days.length <= MOST_NAMED ? days.join('; ') : `${days.slice(0, MOST_NAMED).join('; ')}; ${more(days.length)}`;
}

function more(count: number): string {
  return `and ${count - MOST_NAMED} more`;
}

/** The end is exclusive. */
function daysOf(start: string, end: string): string {
  const last = plusDays(end, -1);
  return last === start ? dayName(start) : `${dayName(start)} to ${dayName(last)}`;
}
