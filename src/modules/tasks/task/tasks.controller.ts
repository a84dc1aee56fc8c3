import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { TaskBatchAnswerDto, TaskBatchDto } from './task-batch.dto.js';
import { TaskBatchService } from './task-batch.service.js';
import { TaskExpansions } from './task-expansions.service.js';
import { CreateTaskDto, TaskDto, TaskQuery, TasksQuery, UpdateTaskDto } from './tasks.dto.js';
import { TaskErrors } from './tasks.errors.js';
import { TasksService } from './tasks.service.js';

const REFUSALS = [TaskErrors.parentCycle, TaskErrors.parentTooDeep];

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
    operation: 'list_tasks',
    summary: 'List tasks',
    returns: TaskDto,
    list: true,
    description:
      'Filters narrow the list together; several values of one filter, separated by commas, mean any of them. A key bound to a project sees that project only. Sorting by position orders one board, so it wants exactly one project_id.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: TasksQuery): Promise<ListBody<TaskDto>> {
    const page = await this.tasks.page(ctx, query);
    return listBody(page, await this.expansions.mapper(ctx, page.data, query.expand));
  }

  @Get(':id')
  @Endpoint({
    scope: 'tasks:task:read',
    operation: 'get_task',
    summary: 'Get one task',
    description: 'To find a task by its key, such as ENG-42, call list_tasks with key.',
    returns: TaskDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: TaskQuery): Promise<TaskDto> {
    const task = await this.tasks.get(ctx, id);
    return (await this.expansions.mapper(ctx, [task], query.expand))(task);
  }

  @Post()
  @Endpoint({
    scope: 'tasks:task:write',
    operation: 'create_task',
    summary: 'Create a task',
    returns: TaskDto,
    status: 201,
    errors: REFUSALS,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateTaskDto): Promise<TaskDto> {
    return TaskDto.from(await this.tasks.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'tasks:task:write',
    operation: 'update_task',
    summary: 'Change a task',
    returns: TaskDto,
    errors: REFUSALS,
    description: 'Send only what changes. Moving it to a completed or cancelled status sets completed_at, moving it back clears it.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTaskDto): Promise<TaskDto> {
    return TaskDto.from(await this.tasks.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    scope: 'tasks:task:delete',
    operation: 'delete_task',
    summary: 'Delete a task',
    returns: null,
    description:
      'Its comments go with it; its subtasks stay, as tasks without a parent. To end a task without deleting it, move it to a cancelled status.',
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.tasks.delete(ctx, id);
  }

  @Post('batch')
  @Endpoint({
    scope: 'tasks:task:write',
    operation: 'batch_tasks',
    summary: 'Create, change and delete up to 100 tasks',
    returns: TaskBatchAnswerDto,
    description:
      'The answer has one result per item, in the order of the items. With atomic, the first item that fails undoes all, and the answer is its error, with its index. Deleting needs the scope tasks:task:delete too.',
    errors: [...REFUSALS, CommonErrors.notFound, CommonErrors.duplicate],
  })
  async batch(@Ctx() ctx: Ctx, @Body() body: TaskBatchDto): Promise<TaskBatchAnswerDto> {
    return TaskBatchAnswerDto.from(await this.batches.run(ctx, body));
  }
}
