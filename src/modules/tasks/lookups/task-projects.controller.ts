import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, Projects, type ListBody } from '../../../kit/index.js';
import { TaskProjectDto, TaskProjectsQuery } from './task-lookups.dto.js';

@Controller('/api/v1/ext/tasks/projects')
export class TaskProjectsController {
  constructor(private readonly projects: Projects) {}

  @Get()
  @Endpoint({
    scope: 'tasks:project:read',
    operation: 'list_projects',
    summary: 'List projects',
    returns: TaskProjectDto,
    list: true,
    description: 'A key bound to a project sees that project only.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: TaskProjectsQuery): Promise<ListBody<TaskProjectDto>> {
    return listBody(await this.projects.page(ctx, query), TaskProjectDto.from);
  }

  @Get(':id')
  @Endpoint({
    scope: 'tasks:project:read',
    operation: 'get_project',
    summary: 'Get one project',
    returns: TaskProjectDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<TaskProjectDto> {
    return TaskProjectDto.from(await this.projects.get(ctx, id));
  }
}
