import { DAY_MS, type Ctx, type DemoPerson, type DemoWorkspace, type Mode, type ModuleDemo } from '../../../kit/index.js';
import { TaskCommentsService } from '../comments/task-comments.service.js';
import { TaskLookups } from '../lookups/task-lookups.service.js';
import { TasksService } from '../task/tasks.service.js';
import { LIVE_TASKS, TEST_TASKS, type TaskSample } from './task-samples.js';

export const TASKS_DEMO: ModuleDemo = {
  async seed(demo) {
    const samples: [Mode, Readonly<Record<string, readonly TaskSample[]>>][] = [
      ['live', LIVE_TASKS],
      ['test', TEST_TASKS],
    ];
    for (const [mode, byProject] of samples) {
      if (!demo.modes.includes(mode)) continue;
      for (const { id, key } of demo.projects) {
        const writer = new TaskWriter(demo, mode, id);
        for (const sample of byProject[key] ?? []) await writer.write(sample, null);
      }
    }
  },
  firstCall: {
    text: 'Create a task',
    scope: 'tasks:task:write',
    path: '/api/v1/ext/tasks/tasks',
    body: (project_id) => ({ project_id, title: 'Try the API' }),
  },
};

/** Creates the samples of one project and mode. */
class TaskWriter {
  constructor(
    private readonly demo: DemoWorkspace,
    private readonly mode: Mode,
    private readonly projectId: string,
  ) {}

  async write(sample: TaskSample, parentId: string | null): Promise<void> {
    const ctx = this.as(sample.by ?? 'grace');
    const task = await this.demo.get(TasksService).create(ctx, {
      project_id: this.projectId,
      title: sample.title,
      description: sample.description,
      status_id: await this.statusId(sample.status),
      priority: sample.priority,
      assignee_ids: sample.assignees && [...new Set(sample.assignees.map((name) => this.demo.member(name).id))],
      label_ids: await this.labelIds(sample.labels ?? []),
      parent_id: parentId,
      start_on: day(sample.starts),
      due_on: day(sample.due),
    });
    for (const [name, body] of sample.comments ?? []) {
      await this.demo.get(TaskCommentsService).create(this.as(name), task.id, { body });
    }
    for (const subtask of sample.subtasks ?? []) await this.write(subtask, task.id);
  }

  private as(name: DemoPerson): Ctx {
    return this.demo.as(name, this.mode);
  }

  private async statusId(name: string): Promise<string> {
    const statuses = await this.demo.get(TaskLookups).statuses(this.as('grace'), this.projectId);
    return found(
      statuses.find((status) => status.name === name),
      name,
    ).id;
  }

  private async labelIds(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const labels = await this.demo.get(TaskLookups).labels(this.as('grace'), this.projectId);
    return names.map(
      (name) =>
        found(
          labels.find((label) => label.name === name),
          name,
        ).id,
    );
  }
}

function found<T>(item: T | undefined, name: string): T {
  if (!item) throw new Error(`The demo's samples refer to "${name}", which does not exist.`);
  return item;
}

/** The date `offset` days from today, as YYYY-MM-DD. */
function day(offset: number | undefined): string | null {
  return offset === undefined ? null : new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}
