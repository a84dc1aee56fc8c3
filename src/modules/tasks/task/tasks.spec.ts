import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../../kit/index.js';
import { conditionsOf } from './task-conditions.js';
import { taskBody } from './task.factory.js';
import { TasksQuery, UpdateTaskDto } from './tasks.dto.js';

describe('list conditions', () => {
  it('turn priorities into ranks', () => {
    expect(conditionsOf(Object.assign(new TasksQuery(), { priority: ['urgent', 'none'] }))[0].values).toEqual({ ranks: [4, 0] });
  });

  it('rule out empty arrays, unless these are asked for', () => {
    expect(conditionsOf(Object.assign(new TasksQuery(), { assignee_id: ['a'], label_id: ['b', null] })).map(({ sql }) => sql)).toEqual([
      `t.assignee_ids <> '{}'`,
    ]);
  });

  it('are none without such filters', () => {
    expect(conditionsOf(new TasksQuery())).toEqual([]);
  });
});

describe('DTOs', () => {
  it('a patch takes every field of a creation but the project, none of them required', () => {
    const fields = fieldsOf(UpdateTaskDto);
    expect(fields.has('project_id')).toBe(false);
    expect(fields.has('parent_id')).toBe(true);
    expect([...fields.values()].every(({ required }) => required === false)).toBe(true);
  });
});

describe('the factory', () => {
  it('repeats itself for the same number and differs for others', () => {
    expect(taskBody(3)).toEqual(taskBody(3));
    expect(new Set(Array.from({ length: 100 }, (_, number) => taskBody(number).title)).size).toBe(100);
  });
});
