import { ActorDto, ActorField, bothOf, Field, Listing, ListQuery, DatedResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import type { TaskComment } from './task-comment.entity.js';

/** The body of create_task_comment. */
export class CreateTaskCommentDto {
  @Field.string({
    summary: true,
    description: 'Text in Markdown.',
    example: 'Acme asked for the purchase order number on the invoice.',
    maxLength: 10_000,
  })
  body: string;
}

/** A comment on a task. */
export class TaskCommentDto extends bothOf(DatedResourceDto, shownOf(CreateTaskCommentDto, { body: true })) {
  @Field.constant('task_comment')
  object: string;

  @Field.uuid({
    description: 'Task that the comment belongs to.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a50',
  })
  task_id: string;

  @ActorField('Author of the comment.', { summary: true })
  author: ActorDto;

  static from(this: void, comment: TaskComment): TaskCommentDto {
    return responseOf(TaskCommentDto, comment);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class TaskCommentsQuery extends ListQuery {}
