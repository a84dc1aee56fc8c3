import {
  badge,
  cursorOf,
  definePage,
  emptyState,
  filterForm,
  isFiltered,
  paging,
  referenceOf,
  table,
  tabOf,
  tabParameter,
  tabs,
  timeOf,
  type Visit,
} from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { RUN_STATUSES, runBadge, runsTable, type Trigger, type TriggerRun } from './trigger-runs.js';

/** Triggers are created through the API. */
const CREATE = 'create_org_trigger';
const TABS = [
  { key: 'triggers', label: 'Triggers' },
  { key: 'runs', label: 'Runs' },
];
const MOST = 100;

export const triggersPage = definePage({
  path: '/triggers',
  title: 'Triggers',
  permission: 'papers.setup.manage',
  operations: ['list_org_triggers', 'list_org_generations'],
  nav: 'Automation',
  icon: 'zap',
  docs: '/docs/api/papers',
  hasMode: true,
  parameters: {
    ...tabParameter(TABS),
    event_type: { label: 'Event type' },
    active: { label: 'Status' },
    status: { label: 'Result' },
    trigger_id: { label: 'Trigger' },
  },
  async show(visit) {
    const body = tabOf(visit, TABS) === 'runs' ? await runs(visit) : await triggers(visit);
    return {
      title: 'Triggers',
      lead: 'A trigger makes a document of each event of its type, such as an agreement for every deal that is won.',
      tools: html`<a class="button quiet" href="${referenceOf(visit, CREATE)}">Create one with the API</a>`,
      body: html`${tabs(visit, TABS)}${body}`,
    };
  },
});

async function triggers(visit: Visit): Promise<Html> {
  const [event_type, active] = ['event_type', 'active'].map((name) => visit.query.get(name)?.trim() || null);
  const [page, latest] = await Promise.all([
    visit.listOfPage<Trigger>('/developer/triggers', { event_type, active, ...cursorOf(visit) }),
    visit.list<TriggerRun>('/papers/generations', { limit: MOST }),
  ]);
  const filters = filterForm(visit, [
    { name: 'event_type', type: 'text', placeholder: 'deal.won' },
    {
      name: 'active',
      options: [
        { value: 'true', label: 'Active' },
        { value: 'false', label: 'Off' },
      ],
    },
  ]);
  return html`${filters}${page.data.length > 0 ? triggersTable(visit, page.data, latest.data) : noTrigger(visit)}${paging(visit, page)}`;
}

function triggersTable(visit: Visit, rows: readonly Trigger[], latest: readonly TriggerRun[]): Html {
  return table<Trigger>({
    caption: 'Triggers',
    columns: [
      {
        label: 'Name',
        cell: ({ id, name, event_type }) =>
          html`<a href="${visit.link(`/triggers/${id}`)}">${name}</a><br><code class="soft">${event_type}</code>`,
      },
      { label: 'Status', isState: true, cell: ({ active }) => (active ? badge('Active', 'good') : badge('Off')) },
      { label: 'Document', cell: afterwards },
      {
        label: 'Last run',
        cell: ({ id }) => {
          const run = latest.find(({ trigger_id }) => trigger_id === id);
          // it may have run before all of the listed runs
          if (!run) return html`<span class="soft">${latest.length < MOST ? 'Never' : 'Not lately'}</span>`;
          return html`${runBadge(run)}<br>${timeOf(run.created_at)}`;
        },
      },
    ],
    rows,
  });
}

export function afterwards({ auto_submit, auto_finalize }: Trigger): string {
  if (auto_finalize) return 'Finalized at once';
  return auto_submit ? 'Submitted at once' : 'Stays a draft';
}

function noTrigger(visit: Visit): Html {
  return isFiltered(visit, ['event_type', 'active'])
    ? emptyState({
        heading: 'No trigger matches',
        text: 'There are triggers, but none with these properties.',
        step: html`<a class="button quiet" href="${visit.link('/triggers')}">Show all triggers</a>`,
      })
    : emptyState({
        heading: 'No triggers yet',
        text: 'One names an event type, a document type, and where the fields of the document come from. It is made with the API.',
        step: html`<a class="button" href="${referenceOf(visit, CREATE)}">Read the reference</a>`,
      });
}

async function runs(visit: Visit): Promise<Html> {
  const [status, trigger_id] = ['status', 'trigger_id'].map((name) => visit.query.get(name));
  const [page, known] = await Promise.all([
    visit.listOfPage<TriggerRun>('/papers/generations', { status, trigger_id, ...cursorOf(visit) }),
    visit.all<Trigger>('/developer/triggers'),
  ]);
  const names = new Map(known.data.map(({ id, name }) => [id, name]));
  const filters = filterForm(visit, [
    { name: 'status', options: RUN_STATUSES },
    { name: 'trigger_id', options: [...names].map(([value, label]) => ({ value, label })) },
  ]);
  const empty = isFiltered(visit, ['status', 'trigger_id'])
    ? emptyState({
        heading: 'No run matches',
        text: 'Triggers have run, but not with this result.',
        step: html`<a class="button quiet" href="${visit.link('/triggers', { tab: 'runs' })}">Show all runs</a>`,
      })
    : emptyState({ heading: 'No runs yet', text: 'A trigger runs when an event of its type happens. The results are listed here.' });
  return html`${filters}${page.data.length > 0 ? await runsTable(visit, page.data, names) : empty}${paging(visit, page)}`;
}
