import { html, type Html, type ListBody } from '../../kit/index.js';
import { MOST_COUNTED } from '../../kit/internal.js';
import { MOST_ROWS } from '../../platform/http/csv/csv-request.js';
import type { Query } from '../calls/product-calls.js';
import type { Option } from '../frame/form.js';
import { ALL_ROWS, CSV, filtersOf } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { csvLink } from './blocks.js';
import { count } from './numbers.js';

/** A filter of a list, by the name of the page's parameter, which has its label. */
export type FilterField =
  | { name: string; options: readonly Option[] }
  | { name: string; type: 'text' | 'date' | 'datetime-local'; placeholder?: string };

const MOST_CURSORS = 10;

/**
 * The filter form of a list. Filters are in the address, so links show the same list to others. Changing a filter starts at the first
 * page.
 */
export function filterForm(visit: Visit, fields: readonly FilterField[], { keeps = [] }: { keeps?: readonly string[] } = {}): Html {
  const kept = ['mode', 'tab', ...keeps].flatMap((name) => {
    const value = fields.some((field) => field.name === name) ? null : visit.query.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  const isFiltered = fields.some(({ name }) => (visit.query.get(name) ?? '') !== '');
  const clear = Object.fromEntries([...fields.map(({ name }) => name), 'cursor', 'trail'].map((name) => [name, null]));
  const controls = fields.map((field) => control(visit, field));
  return html`<form method="get" class="filters" autocomplete="off">${kept}${controls}
<div class="row"><button class="quiet">Filter</button>${isFiltered && html`<a href="${visit.here(clear)}">Clear</a>`}</div></form>`;
}

function control({ query, page }: Visit, field: FilterField): Html {
  const value = query.get(field.name) ?? '';
  const id = `filter-${field.name}`;
  const label = page.parameters?.[field.name].label ?? field.name;
  const input =
    'options' in field
      ? html`<select id="${id}" name="${field.name}"><option value="">Any${field.options.map(
          (option) => html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}`,
        )}</select>`
      : html`<input type="${field.type}" id="${id}" name="${field.name}" value="${value}" autocomplete="off"${
          field.placeholder !== undefined && html` placeholder="${field.placeholder}"`
        }>`;
  return html`<div><label for="${id}">${label}</label>${input}</div>`;
}

/** Whether the list is filtered, for its empty state. */
export function isFiltered(visit: Visit, names: readonly string[] = filtersOf(visit)): boolean {
  return names.some((name) => (visit.query.get(name) ?? '') !== '');
}

/** The filters in the address, by the operation's names. */
export function filterQuery({ query, page }: Visit): Query {
  return Object.fromEntries(filtersOf({ query, page }).map((name) => [page.parameters?.[name].of ?? name, query.get(name)?.trim()]));
}

/** The rows of a page of a list. */
const ROWS = 50;

/** The requested page of a list and its total, as the parameters of an operation. */
export function cursorOf(visit: Visit): Query {
  return { cursor: visit.query.get('cursor'), limit: ROWS, include_total: true };
}

/**
 * Which rows are shown, of how many, with links to the next page and back, and to a file with all of them unless the page has another one
 * (`hasFile`). The address contains the cursors of the previous pages. A list whose query is `isEndless` is not counted to its end.
 */
export function paging(
  visit: Visit,
  { data, has_more, next_cursor, total_count }: ListBody<unknown>,
  { isEndless = false, hasFile = false }: { isEndless?: boolean; hasFile?: boolean } = {},
): Html | false {
  const cursor = visit.query.get('cursor');
  if (cursor === null && data.length === 0) return false;
  const trail = (visit.query.get('trail') ?? '').split('~').filter(Boolean);
  const longer = (cursor === null ? trail : [...trail, cursor]).slice(-MOST_CURSORS);
  const previous = visit.here({ cursor: trail.at(-1) ?? null, trail: trail.slice(0, -1).join('~') || null });
  const next = visit.here({ cursor: next_cursor, trail: longer.join('~') || null });
  const button = (address: string, label: string) => html`<a class="button quiet" href="${address}">${label}</a>`;
  const [back, on] = [cursor !== null && button(previous, 'Previous'), has_more && button(next, 'Next')];
  const links = (back || on) && html`<nav class="row" aria-label="Pages">${back}${on}</nav>`;
  // how many pages come before is not known once the oldest cursors are left out
  const before = cursor === null ? 0 : trail.length < MOST_CURSORS ? trail.length + 1 : null;
  const rows = before === null || (before === 0 && !has_more) ? null : `${count(before * ROWS + 1)}–${count(before * ROWS + data.length)}`;
  const file = !hasFile && data.length > 0 && fileLink(visit, total_count);
  return html`<div class="row paging"><p class="soft">${rowsText(rows, total_count, isEndless)}</p>${file}${links}</div>`;
}

/** The file of an endless list may turn out to be too long: the page of the error says so. */
function fileLink(visit: Visit, total = 0): Html {
  return total > MOST_ROWS
    ? html`<span class="soft">Too long for a CSV file of ${count(MOST_ROWS)} rows</span>`
    : csvLink(visit.here({ [CSV]: ALL_ROWS, cursor: null, trail: null }));
}

/** `1–50 of 1,204`, `12 results`. */
function rowsText(rows: string | null, total: number | undefined, isEndless: boolean): string | null {
  if (total === undefined) return rows;
  const all = isEndless && total === MOST_COUNTED ? `${count(total)} or more` : count(total);
  return rows === null ? `${all} ${total === 1 ? 'result' : 'results'}` : `${rows} of ${all}`;
}

/** Parts of a page, one at a time; the address says which one. The first is shown by default. */
export function tabs(visit: Visit, items: readonly { key: string; label: string }[]): Html {
  const current = tabOf(visit, items);
  const links = items.map(({ key, label }, index) => {
    const address = visit.here({ tab: index === 0 ? null : key, cursor: null, trail: null });
    return html`<a href="${address}"${key === current && html` aria-current="page"`}>${label}</a>`;
  });
  return html`<nav class="tabs" aria-label="Parts of this page">${links}</nav>`;
}

export function tabOf({ query }: Visit, items: readonly { key: string }[]): string {
  return items.find(({ key }) => key === query.get('tab'))?.key ?? items[0].key;
}
