import { html, type Html } from '../../kit/index.js';
import type { ApiKeyDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import { badge, modeBadge, type Tone } from '../components/badge.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const FILTERS = ['module', 'mode', 'status', 'last_four'];
const STATUSES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  inactive: ['Switched off', 'warn'],
  expired: ['Expired', 'bad'],
  revoked: ['Revoked', 'bad'],
};

export const keysPage = definePage({
  path: '/keys',
  title: 'API keys',
  permission: 'org.developer.apikeys.manage',
  operations: ['list_api_keys', 'list_scopes'],
  nav: 'Access',
  async show(visit) {
    const [module, mode, status] = FILTERS.map((name) => visit.query.get(name));
    const [keys, modules] = await Promise.all([
      visit.list<ApiKeyDto>('/developer/api-keys', { module, mode, status, origin: ['console', 'cli'], ...cursorOf(visit) }),
      visit.list<ScopedModuleDto>('/developer/scopes', { limit: 100 }),
    ]);
    return {
      title: 'API keys',
      lead: 'Software uses the suite with a key. Each key belongs to one module and to live or test data.',
      body: html`${filters(visit, modules.data)}${
        keys.data.length > 0 ? table({ caption: 'API keys', columns: columns(visit, modules.data), rows: keys.data }) : nothing(visit)
      }${paging(visit, keys)}`,
    };
  },
});

function filters(visit: Visit, modules: readonly ScopedModuleDto[]): Html {
  return filterForm(visit, [
    { name: 'module', label: 'Module', options: modules.map(({ name, title }) => ({ value: name, label: title })) },
    {
      name: 'mode',
      label: 'Data',
      options: [
        { value: 'live', label: 'Live' },
        { value: 'test', label: 'Test' },
      ],
    },
    { name: 'status', label: 'Status', options: Object.entries(STATUSES).map(([value, [label]]) => ({ value, label })) },
  ]);
}

function columns(visit: Visit, modules: readonly ScopedModuleDto[]): Column<ApiKeyDto>[] {
  return [
    {
      label: 'Name',
      cell: ({ id, name, last_four }) =>
        html`<a href="${visit.link(`/keys/${id}`)}">${name}</a><br><code class="soft">...${last_four}</code>`,
    },
    { label: 'Module', cell: ({ module }) => modules.find(({ name }) => name === module)?.title ?? module },
    { label: 'Data', cell: ({ mode }) => modeBadge(mode) },
    { label: 'Status', cell: ({ status }) => badge(...STATUSES[status]) },
    { label: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
    { label: 'Ends', cell: ({ expires_at }) => timeOf(expires_at) },
  ];
}

function nothing(visit: Visit): Html {
  return isFiltered(visit, FILTERS)
    ? emptyState({
        heading: 'No key matches',
        text: 'There are keys, but none with these properties.',
        step: html`<a href="${visit.link('/keys')}">Show all</a>`,
      })
    : emptyState({ heading: 'No keys yet', text: 'A key opens one module, so that a lost one opens no other.' });
}
