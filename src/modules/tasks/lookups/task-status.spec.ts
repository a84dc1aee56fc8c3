import { describe, expect, it } from '@jest/globals';
import { completedAt, DEFAULT_STATUSES, isClosed, STATUS_GROUPS } from './task-status.js';

const NOW = new Date('2026-11-21T09:30:00Z');
const EARLIER = new Date('2026-11-01T00:00:00Z');

describe('statuses', () => {
  it.each(STATUS_GROUPS)('set or clear completed_at on a move to %s', (group) => {
    expect(completedAt(null, group, NOW)).toBe(isClosed(group) ? NOW : null);
    expect(completedAt(EARLIER, group, NOW)).toBe(isClosed(group) ? EARLIER : null);
  });

  it('of a new project cover every group, with unique names and one default', () => {
    expect(new Set(DEFAULT_STATUSES.map(({ group }) => group))).toEqual(new Set(STATUS_GROUPS));
    expect(new Set(DEFAULT_STATUSES.map(({ name }) => name)).size).toBe(DEFAULT_STATUSES.length);
    expect(DEFAULT_STATUSES.filter(({ is_default }) => is_default)).toHaveLength(1);
  });
});
