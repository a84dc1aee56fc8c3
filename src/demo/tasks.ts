import type { INestApplicationContext } from '@nestjs/common';
import type { Mode } from '../kit/index.js';
import { TaskCommentsService, TaskLookups, TasksService } from '../modules/tasks/tasks.public.js';
import { PEOPLE, type DemoMember, type PersonName } from './people.js';
import type { SeedContext } from './seed-context.js';
import { LIVE_TASKS, TEST_TASKS, type TaskSample } from './task-samples.js';
import type { DemoProject } from './workspace.js';

/** The projects and members that a module's samples use. */
export interface SeedTarget {
  projects: readonly DemoProject[];
  members: readonly DemoMember[];
}

/** Creates a module's samples; runs inside the seed's transaction. */
export type ModuleSeeder = (app: INestApplicationContext, ctx: SeedContext, target: SeedTarget) => Promise<void>;

const DAY_MS = 86_400_000;

export const seedTasks: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const samples: [Mode, Readonly<Record<string, readonly TaskSample[]>>][] = [
    ['live', LIVE_TASKS],
    ['test', TEST_TASKS],
  ];
  for (const [mode, byProject] of samples) {
    for (const { id, key } of projects) {
      const writer = new TaskWriter(app, ctx, members, mode, id);
      for (const sample of byProject[key] ?? []) await writer.write(sample, null);
    }
  }
  ctx.asSystem();
};

/** Creates the samples of one project and mode. */
class TaskWriter {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly ctx: SeedContext,
    private readonly members: readonly DemoMember[],
    private readonly mode: Mode,
    private readonly projectId: string,
  ) {}

  async write(sample: TaskSample, parentId: string | null): Promise<void> {
    const ctx = this.ctx.as(this.member(sample.by ?? 'grace'), this.mode);
    const task = await this.app.get(TasksService).create(ctx, {
      project_id: this.projectId,
      title: sample.title,
      description: sample.description,
      status_id: await this.statusId(sample.status),
      priority: sample.priority,
      assignee_ids: sample.assignees?.map((name) => this.member(name).id),
      label_ids: await this.labelIds(sample.labels ?? []),
      parent_id: parentId,
      start_on: day(sample.starts),
      due_on: day(sample.due),
    });
    for (const [name, body] of sample.comments ?? []) {
      await this.app.get(TaskCommentsService).create(this.ctx.as(this.member(name), this.mode), task.id, { body });
    }
    for (const subtask of sample.subtasks ?? []) await this.write(subtask, task.id);
  }

  private member(name: PersonName): DemoMember {
    return found(
      this.members.find(({ email }) => email === PEOPLE[name].email),
      name,
    );
  }

  private async statusId(name: string): Promise<string> {
    const statuses = await this.app.get(TaskLookups).statuses(this.ctx, this.projectId);
    return found(
      statuses.find((status) => status.name === name),
      name,
    ).id;
  }

  private async labelIds(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const labels = await this.app.get(TaskLookups).labels(this.ctx, this.projectId);
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
