import { isConflict, isTaken } from '../database/pg-errors.js';

type Cause = 'taken' | 'stale';

/**
 * Whether a change, or a part of it that is attempted, runs again after a conflict, if it has asked for it: once because a unique value
 * was taken, which the next run finds, and once because what it had read was stale, which the next run locks.
 */
export class ChangeRetry {
  private isWanted = false;
  private readonly spent = new Set<Cause>();

  /** Whether the change runs for the first time. */
  want(): boolean {
    this.isWanted = true;
    return this.spent.size === 0;
  }

  /** Whether another run follows the current one, which failed. */
  follows(error: unknown): boolean {
    if (!this.isWanted || !isConflict(error)) return false;
    this.isWanted = false;
    const cause = isTaken(error) ? 'taken' : 'stale';
    if (this.spent.has(cause)) return false;
    this.spent.add(cause);
    return true;
  }
}
