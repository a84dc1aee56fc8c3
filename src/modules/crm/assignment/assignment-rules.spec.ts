import { describe, expect, it } from '@jest/globals';
import { validateConditions } from './assignment-conditions.js';
import { firstMatch, holds, type AssignmentCondition } from './assignment-rules.js';

describe('conditions', () => {
  const lead = { email: 'ada@acme.de', job_title: null, custom_fields: { size: 50, tags: ['a', 'b'], vip: true } };
  it.each([
    ['email', 'eq', 'ADA@acme.de', true],
    ['email', 'neq', 'x', true],
    ['email', 'contains', 'acme', true],
    ['email', 'starts_with', 'acme', false],
    ['email', 'ends_with', '.DE', true],
    ['email', 'in', ['x', 'ada@acme.de'], true],
    ['email', 'not_in', ['ada@acme.de'], false],
    ['job_title', 'is_set', null, false],
    ['job_title', 'is_not_set', null, true],
    ['job_title', 'eq', 'x', false],
    ['job_title', 'neq', 'x', true],
    ['job_title', 'not_in', ['x'], true],
    ['custom_fields.size', 'gt', 49, true],
    ['custom_fields.size', 'lt', 49, false],
    ['custom_fields.size', 'gt', '49', false],
    ['custom_fields.tags', 'eq', 'b', true],
    ['custom_fields.tags', 'in', ['c', 'a'], true],
    ['custom_fields.vip', 'eq', true, true],
    ['custom_fields.constructor', 'is_set', null, false],
    ['custom_fields.none', 'gt', 1, false],
  ] as const)('%s %s %j: %j', (field, op, value, expected) => {
    expect(holds({ field, op, value } as AssignmentCondition, lead)).toBe(expected);
  });

  it('have values of at most 500 characters', () => {
    const validate = (value: string) => validateConditions([{ field: 'email', op: 'eq', value }], []);
    expect(() => validate('🙂'.repeat(500))).not.toThrow();
    expect(() => validate('🙂'.repeat(501))).toThrow('conditions.0.value');
  });

  it('the first active rule that matches wins, if any', () => {
    const rule = (name: string, over: object = {}) => ({ name, active: true, conditions: [] as AssignmentCondition[], ...over });
    const never: AssignmentCondition = { field: 'email', op: 'eq', value: 'nobody' };
    expect(
      firstMatch([rule('off', { active: false }), rule('other', { conditions: [never] }), rule('fits'), rule('late')], lead)?.name,
    ).toBe('fits');
    expect(firstMatch([rule('other', { conditions: [never] })], lead)).toBeNull();
  });
});
