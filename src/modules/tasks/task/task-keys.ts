import { rowKey } from '../../../kit/index.js';
import { Task } from './task.entity.js';

/** The key of a task for people, which every call accepts where it takes the task's id, in any case, as people write it. */
export const TASK_KEY = rowKey(Task, 'key', {
  pattern: '^(?:(?:TEST|test)-)?[A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,9}$',
  example: 'ENG-42',
  title: 'title',
});
