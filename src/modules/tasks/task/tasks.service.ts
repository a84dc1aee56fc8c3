import { Injectable } from '@nestjs/common';
import {
  currentTime,
  invalid,
  notOfProject,
  openCustomFields,
  Projects,
  RowKeys,
  Store,
  type Ctx,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { conditionsOf } from './task-conditions.js';
import { TaskExpansions } from './task-expansions.service.js';
import { TASK_KEY } from './task-keys.js';
import { TaskHierarchy } from './task-hierarchy.service.js';
import { TaskLookups } from '../lookups/task-lookups.service.js';
import { TaskStatus } from '../lookups/task-status.entity.js';
import { rankOf } from '../lookups/task-priority.js';
import { completedAt } from '../lookups/task-status.js';
import { Task } from './task.entity.js';
import type { CreateTaskDto, TasksQuery, UpdateTaskDto } from './tasks.dto.js';
import { TaskEvents } from './tasks.events.js';

/** Distance between the positions of new tasks, so that other tasks can be moved between them. */
const POSITION_STEP = 1024;

/** Creates, changes and deletes tasks. The methods that take a `tx` are part of a larger change. */
@Injectable()
export class TasksService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly lookups: TaskLookups,
    private readonly hierarchy: TaskHierarchy,
    private readonly keys: RowKeys,
    private readonly expansions: TaskExpansions,
  ) {}

  get(ctx: Ctx, id: string): Promise<Task> {
    return this.store.get(ctx, Task, id);
  }

  async page(ctx: Ctx, query: TasksQuery): Promise<Page<Task>> {
    if (query.sort?.endsWith('position') && ctx.projectId === null && query.project_id?.length !== 1) {
      throw invalid('sort', 'by position works for a single project: send one project_id');
    }
    if (query.parent_id) query.parent_id = query.parent_id.map(await this.keys.resolver(ctx, TASK_KEY, query.parent_id, 'parent_id'));
    return this.store.page(ctx, Task, query, ...conditionsOf(query));
  }

  create(ctx: Ctx, body: CreateTaskDto): Promise<Task> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body, { pipelined: true }));
  }

  update(ctx: Ctx, id: string, body: UpdateTaskDto): Promise<Task> {
    return this.store.write(ctx, (tx) => this.updateIn(ctx, tx, id, body));
  }

  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, (tx) => this.deleteIn(ctx, tx, id));
  }

  async createIn(ctx: Ctx, tx: Tx, body: CreateTaskDto, { pipelined = false } = {}): Promise<Task> {
    const parent_id = body.parent_id ? await this.parentOf(ctx, body.parent_id) : null;
    const project = await this.projects.resolve(ctx, body.project_id, [TaskStatus, body.status_id], [Task, parent_id]);
    const status = await this.lookups.requireStatus(tx, project.id, body.status_id);
    requireOrder(body.start_on, body.due_on);
    if (parent_id !== null) {
      await this.hierarchy.lock(tx);
      requireParent(parent_id, project.id, await this.hierarchy.lockTasks(tx, [parent_id]));
      await this.hierarchy.requireValidPlacement(tx, null, parent_id);
    }
    const custom_fields = await tx.customFields.ofNew(Task, body.custom_fields, { projectId: project.id });
    const number = await tx.next('task', project.id);
    const task = await (pipelined ? tx.advanced.pipelined : tx).insert(Task, {
      project_id: project.id,
      key: `${ctx.mode === 'test' ? 'TEST-' : ''}${project.key}-${number}`,
      title: body.title,
      description: body.description ?? null,
      status_id: status.id,
      status_group: status.group,
      priority: rankOf(body.priority ?? 'none'),
      assignee_ids: body.assignee_ids ?? [],
      label_ids: body.label_ids ?? [],
      parent_id,
      start_on: body.start_on ?? null,
      due_on: body.due_on ?? null,
      position: body.position ?? number * POSITION_STEP,
      completed_at: completedAt(null, status.group, currentTime()),
      created_by: ctx.actor,
      custom_fields,
    });
    tx.emit(TaskEvents.created, { object: await this.expansions.one(ctx, task), projectId: task.project_id });
    return task;
  }

  /**
   * Rejects a task that could never be created in the project: an unknown status, parent, member or label, or dates in the wrong
   * order. `open` names the fields whose values are not known yet.
   */
  async requireAcceptable(ctx: Ctx, tx: Tx, projectId: string, body: Partial<CreateTaskDto>, open: readonly string[]): Promise<void> {
    const known = (name: keyof CreateTaskDto) => !open.includes(name);
    if (known('status_id')) await this.lookups.requireStatus(tx, projectId, body.status_id);
    await this.lookups.requireReferences(ctx, tx, projectId, body);
    const { values, ...fields } = openCustomFields(body.custom_fields, open);
    await tx.customFields.ofNew(Task, values, { projectId, ...fields });
    if (known('start_on') && known('due_on')) requireOrder(body.start_on, body.due_on);
    if (!body.parent_id || !known('parent_id')) return;
    const parentId = await this.parentOf(ctx, body.parent_id);
    requireParent(parentId, projectId, await tx.list(Task, { id: [parentId] }));
    await this.hierarchy.requireValidPlacement(tx, null, parentId);
  }

  async updateIn(ctx: Ctx, tx: Tx, id: string, body: UpdateTaskDto): Promise<Task> {
    const { status_id, priority, parent_id: parent, custom_fields, ...plain } = body;
    const parent_id = parent ? await this.parentOf(ctx, parent) : parent;
    const locked = parent_id ? await this.lockMove(tx, id, parent_id) : [];
    const task = await tx.target(Task, id);
    const changes: Partial<Task> = { ...plain, parent_id, priority: priority === undefined ? undefined : rankOf(priority) };
    requireOrder(plain.start_on === undefined ? task.start_on : plain.start_on, plain.due_on === undefined ? task.due_on : plain.due_on);
    if (status_id !== undefined && status_id !== task.status_id) {
      const status = await this.lookups.requireStatus(tx, task.project_id, status_id);
      Object.assign(changes, {
        status_id,
        status_group: status.group,
        completed_at: completedAt(task.completed_at, status.group, currentTime()),
      });
    }
    if (parent_id && parent_id !== task.parent_id) {
      requireParent(parent_id, task.project_id, locked);
      await this.hierarchy.requireValidPlacement(tx, id, parent_id);
    }
    changes.custom_fields = await tx.customFields.ofChanged(task, custom_fields);
    return this.change(ctx, tx, task, changes);
  }

  /** Deletes the task with its comments; its subtasks become top-level tasks. */
  async deleteIn(ctx: Ctx, tx: Tx, id: string): Promise<void> {
    await this.hierarchy.lock(tx);
    const task = await tx.target(Task, id);
    const subtasks = await tx.list(Task, { parent_id: id });
    for (const subtask of await this.hierarchy.lockTasks(
      tx,
      subtasks.map((row) => row.id),
    ))
      await this.change(ctx, tx, subtask, { parent_id: null });
    await tx.delete(task, { detached: subtasks.map((row) => row.id) });
    tx.emit(TaskEvents.deleted, { object: await this.expansions.one(ctx, task), projectId: task.project_id });
  }

  /** Its subtasks return to it, but for those that have another parent meanwhile, or subtasks that would be too deep. */
  async restored(ctx: Ctx, tx: Tx, task: Task, detached: readonly string[]): Promise<void> {
    if (detached.length === 0) return;
    await this.hierarchy.lock(tx);
    for (const subtask of await this.hierarchy.lockTasks(tx, detached))
      if (subtask.parent_id === null && (await this.hierarchy.isValidPlacement(tx, subtask.id, task.id)))
        await this.change(ctx, tx, subtask, { parent_id: task.id });
  }

  /** The id of a parent that is given by its id or key; of no task if the caller has none with it. */
  private async parentOf(ctx: Ctx, idOrKey: string): Promise<string> {
    return (await this.keys.resolver(ctx, TASK_KEY, [idOrKey], 'parent_id'))(idOrKey);
  }

  private async lockMove(tx: Tx, id: string, parentId: string): Promise<Task[]> {
    await this.hierarchy.lock(tx);
    return this.hierarchy.lockTasks(tx, [id, parentId]);
  }

  private async change(ctx: Ctx, tx: Tx, task: Task, changes: Partial<Task>): Promise<Task> {
    const changed = await tx.update(task, changes);
    if (changed.version === task.version) return changed;
    const data = { ...(await this.expansions.change(ctx, task, changed)), projectId: task.project_id };
    if (changed.status_id === task.status_id) tx.emit(TaskEvents.updated, data);
    else tx.emit(TaskEvents.statusChanged, { ...data, context: { from: statusOf(task), to: statusOf(changed) } });
    return changed;
  }
}

function statusOf({ status_id, status_group }: Task) {
  return { id: status_id, group: status_group };
}

function requireOrder(startOn: string | null | undefined, dueOn: string | null | undefined): void {
  if (startOn && dueOn && dueOn < startOn) throw invalid('due_on', `must not be before start_on (${startOn})`);
}

function requireParent(parentId: string, projectId: string, found: readonly Task[]): void {
  if (found.some(({ id, project_id }) => id === parentId && project_id === projectId)) return;
  throw notOfProject('parent_id', 'must be a task of the same project');
}
