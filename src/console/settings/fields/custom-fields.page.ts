import { html, type Html, type ProjectDto } from '../../../kit/index.js';
import type { CustomFieldDto } from '../../../kit/internal.js';
import { badge } from '../../components/badge.js';
import { emptyState } from '../../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../../components/lists.js';
import { table } from '../../components/table.js';
import { definePage } from '../../frame/page-definition.js';
import type { Visit } from '../../frame/visit.js';
import { FIELDS_PATH, indexBadge, resourcesOf, typeWords, wordsOf } from './field-words.js';

const STATES = [{ value: 'true', label: 'Deleted' }];

export const customFieldsPage = definePage({
  path: FIELDS_PATH,
  title: 'Custom fields',
  permission: 'org.custom_fields.manage',
  operations: ['list_org_custom_fields', 'list_org_custom_field_resources', 'list_org_projects'],
  nav: 'Organization',
  icon: 'sliders-horizontal',
  parameters: { resource: { label: 'Record' }, deleted: { label: 'State' } },
  async show(visit) {
    const resources = await resourcesOf(visit);
    const fields = await visit.listOfPage<CustomFieldDto>('/custom-fields', { ...filterQuery(visit), ...cursorOf(visit) });
    const options = resources.map(({ resource }) => ({ value: resource, label: wordsOf(resource) }));
    const newLink = html`<a class="button" href="${visit.link(`${FIELDS_PATH}/new`)}">New field</a>`;
    return {
      title: 'Custom fields',
      lead: 'Further fields that your organization keeps about its records.',
      tools: newLink,
      body: html`${filterForm(visit, [
        { name: 'resource', options },
        { name: 'deleted', options: STATES },
      ])}${fields.data.length > 0 ? await fieldsTable(visit, fields.data) : nothing(visit, newLink)}${paging(visit, fields)}`,
    };
  },
});

async function fieldsTable(visit: Visit, fields: readonly CustomFieldDto[]): Promise<Html> {
  const { data: projects } = await visit.all<ProjectDto>('/projects');
  const projectOf = ({ project_id: id }: CustomFieldDto) => projects.find((project) => project.id === id)?.name ?? 'All projects';
  return table<CustomFieldDto>({
    caption: 'Custom fields',
    columns: [
      {
        label: 'Label',
        cell: ({ id, label, required }) =>
          html`<a href="${visit.link(`${FIELDS_PATH}/${id}`)}">${label}</a>${required && html` ${badge('Required')}`}`,
      },
      { label: 'Key', cell: ({ key }) => html`<code>${key}</code>` },
      { label: 'Record', cell: ({ resource }) => wordsOf(resource) },
      { label: 'Project', cell: projectOf },
      { label: 'Type', cell: ({ type }) => typeWords(type) },
      { label: 'Filter', cell: indexBadge },
    ],
    rows: fields,
  });
}

function nothing(visit: Visit, newLink: Html): Html {
  return isFiltered(visit)
    ? emptyState({
        heading: 'No custom field matches',
        text: 'There may be others.',
        step: html`<a class="button quiet" href="${visit.link(FIELDS_PATH)}">Show all custom fields</a>`,
      })
    : emptyState({ heading: 'No custom fields yet', text: 'Forms, lists, tools and files have a new one at once.', step: newLink });
}
