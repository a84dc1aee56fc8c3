import { describe, expect, it } from '@jest/globals';
import { lastDay } from '../execution/execution.service.js';
import { nextMoment } from '../execution/party-evidence.js';
import { awaited, due } from './signing-order.js';
import type { PartyStatus, SignatureParty } from '../../../model/records/signature-party.entity.js';

const party = (key: string, turn: number, status: PartyStatus = 'waiting', required = true) => ({ key, turn, status, required });
const keys = (parties: { key: string }[]) => parties.map(({ key }) => key);

describe('the signing order', () => {
  it('begins with the lowest number and continues when all earlier required parties have signed', () => {
    expect(keys(due([party('a', 3), party('b', 5), party('c', 3)]))).toEqual(['a', 'c']);
    expect(keys(due([party('a', 1, 'signed'), party('b', 1, 'viewed'), party('c', 2)]))).toEqual([]);
    expect(keys(due([party('a', 1, 'signed'), party('b', 1, 'signed'), party('c', 2), party('d', 3)]))).toEqual(['c']);
  });

  it('does not wait for optional parties', () => {
    expect(keys(due([party('a', 1, 'waiting', false), party('b', 2), party('c', 3)]))).toEqual(['a', 'b']);
    expect(keys(due([party('a', 1, 'signed'), party('b', 1, 'invited', false), party('c', 2)]))).toEqual(['c']);
    expect(keys(due([party('a', 1, 'waiting', false), party('b', 2, 'waiting', false)]))).toEqual(['a', 'b']);
  });

  it('is complete when all required parties have signed, or all parties if none is required', () => {
    expect(keys(awaited([party('a', 1, 'signed'), party('b', 1, 'invited', false)]))).toEqual([]);
    expect(keys(awaited([party('a', 1, 'signed'), party('b', 2)]))).toEqual(['b']);
    expect(keys(awaited([party('a', 1, 'signed', false), party('b', 1, 'invited', false)]))).toEqual(['b']);
  });
});

describe('the time of a signature', () => {
  it('is later than all earlier ones, even within one millisecond or when the clock goes back', () => {
    const signed = (time: string) => ({ signed_at: new Date(time) }) as SignatureParty;
    const moment = nextMoment(
      [signed('2026-03-01T10:00:00.005Z'), signed('2026-03-01T10:00:00.002Z')],
      new Date('2026-03-01T10:00:00.001Z'),
    );
    expect(moment.toISOString()).toBe('2026-03-01T10:00:00.006Z');
    expect(nextMoment([], new Date('2026-03-01T10:00:00.001Z')).toISOString()).toBe('2026-03-01T10:00:00.001Z');
  });
});

describe('the last day of validity', () => {
  it.each([
    ['2026-11-21T09:30:00Z', 'UTC', 12, '2027-11-20'],
    ['2026-03-01T10:00:00Z', 'UTC', 1, '2026-03-31'],
    ['2026-01-31T10:00:00Z', 'UTC', 1, '2026-02-28'],
    ['2026-01-01T10:00:00Z', 'UTC', 1, '2026-01-31'],
    ['2024-02-29T10:00:00Z', 'UTC', 12, '2025-02-28'],
    ['2026-12-31T23:30:00Z', 'Europe/Berlin', 12, '2027-12-31'],
    ['2026-06-01T01:00:00Z', 'America/New_York', 3, '2026-08-30'],
  ])('of %s in %s and %i months is %s', (begin, zone, months, expected) => {
    expect(lastDay(new Date(begin), zone, months)).toBe(expected);
  });
});
