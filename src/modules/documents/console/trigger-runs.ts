import { badge, type Column, type HtmlValue, table, timeOf, type Visit } from '../../../console/index.js';
import { html, isUuid, type Html } from '../../../kit/index.js';

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
export async function runsTable(visit: Visit, runs: readonly TriggerRun[], names?: ReadonlyMap<string, string>): Promise<Html> {
  const events = await shownEvents(visit, runs);
  const trigger: Column<TriggerRun> = {
    label: 'Trigger',
    cell: ({ trigger_id }) => html`<a href="${visit.link(`/triggers/${trigger_id}`)}">${names?.get(trigger_id) ?? 'Trigger'}</a>`,
  };
  return table<TriggerRun>({
    caption: 'Runs, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      ...(names ? [trigger] : []),
      { label: 'Event', cell: ({ event_type, event_id }) => eventOf(visit, event_type, events.get(event_id)) },
      { label: 'Result', isState: true, cell: runBadge },
      { label: 'Reason', cell: ({ error, warnings }) => reasons(error, warnings) },
    ],
    rows: runs,
  });
}

export function runBadge({ status }: TriggerRun): Html {
  return status === 'completed' ? badge('Made a document', 'good') : badge('Failed', 'bad');
}

interface ShownEvent {
  id: string;
  mode: string;
}

/** Those with a page, which events between modules and events that callers sent to the API do not have. */
async function shownEvents(visit: Visit, runs: readonly TriggerRun[]): Promise<ReadonlyMap<string, ShownEvent>> {
  if (!visit.can('org.developer.webhooks.manage')) return new Map();
  const ids = runs.map(({ event_id }) => event_id).filter(isUuid);
  const events = await visit.byIds<ShownEvent>('/developer/events', ids);
  return new Map(events?.map((event) => [event.id, event]));
}

function eventOf(visit: Visit, type: string, event: ShownEvent | undefined): Html {
  const name = html`<code>${type}</code>`;
  return event ? html`<a href="${visit.link(`/events/${event.id}`, event.mode === 'test' ? { mode: 'test' } : {})}">${name}</a>` : name;
}

function reasons(error: string | null, warnings: readonly string[]): HtmlValue {
  const all = [...(error === null ? [] : [error]), ...warnings];
  return all.map((text) => html`<p>${text}</p>`);
}
