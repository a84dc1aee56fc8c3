import type { Query } from '../calls/product-calls.js';
import type { FilterField } from '../components/lists.js';
import type { Option } from '../frame/form.js';
import type { Visit } from '../frame/visit.js';
import { KEYED, type CallerNames } from './call-columns.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const STATUSES: readonly (readonly [value: string, label: string])[] = [
  ['errors', 'All errors'],
  ['2xx', '2xx, succeeded'],
  ['4xx', '4xx, refused'],
  ['5xx', '5xx, failed'],
  ...['400', '401', '403', '404', '409', '412', '422', '429', '500', '503'].map((status) => [status, status] as const),
];
const LATENCIES: readonly (readonly [value: string, label: string])[] = [
  ['100', '100 ms or more'],
  ['250', '250 ms or more'],
  ['500', '500 ms or more'],
  ['1000', '1 s or more'],
  ['5000', '5 s or more'],
];
export const CHANGES_BY_MEMBERS = 'product';

/** The names of the filters in the address. */
export const LOG_FILTERS = [
  'status',
  'code',
  'method',
  'route',
  'operation',
  'key',
  'member',
  'project',
  'via',
  'tool',
  'latency',
  'from',
  'to',
  'request',
  'plane',
];

/** What the address says, as the operation wants it. What cannot be meant is left out. */
export function logQuery({ query, mode }: Visit): Query {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  const status = text('status');
  return {
    mode,
    plane: text('plane') === CHANGES_BY_MEMBERS ? CHANGES_BY_MEMBERS : null,
    status: /^[1-5]\d\d$/.test(status) ? status : null,
    status_class: status === 'errors' ? ['4xx', '5xx'] : /^[2-5]xx$/.test(status) ? status : null,
    code: text('code'),
    method: METHODS.includes(text('method')) ? text('method') : null,
    route: routeOf(text('route')),
    operation: text('operation'),
    api_key_id: text('key'),
    member_id: text('member'),
    project_id: text('project'),
    via: ['http', 'mcp'].includes(text('via')) ? text('via') : null,
    tool: text('tool'),
    latency_ms_from: /^\d{1,9}$/.test(text('latency')) ? text('latency') : null,
    created_after: instantOf(text('from')),
    created_before: instantOf(text('to')),
    request_id: text('request'),
  };
}

/** As the log shows it, or whole. */
function routeOf(text: string): string {
  return /^\/(?!api\/)/.test(text) ? `${KEYED}${text}` : text;
}

/** A time in UTC as fields for dates and times write it. */
export function minuteOf(iso: string | number): string {
  return new Date(iso).toISOString().slice(0, 16);
}

/** An instant in UTC, with or without its zone; null if it is none. */
export function instantOf(text: string): string | null {
  const time = text === '' ? NaN : Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function logFilters({ query }: Visit, { keys, members }: CallerNames): FilterField[] {
  const isOfMembers = query.get('plane') === CHANGES_BY_MEMBERS;
  const caller: FilterField = isOfMembers
    ? { name: 'member', label: 'Member', ...choicesOf(members, query.get('member')) }
    : { name: 'key', label: 'API key', ...choicesOf(keys, query.get('key')) };
  return [
    { name: 'status', label: 'Status', options: withGiven(STATUSES, query.get('status')) },
    { name: 'code', label: 'Error code', type: 'text', placeholder: 'validation_failed' },
    caller,
    { name: 'method', label: 'Method', options: METHODS.map((value) => ({ value, label: value })) },
    { name: 'route', label: 'Route', type: 'text', placeholder: '/tasks/tasks/{id}' },
    { name: 'operation', label: 'Operation', type: 'text', placeholder: 'create_task' },
    { name: 'latency', label: 'Latency', options: withGiven(LATENCIES, query.get('latency')) },
    {
      name: 'via',
      label: 'Via',
      options: [
        { value: 'http', label: 'HTTP' },
        { value: 'mcp', label: 'MCP' },
      ],
    },
    { name: 'tool', label: 'MCP tool', type: 'text', placeholder: 'create_task' },
    { name: 'from', label: 'From (UTC)', type: 'datetime-local' },
    { name: 'to', label: 'To (UTC)', type: 'datetime-local' },
    { name: 'request', label: 'Request id', type: 'text', placeholder: 'req_...' },
  ];
}

/** A list to choose from, or a field for the id where the names are not to be read. */
function choicesOf(names: ReadonlyMap<string, string> | null, given: string | null): { options: Option[] } | { type: 'text' } {
  return names ? { options: withGiven([...names], given) } : { type: 'text' };
}

/** The options, and the value of the address if it is not among them. */
function withGiven(options: readonly (readonly [value: string, label: string])[], given: string | null): Option[] {
  const all = options.map(([value, label]) => ({ value, label }));
  return !given || all.some(({ value }) => value === given) ? all : [...all, { value: given, label: given }];
}
