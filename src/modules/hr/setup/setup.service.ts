import { Injectable, type Type } from '@nestjs/common';
import {
  CommonErrors,
  dayIn,
  isCalendarDay,
  own,
  projectDay,
  Projects,
  requireRoom,
  sql,
  Store,
  table,
  type Condition,
  type Ctx,
  type Page,
  type Project,
  type Tx,
  realTime,
} from '../../../kit/index.js';
import { LeaveAccounts } from '../balances/leave-accounts.js';
import { requireHrDay } from '../model/days.js';
import { Employee } from '../model/employee.entity.js';
import { Holiday, HolidayCalendar } from '../model/holiday-calendar.entity.js';
import { invalid } from '../model/hr.errors.js';
import { LeaveAccount } from '../model/leave-account.entity.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import type {
  CreateHolidayCalendarDto,
  CreateHolidayDto,
  CreateLeaveTypeDto,
  HolidaysQuery,
  UpdateHolidayDto,
  UpdateLeaveTypeDto,
} from './setup.dto.js';

const MOST_TYPES = 50;
const MOST_CALENDARS = 100;
const MOST_HOLIDAYS = 5_000;
/** A leap year, in which February 29 is valid. */
const LEAP_YEAR = '2024';

/** Leave types, holiday calendars and holidays, which both modes share. */
@Injectable()
export class HrSetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly accounts: LeaveAccounts,
  ) {}

  async createType(ctx: Ctx, { project_id, ...body }: CreateLeaveTypeDto): Promise<LeaveType> {
    requireMonthAndDay(body.carry_over_expires);
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.write(ctx, async (tx) => {
      await this.requireOneMore(tx, project, LeaveType, MOST_TYPES, 'leave types');
      const type = await tx.insert(LeaveType, {
        project_id: project.id,
        name: body.name,
        paid: body.paid ?? true,
        days_per_year: body.days_per_year ?? null,
        requires_approval: body.requires_approval ?? true,
        allow_negative: body.allow_negative ?? false,
        carry_over_days: body.carry_over_days === undefined ? '0' : body.carry_over_days,
        carry_over_expires: body.carry_over_expires ?? null,
        hidden: body.hidden ?? false,
        active: body.active ?? true,
      });
      await this.completeAccounts(tx, project);
      return type;
    });
  }

  async updateType(ctx: Ctx, id: string, body: UpdateLeaveTypeDto): Promise<LeaveType> {
    requireMonthAndDay(body.carry_over_expires);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(LeaveType, id);
      const changed = await tx.update(type, body);
      const project = await this.projects.get(ctx, type.project_id);
      if (body.days_per_year !== undefined || body.active !== undefined) await this.completeAccounts(tx, project);
      return changed;
    });
  }

  async createCalendar(ctx: Ctx, { project_id, name }: CreateHolidayCalendarDto): Promise<HolidayCalendar> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.write(ctx, async (tx) => {
      await this.requireOneMore(tx, project, HolidayCalendar, MOST_CALENDARS, 'holiday calendars');
      return tx.insert(HolidayCalendar, { project_id: project.id, name });
    });
  }

  calendars(ctx: Ctx, project_id: string): Promise<HolidayCalendar[]> {
    return this.store.list(ctx, HolidayCalendar, { project_id });
  }

  updateCalendar(ctx: Ctx, id: string, { name }: { name?: string }): Promise<HolidayCalendar> {
    return this.store.write(ctx, async (tx) => tx.update(await tx.target(HolidayCalendar, id), { name }));
  }

  /** Foreign keys reject deleting rows that employees or leave refer to. */
  delete(ctx: Ctx, entity: Type<LeaveType | HolidayCalendar>, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const row = await tx.target(entity, id);
      // only accounts without entries refer to a type that was never used
      if (row instanceof LeaveType)
        await tx.sql(
          sql.inBothModes(
            'both modes have accounts of a leave type',
          )`DELETE FROM ${table(LeaveAccount)} a WHERE a.leave_type_id = ${id} AND ${own('a')}
            AND NOT EXISTS (SELECT FROM ${table(LedgerEntry)} l WHERE l.account_id = a.id)`,
        );
      await tx.delete(row);
    });
  }

  holidays(ctx: Ctx, query: HolidaysQuery): Promise<Page<Holiday>> {
    const conditions: Condition[] = [];
    if (query.from !== undefined) conditions.push(sql`t."on" >= ${query.from}`);
    if (query.to !== undefined) conditions.push(sql`t."on" <= ${query.to}`);
    if (query.employee_id === undefined) return this.store.page(ctx, Holiday, query, ...conditions);
    return this.holidaysOf(ctx, query, query.employee_id, conditions);
  }

  /** Empty for an employee whom the caller does not see. */
  private async holidaysOf(ctx: Ctx, query: HolidaysQuery, employeeId: string, conditions: Condition[]): Promise<Page<Holiday>> {
    const employee = await this.store.find(ctx, Employee, employeeId);
    return this.store.page(ctx, Holiday, query, ...conditions, sql`t.calendar_id = ${employee?.holiday_calendar_id ?? null}`);
  }

  createHoliday(ctx: Ctx, { calendar_id, on, name, half_day }: CreateHolidayDto): Promise<Holiday> {
    requireHrDay('on', on);
    return this.store.write(ctx, async (tx) => {
      const calendar = await tx.reference(HolidayCalendar, calendar_id, 'calendar_id', { lock: 'update' });
      const [{ count }] = await tx.sql<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM ${table(Holiday)} h WHERE ${own('h')} AND h.calendar_id = ${calendar_id}`,
      );
      if (count >= MOST_HOLIDAYS)
        throw CommonErrors.resourceConflict({ message: `A calendar can have at most ${MOST_HOLIDAYS} holidays; delete old ones first.` });
      const holiday = await tx.insert(Holiday, { project_id: calendar.project_id, calendar_id, on, name, half_day: half_day ?? false });
      await this.recompute(tx, calendar_id, [on]);
      return holiday;
    });
  }

  updateHoliday(ctx: Ctx, id: string, body: UpdateHolidayDto): Promise<Holiday> {
    requireHrDay('on', body.on);
    return this.store.write(ctx, async (tx) => {
      await tx.lock(HolidayCalendar, (await tx.get(Holiday, id)).calendar_id);
      const holiday = await tx.target(Holiday, id);
      const changed = await tx.update(holiday, body);
      await this.recompute(tx, holiday.calendar_id, [holiday.on, changed.on]);
      return changed;
    });
  }

  deleteHoliday(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      await tx.lock(HolidayCalendar, (await tx.get(Holiday, id)).calendar_id);
      const holiday = await tx.target(Holiday, id);
      await tx.delete(holiday);
      await this.recompute(tx, holiday.calendar_id, [holiday.on]);
    });
  }

  /** Makes a job recount the days of unfinished leave, in both modes. */
  private async recompute(tx: Tx, calendarId: string, days: readonly string[]): Promise<void> {
    await tx.sql(
      sql.inBothModes('both modes have leave by a calendar')`UPDATE ${table(LeaveRequest)} r SET recompute = true
        FROM ${table(Employee)} e, unnest(${days}::date[]) AS d (day)
        WHERE e.id = r.employee_id AND ${own('r')} AND e.holiday_calendar_id = ${calendarId}
          AND r.status IN ('pending', 'approved') AND d.day BETWEEN r.starts_on AND r.ends_on AND r.ends_on >= ${projectDay('r')}`,
    );
  }

  /** Of both modes, so as of the real day. */
  private completeAccounts(tx: Tx, { id, timezone }: Project): Promise<void> {
    return this.accounts.complete(tx, id, dayIn(timezone, realTime()));
  }

  private async requireOneMore(
    tx: Tx,
    { id }: Project,
    entity: Type<LeaveType | HolidayCalendar>,
    most: number,
    what: string,
  ): Promise<void> {
    await tx.advanced.mutex(`hr ${what} ${id}`);
    requireRoom(await tx.list(entity, { project_id: id }), most, what);
  }
}

function requireMonthAndDay(day: string | null | undefined): void {
  if (day && !isCalendarDay(`${LEAP_YEAR}-${day}`)) throw invalid('carry_over_expires', 'must be a day of a year');
}
