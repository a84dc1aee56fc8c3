import { afterBusinessSeconds, businessSeconds, type BusinessHours } from './business-hours.js';

/** One SLA clock of a ticket: the business time that is allowed, and the time used so far. */
export interface SlaClock {
  /** Business seconds that the policy allows. */
  target_seconds: number;
  /** Business seconds used until `running_since_at`, or in total while the clock does not run. */
  used_seconds: number;
  /** Null while the clock is paused, and once it is met. */
  running_since_at: Date | null;
  /** When the target is reached if nothing happens; null while the clock is paused, and if that takes more than ten years. */
  due_at: Date | null;
  /** When the target was met. */
  met_at: Date | null;
  /** When the clock was breached. It is never reset: a clock is breached once. */
  breached_at: Date | null;
}

export function startClock(targetSeconds: number, hours: BusinessHours | null, now: Date): SlaClock {
  return run({ target_seconds: targetSeconds, used_seconds: 0, met_at: null, breached_at: null }, hours, now);
}

export function isPaused({ running_since_at, met_at }: SlaClock): boolean {
  return running_since_at === null && met_at === null;
}

/** Whether the target has passed but the clock is not marked as breached yet. */
function isOverdue({ due_at, met_at, breached_at }: SlaClock, now: Date): boolean {
  return met_at === null && breached_at === null && due_at !== null && due_at <= now;
}

/** The clock with its due time by hours that were changed while it ran. A breach that was noticed stays where it was. */
export function dueBy(clock: SlaClock, hours: BusinessHours | null): SlaClock {
  const { running_since_at, breached_at, target_seconds, used_seconds } = clock;
  if (running_since_at === null || breached_at !== null) return clock;
  return { ...clock, due_at: afterBusinessSeconds(hours, running_since_at, target_seconds - used_seconds) };
}

/** Marks the clock as breached if it is overdue. All other functions do so, too. */
export function breachClock(clock: SlaClock, now: Date): SlaClock {
  return isOverdue(clock, now) ? { ...clock, breached_at: clock.due_at } : clock;
}

/** The used time is kept; pausing twice changes nothing. */
export function pauseClock(clock: SlaClock, hours: BusinessHours | null, now: Date): SlaClock {
  if (clock.running_since_at === null) return clock;
  return { ...stopped(clock, hours, now), due_at: null };
}

/** Continues a paused clock, or one that was met: reopening a ticket resumes the resolution clock. */
export function resumeClock(clock: SlaClock, hours: BusinessHours | null, now: Date): SlaClock {
  return clock.running_since_at === null ? run({ ...clock, met_at: null }, hours, now) : clock;
}

/** Marks the target as met. The due time is kept for display; a clock is met once. */
export function meetClock(clock: SlaClock, hours: BusinessHours | null, now: Date): SlaClock {
  return clock.met_at === null ? { ...stopped(clock, hours, now), met_at: now } : clock;
}

/**
 * Changes the target or hours, because of a new priority, queue or policy: `before` are the hours until now, `after` those from now on.
 * The used time and a pause are kept; a target that is already used up is due now.
 */
export function retargetClock(
  clock: SlaClock,
  targetSeconds: number,
  { before, after }: { before: BusinessHours | null; after: BusinessHours | null },
  now: Date,
): SlaClock {
  if (clock.running_since_at === null) return { ...clock, target_seconds: targetSeconds };
  return run({ ...stopped(clock, before, now), target_seconds: targetSeconds }, after, now);
}

function run(clock: Omit<SlaClock, 'running_since_at' | 'due_at'>, hours: BusinessHours | null, now: Date): SlaClock {
  const left = clock.target_seconds - clock.used_seconds;
  return { ...clock, running_since_at: now, due_at: afterBusinessSeconds(hours, now, left) };
}

function stopped(clock: SlaClock, hours: BusinessHours | null, now: Date): SlaClock {
  if (clock.running_since_at === null) return clock;
  const used = clock.used_seconds + businessSeconds(hours, clock.running_since_at, now);
  return { ...breachClock(clock, now), used_seconds: used, running_since_at: null };
}
