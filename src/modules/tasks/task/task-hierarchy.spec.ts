import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_DEPTH, placementProblem } from './task-hierarchy.js';

describe('task hierarchy', () => {
  it('rejects a task below itself at any depth', () => {
    expect(placementProblem({ taskId: 'a', height: 1, ancestors: ['a'] })).toBe('cycle');
    expect(placementProblem({ taskId: 'a', height: 3, ancestors: ['c', 'b', 'a'] })).toBe('cycle');
    expect(placementProblem({ taskId: 'a', height: 1, ancestors: ['c', 'b'] })).toBeNull();
  });

  it(`allows ${MAX_DEPTH} levels and rejects one more`, () => {
    const ancestors = Array.from({ length: MAX_DEPTH - 2 }, (_, level) => `t${level}`);
    expect(placementProblem({ taskId: 'a', height: 2, ancestors })).toBeNull();
    expect(placementProblem({ taskId: 'a', height: 3, ancestors })).toBe('too_deep');
    expect(placementProblem({ taskId: null, height: 1, ancestors: [...ancestors, 'x', 'y'] })).toBe('too_deep');
  });

  it('stays free of cycles and within the maximum depth under any moves', () => {
    const task = fc.integer({ min: 0, max: 24 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(task, task), { maxLength: 200 }), (moves) => {
        const parents = new Map<string, string>();
        for (const [taskId, parentId] of moves) {
          const placement = { taskId, height: heightOf(taskId, parents), ancestors: pathToRoot(parentId, parents) };
          if (placementProblem(placement) === null) parents.set(taskId, parentId);
          // pathToRoot throws on a cycle
          for (const id of parents.keys()) expect(pathToRoot(id, parents).length).toBeLessThanOrEqual(MAX_DEPTH);
        }
      }),
      { numRuns: 200 },
    );
  });
});

function pathToRoot(id: string, parents: ReadonlyMap<string, string>): string[] {
  const path = [id];
  for (let above = parents.get(id); above !== undefined; above = parents.get(above)) {
    path.push(above);
    if (path.length > 100) throw new Error('a cycle');
  }
  return path;
}

function heightOf(id: string, parents: ReadonlyMap<string, string>): number {
  const below = [...parents].filter(([, parent]) => parent === id).map(([child]) => heightOf(child, parents));
  return 1 + Math.max(0, ...below);
}
