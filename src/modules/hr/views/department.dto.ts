import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  Filter,
  Listing,
  LookupQuery,
  partialOf,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import type { Department } from '../model/department.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { authorOf } from './author.js';
import type { Viewer } from './employee.dto.js';

export class CreateDepartmentDto {
  @Field.uuid({
    description: 'Project of the department; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Engineering',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.uuid({
    description: 'Department of the same project that it is part of.',
    example: EXAMPLE.department,
    nullable: true,
    required: false,
  })
  parent_id?: string | null;

  @Field.uuid({
    description: 'Employee who leads it.',
    example: EXAMPLE.manager,
    nullable: true,
    required: false,
  })
  head_id?: string | null;
}

export class UpdateDepartmentDto extends partialOf(CreateDepartmentDto, { omit: ['project_id'] }) {}

/** A part of the organization. */
export class DepartmentDto extends bothOf(
  ResourceDto,
  shownOf(CreateDepartmentDto, {
    project_id: 'Project of the department.',
    name: true,
    parent_id: 'Department that it is part of.',
    head_id: 'Employee who leads it; null too if the key does not see them.',
  }),
) {
  @Field.constant('department')
  object: string;

  @Field.string({
    summary: true,
    description: 'Name of the department that it is part of. In answers to GET.',
    example: null,
    nullable: true,
    required: false,
  })
  parent_name?: string | null;

  @Field.string({
    summary: true,
    description: 'Name of the employee who leads it. In answers to GET.',
    example: 'Mei Tanaka',
    nullable: true,
    required: false,
  })
  head_name?: string | null;

  @ActorField('Who created it; without id and email in test mode.')
  created_by: ActorDto;

  static from(this: void, department: Department, viewer: Viewer): DepartmentDto {
    return {
      ...responseOf(DepartmentDto, department),
      head_id: viewer.projectId === null || viewer.projectId === department.head_project_id ? department.head_id : null,
      created_by: authorOf(department),
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
