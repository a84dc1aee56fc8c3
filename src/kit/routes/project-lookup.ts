import { Controller, Get, Query, type Type } from '@nestjs/common';
import { Ctx } from '../callers/ctx.js';
import { Endpoint, type EndpointOptions } from './endpoint.js';
import { Field, ResourceDto } from '../fields/fields.js';
import { responseOf } from '../fields/response-of.js';
import { Filter, listBody, Listing, ListQuery, type ListBody } from '../fields/list-query.js';
import { Projects, type Project } from '../services/people.js';

/**
 * A project of the organization: what all business records belong to.
 *
 * @example
 * ```ts
 * import { ProjectDto, type Ctx, type Projects } from 'work-suite/kit';
 *
 * export const shown = async (projects: Projects, ctx: Ctx, id: string) => ProjectDto.from(await projects.get(ctx, id));
 * ```
 */
export class ProjectDto extends ResourceDto {
  @Field.constant('project')
  object: string;

  @Field.string({
    summary: true,
    description: 'Short name in capitals, unique in the organization; never changes.',
    example: 'ENG',
  })
  key: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Engineering',
  })
  name: string;

  @Field.string({
    description: 'What the project is about.',
    example: 'The product and its releases',
    nullable: true,
    minLength: 0,
    maxLength: 2000,
  })
  description: string | null;

  @Field.oneOf(['active', 'archived'], {
    summary: true,
    description: 'Nothing can be created in an archived project; its records stay readable.',
    example: 'active',
  })
  status: string;

  @Field.string({
    description: 'IANA name of the time zone of the project.',
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.boolean({
    summary: true,
    description: 'Whether calls that name no project create their records in it.',
    example: true,
  })
  is_default: boolean;

  static from(this: void, project: Project): ProjectDto {
    return responseOf(ProjectDto, project);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class ProjectsQuery extends ListQuery {
  @Filter.oneOf(['active', 'archived'], {
    description: 'Of this status.',
    example: ['active'],
  })
  status?: string[];

  @Filter.string({
    description: 'Only the project with this key.',
    example: ['ENG'],
  })
  key?: string[];
}

type Access = (Required<Pick<EndpointOptions, 'scope'>> & Pick<EndpointOptions, 'member'>) | Required<Pick<EndpointOptions, 'permission'>>;

/**
 * A controller with one route, `GET <path>`, that lists the projects whose ids a module's calls take. List it among the
 * controllers of every module with a `project_id`: `projectLookup('/api/v1/ext/notes/projects', 'list_notes_projects',
 * { scope: 'notes:note:read' })`.
 *
 * @example
 * ```ts
 * import { projectLookup } from 'work-suite/kit';
 *
 * export const NoteProjects = projectLookup('/api/v1/ext/notes/projects', 'list_notes_projects', { scope: 'notes:note:read' });
 * ```
 */
export function projectLookup(path: string, operation: string, access: Access): Type {
  @Controller(path)
  class ProjectLookupController {
    constructor(private readonly projects: Projects) {}

    @Get()
    @Endpoint({
      ...access,
      operation,
      summary: 'List projects',
      returns: ProjectDto,
      list: true,
      lookup: true,
    })
    async list(@Ctx() ctx: Ctx, @Query() query: ProjectsQuery): Promise<ListBody<ProjectDto>> {
      return listBody(await this.projects.page(ctx, query), ProjectDto.from);
    }
  }
  return ProjectLookupController;
}
