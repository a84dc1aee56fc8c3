import { isDeepStrictEqual } from 'node:util';
import { CommonErrors, plusDays } from '../../../kit/index.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import type { Instance } from '../model/records/instance.entity.js';
import { expand } from '../recurrence/expand.js';
import { parseRule, type RecurrenceRule } from '../recurrence/recurrence-rule.js';
import { resolveLocal } from '../time/zone-time.js';
import { daysBetween, timeAt, timeOf, type EventTime, type SentTime } from './event-time.js';
import { timeOfEvent } from './event-writer.js';
import type { UpdateEventDto } from './events.dto.js';
import { dateIn, instancesOfSeries, instanceTimes, type PlannedInstance, type Series } from './series.js';

const TIME_FIELDS = ['start_at', 'end_at', 'timezone', 'all_day', 'start_on', 'end_on'] as const;
const OF_ALL_ONLY = ['timezone', 'all_day', 'recurrence', 'show_as', 'custom_fields'] as const;

export function changesTime(body: UpdateEventDto): boolean {
  return TIME_FIELDS.some((name) => body[name] !== undefined);
}

/** Whether two times are equal, however they were sent. */
export function isSameTime(one: EventTime, other: EventTime): boolean {
  const shown = (time: EventTime) => ({ all_day: time.all_day, timezone: time.timezone, ...instanceTimes(time) });
  return isDeepStrictEqual(shown(one), shown(other));
}

/** Whether two series of the same start have the same rule and leave out the same dates. */
export function isSameSeries(one: Series, other: Series): boolean {
  return one.rrule === other.rrule && isDeepStrictEqual(one.exdates, other.exdates);
}

/** The current rule of a series. */
export function ruleOf({ rrule, all_day, start_on, start_local, timezone }: ScheduleEvent): RecurrenceRule {
  return parseRule(rrule as string, { local: all_day ? (start_on as string) : start_local, zone: timezone });
}

/** The time that the rule of its series gives an instance. */
export function timeInSeries(event: ScheduleEvent, { original_start_local, original_start_at }: Instance): EventTime {
  return timeAt(timeOfEvent(event), original_start_local, original_start_at);
}

/** The times of an instance. */
export function timeOfInstance(event: ScheduleEvent, { start_at, end_at, start_local, end_on }: Instance): EventTime {
  const start_on = event.all_day ? dateIn(start_local) : null;
  return { ...timeOfEvent(event), start_at, end_at, start_local, start_on, end_on };
}

/** The new start of a series. A time that is sent for an instance moves the whole series. */
export function movedSeries(event: ScheduleEvent, instance: Instance | null, sent: SentTime, timezone: string): EventTime {
  if (!instance) return timeOf(sent, timezone, timeOfEvent(event));
  const time = timeOf(sent, timezone, timeInSeries(event, instance));
  const days = daysBetween(dateIn(instance.original_start_local), dateIn(time.start_local));
  const start = plusDays(dateIn(event.start_local), days) + time.start_local.slice(10);
  return timeAt(time, start, resolveLocal(start, timezone));
}

/** A rule for a start on another day. */
export function shifted(rule: RecurrenceRule, before: EventTime, after: EventTime): RecurrenceRule {
  const days = daysBetween(dateIn(before.start_local), dateIn(after.start_local));
  return rule.untilOn === null ? rule : { ...rule, untilOn: plusDays(rule.untilOn, days) };
}

/** A series cut in two before a date of its rule: the rules of both parts. Null if the date is the first one. */
export function split(event: ScheduleEvent, on: string): { before: RecurrenceRule; after: RecurrenceRule } | null {
  const rule = ruleOf(event);
  const dates = expand(rule, dateIn(event.start_local));
  const index = dates.indexOf(on);
  if (index <= 0) return null;
  const after = rule.count === null ? rule : { ...rule, count: dates.length - index };
  return { before: { ...rule, count: null, untilOn: dates[index - 1] }, after };
}

/** The instances after a change: as they are unless time or rule have changed. */
export function instancesAfter(isRescheduled: boolean, time: EventTime, series: Series, instances: readonly Instance[]): PlannedInstance[] {
  return isRescheduled ? instancesOfSeries(time, series, instances) : instances.map(asPlanned);
}

/** The instance as it is stored. */
export function asPlanned(instance: Instance): PlannedInstance {
  const { id, original_start_at, original_start_local, start_at, end_at, start_local, end_on, overrides } = instance;
  return { id, original_start_at, original_start_local, start_at, end_at, start_local, end_on, overrides };
}

/** An instance keeps its position in its series: calendar programs refuse one that is moved onto or past a neighbor. */
export function requireBetweenNeighbors(instance: Instance, moved: EventTime, all: readonly Instance[]): void {
  const index = all.findIndex(({ id }) => id === instance.id);
  const [previous, next] = [all.at(index - 1), all.at(index + 1)];
  const on = dateIn(moved.start_local);
  const after = index > 0 && previous ? dateIn(previous.start_local) : '';
  const before = next ? dateIn(next.start_local) : '9999-99-99';
  if (on > after && on < before) return;
  throw CommonErrors.validationFailed({
    param: moved.all_day ? 'start_on' : 'start_at',
    message: 'an instance cannot be moved to the day of the instance before or after it, or past them; change the following ones instead',
  });
}

/** Rejects fields that a single instance cannot have of its own. */
export function requireInstanceFields(body: UpdateEventDto): void {
  const param = OF_ALL_ONLY.find((name) => body[name] !== undefined);
  if (param !== undefined)
    throw CommonErrors.validationFailed({
      param,
      message: `${param} cannot differ between instances; send apply_to: "following" or "all"`,
    });
}

export function byOriginalStart(a: Instance, b: Instance): number {
  return a.original_start_local < b.original_start_local ? -1 : 1;
}
