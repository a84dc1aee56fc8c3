import { DomainModule, projectLookup } from '../../kit/index.js';
import { TaskBatchService } from './task/task-batch.service.js';
import { TaskComment } from './comments/task-comment.entity.js';
import { TaskCommentsController } from './comments/task-comments.controller.js';
import { TaskCommentsService } from './comments/task-comments.service.js';
import { TaskExpansions } from './task/task-expansions.service.js';
import { TaskHierarchy } from './task/task-hierarchy.service.js';
import { TaskLabel } from './lookups/task-label.entity.js';
import { TaskLookupsController } from './lookups/task-lookups.controller.js';
import { TaskLookups } from './lookups/task-lookups.service.js';
import { TaskProjectSetup } from './lookups/task-project-setup.js';
import { TaskProjectsController } from './lookups/task-projects.controller.js';
import { TaskStatus } from './lookups/task-status.entity.js';
import { OrgTaskSetupController } from './setup/org-task-setup.controller.js';
import { TaskSetup } from './setup/task-setup.service.js';
import { Task } from './task/task.entity.js';
import { TasksController } from './task/tasks.controller.js';
import { TaskErrors } from './task/tasks.errors.js';
import { TaskEvents } from './task/tasks.events.js';
import { TASKS_GUIDE } from './tasks.guide.js';
import { TasksService } from './task/tasks.service.js';
import { TASKS_DEMO } from './demo/tasks.demo.js';
import { TASK_TRIGGERS } from './tasks.triggers.js';

/**
 * Tasks of a project, with comments.
 * - `lookups/` what writers look up first: projects, statuses, labels, priorities, members
 * - `setup/` how statuses and labels are changed
 * - `task/` the task itself: fields, rules, routes, batches
 * - `comments/` comments on tasks
 */
@DomainModule({
  name: 'tasks',
  title: 'Tasks',
  guide: TASKS_GUIDE,
  agentWords: {
    search: {
      task: 'bug todo to_do to_dos ticket work job issue deadline due duty',
      project: 'board',
      task_member: 'assignee owner responsible give',
      label: 'tag',
      status: 'state column',
      comment: 'note remark reply said say discuss discussion conversation',
      create_task_comment: 'leave reply tell found_out',
      priority: 'urgency urgent importance level',
      update_task:
        'urgent mark finished tick_off check_off due_date hand_over reassign pass_on delegate postpone move card column ' +
        'move_card another_column depend dependency block wait wait_for',
      batch_task: 'tick_off several many create_many change_many delete_many',
      list_task: 'my plate this_week to_do_list overdue today working_on',
      create_task: 'split break break_down break_up divide subtask checklist',
    },
    arguments: {
      assignee: ['assignee_ids'],
      owner: ['assignee_ids'],
      due_date: ['due_on'],
      deadline: ['due_on', 'due_before'],
    },
  },
  scopes: {
    'tasks:project:read': 'Read projects',
    'tasks:task:read': 'Read tasks',
    'tasks:task:write': 'Create and change tasks',
    'tasks:task:delete': 'Delete tasks',
    'tasks:comment:read': 'Read comments on tasks',
    'tasks:comment:write': 'Comment on tasks',
    'tasks:config:read': 'Read statuses, priorities, labels and members',
  },
  permissions: {
    'tasks.task.view': { title: 'See tasks and their comments', roles: ['admin', 'developer', 'member'] },
    'tasks.task.manage': { title: 'Create, change and comment on tasks', roles: ['admin', 'member'] },
    'tasks.task.delete': { title: 'Delete tasks', roles: ['admin', 'member'] },
  },
  apiOnly: [
    {
      names: [
        ['Statuses', 'create_org_task_status'],
        ['labels', 'create_org_task_label'],
      ],
      text: 'the columns of the board, and what tasks are marked with',
    },
  ],
  entities: [Task, TaskStatus, TaskLabel, TaskComment],
  customFields: 'tasks:config:read',
  controllers: [
    projectLookup('/api/v1/ext/tasks/projects', 'list_projects', { scope: 'tasks:project:read' }),
    TaskProjectsController,
    TasksController,
    TaskCommentsController,
    TaskLookupsController,
    OrgTaskSetupController,
  ],
  providers: [TasksService, TaskCommentsService, TaskBatchService, TaskLookups, TaskHierarchy, TaskExpansions, TaskProjectSetup, TaskSetup],
  exports: [TasksService, TaskCommentsService, TaskLookups],
  errors: TaskErrors,
  events: TaskEvents,
  restorable: [
    {
      entity: Task,
      deletedBy: 'delete_task',
      shownBy: 'get_task',
      event: TaskEvents.restored,
      emits: [TaskEvents.updated],
      handler: TasksService,
    },
  ],
  triggers: TASK_TRIGGERS,
  projectSetup: TaskProjectSetup,
  demo: TASKS_DEMO,
})
export class TasksModule {}
