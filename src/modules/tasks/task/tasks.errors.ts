import { defineErrors } from '../../../kit/index.js';
import { MAX_DEPTH } from './task-hierarchy.js';

/** Errors specific to the tasks module. */
export const TaskErrors = defineErrors({
  /** `parent_id` is the task itself or one of its descendants. */
  parentCycle: {
    code: 'parent_cycle',
    type: 'invalid_request_error',
    status: 400,
    message: 'parent_id must not be the task itself or one of its subtasks; choose another parent.',
  },
  /** The subtree below this parent would exceed the maximum depth. */
  parentTooDeep: {
    code: 'parent_too_deep',
    type: 'invalid_request_error',
    status: 400,
    message: `parent_id would nest tasks more than ${MAX_DEPTH} levels deep; choose a parent at a higher level.`,
  },
});
