import { Field, partialOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

export class CreateDepartmentDto {
  @Field.uuid({
    description: 'Project of the department; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
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
