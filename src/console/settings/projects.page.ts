import { html, redirect, type Html, type ProjectDto } from '../../kit/index.js';
import { badge } from '../components/badge.js';
import { emptyState } from '../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../components/lists.js';
import { table } from '../components/table.js';
import type { Form } from '../frame/form.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const PATH = '/settings/projects';
const ABOVE = [{ path: PATH, label: 'Projects' }];
const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
];

export const projectsPage = definePage({
  path: PATH,
  title: 'Projects',
  permission: 'org.projects.manage',
  operations: ['list_org_projects'],
  nav: 'Organization',
  icon: 'folder-kanban',
  parameters: { status: { label: 'Status' } },
  async show(visit) {
    const projects = await visit.listOfPage<ProjectDto>('/projects', { ...filterQuery(visit), ...cursorOf(visit) });
    const newLink = html`<a class="button" href="${visit.link(`${PATH}/new`)}">New project</a>`;
    return {
      title: 'Projects',
      lead: 'The records of all modules belong to projects. A key can be limited to one project.',
      tools: newLink,
      body: html`${filterForm(visit, [{ name: 'status', options: STATUSES }])}${
        projects.data.length > 0 ? projectsTable(visit, projects.data) : nothing(visit, newLink)
      }${paging(visit, projects)}`,
    };
  },
});

export const newProjectPage = definePage({
  path: `${PATH}/new`,
  title: 'New project',
  permission: 'org.projects.manage',
  operations: [],
  show(visit) {
    const form = visit.form('create', { prefill: true });
    const key = form.text({
      name: 'key',
      label: 'Key',
      hint: '2 to 10 capital letters and digits, a letter first. Numbers such as ENG-42 begin with it. It cannot be changed later.',
      attributes: html` maxlength="10" pattern="[A-Z][A-Z0-9]{1,9}" autocapitalize="characters"`,
    });
    return {
      title: 'New project',
      above: ABOVE,
      lead: 'Every module sets up its defaults in the new project.',
      body: form.render({
        className: 'narrow',
        body: html`${form.text({ name: 'name', label: 'Name' })}${key}${details(form, { description: null, timezone: 'UTC' })}`,
        submit: { label: 'Create project' },
      }),
    };
  },
  actions: {
    create: {
      operations: ['create_org_project'],
      refusal: 'The project was not created',
      async run(visit, values) {
        const { id } = await visit.post<ProjectDto>('/projects', {
          key: values.text('key'),
          name: values.text('name'),
          description: values.optional('description'),
          timezone: values.text('timezone'),
        });
        return redirect(visit.link(`${PATH}/${id}`, { done: 'created' }));
      },
    },
  },
});

export const projectPage = definePage({
  path: `${PATH}/:id`,
  title: 'Project',
  permission: 'org.projects.manage',
  operations: ['get_org_project'],
  notices: {
    created: 'The project was created.',
    changed: 'The project was changed.',
    archived: 'The project was archived. Its records stay readable.',
    reopened: 'The project is open again.',
    default: 'Calls that name no project now create their records here.',
  },
  async show(visit) {
    const project = await visit.get<ProjectDto>(`/projects/${visit.param('id')}`);
    const { key, name, status, is_default, version } = project;
    const form = visit.form('change');
    const change = form.render({
      className: 'narrow',
      version,
      body: html`${form.text({ name: 'name', label: 'Name', value: name })}${details(form, project)}`,
      submit: { label: 'Save' },
    });
    return {
      title: name,
      above: ABOVE,
      lead: html`<code>${key}</code> ${statusBadge(project)}${is_default && html` ${badge('Default')}`}`,
      body: html`${change}${status === 'active' && !is_default && defaultForm(visit)}${archiving(visit, project)}`,
    };
  },
  actions: {
    change: {
      operations: ['update_org_project'],
      refusal: 'The project was not changed',
      run(visit, values) {
        const changes = {
          name: values.text('name'),
          description: values.optional('description'),
          timezone: values.text('timezone'),
        };
        return update(visit, changes, 'changed', Number(values.text('version')));
      },
    },
    make_default: {
      operations: ['update_org_project'],
      refusal: 'It was not made the default project',
      run: (visit) => update(visit, { is_default: true }, 'default'),
    },
    archive: {
      operations: ['update_org_project'],
      refusal: 'The project was not archived',
      run: (visit) => update(visit, { status: 'archived' }, 'archived'),
    },
    reopen: {
      operations: ['update_org_project'],
      refusal: 'The project was not reopened',
      run: (visit) => update(visit, { status: 'active' }, 'reopened'),
    },
  },
});

async function update(visit: Visit, changes: object, notice: string, version?: number) {
  await visit.patch(`/projects/${visit.param('id')}`, changes, version);
  return redirect(visit.here({ done: notice }));
}

/** The fields that a new project and an existing one have in common. */
function details(form: Form, { description, timezone }: Pick<ProjectDto, 'description' | 'timezone'>): Html {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => html`<option value="${zone}">`);
  return html`${form.area({ name: 'description', label: 'What it is about', isOptional: true, value: description })}
${form.text({
  name: 'timezone',
  label: 'Time zone',
  hint: 'Begin to type a city, such as Berlin. Due dates of the project count in it.',
  value: timezone,
  attributes: html` list="zones"`,
})}<datalist id="zones">${zones}</datalist>`;
}

function projectsTable(visit: Visit, projects: readonly ProjectDto[]): Html {
  return table<ProjectDto>({
    caption: 'Projects',
    columns: [
      {
        label: 'Name',
        cell: ({ id, name, is_default }) =>
          html`<a href="${visit.link(`${PATH}/${id}`)}">${name}</a>${is_default && html` ${badge('Default')}`}`,
      },
      { label: 'Key', cell: ({ key }) => html`<code>${key}</code>` },
      { label: 'Time zone', cell: ({ timezone }) => timezone },
      { label: 'Status', isState: true, cell: statusBadge },
    ],
    rows: projects,
  });
}

function statusBadge({ status }: ProjectDto): Html {
  return status === 'active' ? badge('Active', 'good') : badge('Archived');
}

function nothing(visit: Visit, newLink: Html): Html {
  return isFiltered(visit)
    ? emptyState({
        heading: 'No project matches',
        text: 'There are projects, but none with this status.',
        step: html`<a class="button quiet" href="${visit.link(PATH)}">Show all projects</a>`,
      })
    : emptyState({ heading: 'No projects yet', text: 'The first one becomes the default for calls that name none.', step: newLink });
}

function defaultForm(visit: Visit): Html {
  return html`<h2>Default project</h2><p class="soft">Calls that name no project create their records in the default one.</p>${visit
    .form('make_default')
    .render({ submit: { label: 'Make it the default', tone: 'quiet' } })}`;
}

function archiving(visit: Visit, { name, status }: ProjectDto): Html {
  if (status === 'archived')
    return html`<h2>Archived</h2><p class="soft">Nothing can be created in it. Its records stay readable.</p>${visit
      .form('reopen')
      .render({ submit: { label: 'Reopen', tone: 'quiet' } })}`;
  const submit = { label: 'Archive', tone: 'grave', confirm: `Archive ${name}?` } as const;
  return html`<h2>Archive it</h2><p class="soft">Then nothing can be created in it any more. Its records stay readable, and it can be
reopened.</p>${visit.form('archive').render({ submit })}`;
}
