/** One quota: `limit` requests in any `windowSeconds`, counted for `id`. A `name` always has the same window. */
export interface Bucket {
  name: string;
  id: string;
  limit: number;
  windowSeconds: number;
}

export interface Admission {
  admitted: boolean;
  /**
   * The bucket with the least remaining after the charge; of a rejected call, the rejecting bucket that opens last.
   * `resetSeconds` (whole, at least 1): until its `remaining` next grows, so for a rejected call until one is admitted.
   */
  tightest: { limit: number; remaining: number; resetSeconds: number };
  /** 0 when admitted. */
  retryAfterSeconds: number;
  /** What cached keys are compared with; '' means unknown: trust no cache. See KeysEpoch. */
  keysEpoch: string;
}

/**
 * A sliding window that is never too generous: no span of `windowSeconds` holds more than `limit` admitted calls.
 *
 * Calls of one clock second are kept as a group (a count and the time of its last call) and leave together, when the last
 * of them is a window old. A call is so held up to one second too long, never too short, and a wait never exceeds
 * the window. At most `windowSeconds + 1` groups are alive, whatever the limit.
 *
 * All buckets are charged, or none. They are distinct, and there is at least one.
 */
export abstract class Limiter {
  abstract admit(buckets: readonly Bucket[]): Admission | Promise<Admission>;
}
