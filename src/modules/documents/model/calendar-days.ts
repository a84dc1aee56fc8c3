const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** The calendar day that it is somewhere. */
export function dayIn(timeZone: string, time: Date): string {
  // Sweden writes days as ISO 8601 does
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The calendar day that a value of a document begins with; null when it begins with none. */
export function dayOf(value: unknown): string | null {
  const [day] = (typeof value === 'string' && DAY.exec(value)) || [null];
  const time = day === null ? NaN : Date.parse(`${day}T00:00:00Z`);
  // a 30th of February is none, although Date.parse makes one of it
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day as string) ? day : null;
}

/** The first day on or after `from` that is one of these numbers of days before the due day; null when none is left. */
export function reminderDay(dueOn: string, reminderDays: readonly number[], from: string): string | null {
  const days = reminderDays.map((days) => addDays(dueOn, -days)).filter((day) => day >= from);
  return days.length > 0 ? days.sort()[0] : null;
}
