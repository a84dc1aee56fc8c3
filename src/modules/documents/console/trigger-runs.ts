import { badge, type Column, type HtmlValue, table, timeOf, type Visit } from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';

/** `list_org_triggers` and `get_org_trigger`. */
export interface Trigger {
  id: string;
  name: string;
  event_type: string;
  document_type_id: string;
  project_id: string | null;
  title_template: string;
  source_map: Record<string, unknown>;
  conditions: { path: string; op: string; operand: { value?: unknown } }[];
  auto_submit: boolean;
  auto_finalize: boolean;
  active: boolean;
  created_at: string;
}

/** `list_org_generations`. */
export interface TriggerRun {
  id: string;
  created_at: string;
  status: string;
  trigger_id: string;
  event_type: string;
  event_id: string;
  document_id: string | null;
  error: string | null;
  warnings: string[];
}

export const RUN_STATUSES = [
  { value: 'completed', label: 'Made a document' },
  { value: 'failed', label: 'Failed' },
];

/** `names`: those of the triggers, for runs of several. */
export function runsTable(visit: Visit, runs: readonly TriggerRun[], names?: ReadonlyMap<string, string>): Html {
  const trigger: Column<TriggerRun> = {
    label: 'Trigger',
    cell: ({ trigger_id }) => html`<a href="${visit.link(`/triggers/${trigger_id}`)}">${names?.get(trigger_id) ?? 'Trigger'}</a>`,
  };
  return table<TriggerRun>({
    caption: 'Runs, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      ...(names ? [trigger] : []),
      { label: 'Event', cell: ({ event_type, event_id }) => eventOf(visit, event_type, event_id) },
      { label: 'Result', isState: true, cell: runBadge },
      { label: 'Reason', cell: ({ error, warnings }) => reasons(error, warnings) },
    ],
    rows: runs,
  });
}

export function runBadge({ status }: TriggerRun): Html {
  return status === 'completed' ? badge('Made a document', 'good') : badge('Failed', 'bad');
}

function eventOf(visit: Visit, type: string, id: string): Html {
  const name = html`<code>${type}</code>`;
  // events that callers sent to the API are not in the list of the suite's events
  return visit.can('org.developer.webhooks.manage') ? html`<a href="${visit.link('/find', { q: id })}">${name}</a>` : name;
}

function reasons(error: string | null, warnings: readonly string[]): HtmlValue {
  const all = [...(error === null ? [] : [error]), ...warnings];
  return all.map((text) => html`<p>${text}</p>`);
}
