// The parts that other modules may use.
export { CreateTaskDto } from './task/tasks.dto.js';
export { Task } from './task/task.entity.js';
export { TasksModule } from './tasks.module.js';
export { TasksService } from './task/tasks.service.js';
