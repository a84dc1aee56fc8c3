import { html, timeText, type Html } from '../../../kit/index.js';

/**
 * A time for readers of a page, in the project's zone like the days in the document. LOCAL_TIMES_SCRIPT adds the time in the reader's
 * zone if that differs, with the day if that does.
 */
export function timeOf(time: Date, { language, timeZone }: { language: string; timeZone: string }): Html {
  return html`<time datetime="${time.toISOString()}" data-zone="${timeZone}">${timeText(time, language, timeZone)}</time>`;
}

/** Plain ES2020, because it is sent unchanged. */
export const LOCAL_TIMES_SCRIPT = `
(() => {
  const { lang } = document.documentElement;
  // as timeText of the kit
  const language = lang === 'en' ? 'en-GB' : lang;
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const clock = (zone) => new Intl.DateTimeFormat(language, { ...parts, timeZoneName: undefined, timeZone: zone });
  const own = clock(undefined);
  const day = (at, timeZone) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(at);
  const { hour, minute, timeZoneName } = parts;
  for (const time of document.querySelectorAll('time[data-zone]')) {
    const at = new Date(time.dateTime);
    if (own.format(at) === clock(time.dataset.zone).format(at)) continue;
    const shown = day(at) === day(at, time.dataset.zone) ? { hour, minute, timeZoneName } : parts;
    time.append(' (' + new Intl.DateTimeFormat(language, shown).format(at) + ')');
  }
})();
`;
