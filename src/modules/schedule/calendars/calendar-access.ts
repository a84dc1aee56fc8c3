import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Condition, type Ctx, type Tx } from '../../../kit/index.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import { Calendar } from '../model/setup/calendar.entity.js';

/** Finds the calendars that a caller may see. A private calendar exists for its owner only. */
@Injectable()
export class CalendarAccess {
  constructor(private readonly store: Store) {}

  /** The calendar, or `not_found`. */
  async get(ctx: Ctx, id: string, tx?: Tx): Promise<Calendar> {
    const calendar = await (tx ? tx.get(Calendar, id) : this.store.get(ctx, Calendar, id));
    if (!isVisible(ctx, calendar)) throw CommonErrors.notFound();
    return calendar;
  }

  /** The calendar that a body's `calendar_id` names, or `validation_failed`. */
  async named(ctx: Ctx, id: string, tx: Tx): Promise<Calendar> {
    const calendar = await tx.find(Calendar, id);
    if (calendar && isVisible(ctx, calendar)) return calendar;
    throw CommonErrors.validationFailed({ param: 'calendar_id', message: 'calendar_id must be a calendar that list_calendars returns' });
  }
}

/** The suite itself sees every calendar. */
export function isVisible(ctx: Ctx, { visibility, owner_member_id }: Calendar): boolean {
  return visibility === 'project' || owner_member_id === ctx.memberId || ctx.actor.type === 'system' || ctx.actor.type === 'guest';
}

export function visibleTo(ctx: Ctx): Condition {
  return {
    sql: `(t.visibility = 'project' OR t.owner_member_id = :member)`,
    values: { member: ctx.memberId },
  };
}

export function requireActive({ status }: Calendar): void {
  if (status !== 'active') throw ScheduleErrors.calendarInactive();
}
