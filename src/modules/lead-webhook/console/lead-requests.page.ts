import {
  addressText,
  type ApiKeyDto,
  type Column,
  cursorOf,
  definePage,
  duration,
  emptyState,
  filterForm,
  filterQuery,
  type HtmlValue,
  isFiltered,
  paging,
  refreshRegion,
  table,
  timeOf,
  type Visit,
} from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { LEAD_KEYS, LEAD_REQUESTS } from './lead-keys.js';
import type { LeadWebhookLogDto } from '../log/lead-webhook-logs.dto.js';
import { RESULT_OPTIONS, resultBadge } from './lead-request.js';

export const leadRequestsPage = definePage({
  path: LEAD_REQUESTS,
  title: 'Lead requests',
  permission: 'org.developer.leadkeys.logs.view',
  operations: ['list_lead_webhook_logs'],
  nav: 'Activity',
  icon: 'list',
  docs: '/docs/api/lead_webhook',
  hasMode: true,
  parameters: {
    result: { label: 'Result' },
    api_key_id: { label: 'Key' },
    ambiguous: { label: 'Matches' },
    code: { label: 'Error code' },
    lead_id: { label: 'Lead' },
  },
  async show(visit) {
    const { mode } = visit;
    const requests = await visit.listOfPage<LeadWebhookLogDto>('/developer/lead-webhook-logs', {
      mode,
      ...filterQuery(visit),
      ...cursorOf(visit),
    });
    const [offered, used] = await Promise.all([
      visit.find<{ data: ApiKeyDto[] }>('/developer/api-keys', { module: 'lead_webhook', mode, limit: 100 }),
      visit.byIds<ApiKeyDto>(
        '/developer/api-keys',
        requests.data.map(({ api_key_id }) => api_key_id),
      ),
    ]);
    const filtered = isFiltered(visit);
    const isEmpty = requests.data.length === 0;
    const known = new Map([...(offered?.data ?? []), ...(used ?? [])].map((key) => [key.id, key]));
    const names = [...known.values()].filter(({ module }) => module === 'lead_webhook');
    const list = isEmpty ? nothing(visit, filtered) : table({ caption: 'Requests', columns: columns(visit, names), rows: requests.data });
    return {
      title: 'Lead requests',
      lead: 'Every request with a lead key, also those that were refused. Kept for 90 days.',
      body: html`${(!isEmpty || filtered) && filterForm(visit, fieldsOf(names))}${refreshRegion({
        id: 'requests',
        here: visit.here(),
        body: list,
      })}${paging(visit, requests, { isEndless: true })}`,
    };
  },
});

function fieldsOf(keys: readonly ApiKeyDto[]) {
  return [
    { name: 'result', options: RESULT_OPTIONS },
    ...(keys.length > 0 ? [{ name: 'api_key_id', options: keys.map(({ id, name }) => ({ value: id, label: name })) }] : []),
    { name: 'ambiguous', options: [{ value: 'true', label: 'Several leads' }] },
    { name: 'code', type: 'text' as const },
    { name: 'lead_id', type: 'text' as const, placeholder: 'Id' },
  ];
}

function columns(visit: Visit, keys: readonly ApiKeyDto[]): Column<LeadWebhookLogDto>[] {
  return [
    {
      label: 'Time',
      cell: ({ id, created_at }) => html`<a href="${visit.link(`${LEAD_REQUESTS}/${id}`)}">${timeOf(created_at, { seconds: true })}</a>`,
    },
    { label: 'Result', isState: true, cell: ({ result }) => resultBadge(result) },
    {
      label: 'Response',
      cell: ({ status, code }): HtmlValue => html`${status}${code !== null && html` <code class="soft">${code}</code>`}`,
    },
    {
      label: 'Key',
      cell: ({ api_key_id }) => keys.find(({ id }) => id === api_key_id)?.name ?? html`<code>${api_key_id.slice(-8)}</code>`,
    },
    { label: 'IP address', cell: ({ address }) => addressText(address) },
    { label: 'Duration', isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  ];
}

function nothing(visit: Visit, filtered: boolean): Html {
  if (filtered)
    return emptyState({
      heading: 'No request matches',
      text: 'There may be others, with another result or key.',
      step: html`<a class="button quiet" href="${visit.link(LEAD_REQUESTS)}">Show all</a>`,
    });
  return emptyState({
    heading: visit.mode === 'test' ? 'No requests with test keys' : 'No requests yet',
    text: 'Paste the form that each key offers into your website, send it once, and watch it arrive here.',
    step: visit.can('org.developer.leadkeys.view') ? html`<a class="button" href="${visit.link(LEAD_KEYS)}">To the keys</a>` : undefined,
  });
}
