import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { DeliveryAnalyticsDto, EndpointAttemptsDto } from '../../platform/webhooks/deliveries/delivery-analytics.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { counted, duration, percent } from '../components/numbers.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { endpointBadge, eventsOf, projectsOf, reasonOf } from './endpoints.js';

export const webhooksPage = definePage({
  path: '/webhooks',
  title: 'Webhooks',
  permission: 'org.developer.webhooks.manage',
  operations: ['list_webhook_endpoints', 'get_delivery_analytics'],
  nav: 'Deliveries',
  icon: 'webhook',
  hasMode: true,
  parameters: { status: { label: 'Status' }, failing: { label: 'Health' }, project_id: { label: 'Project' } },
  notices: { deleted: 'The endpoint was deleted. The log of its deliveries is kept.' },
  async show(visit) {
    const { mode } = visit;
    const [endpoints, attempts, projects] = await Promise.all([
      visit.listOfPage<WebhookEndpointDto>('/developer/webhook-endpoints', { mode, ...filterQuery(visit), ...cursorOf(visit) }),
      visit.get<DeliveryAnalyticsDto>('/developer/delivery-analytics', { mode }),
      projectsOf(visit),
    ]);
    const filtered = isFiltered(visit);
    const isEmpty = endpoints.data.length === 0;
    return {
      title: 'Webhooks',
      lead: 'Events of the suite, sent to your server as they happen.',
      tools: html`<a class="button" href="${visit.link('/webhooks/new')}">New endpoint</a>`,
      body: html`${(!isEmpty || filtered) && filterForm(visit, fieldsOf(projects.data))}${
        isEmpty ? nothing(visit, filtered) : table({ caption: 'Endpoints', columns: columns(visit, attempts), rows: endpoints.data })
      }${paging(visit, endpoints)}`,
    };
  },
});

function fieldsOf(projects: readonly { id: string; name: string }[]) {
  return [
    {
      name: 'status',
      options: [
        { value: 'enabled', label: 'Enabled' },
        { value: 'disabled', label: 'Disabled' },
      ],
    },
    {
      name: 'failing',
      options: [
        { value: 'true', label: 'Failing' },
        { value: 'false', label: 'Not failing' },
      ],
    },
    { name: 'project_id', options: projects.map(({ id, name }) => ({ value: id, label: name })) },
  ];
}

function columns(visit: Visit, { by_endpoint }: DeliveryAnalyticsDto): Column<WebhookEndpointDto>[] {
  const attemptsAt = ({ id }: WebhookEndpointDto) => by_endpoint.find(({ endpoint_id }) => endpoint_id === id);
  return [
    {
      label: 'Endpoint',
      cell: ({ id, url, description }) =>
        html`<a href="${visit.link(`/webhooks/${id}`)}">${url}</a>${
          description !== null && html`<br><span class="soft">${description}</span>`
        }`,
    },
    { label: 'Events', cell: eventsOf },
    { label: 'State', isState: true, cell: stateOf },
    { label: 'Success, 24 h', cell: (endpoint) => successOf(attemptsAt(endpoint)) },
    { label: 'p95 response time', cell: (endpoint) => duration(attemptsAt(endpoint)?.latency_ms_p95 ?? null) },
  ];
}

function stateOf(endpoint: WebhookEndpointDto): Html {
  const { status, failing_since, slow_since, disabled_at } = endpoint;
  const since = (time: string | null) => time !== null && html`<br><span class="soft">since ${timeOf(time)}</span>`;
  if (status === 'disabled')
    return html`${endpointBadge(endpoint)}${since(disabled_at)}<br><span class="soft">${reasonOf(endpoint)}</span>`;
  return html`${endpointBadge(endpoint)}${since(failing_since ?? slow_since)}`;
}

function successOf(stats: EndpointAttemptsDto | undefined): HtmlValue {
  if (!stats) return html`<span class="soft">No attempts</span>`;
  return html`${percent(1 - stats.failure_rate)} <span class="soft">of ${counted(stats.attempts, 'attempt')}</span>`;
}

function nothing(visit: Visit, filtered: boolean): Html {
  if (filtered)
    return emptyState({
      heading: 'No endpoint matches',
      text: 'There are endpoints for this data, but none with these properties.',
      step: html`<a class="button quiet" href="${visit.link('/webhooks')}">Show all</a>`,
    });
  return emptyState({
    heading: visit.mode === 'test' ? 'No endpoints for test data' : 'No endpoints yet',
    text: html`An endpoint is an address of yours that the suite calls for every event you choose, signed and with retries. How to receive
them is in <a href="/docs/webhooks">Receiving webhooks</a>.`,
    step: html`<a class="button" href="${visit.link('/webhooks/new')}">Set up an endpoint</a>`,
  });
}
