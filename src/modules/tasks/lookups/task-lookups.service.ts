import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Projects, Store, type Ctx, type Member, type Page, type Tx } from '../../../kit/index.js';
import type { TaskLabelsQuery, TaskMembersQuery, TaskStatusesQuery } from './task-lookups.dto.js';
import { TaskLabel } from './task-label.entity.js';
import { TaskStatus } from './task-status.entity.js';

/** How long a project's statuses may be remembered: at most so much later another process's change is seen. */
const FRESH_MS = 5_000;
const MOST_PROJECTS = 10_000;

interface Remembered {
  statuses: readonly TaskStatus[];
  until: number;
}

/** What writers of tasks look up first. */
@Injectable()
export class TaskLookups {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
  ) {}

  async statuses(ctx: Ctx, projectId: string | undefined): Promise<readonly TaskStatus[]> {
    const project = await this.projects.resolve(ctx, projectId);
    return this.readStatuses(this.store.list(ctx, TaskStatus, { project_id: project.id }), project.id);
  }

  /** A project's own labels and those of the whole organisation; without a project, all of them. */
  async labels(ctx: Ctx, projectId: string | undefined): Promise<TaskLabel[]> {
    const labels = await this.store.list(ctx, TaskLabel);
    if (projectId === undefined) return labels;
    const project = await this.projects.resolve(ctx, projectId);
    return labels.filter((label) => label.project_id === null || label.project_id === project.id);
  }

  async statusPage(ctx: Ctx, query: TaskStatusesQuery): Promise<Page<TaskStatus>> {
    const project = await this.projects.resolve(ctx, query.project_id);
    return this.store.page(ctx, TaskStatus, query, { sql: 't.project_id = :project', values: { project: project.id } });
  }

  /** The same labels as `labels`. */
  async labelPage(ctx: Ctx, query: TaskLabelsQuery): Promise<Page<TaskLabel>> {
    if (query.project_id === undefined) return this.store.page(ctx, TaskLabel, query);
    const project = await this.projects.resolve(ctx, query.project_id);
    return this.store.page(ctx, TaskLabel, query, {
      sql: 't.project_id IS NULL OR t.project_id = :project',
      values: { project: project.id },
    });
  }

  activeMemberPage(ctx: Ctx, query: TaskMembersQuery): Promise<Page<Member>> {
    return this.members.page(ctx, query, { sql: 't.status = :status', values: { status: 'active' } });
  }

  /**
   * The status of a project by id, or its default; from memory, since the foreign key has the last word. What must be read
   * is read on the transaction's connection: waiting for a second one while holding the first can starve the pool.
   */
  async requireStatus(tx: Tx, projectId: string, statusId: string | undefined): Promise<TaskStatus> {
    const wanted = (status: TaskStatus) => (statusId === undefined ? status.is_default : status.id === statusId);
    const known = this.recall(projectId)?.find(wanted);
    if (known) return known;
    const statuses = await this.readStatuses(tx.list(TaskStatus, { project_id: projectId }), projectId);
    const status = statuses.find(wanted);
    if (status) return status;
    const named = statuses.map(({ id, name }) => `${name} is ${id}`).join(', ');
    const message =
      statusId === undefined
        ? 'status_id is required, because the project has no default status'
        : "status_id must be a status of the task's project";
    throw CommonErrors.validationFailed({ param: 'status_id', message: `${message}: ${named}`, allowed: statuses.map(({ id }) => id) });
  }

  private recall(projectId: string): readonly TaskStatus[] | undefined {
    const known = this.remembered.get(projectId);
    return known && known.until > Date.now() ? known.statuses : undefined;
  }

  private async readStatuses(read: Promise<TaskStatus[]>, projectId: string): Promise<readonly TaskStatus[]> {
    const statuses = (await read).sort((a, b) => a.position - b.position);
    if (this.remembered.size >= MOST_PROJECTS) this.remembered.clear();
    this.remembered.set(projectId, { statuses, until: Date.now() + FRESH_MS });
    return statuses;
  }
}
