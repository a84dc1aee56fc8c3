import { Injectable } from '@nestjs/common';
import { sql, type Tx } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
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
      await tx.query(sql.legacy('SELECT 1 FROM hr_holiday_calendars WHERE id = $1 FOR SHARE', [holiday_calendar_id]));
    const rows = holiday_calendar_id
      ? await tx.query<{ on: string; half_day: boolean }>(
          sql.legacy(`SELECT "on"::text AS on, half_day FROM hr_holidays WHERE calendar_id = $1 AND "on" BETWEEN $2 AND $3`, [
            holiday_calendar_id,
            span.starts_on,
            span.ends_on,
          ]),
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
