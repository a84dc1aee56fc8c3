// What other modules and the demo use of this one.
export { TaskCommentsService } from './task-comments.service.js';
export { TaskLookups } from './task-lookups.service.js';
export { CreateTaskDto } from './tasks.dto.js';
export { TasksModule } from './tasks.module.js';
export { TasksService } from './tasks.service.js';
