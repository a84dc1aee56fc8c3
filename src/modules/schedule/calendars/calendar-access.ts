import { Injectable } from '@nestjs/common';
import { activeMember, CommonErrors, definedOf, invalid, own, sql, Store, table, type Ctx, type Sql, type Tx } from '../../../kit/index.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import { Calendar } from '../model/setup/calendar.entity.js';

const SETUP = 'schedule.setup.manage';

/** Whether the owner of the private calendar `c` was deactivated. */
export const OWNER_LEFT = sql`(c.visibility = 'private' AND NOT ${activeMember('c', 'owner_member_id')})`;

/**
 * Finds the calendars that a caller may see. Only its owner can access a private calendar and its contents, whatever permissions others
 * have: they see its events as busy time only. Once its owner was deactivated, members who set up calendars can access it, too.
 */
@Injectable()
export class CalendarAccess {
  constructor(private readonly store: Store) {}

  /** The calendar, or `not_found`. */
  async get(ctx: Ctx, id: string, tx?: Tx): Promise<Calendar> {
    return visible(ctx, await (tx ? tx.get(Calendar, id) : this.store.get(ctx, Calendar, id)));
  }

  /** The calendar, locked, or `not_found`. */
  async lock(ctx: Ctx, id: string, tx: Tx): Promise<Calendar> {
    return this.locked(ctx, id, tx, await tx.lock(Calendar, id));
  }

  /** The calendar that the request's path names, as `Tx.target`. */
  async target(ctx: Ctx, id: string, tx: Tx): Promise<Calendar> {
    await this.get(ctx, id, tx);
    return this.locked(ctx, id, tx, await tx.target(Calendar, id));
  }

  /**
   * A locked row lacks the virtual column `owner_left`, so callers who see the calendar only because of it are checked by another read,
   * under the lock.
   */
  private async locked(ctx: Ctx, id: string, tx: Tx, calendar: Calendar): Promise<Calendar> {
    if (!isVisible(ctx, calendar)) await this.get(ctx, id, tx);
    return calendar;
  }

  /** The calendar that a body's `calendar_id` names, or `validation_failed`. */
  async named(ctx: Ctx, id: string, tx: Tx): Promise<Calendar> {
    const calendar = await tx.find(Calendar, id);
    if (calendar && isVisible(ctx, calendar)) return calendar;
    throw invalid('calendar_id', 'must be a calendar that list_calendars returns');
  }
}

/** The suite itself sees every calendar. */
export function isVisible(ctx: Ctx, calendar: Pick<Calendar, 'visibility' | 'owner_member_id' | 'owner_left'>): boolean {
  const { visibility, owner_member_id, owner_left } = calendar;
  return visibility === 'project' || owner_member_id === ctx.memberId || seesAll(ctx) || (owner_left === true && managesSetup(ctx));
}

/**
 * Requires that the caller may manage availability, feeds and booking pages of the calendar: its owner, or members who set up calendars.
 */
export function requireManaged(ctx: Ctx, calendar: Calendar): Calendar {
  const isOwn = (calendar.personal || calendar.visibility === 'private') && calendar.owner_member_id === ctx.memberId;
  if (!isOwn && !managesSetup(ctx))
    throw CommonErrors.permissionDenied({
      message: `Without the permission ${SETUP} you can only manage your own private calendar.`,
      extra: { required_permission: SETUP },
    });
  return calendar;
}

/** Fields that the owner of a private calendar may change without the permission to set up calendars. */
const OWN_FIELDS: readonly string[] = ['name', 'color', 'timezone'];

/** Throws if a change contains fields that only members who set up calendars may change. */
export function requireOwnFields(ctx: Ctx, changes: object): void {
  const other = Object.keys(definedOf(changes)).find((name) => !OWN_FIELDS.includes(name));
  if (other === undefined || managesSetup(ctx)) return;
  throw CommonErrors.permissionDenied({
    param: other,
    message: `Without the permission ${SETUP} you can only change ${OWN_FIELDS.join(', ')} of your own private calendar, not ${other}.`,
    extra: { required_permission: SETUP },
  });
}

/** Rows with a `calendar_id` whose calendar the caller may manage, as `requireManaged`. */
export function inManagedCalendar(ctx: Ctx): Sql {
  if (managesSetup(ctx)) return inVisibleCalendar(ctx);
  return sql`EXISTS (SELECT 1 FROM ${table(Calendar)} c
    WHERE ${own('c')} AND c.id = t.calendar_id AND c.owner_member_id = ${ctx.memberId} AND (c.personal OR c.visibility = 'private'))`;
}

function managesSetup({ permissions }: Ctx): boolean {
  return permissions.has(SETUP);
}

/** Guests act through a link that leads to one row. */
function seesAll({ actor }: Ctx): boolean {
  return actor.type === 'system' || actor.type === 'guest';
}

function visible(ctx: Ctx, calendar: Calendar): Calendar {
  if (!isVisible(ctx, calendar)) throw CommonErrors.notFound();
  return calendar;
}

/** Rows with a `calendar_id` whose calendar the caller may see. */
export function inVisibleCalendar(ctx: Ctx): Sql {
  if (seesAll(ctx)) return sql`true`;
  return sql`NOT EXISTS (SELECT 1 FROM ${table(Calendar)} c
    WHERE ${own('c')} AND c.id = t.calendar_id AND c.visibility = 'private'
      AND c.owner_member_id IS DISTINCT FROM ${ctx.memberId} ${managesSetup(ctx) ? sql`AND NOT ${OWNER_LEFT}` : sql``})`;
}

export function visibleTo(ctx: Ctx): Sql {
  return sql`(t.visibility = 'project' OR t.owner_member_id = ${ctx.memberId}
    ${managesSetup(ctx) ? sql`OR (t.visibility = 'private' AND NOT ${activeMember('t', 'owner_member_id')})` : sql``})`;
}

export function requireActive({ status }: Calendar): void {
  if (status !== 'active') throw ScheduleErrors.calendarInactive();
}
