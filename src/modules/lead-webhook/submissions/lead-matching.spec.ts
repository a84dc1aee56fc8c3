import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bestMatch, MATCHED_BY, mutexNames } from './lead-matching.js';

const SCOPE = ['org', 'project', 'live'];

describe('matching', () => {
  const lead = (id: string, external_id: string | null, email_normalized: string | null, phone_normalized: string | null) => ({
    id,
    external_id,
    email_normalized,
    phone_normalized,
  });
  const idsOf = (match: ReturnType<typeof bestMatch>) =>
    match && { id: match.lead.id, by: match.by, candidates: match.candidates.map(({ id }) => id) };
  const [a, b, c] = [lead('a', null, 'mail', null), lead('b', 'form', 'mail', null), lead('c', null, null, 'number')];

  it('finds no lead without an equal value, nor by a value that was not given', () => {
    expect(bestMatch([], { external_id: 'form', email: 'mail', phone: 'number' })).toBeNull();
    expect(bestMatch([a, b, c], { external_id: null, email: 'other', phone: null })).toBeNull();
  });

  it('prefers the strongest match, then the oldest lead, and lists every candidate once', () => {
    expect(idsOf(bestMatch([a, b, c], { external_id: 'form', email: 'mail', phone: 'number' }))).toEqual({
      id: 'b',
      by: 'external_id',
      candidates: ['b', 'a', 'c'],
    });
    expect(idsOf(bestMatch([a, b], { external_id: 'new', email: 'mail', phone: 'number' }))).toEqual({
      id: 'a',
      by: 'email',
      candidates: ['a', 'b'],
    });
    expect(idsOf(bestMatch([c], { external_id: null, email: 'mail', phone: 'number' }))).toEqual({
      id: 'c',
      by: 'phone',
      candidates: ['c'],
    });
  });

  it('has one mutex for each value, none shared between modes', () => {
    const value = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
    const identity = fc.record({ external_id: value, email: value, phone: value });
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const [first, second] = [mutexNames(SCOPE, one), mutexNames(SCOPE, other)];
        expect(new Set(first).size).toBe(MATCHED_BY.filter((name) => one[name] !== null).length);
        const shared = MATCHED_BY.filter((name) => one[name] !== null && one[name] === other[name]);
        expect(first.filter((name) => second.includes(name))).toHaveLength(shared.length);
        expect(mutexNames(['org', 'project', 'test'], one).filter((name) => first.includes(name))).toEqual([]);
      }),
    );
  });
});
