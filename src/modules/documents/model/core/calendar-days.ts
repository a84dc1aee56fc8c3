import { isCalendarDay, plusDays } from '../../../../kit/index.js';

/** The calendar day that a value starts with, or null. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : null;
  return isCalendarDay(day) ? day : null;
}

/** The first reminder day on or after `from`; `reminderDays` count back from the due day. Null when none is left. */
export function reminderDay(dueOn: string, reminderDays: readonly number[], from: string): string | null {
  const days = reminderDays.map((days) => plusDays(dueOn, -days)).filter((day) => day >= from);
  return days.length > 0 ? days.sort()[0] : null;
}
