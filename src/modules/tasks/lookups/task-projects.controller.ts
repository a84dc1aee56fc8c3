import { Controller, Get } from '@nestjs/common';
import { Ctx, Endpoint, Id, ProjectDto, Projects } from '../../../kit/index.js';

const PROJECT_KEY = { pattern: '^[A-Za-z][A-Za-z0-9]{1,9}$', example: 'ENG' };

@Controller('/api/v1/ext/tasks/projects')
export class TaskProjectsController {
  constructor(private readonly projects: Projects) {}

  @Get(':id')
  @Endpoint({
    scope: 'tasks:project:read',
    operation: 'get_project',
    summary: 'Get one project',
    returns: ProjectDto,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id or key.', PROJECT_KEY) id: string): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.get(ctx, id));
  }
}
