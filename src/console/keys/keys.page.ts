import { html, type Html } from '../../kit/index.js';
import type { ApiKeyDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { keyPath } from '../components/key-link.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { accessOf, KEY_STATUS_OPTIONS, keyNames, memberName, projectName, stateBadge, unusedNote, type KeyNames } from './key-texts.js';

export const keysPage = definePage({
  path: '/keys',
  title: 'API keys',
  permission: 'org.developer.apikeys.manage',
  operations: ['list_api_keys', 'list_scopes', 'list_org_projects', 'list_org_members'],
  nav: 'Access',
  icon: 'key-round',
  hasMode: true,
  parameters: { module: { label: 'Module' }, status: { label: 'Status' } },
  async show(visit) {
    const query = { mode: visit.mode, ...filterQuery(visit), origin: ['console', 'cli'], ...cursorOf(visit) };
    const keys = await visit.listOfPage<ApiKeyDto>('/developer/api-keys', query);
    const { data } = keys;
    const names = await keyNames(visit, data);
    const isEmpty = data.length === 0 && !isFiltered(visit);
    return {
      title: 'API keys',
      lead: 'Software uses the suite with a key. Each key belongs to one module, and to live or test data.',
      tools: html`<a class="button" href="${newKey(visit)}">New key</a>`,
      body: html`${!isEmpty && filters(visit, names.modules)}${
        data.length > 0 ? table({ caption: 'API keys', columns: columns(visit, names), rows: data }) : nothing(visit)
      }${paging(visit, keys)}`,
    };
  },
});

function filters(visit: Visit, modules: readonly ScopedModuleDto[]): Html {
  return filterForm(visit, [
    { name: 'module', options: modules.map(({ name, title }) => ({ value: name, label: title })) },
    { name: 'status', options: KEY_STATUS_OPTIONS },
  ]);
}

/** For the mode that is shown. */
function newKey(visit: Visit): string {
  return visit.link('/keys/new', { mode: visit.mode });
}

function columns(visit: Visit, names: KeyNames): Column<ApiKeyDto>[] {
  return [
    {
      label: 'Name',
      cell: ({ id, module, name, last_four }) =>
        html`<a href="${visit.link(keyPath(visit, { id, module }))}">${name}</a><br><code class="soft">...${last_four}</code>`,
    },
    {
      label: 'Access',
      cell: (key) => html`${names.modules.find(({ name }) => name === key.module)?.title ?? key.module}<br>
<span class="soft">${accessOf(key, names)}</span>`,
    },
    { label: 'Status', isState: true, cell: (key) => stateBadge(key) },
    {
      label: 'Project',
      cell: ({ project_id, actor_user_id }) =>
        html`${projectName(names, project_id)}${
          actor_user_id !== null && html`<br><span class="soft">for ${memberName(names, actor_user_id)}</span>`
        }`,
    },
    { label: 'Last used', cell: (key) => unusedNote(key) ?? timeOf(key.last_used_at) },
    { label: 'Expires', cell: ({ expires_at }) => timeOf(expires_at) },
  ];
}

function nothing(visit: Visit): Html {
  const other = visit.mode === 'test' ? 'live' : 'test';
  return isFiltered(visit)
    ? emptyState({
        heading: 'No key matches',
        text: `No key for ${visit.mode} data has these properties.`,
        step: html`<a href="${visit.link('/keys')}">Show all</a>`,
      })
    : emptyState({
        heading: `No keys for ${visit.mode} data`,
        text: 'A key works with one module, so a lost key exposes only that module. Start with a key for test data.',
        step: html`<a class="button" href="${visit.link('/keys/new', { mode: 'test' })}">New key for test data</a>
<a class="button quiet" href="${visit.here({ mode: other === 'live' ? null : other })}">Look in ${other} data</a>`,
      });
}
