import { CommonErrors } from '../../../kit/index.js';

/** How many there may be of each: all of a project's configuration is read at once, with nearly every write. */
export const MOST = {
  pipelines: { count: 50, where: 'A project' },
  stages: { count: 50, where: 'A pipeline' },
  'lead sources': { count: 200, where: 'A project' },
  'custom fields of a kind': { count: 100, where: 'A project' },
  'assignment rules': { count: 100, where: 'A project' },
} as const;

/** Refuses one more than there may be. Changes of a configuration take turns, so those that are there stay as they are meanwhile. */
export function requireRoom(what: keyof typeof MOST, there: readonly unknown[]): void {
  const { count, where } = MOST[what];
  if (there.length >= count) throw CommonErrors.resourceConflict({ message: `${where} has at most ${count} ${what}; delete one first.` });
}
