import { writtenValue } from '../../../../kit/index.js';
import { valueAt } from '../core/data-values.js';
import { OPERAND, type FieldConditionDto, type Operator } from '../types/approval-route.dto.js';

const TESTS: Record<Operator, (value: unknown, operand: unknown) => boolean> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== operand,
  gt: (value, operand) => compared(value, operand, (sign) => sign > 0),
  gte: (value, operand) => compared(value, operand, (sign) => sign >= 0),
  lt: (value, operand) => compared(value, operand, (sign) => sign < 0),
  lte: (value, operand) => compared(value, operand, (sign) => sign <= 0),
  in: (value, operand) => Array.isArray(operand) && operand.includes(value),
  contains: (value, operand) =>
    Array.isArray(value) ? value.includes(operand) : typeof value === 'string' && typeof operand === 'string' && value.includes(operand),
  exists: (value, operand) => (value !== undefined && value !== null) === (operand !== false),
};

/** Whether a document's values meet a condition. A missing value is unequal to everything and has no order. */
export function holds({ field, op, operand }: FieldConditionDto, values: Record<string, unknown>): boolean {
  return TESTS[op](valueAt(values, field), operand.value);
}

const COMPARISONS: readonly Operator[] = ['gt', 'gte', 'lt', 'lte'];

/** Why an operator cannot be applied to this operand, or null. */
export function operandProblem({ op, operand }: Pick<FieldConditionDto, 'op' | 'operand'>): string | null {
  if (!Object.hasOwn(operand, 'value')) return `must be ${OPERAND}, with a value to compare with`;
  if (op === 'in' && !Array.isArray(operand.value)) return 'must be {"value": [...]} for in';
  if (COMPARISONS.includes(op) && !['number', 'string'].includes(typeof operand.value))
    return `must be {"value": a number or a string} for ${op}`;
  return null;
}

/** The values that a condition on a field of this type compares with: an integer that was written as 120.00 is that text. */
export function operandsOf({ op, operand }: Pick<FieldConditionDto, 'op' | 'operand'>, type: string | null): unknown[] {
  const { value } = operand;
  const written = (container: object, member: string, one: unknown) => (type === 'integer' ? writtenValue(container, member, one) : one);
  if (op === 'in' && Array.isArray(value)) return value.map((one: unknown, index) => written(value, String(index), one));
  return [written(operand, 'value', value)];
}

/** Compares two numbers, or two strings (which also orders ISO dates). Other values have no order. */
function compared(value: unknown, operand: unknown, test: (sign: number) => boolean): boolean {
  if (typeof value === 'number' && typeof operand === 'number') return test(value - operand);
  if (typeof value === 'string' && typeof operand === 'string') return test(value < operand ? -1 : value > operand ? 1 : 0);
  return false;
}
