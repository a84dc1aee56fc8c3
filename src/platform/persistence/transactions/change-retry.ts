import { isConflict } from '../database/pg-errors.js';

/** Whether a change, or a part of it that is attempted, runs again after a conflict: once, if it has asked for it. */
export class ChangeRetry {
  private isWanted = false;
  private isSpent = false;

  /** Whether another run can follow the current one. */
  want(): boolean {
    this.isWanted = !this.isSpent;
    return this.isWanted;
  }

  /** Whether another run follows the current one, which failed. */
  follows(error: unknown): boolean {
    if (!this.isWanted || !isConflict(error)) return false;
    this.isWanted = false;
    this.isSpent = true;
    return true;
  }
}
