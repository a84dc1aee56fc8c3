import { describe, expect, it } from '@jest/globals';
import { completedAt, DEFAULT_STATUSES, isClosed, STATUS_GROUPS } from './task-status.js';

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
