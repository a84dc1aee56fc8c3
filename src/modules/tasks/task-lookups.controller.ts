import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, wholeList, type ListBody } from '../../kit/index.js';
import { TaskLabelDto, TaskLabelsQuery, TaskMemberDto, TaskPriorityDto, TaskStatusDto, TaskStatusesQuery } from './task-config.dto.js';
import { TaskLookups } from './task-lookups.service.js';
import { PRIORITIES } from './task-priority.js';

@Controller('/api/v1/ext/tasks')
export class TaskLookupsController {
  constructor(private readonly lookups: TaskLookups) {}

  @Get('statuses')
  @Endpoint({
    scope: 'tasks:config:read', operation: 'list_task_statuses', summary: 'List the statuses of a project\'s tasks', returns: TaskStatusDto, list: true, lookup: true,
    description: 'In the order of the board. A key that is not bound to a project names it with project_id.',
  })
  async statuses(@Ctx() ctx: Ctx, @Query() query: TaskStatusesQuery): Promise<ListBody<TaskStatusDto>> {
    return wholeList(await this.lookups.statuses(ctx, query.project_id), TaskStatusDto.from);
  }

  @Get('priorities')
  @Endpoint({ scope: 'tasks:config:read', operation: 'list_task_priorities', summary: 'List the priorities of tasks', description: 'From the least to the most urgent.', returns: TaskPriorityDto, list: true, lookup: true })
  priorities(): ListBody<TaskPriorityDto> {
    return wholeList(PRIORITIES, TaskPriorityDto.from);
  }

  @Get('labels')
  @Endpoint({ scope: 'tasks:config:read', operation: 'list_task_labels', summary: 'List the labels of tasks', returns: TaskLabelDto, list: true, lookup: true })
  async labels(@Ctx() ctx: Ctx, @Query() query: TaskLabelsQuery): Promise<ListBody<TaskLabelDto>> {
    return wholeList(await this.lookups.labels(ctx, query.project_id), TaskLabelDto.from);
  }

  @Get('members')
  @Endpoint({ scope: 'tasks:config:read', operation: 'list_task_members', summary: 'List the members tasks can be assigned to', returns: TaskMemberDto, list: true, lookup: true })
  async members(@Ctx() ctx: Ctx): Promise<ListBody<TaskMemberDto>> {
    return wholeList(await this.lookups.activeMembers(ctx), TaskMemberDto.from);
  }
}
