import { CommonErrors } from '../../../kit/index.js';

/** Limits of a project's configuration, which nearly every write reads as a whole. */
export const LIMITS = {
  pipelines: { count: 50, where: 'A project' },
  stages: { count: 50, where: 'A pipeline' },
  'lead sources': { count: 200, where: 'A project' },
  'custom fields of a kind': { count: 100, where: 'A project' },
  'assignment rules': { count: 100, where: 'A project' },
} as const;

/** Leaves room for the positions after the last one. */
export const POSITIONS = { minimum: -1_000_000, maximum: 1_000_000 };

/** Rejects one more than the limit. `CrmConfig.change` runs changes one at a time, so the count cannot change meanwhile. */
export function requireBelowLimit(what: keyof typeof LIMITS, existing: readonly unknown[]): void {
  const { count, where } = LIMITS[what];
  if (existing.length < count) return;
  throw CommonErrors.resourceConflict({ message: `${where} can have at most ${count} ${what}; delete one first.` });
}
