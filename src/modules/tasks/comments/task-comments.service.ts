import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page } from '../../../kit/index.js';
import { TaskComment } from './task-comment.entity.js';
import { TaskCommentDto, type CreateTaskCommentDto, type TaskCommentsQuery } from './task-comments.dto.js';
import { TaskExpansions } from '../task/task-expansions.service.js';
import { Task } from '../task/task.entity.js';
import { TaskEvents } from '../task/tasks.events.js';

@Injectable()
export class TaskCommentsService {
  constructor(
    private readonly store: Store,
    private readonly expansions: TaskExpansions,
  ) {}

  async page(ctx: Ctx, taskId: string, query: TaskCommentsQuery): Promise<Page<TaskComment>> {
    await this.store.get(ctx, Task, taskId);
    return this.store.page(ctx, TaskComment, query, { task_id: taskId });
  }

  create(ctx: Ctx, taskId: string, { body }: CreateTaskCommentDto): Promise<TaskComment> {
    return this.store.write(ctx, async (tx) => {
      const task = await tx.get(Task, taskId);
      const comment = await tx.insert(TaskComment, { project_id: task.project_id, task_id: task.id, body, author: ctx.actor });
      tx.emit(TaskEvents.commentAdded, {
        object: await this.expansions.one(ctx, task),
        context: { comment: TaskCommentDto.from(comment) },
        projectId: task.project_id,
      });
      return comment;
    });
  }
}
