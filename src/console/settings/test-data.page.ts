import { html, redirect, type Html } from '../../kit/index.js';
import type { ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import type { TestDataDto, TestDataErasureDto } from '../../platform/scheduled-jobs/test-data.dto.js';
import { badge } from '../components/badge.js';
import { definitions, emptyState, refreshRegion } from '../components/blocks.js';
import { count, counted } from '../components/numbers.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { requireTyped, typedConfirmation } from '../components/typed-confirmation.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const REGION = 'test-data';

export const testDataPage = definePage({
  path: '/settings/test-data',
  title: 'Test data',
  permission: 'org.developer.testdata.erase',
  operations: ['get_test_data'],
  nav: 'Organization',
  icon: 'flask-conical',
  async show(visit) {
    const { total, by_module, last_erasure } = await visit.get<TestDataDto>('/developer/test-data');
    const names = await moduleNames(visit);
    const isRunning = last_erasure?.status === 'running';
    const body = html`${last_erasure && erasure(last_erasure)}${counts(total, by_module, names)}${
      total > 0 && !isRunning && erasing(visit, total)
    }`;
    return {
      title: 'Test data',
      lead: 'What test keys created. Rows are deleted 30 days after their last change.',
      // the script finds the content after the progress by this id
      body: isRunning ? refreshRegion({ id: REGION, here: visit.here(), body, isLive: true }) : html`<div id="${REGION}">${body}</div>`,
    };
  },
  actions: {
    erase: {
      operations: ['erase_test_data'],
      refusal: 'Nothing was erased',
      fields: { organization_name: 'typed' },
      async run(visit, values) {
        const { organizationName } = visit.visitor;
        requireTyped(values, organizationName);
        await visit.post('/developer/test-data/erase', { organization_name: organizationName });
        return redirect(visit.here());
      },
    },
  },
});

/** The titles of modules, as far as the member may see them. */
async function moduleNames(visit: Visit): Promise<ReadonlyMap<string, string>> {
  const modules = await visit.find<{ data: ScopedModuleDto[] }>('/developer/scopes', { limit: 100 });
  return new Map(modules?.data.map(({ name, title }) => [name, title]));
}

function counts(total: number, modules: TestDataDto['by_module'], names: ReadonlyMap<string, string>): Html {
  if (total === 0)
    return emptyState({
      heading: 'There is no test data',
      text: 'Everything that test keys create is listed here until it is erased. Live data is never touched.',
    });
  return html`<h2>${counted(total, 'row')}</h2><div class="narrow">${table<TestDataDto['by_module'][number]>({
    caption: 'Rows of test data by module',
    columns: [
      { label: 'Module', cell: ({ module }) => names.get(module) ?? module },
      { label: 'Rows', isNumber: true, cell: ({ rows }) => count(rows) },
    ],
    rows: modules,
  })}</div>`;
}

function erasure({ status, total, deleted_count, created_at, finished_at }: TestDataErasureDto): Html {
  if (status === 'running')
    return html`<div class="note" role="status"><h2>Erasing</h2>
<p><progress max="${Math.max(total, 1)}" value="${deleted_count}" aria-label="Rows erased"></progress></p>
<p>${count(deleted_count)} of ${count(total)} rows are gone. You can leave this page: it goes on.</p></div>`;
  return html`<h2>Last erasure</h2>${definitions([
    ['Result', status === 'done' ? badge('Done', 'good') : badge('Some rows stayed', 'warn')],
    ['Rows erased', count(deleted_count)],
    ['Asked for', timeOf(created_at)],
    ['Finished', timeOf(finished_at)],
  ])}${status === 'failed' && html`<p>They were in use for a long time. Erase again.</p>`}`;
}

function erasing(visit: Visit, total: number): Html {
  return html`<h2>Erase test data</h2>${typedConfirmation(visit, 'erase', {
    name: visit.visitor.organizationName,
    explanation: html`<b>What goes:</b> ${total === 1 ? 'the row' : `all ${count(total)} rows`} that test keys created.
They cannot
be brought back.<br><b>What stays:</b> all live data, and what live and test data share: keys, webhook endpoints, types, statuses, templates
and other settings.`,
    submit: 'Erase test data',
  })}`;
}
