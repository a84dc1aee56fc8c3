import { describe, expect, it } from '@jest/globals';
import { nearestName } from './nearest-name.js';

describe('nearestName', () => {
  it.each([
    ['asignee', 'assignee'],
    ['assignee_dis', 'assignee_ids'],
    ['Due_On', 'due_on'],
  ])('corrects %s to %s', (name, expected) => {
    expect(nearestName(name, ['assignee', 'assignee_ids', 'due_on'])).toBe(expected);
  });

  it('suggests nothing when no candidate is close', () => {
    expect(nearestName('zzzzzz', ['assignee', 'due_on'])).toBeUndefined();
    expect(nearestName('x'.repeat(100_000), ['x'.repeat(100_001)])).toBeUndefined();
  });
});
