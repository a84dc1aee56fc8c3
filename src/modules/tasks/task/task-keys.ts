import { Injectable } from '@nestjs/common';
import { isUuid, Store, type Ctx } from '../../../kit/index.js';
import { Task } from './task.entity.js';

/** The key of a task for people, which every call accepts where it takes the task's id, in any case, as people write it. */
export const TASK_KEY = { pattern: '^(?:(?:TEST|test)-)?[A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,9}$', example: 'ENG-42' };

/** No task has this id. */
const NO_TASK = '00000000-0000-0000-0000-000000000000';

/** Resolves the keys that callers send instead of ids. */
@Injectable()
export class TaskKeys {
  constructor(private readonly store: Store) {}

  async idOf(ctx: Ctx, idOrKey: string): Promise<string> {
    return (await this.resolver(ctx, [idOrKey]))(idOrKey);
  }

  /** Maps ids to themselves and the given keys to ids. A key of no task that the caller may access becomes an id of no task. */
  async resolver(
    ctx: Ctx,
    idsOrKeys: readonly (string | null | undefined)[],
  ): Promise<<T extends string | null | undefined>(idOrKey: T) => T> {
    const given = idsOrKeys.filter((value): value is string => typeof value === 'string' && !isUuid(value));
    const keys = [...new Set(given.map((key) => key.toUpperCase()))];
    const tasks = keys.length === 0 ? [] : await this.store.list(ctx, Task, { key: keys });
    const ids = new Map(tasks.map(({ key, id }) => [key, id]));
    return <T extends string | null | undefined>(value: T) =>
      (typeof value !== 'string' || isUuid(value) ? value : (ids.get((value as string).toUpperCase()) ?? NO_TASK)) as T;
  }
}
