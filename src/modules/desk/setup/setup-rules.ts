import { canonicalZone, definedOf, isUuid, type Tx } from '../../../kit/index.js';
import { DeskAgent } from '../model/agent.entity.js';
import type { TicketViewFiltersDto } from '../lookups/views.dto.js';
import { invalid } from '../model/desk.errors.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import { METRICS, PRIORITIES, type Priority, type Targets } from '../model/values.js';
import type { ViewFilters } from '../model/view.entity.js';

/** Ensures that there is always exactly one default, and that it is active. */
export function requireDistinctDefault(
  changes: { is_default?: boolean; active?: boolean },
  before: { is_default: boolean; active: boolean } | null,
): void {
  const isDefault = changes.is_default ?? before?.is_default ?? false;
  if (before?.is_default && !isDefault) throw invalid('is_default', 'must not be false: make another one the default instead');
  if (isDefault && !(changes.active ?? before?.active ?? true)) throw invalid('active', 'must be true for the default');
}

export function zoneOf(timezone: string): string {
  const zone = canonicalZone(timezone);
  if (zone === null) throw invalid('timezone', 'must be the IANA name of a time zone, such as Europe/Berlin');
  return zone;
}

type GivenTargets = Partial<Record<Priority, Partial<Targets>>>;

/** Targets for every priority; omitted ones stay unchanged. */
export function targetsOf(given: GivenTargets, before: GivenTargets = {}): Record<Priority, Targets> {
  const of = (priority: Priority) =>
    Object.fromEntries(METRICS.map((metric) => [metric, metricOf(given[priority]?.[metric], before[priority]?.[metric])])) as Targets;
  return Object.fromEntries(PRIORITIES.map((priority) => [priority, of(priority)])) as Record<Priority, Targets>;
}

function metricOf(given: number | null | undefined, before: number | null | undefined): number | null {
  return given === undefined ? (before ?? null) : given;
}

/** The filters of a view; null removes one. */
export function filtersOf(given: TicketViewFiltersDto, before: ViewFilters = {}): ViewFilters {
  return Object.fromEntries(Object.entries({ ...before, ...definedOf(given) }).filter(([, value]) => value !== null));
}

export async function requireQueues(tx: Tx, projectId: string, param: string, ids: readonly string[] | undefined): Promise<void> {
  if (!ids || ids.length === 0) return;
  const queues = await tx.list(DeskQueue, { project_id: projectId });
  requireKnown(param, ids, queues);
}

export async function requireViewFilters(tx: Tx, project_id: string, filters: ViewFilters): Promise<void> {
  await requireQueues(tx, project_id, 'filters.queue_id', filters.queue_id);
  if (filters.status_id) requireKnown('filters.status_id', filters.status_id, await tx.list(DeskStatus, { project_id }));
  const agents = filters.assignee_id?.filter((id) => id !== 'none') ?? [];
  if (agents.some((id) => !isUuid(id))) throw invalid('filters.assignee_id', 'must contain ids of agents, or none');
  if (agents.length > 0) requireKnown('filters.assignee_id', agents, await tx.list(DeskAgent, { project_id }));
}

function requireKnown(param: string, ids: readonly string[], rows: readonly { id: string }[]): void {
  const unknown = ids.find((given) => !rows.some(({ id }) => id === given));
  if (unknown !== undefined) throw invalid(param, `contains ${unknown}, which the project does not have`);
}
