import { METRICS, type Metric, type StatusCategory } from '../model/values.js';
import type { StoredClock, StoredClocks } from '../model/stored-clocks.js';
import type { BusinessHours } from './business-hours.js';
import { breachClock, dueBy, meetClock, pauseClock, resumeClock, retargetClock, startClock, type SlaClock } from './sla-clock.js';

/** The columns of a ticket on which its clocks depend. */
export interface ClockedTicket {
  status_category: StatusCategory;
  first_answered_at: Date | null;
  waiting_since_at: Date | null;
}

/** The targets of a policy for a ticket. */
export interface ClockRules {
  /** Business minutes; null: not measured. */
  targets: Readonly<Record<Metric, number | null>>;
  /** Null: around the clock. */
  hours: BusinessHours | null;
  pauseOnHold: boolean;
}

/** When the clocks of a ticket need attention. */
export interface DueTimes {
  /** The first due time of a clock that runs, breached or not. */
  sla_due_at: Date | null;
  /** The same for clocks that are not breached yet. */
  breach_due_at: Date | null;
}

/**
 * The clocks of a ticket after a change. `hoursBefore` are those that its running clocks were started with, as they are now: if somebody
 * has changed them since, due times move. Calling it again changes nothing but clocks that became overdue.
 */
export function nextClocks(
  stored: StoredClocks,
  ticket: ClockedTicket,
  rules: ClockRules | null,
  hoursBefore: BusinessHours | null,
  now: Date,
): StoredClocks {
  const next: StoredClocks = {};
  for (const metric of METRICS) {
    const before = stored[metric];
    const minutes = rules?.targets[metric] ?? null;
    const clock =
      rules === null || minutes === null
        ? before && restingClock(metric, before, ticket, hoursBefore, now)
        : nextClock(metric, before, ticket, { ...rules, hoursBefore, target: minutes * 60 }, now);
    if (clock) next[metric] = clock;
  }
  return next;
}

export function dueTimes(clocks: StoredClocks): DueTimes {
  const running = Object.values(clocks).filter(({ met_at, due_at }) => met_at === null && due_at !== null);
  const earliest = (some: readonly StoredClock[]) =>
    some.length === 0 ? null : new Date(Math.min(...some.map(({ due_at }) => Date.parse(due_at as string))));
  return { sla_due_at: earliest(running), breach_due_at: earliest(running.filter(({ breached_at }) => breached_at === null)) };
}

/** The clocks that were breached between two states of a ticket. */
export function newBreaches(before: StoredClocks, after: StoredClocks): { metric: Metric; cycle: number; due_at: Date }[] {
  return METRICS.flatMap((metric) => {
    const [old, clock] = [before[metric], after[metric]];
    if (!clock || clock.breached_at === null || (old?.cycle === clock.cycle && old.breached_at !== null)) return [];
    return [{ metric, cycle: clock.cycle, due_at: new Date(clock.breached_at) }];
  });
}

interface Timing extends ClockRules {
  hoursBefore: BusinessHours | null;
  /** Seconds. */
  target: number;
}

function nextClock(
  metric: Metric,
  stored: StoredClock | undefined,
  ticket: ClockedTicket,
  timing: Timing,
  now: Date,
): StoredClock | undefined {
  const { hours, target, hoursBefore } = timing;
  const isWanted = wants(metric, ticket);
  const isNewCycle = metric === 'next_response' && isWanted && (!stored || stored.met_at !== null);
  const cycle = (stored?.cycle ?? 0) + (isNewCycle || !stored ? 1 : 0);
  if (!isWanted && !stored) return undefined;
  let clock = isNewCycle || !stored ? startClock(target, hours, now) : seenClock(stored, target, hoursBefore, now);
  if (clock.target_seconds !== target || hours !== hoursBefore)
    clock = retargetClock(clock, target, { before: hoursBefore, after: hours }, now);
  if (isMet(metric, ticket)) clock = meetClock(clock, hours, now);
  else if (!isWanted || isPaused(ticket, timing)) clock = pauseClock(clock, hours, now);
  else clock = resumeClock(clock, hours, now);
  return { cycle, ...storedOf(clock) };
}

/** A clock without a target: it can still be met, and continues once it has a target again. */
function restingClock(
  metric: Metric,
  stored: StoredClock,
  ticket: ClockedTicket,
  hoursBefore: BusinessHours | null,
  now: Date,
): StoredClock {
  const seen = seenClock(stored, 0, hoursBefore, now);
  const clock = isMet(metric, ticket) ? meetClock(seen, hoursBefore, now) : pauseClock(seen, hoursBefore, now);
  return { cycle: stored.cycle, ...storedOf(clock), target_seconds: null };
}

/** A stored clock with its due time by the current hours, breached if that has passed. `target` is used if the stored clock has none. */
function seenClock(stored: StoredClock, target: number, hours: BusinessHours | null, now: Date): SlaClock {
  return breachClock(dueBy(clockOf(stored, target), hours), now);
}

/** Whether the clock's target is pending. */
function wants(metric: Metric, { status_category, first_answered_at, waiting_since_at }: ClockedTicket): boolean {
  if (metric === 'first_response') return first_answered_at === null;
  if (metric === 'next_response') return first_answered_at !== null && waiting_since_at !== null;
  return isUnsolved(status_category);
}

/** Whether the target was met. A ticket that a merge closes without solving it meets nothing: its clocks stop. */
function isMet(metric: Metric, { status_category, first_answered_at, waiting_since_at }: ClockedTicket): boolean {
  if (metric === 'first_response') return first_answered_at !== null;
  if (metric === 'next_response') return waiting_since_at === null;
  return status_category === 'solved';
}

function isPaused({ status_category }: ClockedTicket, { pauseOnHold }: Timing): boolean {
  return status_category === 'pending' || (status_category === 'on_hold' && pauseOnHold) || !isUnsolved(status_category);
}

function isUnsolved(category: StatusCategory): boolean {
  return category !== 'solved' && category !== 'closed';
}

function clockOf({ cycle: _, ...stored }: StoredClock, target: number): SlaClock {
  const { target_seconds, running_since_at, due_at, met_at, breached_at } = stored;
  return {
    ...stored,
    target_seconds: target_seconds ?? target,
    running_since_at: timeOf(running_since_at),
    due_at: timeOf(due_at),
    met_at: timeOf(met_at),
    breached_at: timeOf(breached_at),
  };
}

function storedOf(clock: SlaClock): Omit<StoredClock, 'cycle'> {
  return {
    target_seconds: clock.target_seconds,
    used_seconds: clock.used_seconds,
    running_since_at: textOf(clock.running_since_at),
    due_at: textOf(clock.due_at),
    met_at: textOf(clock.met_at),
    breached_at: textOf(clock.breached_at),
  };
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
