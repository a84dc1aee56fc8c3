import { invalid } from './accounting.errors.js';

const EARLIEST = '1970-01-01';
const LATEST = '2199-12-31';

/** The first day of the month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of the month. */
export function endOfMonth(day: string): string {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The last day of the year before. */
export function endOfLastYear(day: string): string {
  return `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}-12-31`;
}

/** Rejects implausible dates, most of which are typing errors. */
export function requireBookDay(param: string, day: string | null | undefined): void {
  if (day === null || day === undefined || (day >= EARLIEST && day <= LATEST)) return;
  throw invalid(param, `must be from ${EARLIEST} to ${LATEST}`);
}
