import { defineEvents, event } from '../../../kit/index.js';
import { TaskDto } from './tasks.dto.js';

/** One change of a task is one event: a move to another status is `task.status_changed` whatever else changed with it. */
export const TaskEvents = defineEvents({
  created: event({ name: 'task.created', description: 'A task was created.', payload: TaskDto }),
  updated: event({ name: 'task.updated', description: 'A task was changed and kept its status.', payload: TaskDto }),
  statusChanged: event({
    name: 'task.status_changed',
    description: 'A task was moved to another status, maybe changed otherwise too.',
    payload: TaskDto,
    context: { from: 'The status before: id and group.', to: 'The status now: id and group.' },
  }),
  deleted: event({
    name: 'task.deleted',
    description: 'A task was deleted, with its comments; the object is the task as it was.',
    payload: TaskDto,
  }),
  commentAdded: event({
    name: 'task.comment_added',
    description: 'Someone commented on a task; the object is the task.',
    payload: TaskDto,
    context: { comment: 'The comment, as list_task_comments answers with.' },
  }),
});
