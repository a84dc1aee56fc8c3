import { html, type Html } from '../../kit/index.js';
import type { AuditLogEntryDto } from '../../platform/audit/audit.dto.js';
import { sentence } from '../calls/failures.js';
import { emptyState } from '../components/blocks.js';
import { jsonBlock } from '../components/json.js';
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
    const entry = entries.data.find(({ id }) => id === visit.query.get('entry'));
    const rows = entries.data.length > 0 ? table({ caption: 'Entries', columns: columns(visit), rows: entries.data }) : NOTHING;
    return {
      title: 'Audit log',
      lead: 'Who changed access, settings and administration. Entries cannot be changed.',
      tools: html`<a class="button quiet" href="${exportAddress(query)}" download>Download CSV</a>`,
      body: html`<details${isOpen && html` open`}><summary>Filters</summary>${filters}</details>${
        entry !== undefined && opened(visit, entry)
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

function columns(visit: Visit): Column<AuditLogEntryDto>[] {
  return [
    { label: 'Time', cell: ({ created_at }) => timeOf(created_at, { seconds: true }) },
    { label: 'By', cell: by },
    {
      label: 'What',
      cell: ({ action, object_type, object_id, operation }) =>
        html`${sentence(wordsOf(object_type))} ${wordsOf(action)}${operation !== null && html`<br><code class="soft">${operation}</code>`}${
          object_id !== null &&
          html`<br><a class="soft" href="${visit.here({ object: object_id, cursor: null, trail: null })}">${object_id}</a>`
        }`,
    },
    {
      label: 'Values',
      cell: ({ id, sequence }) =>
        html`<a href="${visit.here({ entry: id })}#entry">Show<span class="away"> those of entry ${sequence}</span></a>`,
    },
  ];
}

function by({ actor_type, actor_name, actor_id, address, user_agent }: AuditLogEntryDto): Html {
  const kind = KINDS[actor_type] ?? sentence(wordsOf(actor_type));
  const name = actor_name ?? actor_id;
  return html`${actor_type === 'user' && name !== null ? name : html`${kind}${name !== null && ` ${name}`}`}${
    actor_type === 'oauth_client' && html`<br><code class="soft">${actor_id}</code>`
  }${address !== null && html`<br><span class="soft" title="${user_agent ?? ''}">${address}</span>`}`;
}

/** The entry of the address; the values of all entries would make a page of any size. */
function opened(visit: Visit, { before, after, sequence, hash, request_id }: AuditLogEntryDto): Html {
  const part = (label: string, values: object | null) =>
    values !== null && html`<h3>${label}</h3>${jsonBlock(values, { id: label.toLowerCase(), label })}`;
  const request = request_id !== null && html`, request <code>${request_id}</code>`;
  return html`<section id="entry" class="card"><h2>Entry ${sequence}</h2>${part('Before', before)}${part('After', after)}
<p class="soft">Hash <code>${hash.slice(0, 16)}</code>${request}</p><p><a href="${visit.here({ entry: null })}">Close</a></p></section>`;
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
