import { html, type Html } from '../../kit/index.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import { emptyState, refreshTools } from '../components/blocks.js';
import { cursorOf, filterForm, isFiltered, paging } from '../components/lists.js';
import { table } from '../components/table.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { callColumns, callerNames } from './call-columns.js';
import { CHANGES_BY_MEMBERS, LOG_FILTERS, LOG_PARAMETERS, logFilters, logQuery } from './log-filters.js';

const REGION = 'calls';
const NO_FILTERS = Object.fromEntries([...LOG_FILTERS, 'cursor', 'trail'].map((name) => [name, null]));
/** Shortcuts to the most common filters. */
const VIEWS: readonly { label: string; filters: Readonly<Record<string, string>> }[] = [
  { label: 'All calls', filters: {} },
  { label: 'Errors', filters: { status: 'errors' } },
  { label: 'Rate limited', filters: { status: '429' } },
  { label: 'Dry runs', filters: { dry_run: 'true' } },
  { label: 'Changes by members', filters: { plane: CHANGES_BY_MEMBERS } },
];

export const logsPage = definePage({
  path: '/logs',
  title: 'Logs',
  permission: 'org.developer.logs.view',
  operations: ['list_request_logs'],
  nav: 'Activity',
  icon: 'scroll-text',
  hasMode: true,
  parameters: LOG_PARAMETERS,
  async show(visit) {
    const ofMembers = isOfMembers(visit);
    const logs = await visit.listOfPage<RequestLogDto>('/developer/logs', { ...logQuery(visit), ...cursorOf(visit) });
    const names = await callerNames(visit, logs.data, { withMembers: ofMembers });
    const caption = ofMembers ? 'Changes by members' : 'Calls';
    const rows = logs.data.length > 0 && table({ caption, columns: callColumns(visit, names), rows: logs.data });
    const list = html`${rows || (await nothing(visit))}${paging(visit, logs, { isEndless: true })}`;
    return {
      title: 'Logs',
      tools: refreshTools({ id: REGION, here: visit.here() }),
      lead: ofMembers ? 'What signed-in members changed.' : 'Every call with an API key. Calls appear a second after their response.',
      body: html`${views(visit)}${filters(visit, logFilters(visit, names))}<div id="${REGION}">${list}</div>`,
    };
  },
});

function isOfMembers({ query }: Visit): boolean {
  return query.get('plane') === CHANGES_BY_MEMBERS;
}

function views(visit: Visit): Html {
  const given = LOG_FILTERS.filter((name) => visit.query.get(name));
  const links = VIEWS.map(({ label, filters }) => {
    const names = Object.keys(filters);
    const isCurrent = names.length === given.length && names.every((name) => visit.query.get(name) === filters[name]);
    return html`<a href="${visit.here({ ...NO_FILTERS, ...filters })}"${isCurrent && html` aria-current="page"`}>${label}</a>`;
  });
  return html`<nav class="tabs" aria-label="Views of the log">${links}</nav>`;
}

function filters(visit: Visit, fields: Parameters<typeof filterForm>[1]): Html {
  const isOpen = isFiltered(
    visit,
    fields.map(({ name }) => name),
  );
  const form = filterForm(visit, fields, { keeps: ['plane', 'project', 'text'] });
  return html`${searchForm(visit)}<details${isOpen && html` open`}><summary>Filters</summary>${form}</details>`;
}

/** Text that the path, the tool, the error code or the name of the key contains; the filters stay. */
function searchForm({ query }: Visit): Html {
  const kept = ['mode', ...LOG_FILTERS].flatMap((name) => {
    const value = name === 'text' ? null : query.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form method="get" class="row search-row" role="search">${kept}<input type="search" name="text" maxlength="100"
value="${query.get('text') ?? ''}" aria-label="Search the log" placeholder="Search paths, tools, error codes and keys" autocomplete="off">
<button class="quiet">Search</button></form>`;
}

/** Explains an empty log by the most likely reason. */
async function nothing(visit: Visit): Promise<Html> {
  const other = visit.mode === 'test' ? 'live' : 'test';
  const mode = other === 'live' ? null : other;
  if (
    isFiltered(
      visit,
      LOG_FILTERS.filter((name) => name !== 'plane'),
    ) ||
    visit.query.has('cursor')
  ) {
    const link = (address: string, label: string) => html`<a class="button quiet" href="${address}">${label}</a> `;
    const elsewhere = link(visit.here({ mode, cursor: null, trail: null }), `Look in ${other} data`);
    return emptyState({
      heading: 'Nothing matches',
      text: `No entry of ${visit.mode} data has these properties. Remove filters, or choose a longer period.`,
      step: html`${link(visit.here(NO_FILTERS), 'Remove the filters')}${elsewhere}`,
    });
  }
  if (isOfMembers(visit))
    return emptyState({
      heading: 'No changes yet',
      text: `What signed-in members change in ${visit.mode} data appears here, with who did it.`,
      step: html`<a class="button quiet" href="${visit.here({ mode })}">Look in ${other} data</a>`,
    });
  const { data } = await visit.list('/developer/logs', { mode: other, limit: 1 });
  if (data.length > 0)
    return emptyState({
      heading: `No calls with ${visit.mode} keys yet`,
      text: `There are calls with ${other} keys.`,
      step: html`<a class="button" href="${visit.here({ ...NO_FILTERS, mode })}">Show ${other} data</a>`,
    });
  return emptyState({
    heading: 'No calls yet',
    text: 'Every call with an API key appears here with its response, its duration and, if it was rejected, the reason.',
    step: html`<a class="button" href="${visit.link('')}">Make the first call</a>`,
  });
}
