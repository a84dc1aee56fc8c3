/** Priorities from least to most urgent. Tasks store the rank (the index) so that the database can sort by it. */
export const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;

export type Priority = (typeof PRIORITIES)[number];

export function rankOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}

export function priorityOf(rank: number): Priority {
  return PRIORITIES[rank];
}
