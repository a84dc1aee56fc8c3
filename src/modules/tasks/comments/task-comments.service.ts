import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page } from '../../../kit/index.js';
import { TaskComment } from './task-comment.entity.js';
import { TaskCommentDto, type CreateTaskCommentDto, type TaskCommentsQuery } from './task-comments.dto.js';
import { TaskKeys } from '../task/task-keys.js';
import { Task } from '../task/task.entity.js';
import { TaskDto } from '../task/tasks.dto.js';
import { TaskEvents } from '../task/tasks.events.js';

@Injectable()
export class TaskCommentsService {
  constructor(
    private readonly store: Store,
    private readonly keys: TaskKeys,
  ) {}

  async page(ctx: Ctx, idOrKey: string, query: TaskCommentsQuery): Promise<Page<TaskComment>> {
    const taskId = await this.keys.idOf(ctx, idOrKey);
    await this.store.get(ctx, Task, taskId);
    return this.store.page(ctx, TaskComment, query, { sql: 't.task_id = :taskId', values: { taskId } });
  }

  create(ctx: Ctx, idOrKey: string, { body }: CreateTaskCommentDto): Promise<TaskComment> {
    return this.store.write(ctx, async (tx) => {
      const task = await tx.get(Task, await this.keys.idOf(ctx, idOrKey));
      const comment = await tx.insert(TaskComment, { project_id: task.project_id, task_id: task.id, body, author: ctx.actor });
      tx.emit(TaskEvents.commentAdded, {
        object: TaskDto.from(task),
        context: { comment: TaskCommentDto.from(comment) },
        projectId: task.project_id,
      });
      return comment;
    });
  }
}
