import { own, sql, table, type Ctx, type Mode, type Tx } from '../../../../kit/index.js';
import { Calendar } from './calendar.entity.js';
import { Resource } from './resource.entity.js';

export const MODES: readonly Mode[] = ['live', 'test'];

/** The members who own the calendars or are the resources. */
const peopleOf = (calendarIds: readonly string[], resourceIds: readonly string[]) => sql`
  SELECT c.owner_member_id AS id FROM ${table(Calendar)} c
  WHERE ${own('c')} AND c.id = ANY (${calendarIds}::uuid[]) AND c.owner_member_id IS NOT NULL
  UNION SELECT r.member_id FROM ${table(Resource)} r
  WHERE ${own('r')} AND r.id = ANY (${resourceIds}::uuid[]) AND r.member_id IS NOT NULL`;

/**
 * Makes the writes that take the time of a calendar, its resources, or the people behind them run one after the other. One call locks
 * all names in a fixed order, people last, so that two edits that cross never deadlock: name every resource of the change, old and new,
 * in one call. The statement of the first locks is sent before the function returns.
 */
export async function lockCalendarsAndResources(
  ctx: Ctx,
  tx: Tx,
  calendarIds: readonly string[],
  resourceIds: readonly string[],
): Promise<void> {
  const names = [...calendarIds.map((id) => ['calendar', id]), ...resourceIds.map((id) => ['resource', id])];
  const locked = tx.advanced.mutex(...names.map(([kind, id]) => nameOf(ctx, kind, id, ctx.mode)));
  // who they are changes only under these locks
  const [people] = await Promise.all([tx.sql<{ id: string }>(peopleOf(calendarIds, resourceIds)), locked]);
  if (people.length > 0) await tx.advanced.mutex(...people.map(({ id }) => nameOf(ctx, 'person', id, ctx.mode)));
}

/** Locks a person in both modes, for a change of who a resource or host is. Call it after `lockResource` or `lockCalendar`. */
export function lockPerson(ctx: Ctx, tx: Tx, memberId: string): Promise<void> {
  return tx.advanced.mutex(...MODES.map((mode) => nameOf(ctx, 'person', memberId, mode)));
}

/** Locks a calendar in both modes, for a change of what its events take. Call it before its row is locked. */
export function lockCalendar(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  return tx.advanced.mutex(...MODES.map((mode) => nameOf(ctx, 'calendar', id, mode)));
}

/**
 * Locks a resource in both modes, for a change of the resource itself. Call it before its row is locked: who writes events holds
 * these locks and then needs the row for a foreign key.
 */
export function lockResource(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  return tx.advanced.mutex(...MODES.map((mode) => nameOf(ctx, 'resource', id, mode)));
}

/** Ids that a request names may be of another organization, which must not wait for it. */
function nameOf({ organizationId }: Ctx, kind: string, id: string, mode: Mode): string {
  return `schedule ${kind} ${organizationId} ${id} ${mode}`;
}
