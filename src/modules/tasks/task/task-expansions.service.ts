import { Injectable } from '@nestjs/common';
import { CachedNames, changedFrom, Members, Projects, Store, UNKNOWN_NAME, type Ctx, ProjectDto } from '../../../kit/index.js';
import { TaskLabelDto, TaskMemberDto, TaskStatusDto } from '../lookups/task-lookups.dto.js';
import { TaskLabel } from '../lookups/task-label.entity.js';
import { TaskStatus } from '../lookups/task-status.entity.js';
import { Task } from './task.entity.js';
import { TaskDto, TaskParentDto, type Expandable } from './tasks.dto.js';

/** Adds names, and the resources of `expand`, to tasks, with at most one query per resource type for all tasks of a response. */
@Injectable()
export class TaskExpansions {
  private readonly statusNames: CachedNames;
  private readonly memberNames: CachedNames;
  private readonly labelNames: CachedNames;

  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
  ) {
    this.statusNames = new CachedNames((ctx, id) => store.list(ctx, TaskStatus, { id }));
    this.memberNames = new CachedNames((ctx, ids) => members.byIds(ctx, ids));
    this.labelNames = new CachedNames((ctx, id) => store.list(ctx, TaskLabel, { id }));
  }

  /** Returns the function that maps these tasks to DTOs; if the names are cached, it runs no query without `expand`. */
  async mapper(ctx: Ctx, tasks: readonly Task[], expand: readonly Expandable[] = []): Promise<(task: Task) => TaskDto> {
    if (tasks.length === 0) return TaskDto.from;
    const named = await this.named(ctx, tasks);
    if (expand.length === 0) return named;
    const additions = await Promise.all(expand.map((name) => this.additions[name](ctx, tasks)));
    return (task) => Object.assign(named(task), ...additions.map((add) => add(task))) as TaskDto;
  }

  /** The task as a response shows it. */
  async one(ctx: Ctx, task: Task, expand?: readonly Expandable[]): Promise<TaskDto> {
    return (await this.mapper(ctx, [task], expand))(task);
  }

  /** What an event about a change says: the task as a response shows it, and the former values of what changed. */
  async change(ctx: Ctx, before: Task, after: Task) {
    const named = await this.mapper(ctx, [before, after]);
    const object = named(after);
    return { object, previous: changedFrom(named(before), object) };
  }

  private async named(ctx: Ctx, tasks: readonly Task[]): Promise<(task: Task) => TaskDto> {
    const [status, member, label] = await Promise.all([
      this.statusNames.of(
        ctx,
        tasks.map(({ status_id }) => status_id),
      ),
      this.memberNames.of(
        ctx,
        tasks.flatMap(({ assignee_ids }) => assignee_ids),
      ),
      this.labelNames.of(
        ctx,
        tasks.flatMap(({ label_ids }) => label_ids),
      ),
    ]);
    return (task) => {
      const dto = TaskDto.from(task);
      dto.status_name = status(task.status_id);
      dto.assignee_names = task.assignee_ids.map((id) => member(id) ?? UNKNOWN_NAME);
      dto.label_names = task.label_ids.map((id) => label(id) ?? UNKNOWN_NAME);
      return dto;
    };
  }

  private readonly additions: Record<Expandable, (ctx: Ctx, tasks: readonly Task[]) => Promise<(task: Task) => Partial<TaskDto>>> = {
    status: async (ctx, tasks) => {
      const found = byId(await this.store.list(ctx, TaskStatus, { id: distinct(tasks.map((task) => task.status_id)) }), TaskStatusDto.from);
      return (task) => ({ status: found.get(task.status_id) });
    },
    project: async (ctx, tasks) => {
      const ids = distinct(tasks.map((task) => task.project_id));
      const found = byId(await Promise.all(ids.map((id) => this.projects.get(ctx, id))), ProjectDto.from);
      return (task) => ({ project: found.get(task.project_id) });
    },
    assignees: async (ctx, tasks) => {
      const found = byId(await this.members.byIds(ctx, distinct(tasks.flatMap((task) => task.assignee_ids))), TaskMemberDto.from);
      return (task) => ({ assignees: inOrder(task.assignee_ids, found) });
    },
    labels: async (ctx, tasks) => {
      const found = byId(
        await this.store.list(ctx, TaskLabel, { id: distinct(tasks.flatMap((task) => task.label_ids)) }),
        TaskLabelDto.from,
      );
      return (task) => ({ labels: inOrder(task.label_ids, found) });
    },
    parent: async (ctx, tasks) => {
      const ids = distinct(tasks.flatMap((task) => task.parent_id ?? []));
      const found = byId(ids.length > 0 ? await this.store.list(ctx, Task, { id: ids }) : [], TaskParentDto.from);
      return (task) => ({ parent: found.get(task.parent_id ?? '') ?? null });
    },
  };
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function byId<E extends { id: string }, D>(rows: readonly E[], map: (row: E) => D): Map<string, D> {
  return new Map(rows.map((row) => [row.id, map(row)]));
}

function inOrder<D>(ids: readonly string[], found: ReadonlyMap<string, D>): D[] {
  return ids.map((id) => found.get(id)).filter((dto) => dto !== undefined);
}
