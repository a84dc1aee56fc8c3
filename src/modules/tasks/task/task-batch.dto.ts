import { Field, partialOf, type DomainError } from '../../../kit/index.js';
import { CreateTaskDto, TaskDto } from './tasks.dto.js';

const ACTIONS = ['create', 'update', 'delete'] as const;

export type BatchAction = (typeof ACTIONS)[number];

/** A task's members, as create_task and update_task take them. */
export class TaskBatchDataDto extends partialOf(CreateTaskDto) {}

/** One change of a batch. */
export class TaskBatchItemDto {
  @Field.oneOf(ACTIONS, { description: 'What to do.', example: 'create' })
  action: BatchAction;

  @Field.uuid({
    description: 'The task to update or delete; not for create.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a50',
    required: false,
  })
  id?: string;

  @Field.object(() => TaskBatchDataDto, {
    description: 'create: the new task, title required; update: what changes, as a merge patch; delete: nothing.',
    example: { title: 'Send the October invoice to Acme' },
    required: false,
  })
  data?: TaskBatchDataDto;
}

/** The body of batch_tasks. */
export class TaskBatchDto {
  @Field.object(() => TaskBatchItemDto, {
    description: 'The changes, done in this order.',
    example: [{ action: 'create', data: { title: 'Send the October invoice to Acme' } }],
    list: { minItems: 1, maxItems: 100, repeats: true },
  })
  items: TaskBatchItemDto[];

  @Field.boolean({
    description: 'true: one failed item undoes all, and its error is the answer; false: each item stands for itself.',
    example: false,
    required: false,
    default: false,
  })
  atomic?: boolean;
}

/** Why an item failed; as the error envelope. */
export class TaskBatchErrorDto {
  @Field.string({ description: 'What kind of mistake it is.', example: 'invalid_request_error' })
  type: string;

  @Field.string({ description: 'What a program switches on.', example: 'validation_failed' })
  code: string;

  @Field.string({
    description: 'What went wrong and what to do.',
    example: 'due_on must not be before start_on',
    maxLength: 2000,
  })
  message: string;

  @Field.string({
    description: 'The field at fault, from the body on.',
    example: 'items.3.data.due_on',
    nullable: true,
  })
  param: string | null;

  @Field.string({
    description: 'The valid values, when they are few.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a30'],
    nullable: true,
    list: { maxItems: 100 },
  })
  allowed: string[] | null;

  static from(this: void, { spec, message, occurrence }: DomainError): TaskBatchErrorDto {
    return {
      type: spec.type,
      code: spec.code,
      message,
      param: occurrence.param ?? null,
      allowed: occurrence.allowed ? [...occurrence.allowed] : null,
    };
  }
}

/** What became of one item. */
export class TaskBatchResultDto {
  @Field.integer({
    description: 'Place of the item in the request, from 0.',
    example: 0,
    minimum: 0,
  })
  index: number;

  @Field.oneOf(ACTIONS, { description: 'What was asked for.', example: 'create' })
  action: BatchAction;

  @Field.integer({
    description: 'The HTTP status the item would have had as a call of its own.',
    example: 201,
    minimum: 200,
    maximum: 499,
  })
  status: number;

  @Field.object(() => TaskDto, {
    description: 'The task after the change; null when it was deleted or the item failed.',
    example: undefined,
    nullable: true,
  })
  task: TaskDto | null;

  @Field.object(() => TaskBatchErrorDto, {
    description: 'Why the item failed, or null.',
    example: undefined,
    nullable: true,
  })
  error: TaskBatchErrorDto | null;
}

/** The answer of batch_tasks. */
export class TaskBatchAnswerDto {
  @Field.constant('task_batch')
  object: string;

  @Field.integer({
    description: 'How many items were done.',
    example: 1,
    minimum: 0,
  })
  succeeded: number;

  @Field.integer({
    description: 'How many items failed; nothing of these was written.',
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

  static from(this: void, results: TaskBatchResultDto[]): TaskBatchAnswerDto {
    const failed = results.filter(({ error }) => error !== null).length;
    return { object: 'task_batch', succeeded: results.length - failed, failed, results };
  }
}
