// What other modules and the demo use of this one.
export { TaskCommentsService } from './task-comments.service.js';
export { TaskLookups } from './task-lookups.service.js';
export { TasksService } from './tasks.service.js';
