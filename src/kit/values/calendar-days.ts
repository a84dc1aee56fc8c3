const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day, `YYYY-MM-DD`, in an IANA time zone at an instant; now if omitted. */
export function dayIn(timezone: string, at = new Date()): string {
  let format = formats.get(timezone);
  if (!format) {
    // the locale writes dates as YYYY-MM-DD
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

/** The calendar day that is `days` after the given one, or before it if negative. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
