import { html, type Html } from '../../kit/index.js';
import type { EventTypeDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { definitions } from '../components/blocks.js';
import { breakable } from '../components/breakable.js';
import { jsonBlock } from '../components/json.js';
import { listFilter, table } from '../components/table.js';
import { definePage } from '../frame/page-definition.js';
import { AddressRefused } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { EVENT_TYPES, groupsOf } from './event-groups.js';

export const eventTypesPage = definePage({
  path: EVENT_TYPES,
  title: 'Event types',
  permission: 'org.developer.webhooks.manage',
  operations: ['list_event_types'],
  parameters: { type: { label: 'Type', isView: true } },
  async show(visit) {
    const { data } = await visit.all<EventTypeDto>('/developer/event-types');
    const wanted = visit.query.get('type');
    const chosen = data.find(({ type }) => type === wanted);
    if (wanted !== null && !chosen) throw new AddressRefused([{ name: 'type', text: `There is no type of event called “${wanted}”.` }]);
    if (chosen) return { title: chosen.type, above: ABOVE, lead: chosen.description, body: exampleOf(visit, chosen) };
    return {
      title: 'Event types',
      above: ABOVE.slice(0, 1),
      lead: 'What endpoints can subscribe to. Each has an example of the body of a delivery.',
      body: html`${listFilter('types', 'Find a type')}<div id="types">${groupsOf(data).map(
        ({ label, types }) => html`<h2>${label}</h2>${typeTable(visit, label, types)}`,
      )}</div>`,
    };
  },
});

const ABOVE = [
  { path: '/events', label: 'Events' },
  { path: EVENT_TYPES, label: 'Event types' },
];

function typeTable(visit: Visit, caption: string, rows: readonly EventTypeDto[]): Html {
  return table({
    caption,
    rows,
    columns: [
      { label: 'Type', cell: ({ type }) => html`<a href="${visit.link(EVENT_TYPES, { type })}">${breakable(type)}</a>` },
      { label: 'When', cell: ({ description }) => description },
    ],
  });
}

function exampleOf(visit: Visit, { type, context, example_body }: EventTypeDto): Html {
  const more = Object.entries(context);
  return html`${more.length > 0 && html`<h2>In data.context</h2>${definitions(more)}`}<h2>Example of a body</h2>
${jsonBlock(example_body, { id: 'example', label: `Example of ${type}` })}
<p class="row"><a class="button" href="${visit.link('/webhooks/new', { events: type })}">Send it to an endpoint</a>
<a class="button quiet" href="${visit.link('/events', { type })}">Show these events</a></p>`;
}
