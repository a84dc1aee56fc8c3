import { Field, Filter, Listing, ListQuery, partialOf, ResourceDto, type Project } from '../../../kit/index.js';

/** A project of the organization: what all business records belong to. */
export class OrgProjectDto extends ResourceDto {
  @Field.constant('project')
  object: string;

  @Field.string({ description: 'Short name in capitals, unique in the organization; never changes.', example: 'ENG' })
  key: string;

  @Field.string({ description: 'Name.', example: 'Engineering' })
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
    description: 'Nothing can be created in an archived project; its records stay readable.',
    example: 'active',
  })
  status: string;

  @Field.string({ description: 'IANA name of the time zone of the project.', example: 'Europe/Berlin' })
  timezone: string;

  static from(this: void, project: Project): OrgProjectDto {
    const { id, version, key, name, description, status, timezone } = project;
    return {
      id,
      object: 'project',
      version,
      key,
      name,
      description,
      status,
      timezone,
      created_at: project.created_at.toISOString(),
      updated_at: project.updated_at.toISOString(),
    };
  }
}

export class CreateOrgProjectDto {
  @Field.string({
    description: 'Short name: 2 to 10 capital letters and digits, a letter first; it cannot be changed later.',
    example: 'ENG',
    pattern: '^[A-Z][A-Z0-9]{1,9}$',
    maxLength: 10,
  })
  key: string;

  @Field.string({ description: 'Name.', example: 'Engineering' })
  name: string;

  @Field.string({
    description: 'What the project is about.',
    example: 'The product and its releases',
    nullable: true,
    required: false,
    minLength: 0,
    maxLength: 2000,
  })
  description?: string | null;

  @Field.string({
    description: 'IANA name of the time zone of the project.',
    example: 'Europe/Berlin',
    required: false,
    default: 'UTC',
    maxLength: 64,
  })
  timezone?: string;
}

export class UpdateOrgProjectDto extends partialOf(CreateOrgProjectDto, { omit: ['key'] }) {
  @Field.oneOf(['active', 'archived'], {
    description: 'archived prevents new records in the project, active allows them again.',
    example: 'archived',
    required: false,
  })
  status?: 'active' | 'archived';
}

@Listing({ sort: ['created_at'], defaultSort: 'created_at' })
export class OrgProjectsQuery extends ListQuery {
  @Filter.oneOf(['active', 'archived'], { description: 'Only projects of this status.', example: 'active' })
  status?: string[];

  @Filter.string({ description: 'Only the project with this key.', example: 'ENG' })
  key?: string[];
}
