import { Injectable } from '@nestjs/common';
import { own, sql, type Tx } from '../../../kit/index.js';
import { placementProblem, type PlacementProblem } from './task-hierarchy.js';
import { Task } from './task.entity.js';
import { TaskErrors } from './tasks.errors.js';

/**
 * Keeps the hierarchy of subtasks free of cycles and limited in depth. To avoid deadlocks, lock the hierarchy first and then
 * the tasks, ordered by id.
 */
@Injectable()
export class TaskHierarchy {
  /** Blocks other changes of the hierarchy until this transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await tx.sql(sql`SELECT lock_task_hierarchy(${own.organization}, ${own.mode})`);
  }

  /** Locks those of the tasks that exist and that the caller may access. */
  async lockTasks(tx: Tx, ids: readonly string[]): Promise<Task[]> {
    if (ids.length === 0) return [];
    return tx.lockWhere(Task, { id: ids });
  }

  /** Rejects a parent that would cause a cycle or exceed the maximum depth. The hierarchy must be locked. */
  async requireValidPlacement(tx: Tx, taskId: string | null, parentId: string): Promise<void> {
    const problem = await this.problemOf(tx, taskId, parentId);
    if (problem === 'cycle') throw TaskErrors.parentCycle({ param: 'parent_id' });
    if (problem === 'too_deep') throw TaskErrors.parentTooDeep({ param: 'parent_id' });
  }

  /** The hierarchy must be locked. */
  async isValidPlacement(tx: Tx, taskId: string, parentId: string): Promise<boolean> {
    return (await this.problemOf(tx, taskId, parentId)) === null;
  }

  private async problemOf(tx: Tx, taskId: string | null, parentId: string): Promise<PlacementProblem | null> {
    const [lineage] = await tx.sql<{ ancestors: string[]; height: number }>(
      sql.unscoped('the caller has locked the tasks, and a hierarchy is in one tenant')`SELECT * FROM task_lineage(${parentId}, ${taskId})`,
    );
    return placementProblem({ taskId, ...lineage });
  }
}
