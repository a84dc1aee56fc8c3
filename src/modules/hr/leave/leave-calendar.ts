import { Injectable } from '@nestjs/common';
import { own, sql, table, type Tx } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { Holiday, HolidayCalendar } from '../model/holiday-calendar.entity.js';
import { leaveDays, type LeaveSpan } from './leave-days.js';

const HALF = 50;

type WorkTimes = Pick<Employee, 'working_week' | 'holiday_calendar_id'>;

/** When employees work. */
@Injectable()
export class LeaveCalendar {
  /** The days of leave in hundredths, by the given working week and the current holidays. */
  async daysOf(tx: Tx, { working_week, holiday_calendar_id }: WorkTimes, span: LeaveSpan): Promise<Map<string, number>> {
    // a concurrent insert of a holiday waits for this lock, and then recounts this leave
    if (holiday_calendar_id)
      await tx.sql(sql`SELECT FROM ${table(HolidayCalendar)} c WHERE c.id = ${holiday_calendar_id} AND ${own('c')} FOR SHARE`);
    const rows = holiday_calendar_id
      ? await tx.sql<{ on: string; half_day: boolean }>(
          sql`SELECT h."on"::text AS on, h.half_day FROM ${table(Holiday)} h
            WHERE ${own('h')} AND h.calendar_id = ${holiday_calendar_id} AND h."on" BETWEEN ${span.starts_on} AND ${span.ends_on}`,
        )
      : [];
    const holidays = new Map(rows.map(({ on, half_day }) => [on, half_day]));
    const halves = leaveDays(span, { week: working_week, holidays });
    return new Map([...halves].map(([on, count]) => [on, count * HALF]));
  }
}

export function totalOf(days: ReadonlyMap<string, number>): number {
  return [...days.values()].reduce((sum, amount) => sum + amount, 0);
}
