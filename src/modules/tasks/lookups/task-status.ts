/** What a status means to the rules and to reports; its name is the team's own. In the order of work. */
export const STATUS_GROUPS = ['backlog', 'unstarted', 'started', 'completed', 'cancelled'] as const;

export type StatusGroup = (typeof STATUS_GROUPS)[number];

/** The statuses a new project starts with, in the order of its board. */
export const DEFAULT_STATUSES: readonly { name: string; group: StatusGroup; is_default: boolean }[] = [
  { name: 'Backlog', group: 'backlog', is_default: false },
  { name: 'Todo', group: 'unstarted', is_default: true },
  { name: 'In progress', group: 'started', is_default: false },
  { name: 'In review', group: 'started', is_default: false },
  { name: 'Done', group: 'completed', is_default: false },
  { name: 'Cancelled', group: 'cancelled', is_default: false },
];

/** Whether work on a task of this group has ended. */
export function isClosed(group: StatusGroup): boolean {
  return group === 'completed' || group === 'cancelled';
}

/** `completed_at` after a move: set on entering a closed group, kept between the two, cleared on leaving them. */
export function completedAt(before: Date | null, group: StatusGroup, now: Date): Date | null {
  return isClosed(group) ? (before ?? now) : null;
}
