/** The meaning of a status for rules and reports, in workflow order; the team chooses the status's name. */
export const STATUS_GROUPS = ['backlog', 'unstarted', 'started', 'completed', 'cancelled'] as const;

export type StatusGroup = (typeof STATUS_GROUPS)[number];

/** The statuses of a new project, in board order. */
export const DEFAULT_STATUSES: readonly { name: string; group: StatusGroup; is_default: boolean }[] = [
  { name: 'Backlog', group: 'backlog', is_default: false },
  { name: 'Todo', group: 'unstarted', is_default: true },
  { name: 'In progress', group: 'started', is_default: false },
  { name: 'In review', group: 'started', is_default: false },
  { name: 'Done', group: 'completed', is_default: false },
  { name: 'Cancelled', group: 'cancelled', is_default: false },
];

/** Whether a task in this group is closed. */
export function isClosed(group: StatusGroup): boolean {
  return group === 'completed' || group === 'cancelled';
}

/** `completed_at` after a status change: set on closing, kept between closed groups, cleared on reopening. */
export function completedAt(before: Date | null, group: StatusGroup, now: Date): Date | null {
  return isClosed(group) ? (before ?? now) : null;
}
