import type { FrozenEvent } from './outbox-writer.js';
import type { WaitingStatement } from './shared-statements.js';

/** All that a transaction writes. The results of its statements are not needed before the commit. */
export interface WholeChange {
  statements: readonly WaitingStatement[];
  events: readonly FrozenEvent[];
  /** Throws if the change may not be written any more. */
  requireLease(): void;
}

/** A change that a group commits. */
export interface WaitingChange {
  change: WholeChange;
  /** Whether it was committed; if not, nothing of it was written. */
  resolve(committed: boolean): void;
  reject(error: unknown): void;
}

/** The place of a change in a group whose transaction has read what the change needs. */
export class GroupPlace<S = unknown> {
  private readonly end = Promise.withResolvers<true>();
  /** Resolves when the change is ready to commit, or has failed. */
  readonly settled = this.end.promise;
  private readonly group = Promise.withResolvers<boolean>();
  /** Resolves to whether the group was committed: otherwise what the change has seen of it never existed. */
  readonly outcome = this.group.promise;
  private waiting: WaitingChange | null = null;
  private closed = false;

  constructor(
    readonly result: S,
    /** The time of the rows that the change writes. */
    readonly now: Date,
    /** The other changes of the group depend on this one: without it, none is committed. */
    public isRequired: boolean,
  ) {}

  /** Like `GroupCommit.commit`; not committed either if the group no longer waits. */
  commit(change: WholeChange): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.waiting = { change, resolve, reject };
      this.end.resolve(true);
    });
  }

  /** The change has failed. */
  withdraw(): void {
    this.end.resolve(true);
  }

  /** The group has ended. */
  finish(committed: boolean): void {
    this.group.resolve(committed);
  }

  /** Ends the wait; returns the change, or null if it is not ready. */
  close(): WaitingChange | null {
    this.closed = true;
    return this.waiting;
  }
}

/** The group of a change was rolled back, or the change cannot commit with it. */
export class GroupRolledBack extends Error {
  /** SQLSTATE serialization_failure, after which an optimistic change runs again. */
  readonly code = '40001';

  constructor() {
    super('The group of this change was rolled back.');
  }
}

/** Rejects a change that another process has taken over. */
export function holdsLease({ change, reject }: WaitingChange): boolean {
  try {
    change.requireLease();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}
