import type { BaseEntity } from '../../../kit/index.js';

/** The fields that all look-ups show. */
export function shownBase({ id, project_id, version, created_at, updated_at }: BaseEntity & { project_id: string }) {
  return { id, project_id, version, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
