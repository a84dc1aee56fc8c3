import { describe, expect, it } from '@jest/globals';
import { closedAt, DEFAULT_STAGES } from './stage-kind.js';

describe('stages', () => {
  const now = new Date('2026-11-21T09:30:00Z');
  const earlier = new Date('2026-11-01T00:00:00Z');
  it('closed_at follows the kind', () => {
    expect(closedAt(null, 'open', now)).toBeNull();
    expect(closedAt(null, 'won', now)).toBe(now);
    expect(closedAt({ status: 'won', closed_at: earlier }, 'won', now)).toBe(earlier);
    expect(closedAt({ status: 'won', closed_at: earlier }, 'lost', now)).toBe(now);
    expect(closedAt({ status: 'lost', closed_at: earlier }, 'open', now)).toBeNull();
  });

  it.each(['lead', 'deal'] as const)('a new project has %s stages of every kind, an open one first', (kind) => {
    expect(new Set(DEFAULT_STAGES[kind].map((stage) => stage.kind))).toEqual(new Set(['open', 'won', 'lost']));
    expect(DEFAULT_STAGES[kind][0].kind).toBe('open');
  });
});
