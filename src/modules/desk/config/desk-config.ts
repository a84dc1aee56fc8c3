import { Injectable } from '@nestjs/common';
import { activeMember, CachedProjectConfig, notOfProject, Store, type DomainError, type RowReader } from '../../../kit/index.js';
import type { BusinessHours } from '../clocks/business-hours.js';
import { DeskAgent } from '../model/agent.entity.js';
import { DeskBusinessHours } from '../model/business-hours.entity.js';
import { DeskErrors } from '../model/desk.errors.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskSettings } from '../model/settings.entity.js';
import { DeskSlaPolicy } from '../model/sla-policy.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import type { StatusCategory } from '../model/values.js';

/** The service desk configuration of one project. */
export interface ProjectDesk {
  /** These in their order. */
  statuses: readonly DeskStatus[];
  queues: readonly DeskQueue[];
  policies: readonly DeskSlaPolicy[];
  /** Those whose members are active. */
  agents: readonly DeskAgent[];
  /** By id. */
  hours: ReadonlyMap<string, BusinessHours>;
  settings: DeskSettings;
}

const MEMBER_IS_ACTIVE = activeMember('t', 'member_id');
/** An error lists the valid choices if there are at most this many. */
const MOST_LISTED = 20;

/** The configuration of projects, cached in memory. Foreign keys reject references to rows that were deleted in the meantime. */
@Injectable()
export class DeskConfig extends CachedProjectConfig<ProjectDesk> {
  constructor(store: Store) {
    super(store, 'service desk configuration');
  }

  protected async load(rows: RowReader, project_id: string): Promise<ProjectDesk> {
    const [statuses, queues, policies, agents, hours, settings] = await Promise.all([
      rows.list(DeskStatus, { project_id }),
      rows.list(DeskQueue, { project_id }),
      rows.list(DeskSlaPolicy, { project_id }),
      rows.list(DeskAgent, { project_id }, MEMBER_IS_ACTIVE),
      rows.list(DeskBusinessHours, { project_id }),
      rows.list(DeskSettings, { project_id }),
    ]);
    return {
      statuses: inOrder(statuses),
      queues: inOrder(queues),
      policies: inOrder(policies),
      agents,
      hours: new Map(hours.map(({ id, timezone, windows, holidays }) => [id, { zone: timezone, windows, holidays }])),
      settings: settings[0],
    };
  }
}

/** The status of tickets that the suite itself moves to a category. */
export function defaultStatus({ statuses }: ProjectDesk, category: StatusCategory): DeskStatus {
  return statuses.find((status) => status.category === category && status.is_default) as DeskStatus;
}

/** The queue of tickets that are created without one. */
export function defaultQueue({ queues }: ProjectDesk): DeskQueue {
  return queues.find(({ is_default }) => is_default) as DeskQueue;
}

/** An active status of the project. */
export function requireStatus({ statuses }: ProjectDesk, id: string): DeskStatus {
  const usable = statuses.filter(({ active }) => active);
  return usable.find((status) => status.id === id) ?? fail('status_id', 'must be an active status of the project', usable);
}

/** An active queue of the project. */
export function requireQueue({ queues }: ProjectDesk, id: string): DeskQueue {
  const usable = queues.filter(({ active }) => active);
  return usable.find((queue) => queue.id === id) ?? fail('queue_id', 'must be an active queue of the project', usable);
}

/** An active agent of the project. */
export function requireAgent({ agents }: ProjectDesk, id: string): DeskAgent {
  const usable = agents.filter(({ active }) => active);
  const found = usable.find((agent) => agent.id === id);
  if (found) return found;
  throw notOfProject(
    'assignee_id',
    'must be an active agent of the project, by its id in list_ticket_agents',
    usable.length > 0 && usable.length <= MOST_LISTED ? usable.map((agent) => agent.id) : undefined,
  );
}

/** 400 `invalid_transition` with the statuses that the ticket can get. */
export function invalidMove({ statuses }: ProjectDesk, from: StatusCategory, to: DeskStatus, next: readonly StatusCategory[]): DomainError {
  const usable = statuses.filter(({ active, category }) => active && next.includes(category));
  return DeskErrors.invalidTransition({
    param: 'status_id',
    message: `A ticket that is ${from} cannot become ${to.category}${usable.length === 0 ? '' : `; possible are: ${namesOf(usable)}`}`,
    allowed: usable.map(({ id }) => id),
  });
}

function fail(param: string, message: string, usable: readonly { id: string; name: string }[]): never {
  if (usable.length === 0 || usable.length > MOST_LISTED) throw notOfProject(param, message);
  throw notOfProject(
    param,
    `${message}: ${namesOf(usable)}`,
    usable.map(({ id }) => id),
  );
}

function namesOf(choices: readonly { id: string; name: string }[]): string {
  return choices.map(({ id, name }) => `${name} is ${id}`).join(', ');
}

function inOrder<R extends { position: number }>(rows: R[]): R[] {
  return rows.sort((one, other) => one.position - other.position);
}
