import { html, type Html } from '../../kit/index.js';
import type { ApiKeyDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import { modeBadge } from '../components/badge.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { accessOf, KEY_STATUS_OPTIONS, keyBadge, keyNames, memberName, projectName, unusedNote, type KeyNames } from './key-texts.js';

const FILTERS = ['module', 'mode', 'status'];
export const keysPage = definePage({
  path: '/keys',
  title: 'API keys',
  permission: 'org.developer.apikeys.manage',
  operations: ['list_api_keys', 'list_scopes', 'list_org_projects', 'list_org_members'],
  nav: 'Access',
  async show(visit) {
    const [module, mode, status] = FILTERS.map((name) => visit.query.get(name));
    const query = { module, mode, status, origin: ['console', 'cli'], ...cursorOf(visit) };
    const [keys, names] = await Promise.all([visit.list<ApiKeyDto>('/developer/api-keys', query), keyNames(visit)]);
    const { data } = keys;
    return {
      title: 'API keys',
      lead: 'Software uses the suite with a key. Each key belongs to one module, and to live or test data.',
      tools: html`<a class="button" href="${visit.link('/keys/new')}">New key</a>`,
      body: html`${filters(visit, names.modules)}${
        data.length > 0 ? table({ caption: 'API keys', columns: columns(visit, names), rows: data }) : nothing(visit)
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
    { name: 'status', label: 'Status', options: KEY_STATUS_OPTIONS },
  ]);
}

function columns(visit: Visit, names: KeyNames): Column<ApiKeyDto>[] {
  return [
    {
      label: 'Name',
      cell: ({ id, name, last_four }) =>
        html`<a href="${visit.link(`/keys/${id}`)}">${name}</a><br><code class="soft">...${last_four}</code>`,
    },
    {
      label: 'Opens',
      cell: (key) => html`${names.modules.find(({ name }) => name === key.module)?.title ?? key.module}<br>
<span class="soft">${accessOf(key, names)}</span>`,
    },
    { label: 'State', cell: ({ mode, status }) => html`${modeBadge(mode)} ${keyBadge(status)}` },
    {
      label: 'Project',
      cell: ({ project_id, actor_user_id }) =>
        html`${projectName(names, project_id)}${
          actor_user_id !== null && html`<br><span class="soft">for ${memberName(names, actor_user_id)}</span>`
        }`,
    },
    { label: 'Last used', cell: (key) => unusedNote(key) ?? timeOf(key.last_used_at) },
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
    : emptyState({
        heading: 'No keys yet',
        text: 'A key opens one module, so that a lost one opens no other. Begin with a key for test data.',
        step: html`<a class="button" href="${visit.link('/keys/new', { mode: 'test' })}">New key</a>`,
      });
}
