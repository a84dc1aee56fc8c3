import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldsOf } from '../../kit/index.js';
import { conditionsOf } from './task-conditions.js';
import { DEEPEST, placementProblem } from './task-hierarchy.js';
import { PRIORITIES, priorityOf, rankOf } from './task-priority.js';
import { completedAt, DEFAULT_STATUSES, isClosed, STATUS_GROUPS } from './task-status.js';
import { taskBody } from './task.factory.js';
import { TasksQuery, UpdateTaskDto } from './tasks.dto.js';

const NOW = new Date('2026-11-21T09:30:00Z');
const EARLIER = new Date('2026-11-01T00:00:00Z');

describe('statuses', () => {
  it.each(STATUS_GROUPS)('completed_at follows the group %s', (group) => {
    expect(completedAt(null, group, NOW)).toBe(isClosed(group) ? NOW : null);
    expect(completedAt(EARLIER, group, NOW)).toBe(isClosed(group) ? EARLIER : null);
  });

  it('a project starts with every group, distinct names and one default', () => {
    expect(new Set(DEFAULT_STATUSES.map(({ group }) => group))).toEqual(new Set(STATUS_GROUPS));
    expect(new Set(DEFAULT_STATUSES.map(({ name }) => name)).size).toBe(DEFAULT_STATUSES.length);
    expect(DEFAULT_STATUSES.filter(({ is_default }) => is_default)).toHaveLength(1);
  });
});

describe('priorities', () => {
  it('rank from none to urgent and back', () => {
    expect(PRIORITIES.map(rankOf)).toEqual([0, 1, 2, 3, 4]);
    expect(PRIORITIES.map(rankOf).map(priorityOf)).toEqual(PRIORITIES);
  });
});

describe('the hierarchy', () => {
  it('refuses a task under itself, whatever lies between', () => {
    expect(placementProblem({ taskId: 'a', height: 1, ancestors: ['a'] })).toBe('cycle');
    expect(placementProblem({ taskId: 'a', height: 3, ancestors: ['c', 'b', 'a'] })).toBe('cycle');
    expect(placementProblem({ taskId: 'a', height: 1, ancestors: ['c', 'b'] })).toBeNull();
  });

  it(`lets tasks nest ${DEEPEST} levels deep and no deeper`, () => {
    const ancestors = Array.from({ length: DEEPEST - 2 }, (_, level) => `t${level}`);
    expect(placementProblem({ taskId: 'a', height: 2, ancestors })).toBeNull();
    expect(placementProblem({ taskId: 'a', height: 3, ancestors })).toBe('too_deep');
    expect(placementProblem({ taskId: null, height: 1, ancestors: [...ancestors, 'x', 'y'] })).toBe('too_deep');
  });

  it('keeps a forest of bounded depth under any moves', () => {
    const task = fc.integer({ min: 0, max: 24 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(task, task), { maxLength: 200 }), (moves) => {
        const parents = new Map<string, string>();
        for (const [taskId, parentId] of moves) {
          const placement = { taskId, height: heightOf(taskId, parents), ancestors: lineOf(parentId, parents) };
          if (placementProblem(placement) === null) parents.set(taskId, parentId);
          // lineOf ends only where there is no cycle
          for (const id of parents.keys()) expect(lineOf(id, parents).length).toBeLessThanOrEqual(DEEPEST);
        }
      }),
      { numRuns: 200 },
    );
  });
});

function lineOf(id: string, parents: ReadonlyMap<string, string>): string[] {
  const line = [id];
  for (let above = parents.get(id); above !== undefined; above = parents.get(above)) {
    line.push(above);
    if (line.length > 100) throw new Error('a cycle');
  }
  return line;
}

function heightOf(id: string, parents: ReadonlyMap<string, string>): number {
  const below = [...parents].filter(([, parent]) => parent === id).map(([child]) => heightOf(child, parents));
  return 1 + Math.max(0, ...below);
}

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
