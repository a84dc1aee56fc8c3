import { badge, codeBlock, cursorOf, definePage, definitions, emptyState, paging, timeOf } from '../../../console/index.js';
import { html, type Html, type ProjectDto } from '../../../kit/index.js';
import { runsTable, type Trigger, type TriggerRun } from './trigger-runs.js';
import { afterwards } from './triggers.page.js';

export const triggerPage = definePage({
  path: '/triggers/:id',
  title: 'Trigger',
  permission: 'papers.setup.manage',
  operations: ['get_org_trigger', 'list_org_generations'],
  hasMode: true,
  async show(visit) {
    const trigger = await visit.get<Trigger>(`/developer/triggers/${visit.param('id')}`);
    const [runs, type, project] = await Promise.all([
      visit.listOfPage<TriggerRun>('/papers/generations', { trigger_id: trigger.id, ...cursorOf(visit) }),
      visit.find<{ name: string }>(`/papers/types/${trigger.document_type_id}`),
      trigger.project_id === null ? null : visit.find<ProjectDto>(`/projects/${trigger.project_id}`),
    ]);
    return {
      title: trigger.name,
      above: [{ path: '/triggers', label: 'Triggers' }],
      lead: trigger.active ? badge('Active', 'good') : badge('Off'),
      body: html`${definitions([
        ['Event type', html`<code>${trigger.event_type}</code>`],
        ['Conditions', conditions(trigger)],
        ['Document type', type?.name ?? html`<code>${trigger.document_type_id}</code>`],
        ['Title', html`<code>${trigger.title_template}</code>`],
        ['Then', afterwards(trigger)],
        ['Project', trigger.project_id === null ? 'All projects' : (project?.name ?? trigger.project_id)],
        ['Created', timeOf(trigger.created_at)],
      ])}
<h2>Where the fields come from</h2>${sources(trigger)}
<h2>Runs</h2>${
        runs.data.length > 0
          ? await runsTable(visit, runs.data)
          : emptyState({ heading: 'It has not run yet', text: 'It runs when an event of its type happens that meets its conditions.' })
      }${paging(visit, runs)}`,
    };
  },
});

function conditions({ conditions: all }: Trigger): Html | string {
  if (all.length === 0) return 'None: it runs for every event of the type';
  return html`${all.map(({ path, op, operand }) => html`<code>${path} ${op} ${JSON.stringify(operand.value)}</code><br>`)}`;
}

function sources({ source_map }: Trigger): Html {
  if (Object.keys(source_map).length === 0) return html`<p class="soft">It fills in no field.</p>`;
  return codeBlock(JSON.stringify(source_map, null, 2), { id: 'sources', label: 'Sources by field' });
}
