import type { Metric } from './values.js';

/** An SLA clock as a ticket stores it; times are RFC 3339 UTC. See `SlaClock` for what its members mean. */
export interface StoredClock {
  /** From 1; counts how often a next response was due. */
  cycle: number;
  /** Null while no policy measures it: it rests and is not shown, but what was used and a breach stay. */
  target_seconds: number | null;
  used_seconds: number;
  running_since_at: string | null;
  due_at: string | null;
  met_at: string | null;
  breached_at: string | null;
}

/** The clocks of a ticket; those that no policy ever measured are missing. */
export type StoredClocks = Partial<Record<Metric, StoredClock>>;
