/** The maximum number of levels, including the top one. */
export const MAX_DEPTH = 10;

/** The intended position of a task in the hierarchy. */
export interface Placement {
  /** Null for a task that does not exist yet. */
  taskId: string | null;
  /** The number of levels of the task's subtree, including the task. */
  height: number;
  /** The new parent and all its ancestors. */
  ancestors: readonly string[];
}

export type PlacementProblem = 'cycle' | 'too_deep';

/** Why the placement is invalid, or null. */
export function placementProblem({ taskId, height, ancestors }: Placement): PlacementProblem | null {
  if (taskId !== null && ancestors.includes(taskId)) return 'cycle';
  return ancestors.length + height > MAX_DEPTH ? 'too_deep' : null;
}
