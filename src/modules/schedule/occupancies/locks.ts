import type { Mode, Tx } from '../../../kit/index.js';

/**
 * Makes the writes that take the time of a calendar or its resources run one after the other. One call locks all names in a
 * fixed order, so that two edits that cross never deadlock: name every resource of the change, old and new, in one call.
 */
export function lockCalendarsAndResources(
  tx: Tx,
  mode: Mode,
  calendarIds: readonly string[],
  resourceIds: readonly string[],
): Promise<void> {
  return tx.mutex(...calendarIds.map((id) => `schedule calendar ${id} ${mode}`), ...resourceIds.map((id) => nameOf(id, mode)));
}

/** Locks a calendar in both modes, for a change of what its events take. Call it before its row is locked. */
export function lockCalendar(tx: Tx, id: string): Promise<void> {
  return tx.mutex(...(['live', 'test'] as const).map((mode) => `schedule calendar ${id} ${mode}`));
}

/**
 * Locks a resource in both modes, for a change of the resource itself. Call it before its row is locked: who writes events holds
 * these locks and then needs the row for a foreign key.
 */
export function lockResource(tx: Tx, id: string): Promise<void> {
  return tx.mutex(...(['live', 'test'] as const).map((mode) => nameOf(id, mode)));
}

function nameOf(resourceId: string, mode: Mode): string {
  return `schedule resource ${resourceId} ${mode}`;
}
