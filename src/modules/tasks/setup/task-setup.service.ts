import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, own, Projects, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { TaskLabel } from '../lookups/task-label.entity.js';
import { Task } from '../task/task.entity.js';
import { TaskLookups } from '../lookups/task-lookups.service.js';
import { TaskStatus } from '../lookups/task-status.entity.js';
import type { CreateTaskLabelDto, CreateTaskStatusDto, UpdateTaskLabelDto, UpdateTaskStatusDto } from '../lookups/task-lookups.dto.js';

const MOST_STATUSES = 50;
const MOST_LABELS = 500;

/** Changes the statuses and labels that tasks refer to. Changes of a project's statuses run one after the other. */
@Injectable()
export class TaskSetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly lookups: TaskLookups,
  ) {}

  async createStatus(ctx: Ctx, { project_id, name, group, position, is_default = false }: CreateTaskStatusDto): Promise<TaskStatus> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.changeStatuses(ctx, project.id, async (tx, statuses) => {
      if (statuses.length >= MOST_STATUSES)
        throw CommonErrors.resourceConflict({ message: `A project can have at most ${MOST_STATUSES} statuses; delete one first.` });
      if (is_default) await this.unsetDefault(tx, statuses);
      const last = Math.max(0, ...statuses.map((status) => status.position));
      return tx.insert(TaskStatus, { project_id: project.id, name, group, position: position ?? last + 1, is_default });
    });
  }

  async updateStatus(ctx: Ctx, id: string, { name, position, is_default }: UpdateTaskStatusDto): Promise<TaskStatus> {
    const { project_id } = await this.store.get(ctx, TaskStatus, id);
    return this.changeStatuses(ctx, project_id, async (tx, statuses) => {
      const status = await tx.target(TaskStatus, id);
      if (is_default === false && status.is_default)
        throw invalid('is_default', 'cannot be false for the default status; send is_default: true for another status instead');
      if (is_default && !status.is_default) await this.unsetDefault(tx, statuses);
      return tx.update(status, { name, position, is_default });
    });
  }

  /** A status in use cannot be deleted: the foreign key of tasks rejects it. */
  async deleteStatus(ctx: Ctx, id: string): Promise<void> {
    const { project_id } = await this.store.get(ctx, TaskStatus, id);
    await this.changeStatuses(ctx, project_id, async (tx) => {
      const status = await tx.target(TaskStatus, id);
      if (status.is_default)
        throw CommonErrors.resourceConflict({ message: 'The default status cannot be deleted; make another status the default first.' });
      await tx.delete(status);
    });
  }

  async createLabel(ctx: Ctx, { project_id, name, color }: CreateTaskLabelDto): Promise<TaskLabel> {
    const project = project_id ? await this.projects.resolve(ctx, project_id) : null;
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`task labels ${ctx.organizationId}`);
      if ((await tx.list(TaskLabel)).length >= MOST_LABELS)
        throw CommonErrors.resourceConflict({ message: `An organization can have at most ${MOST_LABELS} labels; delete one first.` });
      return tx.insert(TaskLabel, { project_id: project?.id ?? null, name, color });
    });
  }

  updateLabel(ctx: Ctx, id: string, { name, color }: UpdateTaskLabelDto): Promise<TaskLabel> {
    return this.store.write(ctx, async (tx) => tx.update(await tx.target(TaskLabel, id), { name, color }));
  }

  deleteLabel(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const label = await tx.target(TaskLabel, id);
      const [used] = await tx.sql(
        sql.inBothModes(
          'whether tasks of either mode have a label',
        )`SELECT FROM ${table(Task)} t WHERE ${own('t')} AND t.label_ids @> ARRAY[${id}]::uuid[] LIMIT 1`,
      );
      if (used) throw CommonErrors.resourceConflict({ message: 'The label cannot be deleted while tasks have it.' });
      await tx.delete(label);
    });
  }

  private changeStatuses<R>(ctx: Ctx, projectId: string, change: (tx: Tx, statuses: TaskStatus[]) => Promise<R>): Promise<R> {
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(`task statuses ${projectId}`);
      tx.afterCommit(() => this.lookups.forgetStatuses(projectId));
      return change(tx, await tx.list(TaskStatus, { project_id: projectId }));
    });
  }

  private async unsetDefault(tx: Tx, statuses: readonly TaskStatus[]): Promise<void> {
    for (const status of statuses) if (status.is_default) await tx.update(status, { is_default: false });
  }
}
