import { ActorDto, Field, Filter, Listing, LookupQuery, ResourceDto } from '../../../kit/index.js';
import type { Department } from '../model/department.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { authorOf } from './author.js';
import type { Viewer } from './employee.dto.js';

/** A part of the organization. */
export class DepartmentDto extends ResourceDto {
  @Field.constant('department')
  object: string;

  @Field.uuid({
    description: 'Project of the department.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Engineering',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.uuid({
    description: 'Department that it is part of.',
    example: null,
    nullable: true,
  })
  parent_id: string | null;

  @Field.uuid({
    description: 'Employee who leads it; null too if the key does not see them.',
    example: EXAMPLE.manager,
    nullable: true,
  })
  head_id: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it; without id and email in test mode.',
    example: { type: 'user', id: EXAMPLE.member, email: 'hr@example.com' },
  })
  created_by: ActorDto;

  static from(this: void, department: Department, viewer: Viewer): DepartmentDto {
    const { id, project_id, name, parent_id, version } = department;
    return {
      object: 'department',
      id,
      project_id,
      name,
      parent_id,
      head_id: viewer.projectId === null || viewer.projectId === department.head_project_id ? department.head_id : null,
      created_by: authorOf(department),
      version,
      created_at: department.created_at.toISOString(),
      updated_at: department.updated_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
export class DepartmentsQuery extends LookupQuery {
  @Filter.string({
    description: 'Only departments with these names.',
    example: ['Engineering'],
  })
  name?: string[];

  @Filter.uuid({
    description: 'Only departments that are part of these; `none` for those at the top.',
    example: [EXAMPLE.department],
    orNone: true,
  })
  parent_id?: (string | null)[];
}
