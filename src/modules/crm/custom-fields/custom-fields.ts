import { CommonErrors, isCalendarDay, isLongerThan, type DomainError, type ErrorDetail } from '../../../kit/index.js';

export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url'] as const;

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

export const CUSTOM_FIELD_RESOURCES = ['lead', 'contact', 'deal'] as const;

export type CustomFieldResource = (typeof CUSTOM_FIELD_RESOURCES)[number];

export type CustomFieldValues = Record<string, string | number | boolean | string[]>;

/** The part of a definition that validation needs. */
export interface CustomFieldDefinition {
  key: string;
  type: CustomFieldType;
  options: readonly string[];
  required: boolean;
}

const MAX_TEXT_LENGTH = 2000;
const MAX_LISTED_OPTIONS = 20;

/**
 * The values after a change: given keys are replaced, null clears a value, other keys stay. Rejects keys without a
 * definition and values of another type. A required field must be set on creation (`before` is null) and cannot be cleared.
 */
export function mergeCustomFields(
  definitions: readonly CustomFieldDefinition[],
  given: unknown,
  before: CustomFieldValues | null,
): CustomFieldValues {
  if (given !== undefined && !isJsonObject(given))
    throw CommonErrors.validationFailed({ param: 'custom_fields', message: 'custom_fields must be a JSON object' });
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  const merged: CustomFieldValues = { ...before };
  const details: ErrorDetail[] = [];
  for (const [key, value] of Object.entries(given ?? {})) {
    const definition = byKey.get(key);
    const param = `custom_fields.${key}`;
    if (!definition) {
      details.push({
        param,
        code: 'unknown',
        message: `unknown custom field: ${key}`,
        ...(definitions.length <= 50 ? { allowed: [...byKey.keys()] } : {}),
      });
    } else if (value === null) {
      delete merged[key];
      if (definition.required && before) details.push({ param, code: 'missing', message: `${param} is required and cannot be cleared` });
    } else {
      const problem = problemOf(definition, value);
      if (problem)
        details.push({
          param,
          code: 'invalid_value',
          message: `${param} ${problem}`,
          ...(definition.options.length > 0 ? { allowed: [...definition.options] } : {}),
        });
      else merged[key] = value as CustomFieldValues[string];
    }
  }
  if (!before)
    for (const { key, required } of definitions)
      if (required && !Object.hasOwn(merged, key))
        details.push({ param: `custom_fields.${key}`, code: 'missing', message: `custom_fields.${key} is required` });
  if (details.length > 0) throw errorOf(details);
  return merged;
}

/** The values that are also valid for the definitions of another resource. */
export function compatibleCustomFields(definitions: readonly CustomFieldDefinition[], values: CustomFieldValues): CustomFieldValues {
  const compatible = definitions.filter(
    (definition) => Object.hasOwn(values, definition.key) && problemOf(definition, values[definition.key]) === null,
  );
  return Object.fromEntries(compatible.map(({ key }) => [key, values[key]]));
}

function errorOf(details: ErrorDetail[]): DomainError {
  const { code, message, param, allowed } = details.find(({ code }) => code !== 'missing') ?? details[0];
  return (code === 'missing' ? CommonErrors.missingFields : CommonErrors.validationFailed)({ message, param, allowed, details });
}

function problemOf({ type, options }: CustomFieldDefinition, value: unknown): string | null {
  switch (type) {
    case 'text':
      return isText(value) ? null : `must be a string of 1 to ${MAX_TEXT_LENGTH} characters`;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'date':
      return isCalendarDay(value) ? null : 'must be a calendar date as YYYY-MM-DD';
    case 'select':
      return options.includes(value as string) ? null : `must be one of ${listed(options)}`;
    case 'multi_select':
      return Array.isArray(value) && new Set(value).size === value.length && value.every((item) => options.includes(item as string))
        ? null
        : `must be an array of distinct values from ${listed(options)}`;
    case 'url':
      return isText(value) && isWebAddress(value) ? null : 'must be a URL that starts with http:// or https://';
  }
}

/** Lists options only when they are few, because an import may report the error in ten thousand rows. */
function listed(options: readonly string[]): string {
  return options.length <= MAX_LISTED_OPTIONS ? options.join(', ') : 'the options of the field';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !isLongerThan(value, MAX_TEXT_LENGTH) && !value.includes('\u0000');
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
