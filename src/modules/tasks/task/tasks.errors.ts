import { defineErrors } from '../../../kit/index.js';
import { DEEPEST } from './task-hierarchy.js';

/** What only the tasks module refuses. */
export const TaskErrors = defineErrors({
  /** `parent_id` names the task itself or one below it. */
  parentCycle: {
    code: 'parent_cycle',
    type: 'invalid_request_error',
    status: 400,
    message: 'parent_id must not be the task itself or one of its subtasks; choose another parent.',
  },
  /** With this parent, the lowest subtask would lie too deep. */
  parentTooDeep: {
    code: 'parent_too_deep',
    type: 'invalid_request_error',
    status: 400,
    message: `parent_id would nest tasks more than ${DEEPEST} levels deep; choose a parent further up.`,
  },
});
