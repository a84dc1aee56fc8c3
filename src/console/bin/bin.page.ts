import { html, redirect, RESTORABLE_DAYS, type Html } from '../../kit/index.js';
import { memberRestorings, snakeCase, type Manifest, type MemberRestoring } from '../../kit/internal.js';
import type { DeletedRecordDto } from '../../platform/bin/deleted-records.dto.js';
import { sentence } from '../calls/failures.js';
import { actorNames } from '../components/actor.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage, type Action, type PageDefinition } from '../frame/page-definition.js';
import { FormRefused } from '../frame/refusals.js';
import { isAllowed, permissionsOf } from '../frame/required.js';
import type { Visit } from '../frame/visit.js';

const PATH = '/bin';
const LIST = '/deleted-records';
const NO_FILTERS = { resource: null, text: null, from: null, to: null, cursor: null, trail: null };

interface Restoring extends MemberRestoring {
  resource: string;
  /** What the resource is called, such as "task". */
  word: string;
}

/** What members deleted and can restore. None if no module has such a resource. */
export function binPages(modules: readonly Manifest[]): PageDefinition[] {
  const restorings = modules.flatMap(memberRestorings).map((one): Restoring => {
    const resource = snakeCase(one.restorable.entity.name);
    return { ...one, resource, word: resource.replaceAll('_', ' ') };
  });
  return restorings.length === 0 ? [] : [binPage(restorings)];
}

function binPage(restorings: readonly Restoring[]): PageDefinition {
  return definePage({
    path: PATH,
    title: 'Bin',
    permission: [...new Set(restorings.flatMap(({ permission }) => permissionsOf(permission ?? null)))],
    operations: ['list_org_deleted_records'],
    nav: 'Organization',
    icon: 'trash-2',
    docs: '/docs/guides/undo',
    hasMode: true,
    parameters: {
      resource: { label: 'Kind', values: restorings.map(({ resource }) => resource) },
      text: { label: 'Title or address' },
      from: { label: 'Deleted from (UTC)', of: 'created_after' },
      to: { label: 'Deleted before (UTC)', of: 'created_before' },
      erase: { label: 'Record to erase', isView: true },
    },
    notices: {
      restored: 'It is back, with all that was deleted with it.',
      erased: 'It is gone and cannot be restored.',
    },
    async show(visit) {
      const days = { created_after: visit.query.get('from'), created_before: visit.query.get('to') };
      const records = await visit.listOfPage<DeletedRecordDto>(LIST, { ...filterQuery(visit), ...days, ...cursorOf(visit) });
      const { data } = records;
      const filtered = isFiltered(visit);
      const erased = data.find(({ id }) => id === visit.query.get('erase'));
      const rows = data.length > 0 && table({ caption: 'Deleted records', columns: await columns(visit, restorings, data), rows: data });
      return {
        title: 'Bin',
        lead: `Deleted records can be restored for ${RESTORABLE_DAYS} days, then they are gone.`,
        body: html`${(data.length > 0 || filtered) && filters(visit, restorings)}${
          erased !== undefined && erasing(visit, wordOf(restorings, erased), erased)
        }${rows || nothing(visit, restorings, filtered)}${paging(visit, records)}`,
      };
    },
    actions: { ...Object.fromEntries(restorings.map((one) => [one.operation, restore(one)])), erase: ERASE },
  });
}

function restore({ operation, permission, resource, word }: Restoring): Action {
  return {
    permission: permission ?? undefined,
    operations: [operation],
    refusal: `The ${word} was not restored`,
    async run(visit, values) {
      const { data } = await visit.list<DeletedRecordDto>(LIST, { resource, record_id: values.text('record_id') });
      if (data.length === 0) throw new FormRefused([{ field: null, text: 'It was restored or erased meanwhile.' }]);
      await visit.post(data[0].restore_path.replace('/api/v1/org', ''));
      return redirect(visit.here({ done: 'restored' }));
    },
  };
}

const ERASE: Action = {
  operations: ['erase_org_deleted_record'],
  refusal: 'The record was not erased',
  async run(visit, values) {
    await visit.delete(`${LIST}/${encodeURIComponent(values.text('id'))}`);
    return redirect(visit.here({ erase: null, done: 'erased' }));
  },
};

function filters(visit: Visit, restorings: readonly Restoring[]): Html {
  const offered = restorings.filter(({ permission }) => isAllowed(visit.visitor, permission ?? null));
  return filterForm(visit, [
    { name: 'resource', options: offered.map(({ resource, word }) => ({ value: resource, label: sentence(word) })) },
    { name: 'text', type: 'text', placeholder: 'ada@example.com' },
    { name: 'from', type: 'date' },
    { name: 'to', type: 'date' },
  ]);
}

async function columns(
  visit: Visit,
  restorings: readonly Restoring[],
  records: readonly DeletedRecordDto[],
): Promise<Column<DeletedRecordDto>[]> {
  const [nameOf, projects] = await Promise.all([
    actorNames(
      visit,
      records.map(({ deleted_by }) => deleted_by),
    ),
    visit.all<{ id: string; name: string }>('/projects'),
  ]);
  const names = new Map(projects.data.map(({ id, name }) => [id, name]));
  return [
    {
      label: 'Record',
      cell: ({ title, record_id, ...record }) => {
        const name = title === null ? html`<code>${record_id}</code>` : html`<bdi>${title}</bdi>`;
        return html`${name}<br><span class="soft">${sentence(wordOf(restorings, record))}</span>`;
      },
    },
    { label: 'Project', cell: ({ project_id }) => names.get(project_id) ?? html`<code>${project_id}</code>` },
    { label: 'Deleted by', cell: ({ deleted_by }) => nameOf(deleted_by) },
    { label: 'Deleted', cell: ({ created_at }) => timeOf(created_at) },
    { label: 'Kept until', cell: ({ restorable_until }) => timeOf(restorable_until) },
    {
      label: 'Actions',
      cell: (record) => html`<div class="row">${restoreForm(visit, restorings, record)}${eraseLink(visit, record)}</div>`,
    },
  ];
}

function restoreForm(visit: Visit, restorings: readonly Restoring[], { resource, record_id }: DeletedRecordDto): Html | false {
  const one = restorings.find((of) => of.resource === resource);
  if (!one) return false;
  const form = visit.form(one.operation, { id: record_id });
  return form.render({ body: form.hidden('record_id', record_id), submit: { label: 'Restore', tone: 'quiet' } });
}

function eraseLink(visit: Visit, { id, title, record_id }: DeletedRecordDto): Html {
  return html`<a href="${visit.here({ erase: id })}#erase">Erase<span class="away"> ${title ?? record_id}</span></a>`;
}

/** Asks before: nothing brings it back. */
function erasing(visit: Visit, word: string, { id, title, record_id }: DeletedRecordDto): Html {
  const form = visit.form('erase', { id });
  return html`<section id="erase" class="card"><h2>Erase the ${word} for good?</h2>
<p><b><bdi>${title ?? record_id}</bdi></b> and all that was deleted with it cannot be restored afterwards. Erase what must not be kept,
such as personal data.</p>
<div class="row">${form.render({ body: form.hidden('id', id), submit: { label: 'Erase', tone: 'grave' } })}
<a class="button quiet" href="${visit.here({ erase: null })}">Cancel</a></div></section>`;
}

function nothing(visit: Visit, restorings: readonly Restoring[], filtered: boolean): Html {
  if (filtered || visit.query.has('cursor'))
    return emptyState({
      heading: 'Nothing matches',
      text: `No deleted record of ${visit.mode} data has these properties.`,
      step: html`<a class="button quiet" href="${visit.here(NO_FILTERS)}">Show all</a>`,
    });
  const offered = restorings.filter(({ permission }) => isAllowed(visit.visitor, permission ?? null));
  const other = visit.mode === 'test' ? 'live' : 'test';
  return emptyState({
    heading: 'The bin is empty',
    text: `What you or your software deletes of these kinds appears here for ${RESTORABLE_DAYS} days: ${offered
      .map(({ word }) => word)
      .join(', ')}.`,
    step: html`<a class="button quiet" href="${visit.here({ mode: other === 'live' ? null : other })}">Look in ${other} data</a>`,
  });
}

function wordOf(restorings: readonly Restoring[], { resource }: Pick<DeletedRecordDto, 'resource'>): string {
  return restorings.find((one) => one.resource === resource)?.word ?? resource.replaceAll('_', ' ');
}
