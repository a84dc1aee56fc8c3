import { describe, expect, it } from '@jest/globals';
import { newCode, newCodeProblem, tryCode } from './one-time-code.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const none = { otp_hash: null, otp_expires_at: null, otp_failures: 0 };
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code', () => {
  it('has six digits and is valid once, for ten minutes and for its party only', () => {
    const { code, changes } = newCode('party', none, NOW);
    expect(code).toMatch(/^\d{6}$/);
    expect(tryCode('party', changes, code, at(599))).toEqual({ problem: null, changes: { otp_hash: null } });
    expect(tryCode('party', changes, code, at(600)).problem).toContain('Request a code first');
    expect(tryCode('party', { ...changes, otp_hash: null }, code, NOW).problem).toContain('Request a code first');
    expect(tryCode('other', changes, code, NOW).problem).toBe('The code is wrong.');
    expect(tryCode('party', changes, '', NOW)).toEqual({ problem: 'Enter the code that we sent you.', changes: {} });
    expect(JSON.stringify(changes)).not.toContain(code);
  });

  it('becomes invalid after five wrong attempts, and remaining attempts do not carry over to the next code', () => {
    const { code, changes } = newCode('party', none, NOW);
    let state = changes;
    for (let count = 1; count <= 5; count++) state = { ...state, ...tryCode('party', state, wrongOf(code), NOW).changes };
    expect([state.otp_failures, state.otp_hash, tryCode('party', state, code, NOW).problem === null]).toEqual([5, null, false]);
    expect(newCode('party', { ...none, otp_failures: 3 }, NOW).changes.otp_failures).toBe(5);
    expect(newCode('party', { ...none, otp_failures: 5 }, NOW).changes.otp_failures).toBe(5);
  });

  it('is sent at most once a minute, and not after twenty-five wrong attempts', () => {
    const { changes } = newCode('party', none, NOW);
    expect([newCodeProblem(none, NOW), newCodeProblem(changes, at(59)) === null, newCodeProblem(changes, at(60))]).toEqual([
      null,
      false,
      null,
    ]);
    expect([newCodeProblem({ ...none, otp_failures: 24 }, NOW), newCodeProblem({ ...none, otp_failures: 25 }, NOW) === null]).toEqual([
      null,
      false,
    ]);
  });
});
