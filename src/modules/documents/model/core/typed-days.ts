import { isCalendarDay } from '../../../../kit/index.js';

type Part = 'year' | 'month' | 'day';

/** A day with the year last, or in four digits first, as people type it without a date picker. */
const DAY = /^(\d{1,4})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{1,4})\.?$/;

const YEAR_FIRST: readonly Part[] = ['year', 'month', 'day'];
const DAY_FIRST: readonly Part[] = ['day', 'month', 'year'];

/** The calendar day of a text such as 28.11.2026, in the order of the language; null if it is none, or in English could be two. */
export function typedDay(text: string, language: string): string | null {
  const parts = DAY.exec(text.trim())?.slice(1);
  if (!parts) return null;
  const orders = parts[0].length === 4 ? [YEAR_FIRST] : [orderOf(language), ...(language === 'en' ? [DAY_FIRST] : [])];
  const days = orders.map((order) => {
    const of = (part: Part) => parts[order.indexOf(part)].padStart(2, '0');
    return `${of('year')}-${of('month')}-${of('day')}`;
  });
  const [day, ...others] = new Set(days.filter(isCalendarDay));
  return day !== undefined && others.length === 0 ? day : null;
}

function orderOf(language: string): Part[] {
  const parts = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(0);
  return parts.flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? [type] : []));
}

/** A day as a person would type it in the language; in English it begins with the year, because countries differ. */
export function exampleDay(language: string): string {
  if (language === 'en') return '2026-12-31';
  return new Intl.DateTimeFormat(language, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' }).format(
    Date.UTC(2026, 11, 31),
  );
}
