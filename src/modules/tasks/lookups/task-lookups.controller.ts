import { Controller, Get, Query } from '@nestjs/common';
import { constantList, Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import {
  TaskLabelDto,
  TaskLabelsQuery,
  TaskMemberDto,
  TaskMembersQuery,
  TaskPrioritiesQuery,
  TaskPriorityDto,
  TaskStatusDto,
  TaskStatusesQuery,
} from './task-lookups.dto.js';
import { TaskLookups } from './task-lookups.service.js';
import { PRIORITIES } from './task-priority.js';

@Controller('/api/v1/ext/tasks')
export class TaskLookupsController {
  constructor(private readonly lookups: TaskLookups) {}

  @Get('statuses')
  @Endpoint({
    scope: 'tasks:config:read',
    member: { permission: null },
    operation: 'list_task_statuses',
    summary: "List the statuses of a project's tasks",
    returns: TaskStatusDto,
    list: true,
    lookup: true,
    description: 'In board order.',
  })
  async statuses(@Ctx() ctx: Ctx, @Query() query: TaskStatusesQuery): Promise<ListBody<TaskStatusDto>> {
    return listBody(await this.lookups.statusPage(ctx, query), TaskStatusDto.from);
  }

  @Get('priorities')
  @Endpoint({
    scope: 'tasks:config:read',
    member: { permission: null },
    operation: 'list_task_priorities',
    summary: 'List the priorities of tasks',
    returns: TaskPriorityDto,
    list: true,
    lookup: true,
    description: 'From least to most urgent. Priorities never change, so time filters are ignored.',
  })
  priorities(@Query() query: TaskPrioritiesQuery): ListBody<TaskPriorityDto> {
    return constantList(PRIORITIES, query, TaskPriorityDto.from);
  }

  @Get('labels')
  @Endpoint({
    scope: 'tasks:config:read',
    member: { permission: null },
    operation: 'list_task_labels',
    summary: 'List the labels of tasks',
    returns: TaskLabelDto,
    list: true,
    lookup: true,
  })
  async labels(@Ctx() ctx: Ctx, @Query() query: TaskLabelsQuery): Promise<ListBody<TaskLabelDto>> {
    return listBody(await this.lookups.labelPage(ctx, query), TaskLabelDto.from);
  }

  @Get('members')
  @Endpoint({
    scope: 'tasks:config:read',
    member: { permission: 'tasks.task.view' },
    operation: 'list_task_members',
    summary: 'List the members tasks can be assigned to',
    returns: TaskMemberDto,
    list: true,
    lookup: true,
  })
  async members(@Ctx() ctx: Ctx, @Query() query: TaskMembersQuery): Promise<ListBody<TaskMemberDto>> {
    return listBody(await this.lookups.activeMemberPage(ctx, query), TaskMemberDto.from);
  }
}
