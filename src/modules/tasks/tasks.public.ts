// What other modules and the demo may use of this one.
export { TaskCommentsService } from './task-comments.service.js';
export { TaskLookups } from './task-lookups.service.js';
export { seedTasks } from './task-seed.js';
export { TasksService } from './tasks.service.js';
