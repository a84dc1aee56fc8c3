import type { Query } from '../calls/product-calls.js';
import { filterQuery, type FilterField } from '../components/lists.js';
import type { Option } from '../frame/form.js';
import type { Parameters } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { KEYED, type CallerNames } from './call-columns.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
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

/** The parameters of the address. */
export const LOG_PARAMETERS: Parameters = {
  text: { label: 'Search' },
  status: { label: 'Status' },
  code: { label: 'Error code' },
  method: { label: 'Method' },
  route: { label: 'Route' },
  operation: { label: 'Operation' },
  key: { label: 'API key', of: 'api_key_id' },
  member: { label: 'Member', of: 'member_id' },
  project: { label: 'Project', of: 'project_id' },
  via: { label: 'Via' },
  tool: { label: 'MCP tool' },
  dry_run: { label: 'Dry run' },
  latency: { label: 'Latency', of: 'latency_ms_from' },
  from: { label: 'From (UTC)', of: 'created_after' },
  to: { label: 'To (UTC)', of: 'created_before' },
  request: { label: 'Request id', of: 'request_id' },
  plane: { label: 'View', values: [CHANGES_BY_MEMBERS] },
};
export const LOG_FILTERS = Object.keys(LOG_PARAMETERS);

/** The parameters of the address in the operation's form. Invalid values are passed on, because the operation rejects them. */
export function logQuery(visit: Visit): Query {
  const { status, route, created_after, created_before, ...filters } = filterQuery(visit) as Readonly<Record<string, string | undefined>>;
  const classes = status === 'errors' ? ['4xx', '5xx'] : /^[2-5]xx$/.test(status ?? '') ? status : null;
  return {
    mode: visit.mode,
    ...filters,
    status: classes === null ? status : null,
    status_class: classes,
    route: routeOf(route),
    created_after: timeOf(created_after),
    created_before: timeOf(created_before),
  };
}

/** A route as the log shows it, or in full. */
function routeOf(text = ''): string {
  return /^\/(?!api\/)/.test(text) ? `${KEYED}${text}` : text;
}

/** A time in UTC as fields for dates and times write it. */
export function minuteOf(iso: string | number): string {
  return new Date(iso).toISOString().slice(0, 16);
}

/** An instant in the operations' form. Invalid text stays as it is, because the operations reject it. */
export function timeOf(text = ''): string {
  return instantOf(text) ?? text;
}

/** An instant in UTC, with or without its zone; null if it is none. */
function instantOf(text: string): string | null {
  const time = text === '' ? NaN : Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function logFilters({ query, site }: Visit, { keys, members }: CallerNames): FilterField[] {
  const isOfMembers = query.get('plane') === CHANGES_BY_MEMBERS;
  const example = site.routes.find(({ plane, method, path }) => plane === 'keyed' && method === 'PATCH' && path.endsWith('/{id}'));
  const caller: FilterField = isOfMembers
    ? { name: 'member', ...choicesOf(members, query.get('member')) }
    : { name: 'key', ...choicesOf(keys, query.get('key')) };
  return [
    { name: 'status', options: withGiven(STATUSES, query.get('status')) },
    { name: 'code', type: 'text', placeholder: 'validation_failed' },
    caller,
    { name: 'method', options: METHODS.map((value) => ({ value, label: value })) },
    { name: 'route', type: 'text', placeholder: example?.path.slice(KEYED.length) },
    { name: 'operation', type: 'text', placeholder: example?.endpoint?.operation },
    { name: 'latency', options: withGiven(LATENCIES, query.get('latency')) },
    {
      name: 'via',
      options: [
        { value: 'http', label: 'HTTP' },
        { value: 'mcp', label: 'MCP' },
      ],
    },
    {
      name: 'dry_run',
      options: [
        { value: 'true', label: 'Only dry runs' },
        { value: 'false', label: 'No dry runs' },
      ],
    },
    { name: 'tool', type: 'text', placeholder: example?.endpoint?.operation },
    { name: 'from', type: 'datetime-local' },
    { name: 'to', type: 'datetime-local' },
    { name: 'request', type: 'text', placeholder: 'req_...' },
  ];
}

/** A list of choices, or a field for the id if the member may not read the names. */
function choicesOf(names: ReadonlyMap<string, string> | null, given: string | null): { options: Option[] } | { type: 'text' } {
  return names ? { options: withGiven([...names], given) } : { type: 'text' };
}

/** The options, plus the value of the address if it is not among them. */
function withGiven(options: readonly (readonly [value: string, label: string])[], given: string | null): Option[] {
  const all = options.map(([value, label]) => ({ value, label }));
  return !given || all.some(({ value }) => value === given) ? all : [...all, { value: given, label: given }];
}
