import { invalidMove, type ProjectDesk } from '../config/desk-config.js';
import { DeskErrors } from '../model/desk.errors.js';
import type { DeskStatus } from '../model/status.entity.js';
import type { StatusCategory } from '../model/values.js';

const REACHABLE: readonly StatusCategory[] = ['open', 'pending', 'on_hold', 'solved'];

/** The other categories to which a ticket can be moved. */
function nextCategories(from: StatusCategory): readonly StatusCategory[] {
  if (from === 'closed') return [];
  return from === 'solved' ? ['open', 'closed'] : REACHABLE;
}

/**
 * Throws 400 `invalid_transition` unless the ticket may get the status, and `assignee_required` if it would be solved without an
 * assignee; `assigneeParam` is the field of the call that could change that. Another status of the same category is always possible.
 */
export function requireMove(
  config: ProjectDesk,
  from: StatusCategory,
  to: DeskStatus,
  assigneeId: string | null,
  assigneeParam: 'assignee_id' | 'status_id' = 'assignee_id',
): void {
  const next = nextCategories(from);
  if (to.category !== from && !next.includes(to.category)) throw invalidMove(config, from, to, next);
  if (to.category === 'solved' && assigneeId === null) throw DeskErrors.assigneeRequired({ param: assigneeParam });
}
