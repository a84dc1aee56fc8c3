import { describe, expect, it } from '@jest/globals';
import { fieldsOf, sql } from '../../../kit/index.js';
import { conditionsOf } from './task-conditions.js';
import { taskBody } from './task.factory.js';
import { TasksQuery, UpdateTaskDto } from './tasks.dto.js';

describe('list conditions', () => {
  it('translate priorities into ranks', () => {
    expect(conditionsOf(Object.assign(new TasksQuery(), { priority: ['urgent', 'none'] }))[0]).toEqual(sql`t.priority = ANY(${[4, 0]})`);
  });

  it('exclude empty arrays unless the filter includes none', () => {
    expect(conditionsOf(Object.assign(new TasksQuery(), { assignee_id: ['a'], label_id: ['b', null] }))).toEqual([
      sql`t.assignee_ids <> '{}'`,
    ]);
  });

  it('are empty without filters', () => {
    expect(conditionsOf(new TasksQuery())).toEqual([]);
  });
});

describe('DTOs', () => {
  it('make every field but project_id optional in an update', () => {
    const fields = fieldsOf(UpdateTaskDto);
    expect(fields.has('project_id')).toBe(false);
    expect(fields.has('parent_id')).toBe(true);
    expect([...fields.values()].every(({ required }) => required === false)).toBe(true);
  });
});

describe('taskBody', () => {
  it('returns the same body for the same number and different titles otherwise', () => {
    expect(taskBody(3)).toEqual(taskBody(3));
    expect(new Set(Array.from({ length: 100 }, (_, number) => taskBody(number).title)).size).toBe(100);
  });
});
