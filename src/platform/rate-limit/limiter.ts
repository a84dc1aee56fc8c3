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
   * The bucket with the least remaining after the charge; of a rejected call, the exhausted bucket with the longest wait.
   * `resetSeconds` (an integer, at least 1): until its `remaining` next increases.
   */
  tightest: { limit: number; remaining: number; resetSeconds: number };
  /** 0 when admitted. */
  retryAfterSeconds: number;
  /** `KeyChanges.lastOf` of the subjects, as of this call. */
  keysChangedAt: number;
}

/**
 * A sliding window that never admits too many: no span of `windowSeconds` contains more than `limit` admitted calls.
 *
 * Calls within one clock second form a group (a count and the time of its last call), which expires when its last call is one
 * window old. So a call counts up to one second too long, never too short, and a wait never exceeds the window. There are at
 * most `windowSeconds + 1` groups, whatever the limit.
 *
 * Either all buckets are charged or none. They must be distinct, and there must be at least one.
 */
export abstract class Limiter {
  /** `subjects`: of the key that calls, see KeyChanges. */
  abstract admit(buckets: readonly Bucket[], subjects?: readonly string[]): Admission | Promise<Admission>;
}
