import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEEPEST, placementProblem } from './task-hierarchy.js';

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
