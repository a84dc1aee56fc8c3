/** Priorities from the least to the most urgent. Tasks are stored with the rank, so that they sort by it. */
export const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;

export type Priority = (typeof PRIORITIES)[number];

export function rankOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}

export function priorityOf(rank: number): Priority {
  return PRIORITIES[rank];
}
