import type { Ctx, Mode, Tx } from '../../../../kit/index.js';

const MODES: readonly Mode[] = ['live', 'test'];

/**
 * Makes the writes that take the time of a calendar or its resources run one after the other. One call locks all names in a
 * fixed order, so that two edits that cross never deadlock: name every resource of the change, old and new, in one call.
 */
export function lockCalendarsAndResources(ctx: Ctx, tx: Tx, calendarIds: readonly string[], resourceIds: readonly string[]): Promise<void> {
  const names = [...calendarIds.map((id) => ['calendar', id]), ...resourceIds.map((id) => ['resource', id])];
  return tx.mutex(...names.map(([kind, id]) => nameOf(ctx, kind, id, ctx.mode)));
}

/** Locks a calendar in both modes, for a change of what its events take. Call it before its row is locked. */
export function lockCalendar(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  return tx.mutex(...MODES.map((mode) => nameOf(ctx, 'calendar', id, mode)));
}

/**
 * Locks a resource in both modes, for a change of the resource itself. Call it before its row is locked: who writes events holds
 * these locks and then needs the row for a foreign key.
 */
export function lockResource(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  return tx.mutex(...MODES.map((mode) => nameOf(ctx, 'resource', id, mode)));
}

/** Ids that a request names may be of another organization, which must not wait for it. */
function nameOf({ organizationId }: Ctx, kind: string, id: string, mode: Mode): string {
  return `schedule ${kind} ${organizationId} ${id} ${mode}`;
}
