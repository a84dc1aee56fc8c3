import {
  ActorDto,
  ActorField,
  bothOf,
  Expand,
  Field,
  Filter,
  Listing,
  partialOf,
  pickOf,
  ProjectDto,
  ProjectListQuery,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import { TASK_KEY } from './task-keys.js';
import { TaskLabelDto, TaskMemberDto, TaskStatusDto } from '../lookups/task-lookups.dto.js';
import { PRIORITIES, priorityOf, type Priority } from '../lookups/task-priority.js';
import { STATUS_GROUPS, type StatusGroup } from '../lookups/task-status.js';
import type { Task } from './task.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const STATUS = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a30';
const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20';
const LABEL = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a40';
const PARENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a50';

/** The resources that `expand` can add to a task. */
const EXPANDABLE = ['status', 'project', 'assignees', 'labels', 'parent'] as const;

export type Expandable = (typeof EXPANDABLE)[number];

/** The body of create_task. */
export class CreateTaskDto {
  @Field.uuid({
    description: "Project of the task, from list_projects; the key's project or the default project if omitted. Immutable.",
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Title in one line.',
    example: 'Send the October invoice to Acme',
  })
  title: string;

  @Field.string({
    description: 'Details in Markdown.',
    example: 'Net 30, purchase order 4711.',
    required: false,
    nullable: true,
    minLength: 0,
    maxLength: 20_000,
  })
  description?: string | null;

  @Field.uuid({
    description: 'Status, from list_task_statuses of the same project.',
    onCreate: "Defaults to the project's default status.",
    example: STATUS,
    required: false,
  })
  status_id?: string;

  @Field.oneOf(PRIORITIES, {
    description: 'Priority, from list_task_priorities.',
    example: 'high',
    required: false,
    default: 'none',
  })
  priority?: Priority;

  @Field.uuid({
    description: 'Assigned members, from list_task_members. Replaces the current list.',
    example: [MEMBER],
    required: false,
    default: [],
    list: { maxItems: 20 },
  })
  assignee_ids?: string[];

  @Field.uuid({
    description: 'Labels, from list_task_labels. Replaces the current list.',
    example: [LABEL],
    required: false,
    default: [],
    list: { maxItems: 50 },
  })
  label_ids?: string[];

  @Field.uuid({
    description: 'Id or key of the parent task in the same project; a top-level task has none. Tasks nest up to 10 levels deep.',
    example: PARENT,
    required: false,
    nullable: true,
    orKey: TASK_KEY,
  })
  parent_id?: string | null;

  @Field.date({
    description: 'Start date, YYYY-MM-DD.',
    example: '2026-11-23',
    required: false,
    nullable: true,
  })
  start_on?: string | null;

  @Field.date({
    summary: true,
    description: 'Due date, YYYY-MM-DD; not before start_on.',
    example: '2026-11-30',
    required: false,
    nullable: true,
  })
  due_on?: string | null;

  @Field.number({
    description:
      'Position on the board, ascending. To move a task between two others, send a number between theirs. New tasks go to the end.',
    example: 43_008,
    required: false,
    minimum: -1e15,
    maximum: 1e15,
  })
  position?: number;

  @Field.customFields('task')
  custom_fields?: CustomFieldValues;
}

/** The merge patch of a task: absent fields stay unchanged, null clears a field, a list replaces the current one. */
export class UpdateTaskDto extends partialOf(CreateTaskDto, { omit: ['project_id'] }) {}

/** The fields that identify a task, also where another resource refers to it. */
class TaskReferenceDto extends bothOf(ResourceDto, shownOf(CreateTaskDto, { title: true, status_id: 'Status of the task.' })) {
  @Field.constant('task')
  object: string;

  @Field.string({
    summary: true,
    description: 'Human-readable key: project key and number, never reused. Starts with TEST- in test mode.',
    example: 'ENG-42',
  })
  key: string;

  @Field.string({
    summary: true,
    description: 'Name of the status.',
    example: 'In progress',
    nullable: true,
  })
  status_name?: string | null;

  @Field.oneOf(STATUS_GROUPS, {
    description: 'Meaning of the status: completed and cancelled close a task, the others are open.',
    example: 'started',
  })
  status_group: StatusGroup;
}

/** The short form of a task as a parent. */
export class TaskParentDto extends pickOf(TaskReferenceDto, ['object', 'id', 'key', 'title', 'status_id', 'status_group']) {
  static from(this: void, { id, key, title, status_id, status_group }: Task): TaskParentDto {
    return { object: 'task', id, key, title, status_id, status_group };
  }
}

/** A piece of work. */
export class TaskDto extends bothOf(
  TaskReferenceDto,
  shownOf(CreateTaskDto, {
    project_id: 'Project of the task.',
    description: true,
    priority: { description: 'Priority.', summary: 'if_short' },
    assignee_ids: 'Assigned members.',
    label_ids: 'Labels of the task.',
    parent_id: { description: 'Parent task; null for a top-level task.', orKey: undefined },
    start_on: 'Start date.',
    due_on: 'Due date.',
    position: { description: 'Position on the board, ascending.', minimum: undefined, maximum: undefined },
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.string({
    summary: true,
    description: 'Names of the assigned members, in the same order.',
    example: ['Ada Lovelace'],
    list: { maxItems: 20, repeats: true },
  })
  assignee_names?: string[];

  @Field.string({
    description: 'Names of the labels, in the same order.',
    example: ['Bug'],
    list: { maxItems: 50, repeats: true },
  })
  label_names?: string[];

  @Field.dateTime({
    description: 'When the task was completed or cancelled, UTC; null while it is open.',
    example: null,
    nullable: true,
  })
  completed_at: string | null;

  @ActorField('Who created the task.')
  created_by: ActorDto;

  @Field.object(() => TaskStatusDto, {
    description: 'The status; present with expand=status.',
    example: undefined,
    required: false,
  })
  status?: TaskStatusDto;

  @Field.object(() => ProjectDto, {
    description: 'The project; present with expand=project.',
    example: undefined,
    required: false,
  })
  project?: ProjectDto;

  @Field.object(() => TaskMemberDto, {
    description: 'The members of assignee_ids, in that order; present with expand=assignees.',
    example: undefined,
    required: false,
    list: { maxItems: 20 },
  })
  assignees?: TaskMemberDto[];

  @Field.object(() => TaskLabelDto, {
    description: 'The labels of label_ids, in that order; present with expand=labels.',
    example: undefined,
    required: false,
    list: { maxItems: 50 },
  })
  labels?: TaskLabelDto[];

  @Field.object(() => TaskParentDto, {
    description: 'The short form of the parent, or null; present with expand=parent.',
    example: { object: 'task', id: PARENT, key: 'ENG-40', title: 'Close October', status_id: STATUS, status_group: 'started' },
    required: false,
    nullable: true,
  })
  parent?: TaskParentDto | null;

  static from(this: void, task: Task): TaskDto {
    return { ...responseOf(TaskDto, task), priority: priorityOf(task.priority) };
  }
}

export class TaskQuery {
  @Expand(EXPANDABLE)
  expand?: Expandable[];
}

/** The filters of list_tasks. */
@Listing({
  sort: ['created_at', 'updated_at', 'due_on', 'priority', 'position'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'key, title and description',
  customFields: 'task',
})
export class TasksQuery extends ProjectListQuery {
  @Filter.string({
    description: 'Only tasks with these keys.',
    example: ['ENG-42'],
  })
  key?: string[];

  @Filter.uuid({
    description: 'Only tasks with these statuses.',
    example: [STATUS],
  })
  status_id?: string[];

  @Filter.oneOf(STATUS_GROUPS, {
    description: 'Only tasks whose status is in one of these groups; backlog, unstarted and started are open.',
    example: ['unstarted', 'started'],
  })
  status_group?: StatusGroup[];

  @Filter.custom({
    kind: 'enum',
    values: PRIORITIES,
    list: { maxItems: 5 },
    description: 'Only tasks with these priorities.',
    example: ['high', 'urgent'],
  })
  priority?: Priority[];

  @Filter.uuid({
    description: 'Only tasks assigned to any of these members; none for unassigned tasks.',
    example: [MEMBER],
    column: 'assignee_ids',
    overlaps: true,
    orNone: true,
  })
  assignee_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only tasks with any of these labels; none for tasks without labels.',
    example: [LABEL],
    column: 'label_ids',
    overlaps: true,
    orNone: true,
  })
  label_id?: (string | null)[];

  @Filter.uuid({
    description: 'Only direct subtasks of these tasks, by id or key; none for top-level tasks.',
    example: [PARENT],
    orKey: TASK_KEY,
    orNone: true,
  })
  parent_id?: (string | null)[];

  @Filter.bound('date', {
    description: 'Only tasks due on or after this date.',
    example: '2026-11-23',
  })
  due_after?: string;

  @Filter.bound('date', {
    description: 'Only tasks due before this date.',
    example: '2026-12-01',
  })
  due_before?: string;

  @Expand(EXPANDABLE)
  expand?: Expandable[];
}
