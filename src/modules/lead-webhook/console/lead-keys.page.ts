import {
  type ApiKeyDto,
  type Column,
  cursorOf,
  definePage,
  emptyState,
  filterForm,
  filterQuery,
  isFiltered,
  KEY_STATUS_OPTIONS,
  keyBadge,
  paging,
  table,
  timeOf,
  type Visit,
} from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { LEAD_KEYS, LEAD_REQUESTS } from './lead-keys.js';

export const leadKeysPage = definePage({
  path: LEAD_KEYS,
  title: 'Lead webhook',
  permission: 'org.developer.leadkeys.view',
  operations: ['list_api_keys'],
  nav: 'Access',
  icon: 'inbox',
  docs: '/docs/api/lead_webhook',
  hasMode: true,
  parameters: { status: { label: 'Status' }, project_id: { label: 'Project' } },
  async show(visit) {
    const [keys, projects] = await Promise.all([
      visit.listOfPage<ApiKeyDto>('/developer/api-keys', {
        module: 'lead_webhook',
        mode: visit.mode,
        ...filterQuery(visit),
        ...cursorOf(visit),
      }),
      visit.all<{ id: string; name: string }>('/projects'),
    ]);
    const filtered = isFiltered(visit);
    const isEmpty = keys.data.length === 0;
    const filters = filterForm(visit, [
      { name: 'status', options: KEY_STATUS_OPTIONS },
      { name: 'project_id', options: projects.data.map(({ id, name }) => ({ value: id, label: name })) },
    ]);
    return {
      title: 'Lead webhook',
      lead: 'Forms and other systems submit leads with these keys. Each can do nothing else.',
      tools: html`${visit.can('org.developer.leadkeys.logs.view') && requests(visit)}${
        visit.can('org.developer.leadkeys.create') && newKey(visit)
      }`,
      body: html`${(!isEmpty || filtered) && filters}${
        isEmpty ? nothing(visit, filtered) : table({ caption: 'Keys', columns: columns(visit, projects.data), rows: keys.data })
      }${paging(visit, keys)}`,
    };
  },
});

function requests(visit: Visit): Html {
  return html`<a class="button quiet" href="${visit.link(LEAD_REQUESTS)}">Requests</a>`;
}

function newKey(visit: Visit): Html {
  return html`<a class="button" href="${visit.link(`${LEAD_KEYS}/new`)}">New key</a>`;
}

function columns(visit: Visit, projects: readonly { id: string; name: string }[]): Column<ApiKeyDto>[] {
  return [
    {
      label: 'Name',
      cell: ({ id, name, last_four }) =>
        html`<a href="${visit.link(`${LEAD_KEYS}/keys/${id}`)}">${name}</a><br><code class="soft">...${last_four}</code>`,
    },
    { label: 'Status', isState: true, cell: ({ status }) => keyBadge(status) },
    {
      label: 'Project',
      cell: ({ project_id }) =>
        project_id === null ? 'Named by each request' : (projects.find(({ id }) => id === project_id)?.name ?? project_id),
    },
    { label: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
    { label: 'Expires', cell: ({ expires_at }) => timeOf(expires_at) },
  ];
}

function nothing(visit: Visit, filtered: boolean): Html {
  if (filtered)
    return emptyState({
      heading: 'No key matches',
      text: 'There are keys for this data, but none with these properties.',
      step: html`<a class="button quiet" href="${visit.link(LEAD_KEYS)}">Show all</a>`,
    });
  const mayCreate = visit.can('org.developer.leadkeys.create');
  return emptyState({
    heading: visit.mode === 'test' ? 'No keys for test data' : 'No lead keys yet',
    text: mayCreate
      ? 'With a key, the form on your website turns its visitors into leads. People who are leads already are recognized.'
      : 'Your role shows lead keys but does not create them. Ask whoever may.',
    step: mayCreate ? newKey(visit) : undefined,
  });
}
