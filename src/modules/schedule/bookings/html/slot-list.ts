import { html, labelled, type Html } from '../../../../kit/index.js';
import { addressOf, type Choice, hiddenChoice, type PublicPage } from './booking-frame.js';
import { dateOf } from '../../time/zone-time.js';
import { clockIn, dayName, durationText, zoneName } from '../../time/moments.js';
import { slotValue } from './slot-values.js';
import { allZones, COMMON_ZONES } from './zones.js';

/** A part of the free times, by date in the visitor's zone. */
export interface SlotPeriod {
  /** The first and the last date, `YYYY-MM-DD`. */
  from: string;
  until: string;
  /** Only dates with free times. */
  days: readonly { on: string; starts: readonly Date[] }[];
  /** The first date of the period before and of that after; null if there can be no free time in it. */
  earlier: string | null;
  later: string | null;
  /** The next date with free times if there is none in this period; null if none was found. */
  next: string | null;
  /** The first date that was not searched for the next one; null if all were. */
  unsearched: string | null;
}

export interface SlotListing {
  page: PublicPage;
  choice: Choice;
  period: SlotPeriod;
  /** The address of the list itself. */
  path: string;
  /** Where a chosen time is sent, by GET: nothing is booked yet. */
  action: string;
  showAllZones: boolean;
  /** The visitor has chosen the zone, so the script does not replace it. */
  isZoneChosen: boolean;
}

/**
 * Shows the times in the zone of the visitor's device, unless the visitor has chosen one: the page is loaded again with it, in place of
 * this one. Browsers have old names for some zones, such as Asia/Katmandu. A zone that is selected by hand applies once the button is
 * pressed; until then the page says so. A page that the browser shows again from its memory has the selection of its times. Plain
 * ES2020, because it is sent unchanged.
 */
export const ZONE_SCRIPT = `
(() => {
  const [select, note, show] = ['tz', 'tz-note', 'show'].map((id) => document.getElementById(id));
  if (!select) return;
  const shown = select.value;
  const tell = () => {
    note.hidden = select.value === shown;
    show.classList.toggle('quiet', note.hidden);
  };
  select.addEventListener('change', tell);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    select.form.reset();
    tell();
  });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.dataset.chosen || !zone) return;
  const zones = [...select.options].map((option) => option.value);
  const named = (one) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: one }).resolvedOptions().timeZone;
    } catch {
      return null;
    }
  };
  const own = zones.includes(zone) ? zone : (zones.find((one) => named(one) === zone) ?? zone);
  if (own === shown) return;
  const address = new URL(location.href);
  address.searchParams.set('tz', own);
  location.replace(address);
})();
`;

/**
 * The free times as headed lists of buttons, each named with its date: no grid, which is hard to follow without sight. The first day is
 * open, as all days together are many screens on a phone. A heading stands beside its summary: screen readers take a summary for a button,
 * and do not find headings in buttons.
 */
export function slotList(listing: SlotListing): Html {
  const { page, choice, period, action, path } = listing;
  const { days } = period;
  const year = period.from.slice(0, 4);
  const isHostTime = (at: Date) => clockIn(choice.zone, at) === clockIn(page.hostZone, at);
  const differs = days.some(({ starts }) => starts.some((at) => !isHostTime(at)));
  let number = 0;
  // a page has hundreds of them, so their markup is as short as HTML allows
  const button = (at: Date, day: string) => {
    const id = (number++).toString(36);
    const host = differs && html`<i>${clockIn(page.hostZone, at)}</i>`;
    const names = html`id=${id} aria-labelledby="${day} ${id}"`;
    return html`<li><button name=start value=${slotValue(at)} ${names}>${clockIn(choice.zone, at)}${host}</button>`;
  };
  return html`${settings(listing)}
<div class="period"><h2 id="times">${dayName(period.from, year)} to ${dayName(period.until, year)}</h2>${steps(listing)}</div>
${
  days.length === 0
    ? emptyNote(listing)
    : html`<p class="soft">Times are in ${zoneName(choice.zone)}${
        differs && html`; the smaller ones are the host's, in ${zoneName(page.hostZone)}`
      }.</p>
<form class="card days" method="get" action="${action}" aria-labelledby="times">${hiddenChoice(choice)}
${days.map(({ on, starts }, index) => {
  const id = dayId(index);
  const count = starts.length === 1 ? '1 time' : `${starts.length} times`;
  return html`<div><h3 id=${id}>${dayName(on, year)}<i>,</i></h3><details${index === 0 && html` open`}>
<summary aria-labelledby="${id} ${id}n"><span id=${id}n>${count}</span></summary>
<ul class=times aria-labelledby=${id}>${starts.map((at) => button(at, id))}</ul></details></div>`;
})}</form>
<div class="period">${steps({ ...listing, path })}</div>`
}`;
}

function settings({ page, choice, period, path, showAllZones, isZoneChosen }: SlotListing): Html {
  const { durations, resources } = page;
  const zones = showAllZones ? allZones() : [...new Set([...COMMON_ZONES, page.hostZone, choice.zone])].sort();
  const option = (value: string | number, text: string, isSelected: boolean) =>
    html`<option${value !== text && html` value="${value}"`}${isSelected && html` selected`}>${text}`;
  const lengths = durations.map((one) => option(one, durationText(one), one === choice.minutes));
  const allZonesAddress = addressOf(path, { ...queryOf(choice), on: period.from, zones: 'all' });
  return html`<form class="card" method="get" action="${path}" autocomplete="off"><div class="settings">
<input type="hidden" name="on" value="${period.from}">
${
  durations.length > 1
    ? labelled({ id: 'minutes', label: 'Length' }, (attributes) => html`<select name="minutes"${attributes}>${lengths}</select>`)
    : html`<input type="hidden" name="minutes" value="${choice.minutes}">`
}
${
  resources !== null &&
  labelled(
    { id: 'resource_id', label: 'With' },
    (attributes) =>
      html`<select name="resource_id"${attributes}>${resources.map(({ id, name }) => option(id, name, id === choice.resourceId))}</select>`,
  )
}
${labelled(
  { id: 'tz', label: 'Your time zone' },
  (attributes) =>
    html`<select name="tz"${attributes}${isZoneChosen && html` data-chosen="yes"`}>${zones.map((zone) =>
      option(zone, zone.replaceAll('_', ' '), zone === choice.zone),
    )}</select>`,
)}
<div><button class="quiet" id="show">Show times</button></div>
<p class="more" id="tz-note" role="status" hidden>The times below are still in ${zoneName(choice.zone)}. Press “Show times” to see them in
the time zone that is selected here.</p>
${!showAllZones && html`<p class="more"><a href="${allZonesAddress}">My time zone is missing</a></p>`}
</div></form>`;
}

function steps({ period, choice, path }: SlotListing): Html {
  const link = (on: string, text: string) =>
    html`<a class="button quiet" href="${addressOf(path, { ...queryOf(choice), on })}">${text}</a>`;
  return html`<p class="steps">${period.earlier !== null && link(period.earlier, 'Earlier')}${
    period.later !== null && !isOver(period) && link(period.later, 'Later')
  }</p>`;
}

/** Whether neither this period nor a later one has a free time. */
function isOver({ days, next, unsearched }: SlotPeriod): boolean {
  return days.length === 0 && next === null && unsearched === null;
}

function emptyNote({ period, choice, path }: SlotListing): Html {
  const link = (on: string) => html`<a href="${addressOf(path, { ...queryOf(choice), on })}">${dayName(on)}</a>`;
  if (isOver(period)) return html`<div class="note"><p>There are no free times at the moment. Please come back later.</p></div>`;
  if (period.next !== null)
    return html`<div class="note"><p>There are no free times in these days. The next one is on ${link(period.next)}.</p></div>`;
  return html`<div class="note"><p>There are no free times before ${link(period.unsearched!)}. Times may be free after that.</p></div>`;
}

export function queryOf({ minutes, zone, resourceId }: Choice): Record<string, string | number | null> {
  return { minutes, tz: zone, resource_id: resourceId };
}

/** In upper case, unlike the ids of buttons. */
function dayId(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/** Free times by the date that the visitor's clocks show. */
export function byDate(starts: readonly Date[], zone: string): { on: string; starts: Date[] }[] {
  const days = new Map<string, Date[]>();
  for (const at of starts) {
    const on = dateOf(at, zone);
    const day = days.get(on);
    if (day) day.push(at);
    else days.set(on, [at]);
  }
  return [...days].map(([on, of]) => ({ on, starts: of }));
}
