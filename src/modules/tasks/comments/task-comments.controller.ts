import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CreateTaskCommentDto, TaskCommentDto, TaskCommentsQuery } from './task-comments.dto.js';
import { TASK_KEY } from '../task/task-keys.js';
import { TaskCommentsService } from './task-comments.service.js';
import { TaskEvents } from '../task/tasks.events.js';

@Controller('/api/v1/ext/tasks/tasks/:id/comments')
export class TaskCommentsController {
  constructor(private readonly comments: TaskCommentsService) {}

  @Get()
  @Endpoint({
    scope: 'tasks:comment:read',
    member: { permission: 'tasks.task.view' },
    operation: 'list_task_comments',
    summary: 'List the comments of a task',
    returns: TaskCommentDto,
    list: true,
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id or key of the task.', TASK_KEY) id: string,
    @Query() query: TaskCommentsQuery,
  ): Promise<ListBody<TaskCommentDto>> {
    return listBody(await this.comments.page(ctx, id, query), TaskCommentDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'tasks:comment:write',
    member: { permission: 'tasks.task.manage' },
    operation: 'create_task_comment',
    summary: 'Comment on a task',
    returns: TaskCommentDto,
    status: 201,
    emits: [TaskEvents.commentAdded],
  })
  async create(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id or key of the task.', TASK_KEY) id: string,
    @Body() body: CreateTaskCommentDto,
  ): Promise<TaskCommentDto> {
    return TaskCommentDto.from(await this.comments.create(ctx, id, body));
  }
}
