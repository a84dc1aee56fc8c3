import { html, type Html } from '../../kit/index.js';
import type { ProjectDto } from '../../kit/index.js';
import type { EventTypeDto, WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { EVENT_TYPES, groupsOf } from '../events/event-groups.js';
import type { Form, Option } from '../frame/form.js';
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
  const { max_per_minute = null, filter = null, header_names: headers = [] } = stored ?? {};
  const groups = groupsOf(types).map(({ label, types: members }) => ({
    label: `${label} (${members.length})`,
    folds: true,
    options: wildcardsOf(members).concat(members.map(({ type, description: hint }) => ({ value: type, label: type, hint }))),
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
    hint: html`Those that end with * include future types. The list of
<a href="${visit.link(EVENT_TYPES)}" target="_blank">event types<span class="away"> in a new tab</span></a> has an example of each.`,
    values: events,
    options: [{ value: '*', label: 'All events', hint: 'Future ones, too.' }, ...groups],
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
  })}${form.text({
    name: 'max_per_minute',
    label: 'Deliveries per minute',
    hint: 'Further ones wait.',
    isOptional: true,
    type: 'number',
    value: max_per_minute ?? '',
    attributes: html` min="1" max="60000"`,
  })}${form.area({
    name: 'filter',
    label: 'Only events with these values',
    hint: 'One field per line, such as data.object.priority = high, urgent',
    isOptional: true,
    value: filterText(filter),
  })}${form.area({
    name: 'headers',
    label: 'Headers of each delivery',
    hint: `One per line, such as X-Api-Key: value. They are encrypted and never shown again.${
      headers.length > 0 ? ` Set now: ${headers.join(', ')}. What you enter replaces all of them.` : ''
    }`,
    isOptional: true,
  })}${headers.length > 0 && form.tick({ name: 'remove_headers', label: 'Remove the headers that are set' })}`;
}

/** All of a subject that has several types. */
function wildcardsOf(types: readonly EventTypeDto[]): Option[] {
  const bySubject = Map.groupBy(types, ({ type }) => type.split('.', 1)[0]);
  return [...bySubject].filter(([, members]) => members.length > 1).map(([subject]) => ({ value: `${subject}.*`, label: `${subject}.*` }));
}

function filterText(filter: Record<string, unknown> | null): string {
  return Object.entries(filter ?? {})
    .map(([path, values]) => `${path} = ${(values as string[]).join(', ')}`)
    .join('\n');
}

function filterOf(lines: readonly string[]): Record<string, string[]> | null {
  const entries = pairsOf(lines, '=').map(([path, values]) => [path, values.split(',').map((value) => value.trim())] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** Undefined to keep those that are stored. */
function headersOf(values: Values): Record<string, string> | undefined {
  const entries = pairsOf(values.lines('headers'), ':');
  return entries.length > 0 ? Object.fromEntries(entries) : values.has('remove_headers') ? {} : undefined;
}

/** What stands before and after the first separator of each line. */
function pairsOf(lines: readonly string[], separator: ':' | '='): [string, string][] {
  return lines.map((line) => {
    const [name, ...rest] = line.split(separator);
    return [name.trim(), rest.join(separator).trim()];
  });
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
    max_per_minute: values.number('max_per_minute'),
    filter: filterOf(values.lines('filter')),
    headers: headersOf(values),
  };
}
