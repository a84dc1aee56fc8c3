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
  return tx.mutex(
    ...calendarIds.map((id) => `schedule calendar ${id} ${mode}`),
    ...resourceIds.map((id) => `schedule resource ${id} ${mode}`),
  );
}
