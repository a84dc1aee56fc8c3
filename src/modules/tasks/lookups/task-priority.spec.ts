import { describe, expect, it } from '@jest/globals';
import { PRIORITIES, priorityOf, rankOf } from './task-priority.js';

describe('priorities', () => {
  it('map to ranks from none to urgent and back', () => {
    expect(PRIORITIES.map(rankOf)).toEqual([0, 1, 2, 3, 4]);
    expect(PRIORITIES.map(rankOf).map(priorityOf)).toEqual(PRIORITIES);
  });
});
