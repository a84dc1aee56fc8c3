import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, Members, Projects, sql, Store, type Ctx, type Member, type Page, type Tx } from '../../../kit/index.js';
import type { TaskLabelsQuery, TaskMembersQuery, TaskStatusesQuery } from './task-lookups.dto.js';
import { TaskLabel } from './task-label.entity.js';
import { TaskStatus } from './task-status.entity.js';

/** How long a project's statuses are cached; a change by another process takes effect at most this much later. */
const STATUS_CACHE_MS = 5_000;
const MAX_CACHED_PROJECTS = 10_000;

interface CachedStatuses {
  statuses: readonly TaskStatus[];
  expiresAt: number;
}

/** Reads the statuses, labels and members that tasks refer to. */
@Injectable()
export class TaskLookups {
  private readonly statusCache = new Map<string, CachedStatuses>();

  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
  ) {}

  /** A project's statuses in board order. */
  statuses(ctx: Ctx, projectId: string): Promise<readonly TaskStatus[]> {
    return this.readStatuses(this.store.list(ctx, TaskStatus, { project_id: projectId }), projectId);
  }

  /** A project's own labels and those of the whole organization. */
  async labels(ctx: Ctx, projectId: string): Promise<TaskLabel[]> {
    return (await this.store.list(ctx, TaskLabel)).filter(({ project_id }) => project_id === null || project_id === projectId);
  }

  async statusPage(ctx: Ctx, query: TaskStatusesQuery): Promise<Page<TaskStatus>> {
    const project = await this.projects.reach(ctx, query.project_id);
    return this.store.page(ctx, TaskStatus, query, { project_id: project?.id });
  }

  /** One page of the labels that `labels` returns; without a project, of all labels. */
  async labelPage(ctx: Ctx, query: TaskLabelsQuery): Promise<Page<TaskLabel>> {
    const project = await this.projects.reach(ctx, query.project_id);
    return this.store.page(ctx, TaskLabel, query, ...(project ? [sql`t.project_id IS NULL OR t.project_id = ${project.id}`] : []));
  }

  activeMemberPage(ctx: Ctx, query: TaskMembersQuery): Promise<Page<Member>> {
    return this.members.page(ctx, query, { status: 'active' });
  }

  /**
   * A project's status by id, or its default status. A cached status is safe because the foreign key on tasks checks it
   * again. A cache miss reads on the transaction's connection: requesting a second connection while holding the first could
   * exhaust the pool.
   */
  async requireStatus(tx: Tx, projectId: string, statusId: string | undefined): Promise<TaskStatus> {
    const matches = (status: TaskStatus) => (statusId === undefined ? status.is_default : status.id === statusId);
    const cached = this.cachedStatuses(projectId)?.find(matches);
    if (cached) return cached;
    const statuses = await this.readStatuses(tx.list(TaskStatus, { project_id: projectId }), projectId);
    const status = statuses.find(matches);
    if (status) return status;
    const valid = statuses.map(({ id, name }) => `${name} is ${id}`).join(', ');
    const message =
      statusId === undefined
        ? 'status_id is required, because the project has no default status'
        : "status_id must be a status of the task's project";
    const allowed = statuses.map(({ id }) => id);
    throw CommonErrors.validationFailed({ param: 'status_id', message: `${message}: ${valid}`, allowed, ofProject: true });
  }

  /** Rejects members and labels that a task of the project cannot have, which otherwise the database does. */
  async requireReferences(
    ctx: Ctx,
    tx: Tx,
    projectId: string,
    { assignee_ids = [], label_ids = [] }: { assignee_ids?: readonly string[]; label_ids?: readonly string[] },
  ): Promise<void> {
    const members = assignee_ids.length === 0 ? [] : await this.members.byIds(ctx, assignee_ids);
    const active = new Set(members.filter(({ status }) => status === 'active').map(({ id }) => id));
    const stranger = assignee_ids.find((id) => !active.has(id));
    if (stranger !== undefined) throw invalid('assignee_ids', `contains ${stranger}, which is not an active member`);
    const labels = label_ids.length === 0 ? [] : await tx.list(TaskLabel, { id: [...label_ids] });
    const usable = new Set(labels.filter(({ project_id }) => project_id === null || project_id === projectId).map(({ id }) => id));
    const unknown = label_ids.find((id) => !usable.has(id));
    if (unknown !== undefined)
      throw CommonErrors.validationFailed({
        param: 'label_ids',
        message: `label_ids contains ${unknown}, which is not a label of the project`,
        ofProject: true,
      });
  }

  /** Call it after a project's statuses were changed in this process. */
  forgetStatuses(projectId: string): void {
    this.statusCache.delete(projectId);
  }

  private cachedStatuses(projectId: string): readonly TaskStatus[] | undefined {
    const cached = this.statusCache.get(projectId);
    return cached && cached.expiresAt > performance.now() ? cached.statuses : undefined;
  }

  private async readStatuses(read: Promise<TaskStatus[]>, projectId: string): Promise<readonly TaskStatus[]> {
    const statuses = (await read).sort((a, b) => a.position - b.position);
    if (this.statusCache.size >= MAX_CACHED_PROJECTS) this.statusCache.clear();
    this.statusCache.set(projectId, { statuses, expiresAt: performance.now() + STATUS_CACHE_MS });
    return statuses;
  }
}
