import { html, type Html } from '../../../kit/index.js';

/** A time for readers of a page. Without scripts it is in UTC; LOCAL_TIMES_SCRIPT shows it in the reader's time zone. */
export function timeOf(time: Date, language: string): Html {
  return html`<time datetime="${time.toISOString()}" data-local>${timeText(time, language)}</time>`;
}

/** A time in UTC, for mails and for pages without scripts. */
export function timeText(time: Date, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

/** Plain ES2020, because it is sent unchanged. */
export const LOCAL_TIMES_SCRIPT = `
(() => {
  const language = document.documentElement.lang;
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const format = new Intl.DateTimeFormat(language, parts);
  for (const time of document.querySelectorAll('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
})();
`;
