export const ASSIGNMENT_METHODS = ['user', 'round_robin', 'least_open'] as const;

export type AssignmentMethod = (typeof ASSIGNMENT_METHODS)[number];

/** The fields of a lead that a condition may compare, in addition to `custom_fields.<key>`. */
export const CONDITION_FIELDS = [
  'full_name',
  'email',
  'phone',
  'company_name',
  'job_title',
  'source_id',
  'pipeline_id',
  'status_id',
  'utm_source',
  'utm_campaign',
  'external_id',
] as const;

export const CONDITION_OPERATORS = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'ends_with',
  'gt',
  'lt',
  'is_set',
  'is_not_set',
] as const;

type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

export interface AssignmentCondition {
  field: string;
  op: ConditionOperator;
  /** A list for in and not_in; none for is_set and is_not_set. */
  value: string | number | boolean | string[] | null;
}

const CUSTOM = 'custom_fields.';

/** The first active rule whose conditions all hold. */
export function firstMatch<R extends { active: boolean; conditions: readonly AssignmentCondition[] }>(
  rules: readonly R[],
  lead: object,
): R | null {
  return rules.find(({ active, conditions }) => active && conditions.every((condition) => holds(condition, lead))) ?? null;
}

export function holds({ field, op, value }: AssignmentCondition, lead: object): boolean {
  const actual = valueOf(lead, field);
  switch (op) {
    case 'is_set':
      return actual.length > 0;
    case 'is_not_set':
      return actual.length === 0;
    case 'eq':
      return some(actual, value, (a, b) => a === b);
    case 'neq':
      return !some(actual, value, (a, b) => a === b);
    case 'in':
      return list(value).some((item) => some(actual, item, (a, b) => a === b));
    case 'not_in':
      return !list(value).some((item) => some(actual, item, (a, b) => a === b));
    case 'contains':
      return some(actual, value, (a, b) => a.includes(b));
    case 'starts_with':
      return some(actual, value, (a, b) => a.startsWith(b));
    case 'ends_with':
      return some(actual, value, (a, b) => a.endsWith(b));
    case 'gt':
      return actual.some((item) => order(item, value) > 0);
    case 'lt':
      return actual.some((item) => order(item, value) < 0);
  }
}

/** The values of a field: none when it is empty, several for multi_select. */
function valueOf(lead: object, field: string): unknown[] {
  const from = field.startsWith(CUSTOM)
    ? (lead as { custom_fields: Record<string, unknown> }).custom_fields
    : (lead as Record<string, unknown>);
  const key = field.startsWith(CUSTOM) ? field.slice(CUSTOM.length) : field;
  const value = Object.hasOwn(from, key) ? from[key] : null;
  return value === null || value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value];
}

/** Compares case-insensitively. */
function some(actual: readonly unknown[], expected: unknown, compare: (a: string, b: string) => boolean): boolean {
  return actual.some((item) => compare(String(item).toLowerCase(), String(expected).toLowerCase()));
}

function list(value: AssignmentCondition['value']): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Compares two numbers or two strings, dates included. Values of different types are equal: neither gt nor lt holds. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
}
