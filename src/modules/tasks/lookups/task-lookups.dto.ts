import {
  bothOf,
  Field,
  Listing,
  LookupQuery,
  partialOf,
  ProjectLookupQuery,
  ResourceDto,
  responseOf,
  shownOf,
  type Member,
} from '../../../kit/index.js';
import type { TaskLabel } from './task-label.entity.js';
import { PRIORITIES, rankOf, type Priority } from './task-priority.js';
import type { TaskStatus } from './task-status.entity.js';
import { STATUS_GROUPS, type StatusGroup } from './task-status.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';

export class CreateTaskStatusDto {
  @Field.uuid({
    description: 'Project of the status; the default project if omitted.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Blocked',
    maxLength: 50,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(STATUS_GROUPS, {
    summary: true,
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
    summary: true,
    description: 'true makes it the default status, which tasks created without a status get, instead of the current one.',
    example: false,
    required: false,
  })
  is_default?: boolean;
}

export class UpdateTaskStatusDto extends partialOf(CreateTaskStatusDto, { omit: ['project_id', 'group'] }) {}

/** A status of a project's tasks. The team chooses its name; rules depend on its group only. */
export class TaskStatusDto extends bothOf(
  ResourceDto,
  shownOf(CreateTaskStatusDto, {
    project_id: 'Project that the status belongs to.',
    name: true,
    group: 'Meaning of the status: completed and cancelled close a task, the others are open.',
    position: { description: 'Position on the board, from 1.', maximum: 2_147_483_647 },
    is_default: 'Whether tasks created without a status get this one.',
  }),
) {
  @Field.constant('task_status')
  object: string;

  static from(this: void, status: TaskStatus): TaskStatusDto {
    return responseOf(TaskStatusDto, status);
  }
}

@Listing({
  sort: ['position', 'name', 'created_at'],
  defaultSort: 'position',
})
export class TaskStatusesQuery extends ProjectLookupQuery {}

/** A priority of tasks. */
export class TaskPriorityDto {
  @Field.constant('task_priority')
  object: string;

  @Field.oneOf(PRIORITIES, {
    summary: true,
    description: 'Value to send as priority.',
    example: 'high',
  })
  id: Priority;

  @Field.integer({
    summary: true,
    description: 'Rank from 0 (none) to 4 (urgent), by which sort=priority sorts.',
    example: 3,
    minimum: 0,
    maximum: 4,
  })
  rank: number;

  static from(this: void, priority: Priority): TaskPriorityDto {
    return { object: 'task_priority', id: priority, rank: rankOf(priority) };
  }
}

@Listing({
  sort: ['rank'],
  defaultSort: 'rank',
})
export class TaskPrioritiesQuery extends LookupQuery {}

export class CreateTaskLabelDto {
  @Field.uuid({
    description: 'Project whose tasks can have it; all projects if omitted.',
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;

  @Field.string({
    summary: true,
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

/** A label for tasks. */
export class TaskLabelDto extends bothOf(
  ResourceDto,
  shownOf(CreateTaskLabelDto, {
    project_id: 'Project whose tasks can have the label; null for all projects.',
    name: true,
    color: 'Color as #rrggbb.',
  }),
) {
  @Field.constant('task_label')
  object: string;

  static from(this: void, label: TaskLabel): TaskLabelDto {
    return responseOf(TaskLabelDto, label);
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class TaskLabelsQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only labels that tasks of this project can have.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;
}

/** A member that tasks can be assigned to. */
export class TaskMemberDto {
  @Field.constant('member')
  object: string;

  @Field.uuid({
    summary: true,
    description: 'Value to send in assignee_ids.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20',
  })
  id: string;

  @Field.email({
    summary: true,
    description: 'E-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Ada Lovelace',
  })
  name: string;

  @Field.oneOf(['active', 'inactive'], {
    summary: true,
    description: 'Only active members can be assigned to tasks.',
    example: 'active',
  })
  status: string;

  static from(this: void, { id, email, name, status }: Member): TaskMemberDto {
    return { object: 'member', id, email, name, status };
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class TaskMembersQuery extends LookupQuery {}
