import { Injectable } from '@nestjs/common';
import type { Ctx, Tx } from '../../../kit/index.js';
import { placementProblem } from './task-hierarchy.js';
import { Task } from './task.entity.js';
import { TaskErrors } from './tasks.errors.js';

/**
 * Keeps subtasks a forest. Locks are always taken in one order, or two changes could wait for each other: first the
 * hierarchy, then tasks by id.
 */
@Injectable()
export class TaskHierarchy {
  /** Makes other changes of the hierarchy wait until this transaction ends. */
  async lock(ctx: Ctx, tx: Tx): Promise<void> {
    await tx.query('SELECT lock_task_hierarchy($1, $2)', [ctx.organizationId, ctx.mode]);
  }

  /** Locks those of the tasks that are there and the caller's. */
  async lockTasks(tx: Tx, ids: readonly string[]): Promise<Task[]> {
    if (ids.length === 0) return [];
    return tx.lockWhere(Task, { id: ids });
  }

  /** Refuses a parent under which the task would close a circle or lie too deep; the hierarchy is locked. */
  async requirePlace(tx: Tx, taskId: string | null, parentId: string): Promise<void> {
    const [lineage] = await tx.query<{ ancestors: string[]; height: number }>('SELECT * FROM task_lineage($1, $2)', [parentId, taskId]);
    const problem = placementProblem({ taskId, ...lineage });
    if (problem === 'cycle') throw TaskErrors.parentCycle({ param: 'parent_id' });
    if (problem === 'too_deep') throw TaskErrors.parentTooDeep({ param: 'parent_id' });
  }
}
