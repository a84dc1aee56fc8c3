// The parts that other modules and the demo may use.
export { TaskCommentsService } from './comments/task-comments.service.js';
export { TaskLookups } from './lookups/task-lookups.service.js';
export { CreateTaskDto } from './task/tasks.dto.js';
export { TasksModule } from './tasks.module.js';
export { TasksService } from './task/tasks.service.js';
