import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, ProjectDto, type ListBody } from '../../../kit/index.js';
import { ProjectsQuery } from '../../../kit/internal.js';
import { CreateOrgProjectDto, UpdateOrgProjectDto } from './projects.dto.js';
import { ProjectsService } from './projects.service.js';

@Controller('api/v1/org/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_projects',
    summary: 'List projects',
    permission: null,
    returns: ProjectDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ProjectsQuery): Promise<ListBody<ProjectDto>> {
    return listBody(await this.projects.page(ctx, query), ProjectDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_project',
    summary: 'Get a project',
    permission: null,
    returns: ProjectDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_org_project',
    summary: 'Create a project',
    permission: 'org.projects.manage',
    returns: ProjectDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    description: 'Every module creates its defaults in the new project.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateOrgProjectDto): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_project',
    summary: 'Rename, archive or reopen a project, or make it the default one',
    permission: 'org.projects.manage',
    returns: ProjectDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateOrgProjectDto): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.update(ctx, id, body));
  }
}
