import { isCalendarDay } from '../../../../kit/index.js';
const DAY_MS = 86_400_000;

/** The calendar day at a moment in a time zone. */
export function dayIn(timeZone: string, time: Date): string {
  // the Swedish locale formats dates as ISO 8601
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The calendar day that a value starts with, or null. */
export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : null;
  return isCalendarDay(day) ? day : null;
}

/** The first reminder day on or after `from`; `reminderDays` count back from the due day. Null when none is left. */
export function reminderDay(dueOn: string, reminderDays: readonly number[], from: string): string | null {
  const days = reminderDays.map((days) => addDays(dueOn, -days)).filter((day) => day >= from);
  return days.length > 0 ? days.sort()[0] : null;
}
