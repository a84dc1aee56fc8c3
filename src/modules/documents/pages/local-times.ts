import { html, type Html } from '../../../kit/index.js';

/** A time for readers of a page. Without scripts it is in UTC; LOCAL_TIMES_SCRIPT shows it in the reader's time zone. */
export function timeOf(time: Date, language: string): Html {
  return html`<time datetime="${time.toISOString()}" data-local>${timeText(time, language, 'UTC')}</time>`;
}

const PARTS = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** A time with its zone, for mails and for pages without scripts. */
export function timeText(time: Date, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { ...PARTS, timeZone }).format(time);
}

/** A calendar day with the month in words. */
export function dayText(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** Plain ES2020, because it is sent unchanged. */
export const LOCAL_TIMES_SCRIPT = `
(() => {
  const language = document.documentElement.lang;
  const parts = ${JSON.stringify(PARTS)};
  const format = new Intl.DateTimeFormat(language, parts);
  for (const time of document.querySelectorAll('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
})();
`;
