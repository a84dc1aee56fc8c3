import { defineEvents, event } from '../../../kit/index.js';
import { TaskDto } from './tasks.dto.js';

const permission = 'tasks.task.view';

/** Each change of a task emits one event; a status change is `task.status_changed` even if other fields changed too. */
export const TaskEvents = defineEvents({
  created: event({
    name: 'task.created',
    description: 'A task was created.',
    permission,
    scope: 'tasks:task:write',
    payload: TaskDto,
  }),
  updated: event({
    name: 'task.updated',
    description: 'A task was changed, but not its status.',
    permission,
    scope: 'tasks:task:write',
    payload: TaskDto,
  }),
  statusChanged: event({
    name: 'task.status_changed',
    description: 'The status of a task was changed, possibly with other fields.',
    permission,
    scope: 'tasks:task:write',
    payload: TaskDto,
    context: { from: 'Previous status: id and group.', to: 'New status: id and group.' },
  }),
  deleted: event({
    name: 'task.deleted',
    description: 'A task and its comments were deleted; the object is the task before the deletion.',
    permission,
    scope: 'tasks:task:delete',
    payload: TaskDto,
  }),
  restored: event({
    name: 'task.restored',
    description: 'A deleted task was restored with its comments.',
    permission,
    scope: 'tasks:task:delete',
    payload: TaskDto,
  }),
  commentAdded: event({
    name: 'task.comment_added',
    description: 'A comment was added to a task; the object is the task.',
    permission,
    scope: 'tasks:comment:write',
    payload: TaskDto,
    context: { comment: 'The comment, as returned by list_task_comments.' },
  }),
});
