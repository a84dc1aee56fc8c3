import { dayNumber, dayOf, weekdayOf } from '../model/days.js';
import type { HalfDay, WorkingWeek } from '../model/values.js';

/** From the first to the last day, both included. */
export interface LeaveSpan {
  starts_on: string;
  ends_on: string;
  half_day: HalfDay | null;
}

/** The working time of an employee. `holidays` maps free days to whether only the afternoon is free. */
export interface WorkCalendar {
  week: WorkingWeek;
  holidays: ReadonlyMap<string, boolean>;
}

/** The half days of leave by day: working days except holidays. */
export function leaveDays({ starts_on, ends_on, half_day }: LeaveSpan, { week, holidays }: WorkCalendar): Map<string, number> {
  const days = new Map<string, number>();
  const [first, last] = [dayNumber(starts_on), dayNumber(ends_on)];
  for (let number = first; number <= last; number++) {
    const day = dayOf(number);
    const works = week[weekdayOf(number)];
    const onlyAfternoonFree = holidays.get(day);
    if (onlyAfternoonFree === false) continue;
    const morning = works >= 1 && !(half_day === 'start' && number === first);
    const afternoon = works === 2 && onlyAfternoonFree === undefined && !(half_day === 'end' && number === last);
    const halves = Number(morning) + Number(afternoon);
    if (halves > 0) days.set(day, halves);
  }
  return days;
}

/** The `int8range` of half days from start to end, in PostgreSQL's notation. An exclusion constraint rejects overlaps. */
export function halfDayRange({ starts_on, ends_on, half_day }: LeaveSpan): string {
  const start = dayNumber(starts_on) * 2 + (half_day === 'start' ? 1 : 0);
  const end = dayNumber(ends_on) * 2 + (half_day === 'end' ? 1 : 2);
  return `[${start},${end})`;
}
