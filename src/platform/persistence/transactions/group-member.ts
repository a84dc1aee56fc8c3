import type { GroupCommit } from './group-commit.js';
import type { ClientRead } from './group-reads.js';
import { GroupRolledBack, type GroupPlace, type WholeChange } from './group-place.js';

/** The part of one change in the group that reads for it, if any does. */
export class GroupMember {
  private place: GroupPlace | null = null;
  private isJoining = false;
  private hasEnded = false;
  /** Why the change cannot commit with its group any more; the change runs again. */
  left: GroupRolledBack | null = null;

  constructor(private readonly groups: GroupCommit) {}

  /** Whether the change commits with a group: until then it must not wait for a statement of its own. */
  get hasJoined(): boolean {
    return this.isJoining || this.place !== null;
  }

  /** Null if the group cannot read it. */
  async read<Q, S>(read: ClientRead<Q, S>, request: Q): Promise<GroupPlace<S> | null> {
    if (this.hasJoined) throw this.leave();
    this.isJoining = true;
    const place = await this.groups.read(read, request);
    this.isJoining = false;
    this.place = place;
    if (!this.hasEnded && !this.left) return place;
    place?.withdraw();
    throw this.leave();
  }

  leave(): GroupRolledBack {
    return (this.left ??= new GroupRolledBack());
  }

  requireCommit(): void {
    if (this.place) this.place.isRequired = true;
  }

  async commit(change: WholeChange): Promise<void> {
    if (!this.place || !(await this.place.commit(change))) throw this.leave();
  }

  /** Once the change has ended: whether it may have failed because of something in its group that was never committed. */
  async sawWhatWasRolledBack(): Promise<boolean> {
    return this.place !== null && !(await this.place.outcome);
  }

  /** The change is rolled back. */
  end(): void {
    this.hasEnded = true;
    this.place?.withdraw();
  }
}
