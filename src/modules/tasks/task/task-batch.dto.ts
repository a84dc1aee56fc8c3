import { BatchErrorDto, Field, partialOf } from '../../../kit/index.js';
import { TASK_KEY } from './task-keys.js';
import type { Task } from './task.entity.js';
import { CreateTaskDto, TaskDto } from './tasks.dto.js';

const ACTIONS = ['create', 'update', 'delete'] as const;

export type BatchAction = (typeof ACTIONS)[number];

/** The fields of a task as in create_task and update_task. */
export class TaskBatchDataDto extends partialOf(CreateTaskDto) {}

/** One change of a batch. */
export class TaskBatchItemDto {
  @Field.oneOf(ACTIONS, {
    description: 'The change to make.',
    example: 'create',
  })
  action: BatchAction;

  @Field.uuid({
    description: 'Id or key of the task to update or delete; omit it for create.',
    orKey: TASK_KEY,
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a50',
    required: false,
  })
  id?: string;

  @Field.object(() => TaskBatchDataDto, {
    description: 'For create: the new task, title required. For update: the changes, as a merge patch. Omit it for delete.',
    example: { title: 'Send the October invoice to Acme' },
    required: false,
  })
  data?: TaskBatchDataDto;
}

/** The body of batch_tasks. */
export class TaskBatchDto {
  @Field.object(() => TaskBatchItemDto, {
    description: 'The changes, applied in this order.',
    example: [{ action: 'create', data: { title: 'Send the October invoice to Acme' } }],
    list: { minItems: 1, maxItems: 100, repeats: true },
  })
  items: TaskBatchItemDto[];

  @Field.boolean({
    description: 'true: if one item fails, nothing is changed and the response is its error. false: items succeed or fail separately.',
    example: false,
    required: false,
    default: false,
  })
  atomic?: boolean;
}

/** The error of a failed item, as in the error envelope. */
export class TaskBatchErrorDto extends BatchErrorDto {}

/** The result of one item. */
export class TaskBatchResultDto {
  @Field.integer({
    description: 'Index of the item in the request, from 0.',
    example: 0,
    minimum: 0,
  })
  index: number;

  @Field.oneOf(ACTIONS, {
    description: 'The requested change.',
    example: 'create',
  })
  action: BatchAction;

  @Field.integer({
    description: 'The HTTP status that a separate call would have returned.',
    example: 201,
    minimum: 200,
    maximum: 499,
  })
  status: number;

  @Field.uuid({
    description: 'Id of the task that was created, updated or deleted; null if the item failed.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a50',
    nullable: true,
  })
  id: string | null;

  @Field.dateTime({
    description: 'Of a deleted task: until when restore_task restores it, UTC; else null.',
    example: null,
    nullable: true,
  })
  restorable_until: string | null;

  @Field.object(() => TaskDto, {
    description: 'The task after the change; null if it was deleted or the item failed.',
    example: undefined,
    nullable: true,
  })
  task: TaskDto | null;

  @Field.object(() => TaskBatchErrorDto, {
    description: 'The error if the item failed, or null.',
    example: undefined,
    nullable: true,
  })
  error: TaskBatchErrorDto | null;
}

/** The result of one item, before its task is mapped. */
export type TaskBatchResult = Omit<TaskBatchResultDto, 'task'> & { task: Task | null };

/** The response of batch_tasks. */
export class TaskBatchAnswerDto {
  @Field.constant('task_batch')
  object: string;

  @Field.integer({
    description: 'Number of items that succeeded.',
    example: 1,
    minimum: 0,
  })
  succeeded: number;

  @Field.integer({
    description: 'Number of items that failed; they changed nothing.',
    example: 0,
    minimum: 0,
  })
  failed: number;

  @Field.object(() => TaskBatchResultDto, {
    description: 'One result per item, in the order of the request.',
    example: undefined,
    list: { maxItems: 100, repeats: true },
  })
  results: TaskBatchResultDto[];

  static from(this: void, done: readonly TaskBatchResult[], map: (task: Task) => TaskDto): TaskBatchAnswerDto {
    const results = done.map((result) => ({ ...result, task: result.task && map(result.task) }));
    const failed = results.filter(({ error }) => error !== null).length;
    return { object: 'task_batch', succeeded: results.length - failed, failed, results };
  }
}
