import { html, isUuid, type Html } from '../../kit/index.js';
import type { AuditLogEntryDto } from '../../platform/audit/audit.dto.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import { sentence } from '../calls/failures.js';
import { emptyState } from '../components/blocks.js';
import { jsonBlock } from '../components/json.js';
import { keyLink } from '../components/key-link.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const ACTORS = [
  { value: 'user', label: 'Members' },
  { value: 'api_key', label: 'API keys' },
  { value: 'oauth_client', label: 'Apps' },
  { value: 'operator', label: 'Operators' },
  { value: 'guest', label: 'Nobody signed in' },
  { value: 'system', label: 'The suite itself' },
];
const KINDS: Readonly<Record<string, string>> = {
  user: 'A member',
  api_key: 'API key',
  oauth_client: 'App',
  operator: 'Operator',
  guest: 'Nobody signed in',
  system: 'The suite itself',
};
const ACTIONS = [
  ...['created', 'updated', 'deleted', 'exported', 'erased', 'closed', 'reopened'],
  ...['signed_in', 'signed_out', 'sign_in_failed', 'second_factor_failed', 'confirmation_failed', 'token_reused'],
];

export const auditLogPage = definePage({
  path: '/settings/audit-log',
  title: 'Audit log',
  permission: 'org.audit.view',
  operations: ['list_audit_entries'],
  nav: 'Organization',
  icon: 'history',
  parameters: {
    action: { label: 'Action' },
    type: { label: 'Kind of object', of: 'object_type' },
    object: { label: 'Object id', of: 'object_id' },
    by: { label: 'By', of: 'actor_type' },
    actor: { label: 'Id of member, key or app', of: 'actor_id' },
    from: { label: 'From (UTC)', of: 'created_after' },
    to: { label: 'To (UTC)', of: 'created_before' },
    entry: { label: 'Entry with its values', isView: true },
  },
  async show(visit) {
    const query = { ...filterQuery(visit), from: undefined, to: undefined, ...times(visit) };
    const entries = await visit.listOfPage<AuditLogEntryDto>('/audit-entries', { ...query, ...cursorOf(visit) });
    const filters = filterForm(visit, [
      { name: 'action', options: ACTIONS.map((value) => ({ value, label: wordsOf(value) })) },
      { name: 'type', type: 'text', placeholder: 'api_key' },
      { name: 'object', type: 'text' },
      { name: 'by', options: ACTORS },
      { name: 'actor', type: 'text' },
      { name: 'from', type: 'datetime-local' },
      { name: 'to', type: 'datetime-local' },
    ]);
    const isOpen = isFiltered(visit);
    const entry = await entryOf(visit, entries.data);
    const rows =
      entries.data.length > 0 ? table({ caption: 'Entries', columns: await columns(visit, entries.data), rows: entries.data }) : NOTHING;
    return {
      title: 'Audit log',
      lead: 'Who changed access, settings and administration. Entries cannot be changed.',
      tools: html`<a class="button quiet" href="${exportAddress(query)}" download>Download CSV</a>`,
      body: html`<details${isOpen && html` open`}><summary>Filters</summary>${filters}</details>${
        entry !== null && opened(visit, entry)
      }${rows}${paging(visit, entries, { isEndless: true, hasFile: true })}`,
    };
  },
});

const NOTHING = emptyState({
  heading: 'Nothing matches',
  text: 'No entry has these properties. Remove filters, or choose a longer period.',
});

/** What `datetime-local` sends, as the operation takes it. */
function times({ query }: Visit): Record<string, string | undefined> {
  const time = (name: string) => {
    const given = query.get(name)?.trim();
    return given && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(given)
      ? `${given.length === 16 ? `${given}:00` : given}Z`
      : given || undefined;
  };
  return { created_after: time('from'), created_before: time('to') };
}

function exportAddress(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return `/api/v1/org/audit-entries/export?${new URLSearchParams(given).toString()}`;
}

async function columns(visit: Visit, entries: readonly AuditLogEntryDto[]): Promise<Column<AuditLogEntryDto>[]> {
  const [nameOf, keyOf] = await Promise.all([objectNames(visit, entries), keyNames(visit, entries)]);
  const operations = new Map(visit.site.routes.flatMap(({ endpoint }) => (endpoint ? [[endpoint.operation, endpoint.summary]] : [])));
  return [
    { label: 'Time', cell: ({ created_at }) => timeOf(created_at, { seconds: true }) },
    { label: 'By', cell: (entry) => by(entry, keyOf(entry)) },
    {
      label: 'What',
      cell: ({ action, object_type, object_id, operation }) => {
        const isAll = object_id === null || visit.query.get('object') === object_id;
        const name = object_id === null ? undefined : (nameOf(object_id) ?? (isAll ? object_id : 'All entries about it'));
        return html`${object_type === 'session' ? sentence(wordsOf(action)) : html`${whatOf(object_type)} ${wordsOf(action)}`}${
          name !== undefined &&
          html`<br>${isAll ? name : html`<a href="${visit.here({ object: object_id, cursor: null, trail: null })}">${name}</a>`}`
        }${
          operation !== null &&
          html`<br><span class="soft" title="${operation}">${operations.get(operation) ?? sentence(wordsOf(operation))}</span>`
        }`;
      },
    },
    {
      label: 'Values',
      cell: ({ id, sequence }) =>
        html`<a href="${visit.here({ entry: id })}#entry">Show<span class="away"> those of entry ${sequence}</span></a>`,
    },
  ];
}

/** The members of an object that say which one it is, the plainest first. */
const NAMES = ['name', 'title', 'label', 'number', 'email', 'address', 'subject', 'key', 'code', 'slug', 'url', 'on'];

function nameIn({ before, after }: AuditLogEntryDto): string | undefined {
  const values = { ...before, ...after };
  const named = NAMES.map((member) => values[member]).find((value) => typeof value === 'number' || (typeof value === 'string' && value));
  return named === undefined ? undefined : String(named).slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 100;

/** The names of the objects. An entry of a change has only what changed, so the entries that made them are read, too. */
async function objectNames(visit: Visit, entries: readonly AuditLogEntryDto[]): Promise<(id: string) => string | undefined> {
  const names = new Map<string, string>();
  const take = (some: readonly AuditLogEntryDto[]) => {
    for (const entry of some) {
      const name = nameIn(entry);
      if (entry.object_id !== null && name !== undefined && !names.has(entry.object_id)) names.set(entry.object_id, name);
    }
  };
  take(entries);
  const others = new Set(entries.flatMap(({ object_id }) => (object_id === null || names.has(object_id) ? [] : [object_id])));
  if (others.size > 0) {
    const made = await visit.list<AuditLogEntryDto>('/audit-entries', { object_id: [...others], action: 'created', limit: others.size });
    take(made.data);
  }
  return (id) => names.get(id);
}

/** The names of the keys that the member may see. */
async function keyNames(visit: Visit, entries: readonly AuditLogEntryDto[]): Promise<(entry: AuditLogEntryDto) => Html | undefined> {
  const ids = entries.flatMap(({ actor_type, actor_id }) => (actor_type === 'api_key' ? [actor_id] : []));
  const keys = new Map((await visit.byIds<ApiKeyDto>('/developer/api-keys', ids))?.map((key) => [key.id, key]));
  return ({ actor_id }) => {
    const key = keys.get(actor_id ?? '');
    return key && keyLink(visit, key, key.name);
  };
}

function by({ actor_type, actor_name, actor_id, address, user_agent }: AuditLogEntryDto, key: Html | undefined): Html {
  const kind = KINDS[actor_type] ?? sentence(wordsOf(actor_type));
  const name = actor_name ?? actor_id;
  const named = actor_type === 'user' && name !== null ? name : html`${kind}${name !== null && ` ${name}`}`;
  const ofKey = key && html`${key}${actor_name !== null && html`<br><span class="soft">for ${actor_name}</span>`}`;
  return html`${ofKey ?? named}${actor_type === 'oauth_client' && html`<br><code class="soft">${actor_id}</code>`}${
    address !== null && html`<br><span class="soft" title="${user_agent ?? ''}">${address}</span>`
  }`;
}

/** The entry of the address, also if later ones have pushed it to another page. */
async function entryOf(visit: Visit, entries: readonly AuditLogEntryDto[]): Promise<AuditLogEntryDto | null> {
  const wanted = visit.query.get('entry');
  if (!isUuid(wanted)) return null;
  return entries.find(({ id }) => id === wanted) ?? visit.find<AuditLogEntryDto>(`/audit-entries/${wanted}`);
}

/** The entry of the address; the values of all entries would make a page of any size. */
function opened(visit: Visit, { before, after, sequence, hash, request_id }: AuditLogEntryDto): Html {
  const part = (label: string, values: object | null) =>
    values !== null && html`<h3>${label}</h3>${jsonBlock(values, { id: label.toLowerCase(), label })}`;
  const request = request_id !== null && html`, request <code>${request_id}</code>`;
  return html`<section id="entry" class="card"><h2>Entry ${sequence}</h2>${part('Before', before)}${part('After', after)}
<p class="soft">Hash <code>${hash.slice(0, 16)}</code>${request}</p><p><a href="${visit.here({ entry: null })}">Close</a></p></section>`;
}

const ACRONYM = /^(?:ai|api|id|ip|sla|sso|url|[^aeiouy]{2,3})$/;

/** `api_key`: API key. */
function whatOf(type: string): string {
  const words = type.split('_').map((word) => (ACRONYM.test(word) ? word.toUpperCase() : word === 'oauth' ? 'OAuth' : word));
  return sentence(words.join(' '));
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
