import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { EventDto } from '../../platform/events/events.dto.js';
import type { DeliveryDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type { EventTypeDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { actorNames } from '../components/actor.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { deliveryStates } from '../deliveries/delivery-table.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { EVENT_TYPES, groupsOf } from './event-groups.js';
import { subjectOf } from './event-words.js';

export const eventsPage = definePage({
  path: '/events',
  title: 'Events',
  permission: 'org.developer.webhooks.manage',
  operations: ['list_developer_events', 'list_event_types', 'list_deliveries'],
  nav: 'Deliveries',
  icon: 'radio',
  hasMode: true,
  parameters: {
    type: { label: 'Type' },
    project_id: { label: 'Project' },
    created_after: { label: 'From (UTC)' },
    created_before: { label: 'Before (UTC)' },
    request_id: { label: 'Request' },
  },
  async show(visit) {
    const { mode, query } = visit;
    const [events, types, projects] = await Promise.all([
      visit.listOfPage<EventDto>('/developer/events', {
        mode,
        ...filterQuery(visit),
        created_after: query.get('created_after'),
        created_before: query.get('created_before'),
        ...cursorOf(visit),
      }),
      visit.all<EventTypeDto>('/developer/event-types'),
      visit.all<{ id: string; name: string }>('/projects'),
    ]);
    const filtered = isFiltered(visit);
    const isEmpty = events.data.length === 0;
    const fields = filterForm(visit, [
      { name: 'type', options: types.data.map(({ type }) => ({ value: type, label: type })) },
      { name: 'project_id', options: projects.data.map(({ id, name }) => ({ value: id, label: name })) },
      { name: 'created_after', type: 'date' },
      { name: 'created_before', type: 'date' },
    ]);
    return {
      title: 'Events',
      lead: 'Every change, with who made it. Webhook endpoints get those they subscribe to.',
      tools: html`<a class="button quiet" href="${visit.link(EVENT_TYPES)}">Event types</a>`,
      body: html`${(!isEmpty || filtered) && fields}${requestNote(visit)}${
        isEmpty
          ? nothing(visit, filtered, types.data)
          : table({ caption: 'Events', columns: await columns(visit, events.data), rows: events.data })
      }${paging(visit, events, { isEndless: true })}`,
    };
  },
});

function requestNote(visit: Visit): Html | false {
  const id = visit.query.get('request_id');
  return id !== null && html`<p>Caused by the request <code>${id}</code>. <a href="${visit.here({ request_id: null })}">Show all</a></p>`;
}

async function columns(visit: Visit, events: readonly EventDto[]): Promise<Column<EventDto>[]> {
  const [nameOf, deliveries] = await Promise.all([
    actorNames(
      visit,
      events.map(({ actor }) => actor),
    ),
    visit.all<DeliveryDto>('/developer/deliveries', { event_id: events.map(({ id }) => id) }),
  ]);
  const byEvent = Map.groupBy(deliveries.data, ({ event_id }) => event_id);
  return [
    { label: 'Event', cell: ({ id, type }) => html`<a href="${visit.link(`/events/${id}`)}">${type}</a>` },
    { label: 'Object', cell: (event): HtmlValue => subjectOf(event) },
    { label: 'By', cell: ({ actor }) => nameOf(actor) },
    { label: 'Deliveries', isState: true, cell: ({ id }) => deliveryStates(byEvent.get(id) ?? []) },
    { label: 'Time', cell: ({ created_at }) => timeOf(created_at, { seconds: true }) },
  ];
}

function nothing(visit: Visit, filtered: boolean, types: readonly EventTypeDto[]): Html {
  if (filtered)
    return emptyState({
      heading: 'No event matches',
      text: 'Events are kept for 30 days.',
      step: html`<a class="button quiet" href="${visit.link('/events')}">Show all</a>`,
    });
  const [module] = groupsOf(types);
  return emptyState({
    heading: visit.mode === 'test' ? 'Nothing has happened to test data yet' : 'Nothing has happened yet',
    text: html`Each change that a member, a key or the suite itself makes appears here, for example
<code>${module?.types[0]?.type ?? 'webhook_endpoint.tested'}</code>.`,
    step: html`<a class="button" href="${visit.link(EVENT_TYPES)}">Show all event types</a>`,
  });
}
