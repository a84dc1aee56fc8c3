import type { Ctx } from '../../kit/index.js';
import type { TaskCommentsService } from './task-comments.service.js';
import { isClosed } from './task-status.js';
import type { Task } from './task.entity.js';
import { dayAfter, taskBody } from './task.factory.js';
import type { TaskLookups } from './task-lookups.service.js';
import type { TasksService } from './tasks.service.js';

/** What fills a project with tasks. */
export interface TaskSeeding {
  tasks: TasksService;
  comments: TaskCommentsService;
  lookups: TaskLookups;
}

const COMMENTS = ['Started; the first part is done.', 'Waiting for an answer since yesterday.', 'Looks good to me.'];

/**
 * Writes so many realistic tasks into a project: in all its statuses, assigned, labelled, due around today, some commented
 * on, some parts of others.
 */
export async function seedTasks({ tasks, comments, lookups }: TaskSeeding, ctx: Ctx, projectId: string, count: number): Promise<Task[]> {
  const [statuses, labels, members] = await Promise.all([lookups.statuses(ctx, projectId), lookups.labels(ctx, projectId), lookups.activeMembers(ctx)]);
  const today = new Date();
  const written: Task[] = [];
  for (let number = 0; number < count; number++) {
    const status = statuses[number % statuses.length];
    const due = isClosed(status.group) ? -(number % 9) - 1 : (number % 21) - 4;
    const parent = number % 5 === 4 ? written[number - 2] : undefined;
    const task = await tasks.create(ctx, taskBody(number, {
      project_id: projectId,
      status_id: status.id,
      assignee_ids: members.length > 0 && number % 4 !== 3 ? [members[number % members.length].id] : [],
      label_ids: labels.length > 0 && number % 3 !== 2 ? [labels[number % labels.length].id] : [],
      parent_id: parent?.id,
      start_on: number % 2 === 0 ? dayAfter(today, due - 5) : null,
      due_on: number % 6 === 5 ? null : dayAfter(today, due),
    }));
    if (number % 4 === 1) await comments.create(ctx, task.id, { body: COMMENTS[number % COMMENTS.length] });
    written.push(task);
  }
  return written;
}
