import { FileResponse, html, PRIVATE_HEADERS, type Html } from '../../kit/index.js';
import type { EventDto } from '../../platform/events/events.dto.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import { actorNames } from '../components/actor.js';
import { modeBadge } from '../components/badge.js';
import { definitions, emptyState } from '../components/blocks.js';
import { jsonBlock } from '../components/json.js';
import { timeOf } from '../components/times.js';
import { deliveryTable, endpointNames } from '../deliveries/delivery-table.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { subjectOf } from './event-words.js';

export const eventPage = definePage({
  path: '/events/:id',
  title: 'Event',
  permission: 'org.developer.webhooks.manage',
  operations: ['get_developer_event', 'list_deliveries'],
  parameters: { file: { label: 'File', values: ['event'], isView: true } },
  async show(visit) {
    const { required_permission, ...event } = await visit.get<EventDto>(`/developer/events/${visit.param('id')}`);
    if (visit.query.get('file') === 'event')
      return new FileResponse('application/json', JSON.stringify(event), {
        filename: `${event.id}.json`,
        download: true,
        headers: PRIVATE_HEADERS,
      });
    const { actor } = event;
    const [deliveries, request, nameOf] = await Promise.all([
      visit.list<DeliveryDto>('/developer/deliveries', { event_id: event.id, limit: 50 }),
      causeOf(visit, event.request.id),
      actorNames(visit, [actor]),
    ]);
    const delivered = deliveries.data.length > 0 ? await deliveredTo(visit, deliveries.data, event.mode) : notDelivered(visit, event);
    return {
      title: event.type,
      above: [{ path: event.mode === 'test' ? '/events?mode=test' : '/events', label: 'Events' }],
      mode: event.mode,
      body: html`${definitions([
        ['Object', event.data !== null && subjectOf({ ...event, required_permission })],
        ['By', nameOf(actor)],
        ['Time', timeOf(event.created_at, { seconds: true })],
        ['Data', modeBadge(event.mode)],
        ['Request', request],
        ['Sequence', event.sequence],
        ['Id', html`<code>${event.id}</code>`],
      ])}${changesOf(event)}<h2>Deliveries</h2>${delivered}<h2>Payload</h2>${
        event.data === null
          ? html`<p class="soft">Your role lacks the permission <code>${required_permission}</code> to read what changed.</p>`
          : jsonBlock(event, { id: 'payload', label: 'Payload', whole: visit.here({ file: 'event' }) })
      }`,
    };
  },
});

/** The request that caused it, with its entry in the log if there is one. */
async function causeOf(visit: Visit, request_id: string | null): Promise<Html | false> {
  if (request_id === null) return false;
  const logs = await visit.find<{ data: RequestLogDto[] }>('/developer/logs', { request_id, limit: 1 });
  const entry = logs?.data[0];
  if (!entry) return html`<code>${request_id}</code>`;
  return html`<a href="${visit.link(`/logs/${entry.id}`)}">${entry.method} ${entry.route}</a><br><code class="soft">${request_id}</code>`;
}

function changesOf({ data }: Pick<EventDto, 'data'>): Html | false {
  const changes = Object.entries(data?.previous_attributes ?? {}).slice(0, 20);
  if (changes.length === 0) return false;
  const items = changes.map(([name, before]) => [name, html`${shown(before)} &rarr; <b>${shown(data?.object[name])}</b>`] as const);
  return html`<h2>What changed</h2>${definitions(items)}`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

async function deliveredTo(visit: Visit, rows: readonly DeliveryDto[], mode: string): Promise<Html> {
  const of = await endpointNames(visit, mode);
  return deliveryTable(visit, rows, { caption: 'Deliveries', name: { label: 'Endpoint', of } });
}

function notDelivered(visit: Visit, { type, mode }: Pick<EventDto, 'type' | 'mode'>): Html {
  return emptyState({
    heading: 'Not sent to any endpoint',
    text: html`No endpoint subscribed to <code>${type}</code> of ${mode} data when it happened.`,
    step: html`<a class="button quiet" href="${visit.link('/webhooks/new', {
      events: type,
      mode: mode === 'test' ? 'test' : null,
    })}">Set up an endpoint for it</a>`,
  });
}
