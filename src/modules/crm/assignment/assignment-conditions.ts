import { invalid, isLongerThan } from '../../../kit/index.js';
import { CONDITION_FIELDS, CONDITION_OPERATORS, type AssignmentCondition } from './assignment-rules.js';

const MEMBERS = new Set(['field', 'op', 'value']);
const CUSTOM = 'custom_fields.';
const MAX_VALUE_LENGTH = 500;

/** Validates conditions. They arrive as plain JSON, because a value has no single type. */
export function validateConditions(conditions: readonly AssignmentCondition[], customKeys: readonly string[]): void {
  const fields = [...CONDITION_FIELDS, ...customKeys.map((key) => `${CUSTOM}${key}`)];
  for (const [index, condition] of conditions.entries()) {
    const at = `conditions.${index}`;
    const { field, op, value } = condition;
    const unknown = Object.keys(condition).find((name) => !MEMBERS.has(name));
    if (unknown !== undefined) throw invalid(`${at}.${unknown}`, 'is not part of a condition', [...MEMBERS]);
    if (!fields.includes(field)) throw invalid(`${at}.field`, `must be one of ${fields.join(', ')}`, fields);
    if (!CONDITION_OPERATORS.includes(op))
      throw invalid(`${at}.op`, `must be one of ${CONDITION_OPERATORS.join(', ')}`, CONDITION_OPERATORS);
    const problem = problemOf(op, value);
    if (problem) throw invalid(`${at}.value`, `${problem} with ${op}`);
  }
}

function problemOf(op: AssignmentCondition['op'], value: unknown): string | null {
  if (op === 'is_set' || op === 'is_not_set') return value === undefined || value === null ? null : 'must be left out';
  if (op === 'in' || op === 'not_in')
    return Array.isArray(value) && value.length >= 1 && value.length <= 100 && value.every(isText) ? null : 'must be an array of strings';
  return isText(value) || typeof value === 'number' || typeof value === 'boolean' ? null : 'must be a string, a number or a boolean';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !isLongerThan(value, MAX_VALUE_LENGTH) && !value.includes('\u0000');
}
