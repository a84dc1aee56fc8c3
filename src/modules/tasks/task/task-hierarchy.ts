/** How many levels tasks may nest, the top one included. */
export const DEEPEST = 10;

/** Where a task would hang. */
export interface Placement {
  /** null for a task that is yet to be created. */
  taskId: string | null;
  /** Levels of the task's own subtree, itself included. */
  height: number;
  /** The new parent and all above it. */
  ancestors: readonly string[];
}

/** Why a task cannot hang there, or null. */
export function placementProblem({ taskId, height, ancestors }: Placement): 'cycle' | 'too_deep' | null {
  if (taskId !== null && ancestors.includes(taskId)) return 'cycle';
  return ancestors.length + height > DEEPEST ? 'too_deep' : null;
}
