import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  currentTime,
  DomainError,
  invalid,
  requireAccess,
  restorableUntil,
  RowKeys,
  Store,
  type Access,
  type Ctx,
  type Tx,
} from '../../../kit/index.js';
import { TaskBatchErrorDto, type BatchAction, type TaskBatchDto, type TaskBatchItemDto, type TaskBatchResult } from './task-batch.dto.js';
import { TASK_KEY } from './task-keys.js';
import type { Task } from './task.entity.js';
import { TaskHierarchy } from './task-hierarchy.service.js';
import { TasksService } from './tasks.service.js';

const DELETE_ACCESS: Access = { scope: 'tasks:task:delete', permission: 'tasks.task.delete' };
const SUCCESS_STATUS: Record<BatchAction, number> = { create: 201, update: 200, delete: 204 };

type Done = Pick<TaskBatchResult, 'id' | 'restorable_until' | 'task'>;
const NOTHING: Done = { id: null, restorable_until: null, task: null };

function doneOf(task: Task): Done {
  return { id: task.id, restorable_until: null, task };
}

/** Applies many changes in one transaction; each item has the effect of the corresponding single call. */
@Injectable()
export class TaskBatchService {
  constructor(
    private readonly store: Store,
    private readonly tasks: TasksService,
    private readonly hierarchy: TaskHierarchy,
    private readonly keys: RowKeys,
  ) {}

  run(ctx: Ctx, { items: sent, atomic = false }: TaskBatchDto): Promise<TaskBatchResult[]> {
    return this.store.write(ctx, async (tx) => {
      const items = await this.withIds(ctx, sent);
      await this.lockTasks(tx, items);
      const results: TaskBatchResult[] = [];
      for (const [index, item] of items.entries()) {
        results.push(atomic ? await this.runItem(ctx, tx, item, index) : await this.runItemSeparately(ctx, tx, item, index));
      }
      return results;
    });
  }

  /** The items with ids instead of keys, so that tasks are locked in one order. */
  private async withIds(ctx: Ctx, items: readonly TaskBatchItemDto[]): Promise<TaskBatchItemDto[]> {
    const idOf = await this.keys.resolver(
      ctx,
      TASK_KEY,
      items.flatMap(({ id, data }) => [id, data?.parent_id]),
      'items',
    );
    return items.map((item) => ({ ...item, id: idOf(item.id), data: item.data && { ...item.data, parent_id: idOf(item.data.parent_id) } }));
  }

  /** Locks all tasks up front in the order of their ids, so that concurrent batches over the same tasks cannot deadlock. */
  private async lockTasks(tx: Tx, items: readonly TaskBatchItemDto[]): Promise<void> {
    if (items.some(({ action, data }) => action === 'delete' || data?.parent_id)) await this.hierarchy.lock(tx);
    await this.hierarchy.lockTasks(
      tx,
      items.flatMap(({ id, data }) => [id, data?.parent_id].filter((taskId) => typeof taskId === 'string')),
    );
  }

  private async runItemSeparately(ctx: Ctx, tx: Tx, item: TaskBatchItemDto, index: number): Promise<TaskBatchResult> {
    try {
      return await tx.attempt(() => this.runItem(ctx, tx, item, index));
    } catch (error) {
      // errors that the caller did not cause fail the whole batch, so that the caller can retry it unchanged
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      return { index, action: item.action, status: error.spec.status, ...NOTHING, error: TaskBatchErrorDto.from(error) };
    }
  }

  private async runItem(ctx: Ctx, tx: Tx, item: TaskBatchItemDto, index: number): Promise<TaskBatchResult> {
    try {
      const done = await this.apply(ctx, tx, item);
      return { index, action: item.action, status: SUCCESS_STATUS[item.action], ...done, error: null };
    } catch (error) {
      throw error instanceof DomainError ? withItemPath(error, index) : error;
    }
  }

  private async apply(ctx: Ctx, tx: Tx, { action, id, data }: TaskBatchItemDto): Promise<Done> {
    if (action === 'create') {
      if (id !== undefined) throw invalid('id', 'must not be sent with create; the new task gets its own id');
      const { title, ...rest } = data ?? {};
      if (title === undefined)
        throw CommonErrors.missingFields({ param: 'data.title', message: 'data.title is required to create a task' });
      return doneOf(await this.tasks.createIn(ctx, tx, { ...rest, title }));
    }
    if (id === undefined) throw CommonErrors.missingFields({ param: 'id', message: `id is required to ${action} a task` });
    if (action === 'delete') {
      requireAccess(ctx, DELETE_ACCESS);
      await this.tasks.deleteIn(ctx, tx, id);
      return { id, restorable_until: restorableUntil(currentTime()).toISOString(), task: null };
    }
    const { project_id, ...changes } = data ?? {};
    if (project_id !== undefined) throw invalid('data.project_id', 'cannot be changed');
    return doneOf(await this.tasks.updateIn(ctx, tx, id, changes));
  }
}

/** Turns the `param` of a task's field, such as `title`, into its path in the batch: `items.3.data.title`. */
function withItemPath({ spec, message, occurrence }: DomainError, index: number): DomainError {
  const { param } = occurrence;
  const field = param === undefined || param === 'id' ? 'id' : param.startsWith('data.') ? param : `data.${param}`;
  return new DomainError(spec, { ...occurrence, message, param: `items.${index}.${field}`, extra: { ...occurrence.extra, index } });
}
