import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { TaskBatchAnswerDto, TaskBatchDto } from './task-batch.dto.js';
import { TaskBatchService } from './task-batch.service.js';
import { TASK_KEY } from './task-keys.js';
import { TaskExpansions } from './task-expansions.service.js';
import { CreateTaskDto, TaskDto, TaskQuery, TasksQuery, UpdateTaskDto } from './tasks.dto.js';
import { TaskErrors } from './tasks.errors.js';
import { TasksService } from './tasks.service.js';
import { TaskEvents } from './tasks.events.js';

const PARENT_ERRORS = [TaskErrors.parentCycle, TaskErrors.parentTooDeep];
const BATCH =
  'The response has one result per item, in the same order. With atomic, the first failing item rolls back all changes, ' +
  'and the response is its error with its index.';

@Controller('/api/v1/ext/tasks/tasks')
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly batches: TaskBatchService,
    private readonly expansions: TaskExpansions,
  ) {}

  @Get()
  @Endpoint({
    scope: 'tasks:task:read',
    member: { permission: 'tasks.task.view' },
    operation: 'list_tasks',
    summary: 'List tasks',
    returns: TaskDto,
    list: true,
    description:
      'All filters must match; several values of one filter, separated by commas, match any of them. ' +
      'A key bound to a project sees only that project. Sorting by position requires exactly one project_id.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: TasksQuery): Promise<ListBody<TaskDto>> {
    const page = await this.tasks.page(ctx, query);
    return listBody(page, await this.expansions.mapper(ctx, page.data, query.expand));
  }

  @Get(':id')
  @Endpoint({
    scope: 'tasks:task:read',
    member: { permission: 'tasks.task.view' },
    operation: 'get_task',
    summary: 'Get one task',
    returns: TaskDto,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id or key of the task.', TASK_KEY) id: string, @Query() query: TaskQuery): Promise<TaskDto> {
    return this.expansions.one(ctx, await this.tasks.get(ctx, id), query.expand);
  }

  @Post()
  @Endpoint({
    scope: 'tasks:task:write',
    member: { permission: 'tasks.task.manage' },
    operation: 'create_task',
    summary: 'Create a task',
    returns: TaskDto,
    status: 201,
    errors: PARENT_ERRORS,
    emits: [TaskEvents.created],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateTaskDto): Promise<TaskDto> {
    return this.expansions.one(ctx, await this.tasks.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'tasks:task:write',
    member: { permission: 'tasks.task.manage' },
    operation: 'update_task',
    summary: 'Change a task',
    returns: TaskDto,
    errors: PARENT_ERRORS,
    description: 'Send only the fields to change. A completed or cancelled status sets completed_at, any other status clears it.',
    emits: [TaskEvents.updated, TaskEvents.statusChanged],
  })
  async update(@Ctx() ctx: Ctx, @Id('id', 'Id or key of the task.', TASK_KEY) id: string, @Body() body: UpdateTaskDto): Promise<TaskDto> {
    return this.expansions.one(ctx, await this.tasks.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    scope: 'tasks:task:delete',
    member: { permission: 'tasks.task.delete' },
    operation: 'delete_task',
    summary: 'Delete a task',
    returns: null,
    description:
      'Deletes its comments too; its subtasks remain without a parent. restore_task undoes it. ' +
      'To close a task without deleting it, move it to a cancelled status.',
    emits: [TaskEvents.deleted, TaskEvents.updated],
  })
  delete(@Ctx() ctx: Ctx, @Id('id', 'Id or key of the task.', TASK_KEY) id: string): Promise<void> {
    return this.tasks.delete(ctx, id);
  }

  @Post('batch')
  @Endpoint({
    scope: 'tasks:task:write',
    member: { permission: 'tasks.task.manage', description: `${BATCH} Deleting also requires the permission tasks.task.delete.` },
    operation: 'batch_tasks',
    summary: 'Create, change and delete up to 100 tasks',
    returns: TaskBatchAnswerDto,
    destructive: true,
    description: `${BATCH} Deleting also requires the scope tasks:task:delete.`,
    errors: [...PARENT_ERRORS, CommonErrors.notFound, CommonErrors.duplicate],
    emits: [TaskEvents.created, TaskEvents.updated, TaskEvents.statusChanged, TaskEvents.deleted],
  })
  async batch(@Ctx() ctx: Ctx, @Body() body: TaskBatchDto): Promise<TaskBatchAnswerDto> {
    const results = await this.batches.run(ctx, body);
    const tasks = results.flatMap(({ task }) => task ?? []);
    return TaskBatchAnswerDto.from(results, await this.expansions.mapper(ctx, tasks));
  }
}
