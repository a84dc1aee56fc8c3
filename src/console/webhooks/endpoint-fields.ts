import { html, type Html } from '../../kit/index.js';
import type { ProjectDto } from '../../kit/index.js';
import type { EventTypeDto, WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { EVENT_TYPES, groupsOf } from '../events/event-groups.js';
import type { Form } from '../frame/form.js';
import type { Values } from '../frame/values.js';
import type { Visit } from '../frame/visit.js';

export interface Choices {
  types: readonly EventTypeDto[];
  projects: readonly ProjectDto[];
}

const DEFAULT_CONCURRENCY = 10;

/** The fields of an endpoint, with the values of `stored` if given. */
export function endpointFields(visit: Visit, form: Form, { types, projects }: Choices, stored?: WebhookEndpointDto): Html {
  const { url = '', description = null, events = [], project_id = null, max_concurrency = DEFAULT_CONCURRENCY } = stored ?? {};
  const groups = groupsOf(types).map(({ label, types: members }) => ({
    label: `${label} (${members.length})`,
    folds: true,
    options: members.map(({ type, description: text }) => ({
      value: type,
      label: type,
      hint: html`${text} <a href="${visit.link(EVENT_TYPES, { type })}" target="_blank" rel="noopener">Example<span class="away"> of
${type}, in a new tab</span></a>`,
    })),
  }));
  return html`${form.text({
    name: 'url',
    label: 'Address',
    hint: 'Where events are sent: https, and reachable from the internet.',
    value: url,
    attributes: html` inputmode="url" spellcheck="false" placeholder="https://example.com/hooks"`,
  })}${form.text({
    name: 'description',
    label: 'Description',
    hint: 'What it is for, so that your colleagues know.',
    isOptional: true,
    value: description,
    attributes: html` maxlength="500"`,
  })}${form.ticks({
    name: 'events',
    label: 'Events',
    hint: 'Each example shows the whole body of a delivery.',
    values: events,
    options: [{ value: '*', label: 'All events', hint: 'Those of future versions, too.' }, ...groups],
  })}${form.select({
    name: 'project_id',
    label: 'Project',
    value: project_id,
    options: [{ value: '', label: 'All projects' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))],
  })}${form.text({
    name: 'max_concurrency',
    label: 'Deliveries at once',
    hint: 'How many your receiver handles at the same time: 1 to 100.',
    type: 'number',
    value: max_concurrency,
    attributes: html` min="1" max="100"`,
  })}`;
}

/** The submitted values, for the operation. */
export function endpointOf(values: Values): object {
  const events = values.all('events');
  return {
    url: values.text('url'),
    description: values.optional('description'),
    events: events.includes('*') ? ['*'] : events,
    project_id: values.optional('project_id'),
    max_concurrency: values.number('max_concurrency') ?? DEFAULT_CONCURRENCY,
  };
}
