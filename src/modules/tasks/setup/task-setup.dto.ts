import { Field, partialOf } from '../../../kit/index.js';
import { STATUS_GROUPS, type StatusGroup } from '../lookups/task-status.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';

export class CreateTaskStatusDto {
  @Field.uuid({
    description: 'Project of the status; the default project if omitted.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Blocked',
    maxLength: 50,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(STATUS_GROUPS, {
    description: 'Meaning of the status; it cannot be changed later.',
    example: 'started',
  })
  group: StatusGroup;

  @Field.integer({
    description: 'Position on the board; the last one if omitted.',
    example: 4,
    minimum: 1,
    maximum: 10_000,
    required: false,
  })
  position?: number;

  @Field.boolean({
    description: 'true makes it the default status, which tasks created without a status get, instead of the current one.',
    example: false,
    required: false,
  })
  is_default?: boolean;
}

export class UpdateTaskStatusDto extends partialOf(CreateTaskStatusDto, { omit: ['project_id', 'group'] }) {}

export class CreateTaskLabelDto {
  @Field.uuid({
    description: 'Project whose tasks can have it; all projects if omitted.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;

  @Field.string({
    description: 'Name.',
    example: 'Security',
    maxLength: 50,
  })
  name: string;

  @Field.string({
    description: 'Color as #rrggbb in lower case.',
    example: '#d73a4a',
    pattern: '^#[0-9a-f]{6}$',
    maxLength: 7,
  })
  color: string;
}

export class UpdateTaskLabelDto extends partialOf(CreateTaskLabelDto, { omit: ['project_id'] }) {}
