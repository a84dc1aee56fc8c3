import { DomainModule } from '../../kit/index.js';
import { TaskBatchService } from './task-batch.service.js';
import { TaskComment } from './task-comment.entity.js';
import { TaskCommentsController } from './task-comments.controller.js';
import { TaskCommentsService } from './task-comments.service.js';
import { TaskExpansions } from './task-expansions.service.js';
import { TaskHierarchy } from './task-hierarchy.service.js';
import { TaskLabel } from './task-label.entity.js';
import { TaskLookupsController } from './task-lookups.controller.js';
import { TaskLookups } from './task-lookups.service.js';
import { TaskProjectSetup } from './task-project-setup.js';
import { TaskProjectsController } from './task-projects.controller.js';
import { TaskStatus } from './task-status.entity.js';
import { Task } from './task.entity.js';
import { TasksController } from './tasks.controller.js';
import { TaskErrors } from './tasks.errors.js';
import { TaskEvents } from './tasks.events.js';
import { TASKS_GUIDE } from './tasks.guide.js';
import { TasksService } from './tasks.service.js';

@DomainModule({
  name: 'tasks',
  title: 'Tasks',
  guide: TASKS_GUIDE,
  scopes: {
    'tasks:project:read': 'Read projects',
    'tasks:task:read': 'Read tasks',
    'tasks:task:write': 'Create and change tasks',
    'tasks:task:delete': 'Delete tasks',
    'tasks:comment:read': 'Read comments on tasks',
    'tasks:comment:write': 'Comment on tasks',
    'tasks:config:read': 'Read statuses, priorities, labels and members',
  },
  entities: [Task, TaskStatus, TaskLabel, TaskComment],
  controllers: [TaskProjectsController, TasksController, TaskCommentsController, TaskLookupsController],
  providers: [TasksService, TaskCommentsService, TaskBatchService, TaskLookups, TaskHierarchy, TaskExpansions, TaskProjectSetup],
  exports: [TasksService, TaskCommentsService, TaskLookups],
  errors: TaskErrors,
  events: TaskEvents,
  projectSetup: TaskProjectSetup,
})
export class TasksModule {}
