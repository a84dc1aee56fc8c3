import { uuidv7 } from 'uuidv7';
import { validationError } from '../../../kit/index.js';
import type { Instance, InstanceOverrides } from '../model/records/instance.entity.js';
import { expand, instantsOf } from '../recurrence/expand.js';
import { formatRule, parseRule, type RecurrenceRule } from '../recurrence/recurrence-rule.js';
import { timeAt, type EventTime } from './event-time.js';

/** A recurrence as it is sent. */
export interface SentRecurrence {
  rrule: string;
  exdates?: readonly string[];
}

/** A series: its rule, and the starts of its instances. */
export interface Series {
  rule: RecurrenceRule;
  /** The canonical value of the RRULE. */
  rrule: string;
  /** Local dates in order. */
  exdates: string[];
  dates: { local: string; at: Date }[];
}

/** An instance to be written: its times, and what it has of its own. */
export interface PlannedInstance {
  id: string;
  original_start_at: Date;
  original_start_local: string;
  start_at: Date;
  end_at: Date;
  start_local: string;
  end_on: string | null;
  overrides: InstanceOverrides;
}

/** Reads a rule and expands it from the start of the event. */
export function seriesOf(time: EventTime, sent: SentRecurrence): Series {
  return expanded(time, parseRule(sent.rrule, startOf(time)), sent.exdates ?? []);
}

export function expanded(time: EventTime, rule: RecurrenceRule, exdates: readonly string[]): Series {
  const start = startOf(time);
  const left = new Set(exdates);
  const dates = instantsOf(
    expand(rule, start.local).filter((local) => !left.has(dateIn(local))),
    start,
  );
  if (dates.length === 0)
    throw validationError([
      { param: 'recurrence.exdates', code: 'invalid_value', message: 'recurrence.exdates must leave at least one instance' },
    ]);
  return { rule, rrule: formatRule(rule, start), exdates: [...left].sort(), dates };
}

/** The instances of a series by its rule. Those whose date remains keep their ids and what they have of their own, except times. */
export function instancesOfSeries(time: EventTime, { dates }: Series, before: readonly Instance[] = []): PlannedInstance[] {
  const known = new Map(before.map((instance) => [dateIn(instance.original_start_local), instance]));
  return dates.map(({ local, at }) => {
    const existing = known.get(dateIn(local));
    const { time: _, ...overrides } = existing?.overrides ?? {};
    return instanceAt(existing?.id ?? uuidv7(), timeAt(time, local, at), overrides);
  });
}

/** An instance at the time that its rule, or its single event, gives it. */
export function instanceAt(id: string, time: EventTime, overrides: InstanceOverrides = {}): PlannedInstance {
  return { ...instanceTimes(time), id, original_start_at: time.start_at, original_start_local: time.start_local, overrides };
}

/** The time columns of an instance. */
export function instanceTimes({
  start_at,
  end_at,
  start_local,
  end_on,
}: EventTime): Pick<PlannedInstance, 'start_at' | 'end_at' | 'start_local' | 'end_on'> {
  return { start_at, end_at, start_local, end_on };
}

/** The local date of a local time. */
export function dateIn(local: string): string {
  return local.slice(0, 10);
}

function startOf({ all_day, start_on, start_local, timezone }: EventTime): { local: string; zone: string } {
  return { local: all_day ? (start_on as string) : start_local, zone: timezone };
}
