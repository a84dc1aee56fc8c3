import { isDeepStrictEqual } from 'node:util';
import {
  CommonErrors,
  invalid,
  MAX_AMOUNT,
  validationError,
  writtenValue,
  type CustomFieldValues,
  type DomainError,
  type ErrorDetail,
} from '../../../kit/index.js';
import { canonicalOf, faultOf, type FieldSpec } from '../../../kit/internal.js';
import { suggestion } from '../../registry/near-matches.js';
import type { DefinedField } from './custom-field-definitions.js';

const MOST_BYTES = 64 * 1024;
const MOST_CHOSEN = 50;
const UUID: Partial<FieldSpec> = { kind: 'uuid', example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20' };

/** What values of each type are. Types that entities declare take the id of a row. */
const TYPES: Readonly<Record<string, Partial<FieldSpec>>> = {
  text: { kind: 'string', minLength: 1, maxLength: 2_000, example: 'emea' },
  long_text: { kind: 'string', minLength: 1, maxLength: 20_000, example: 'Net 30.' },
  integer: { kind: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, example: 12 },
  number: { kind: 'number', example: 12.5 },
  decimal: { kind: 'decimal', decimal: { digits: 15, places: 6, sign: 'any' }, example: '12.5' },
  money: { kind: 'integer', isAmount: true, minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT, example: 12_000 },
  boolean: { kind: 'boolean', example: true },
  date: { kind: 'date', example: '2026-11-30' },
  time: {
    kind: 'string',
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    patternInWords: 'a time of day as HH:MM, such as 09:30',
    example: '09:30',
  },
  url: {
    kind: 'string',
    maxLength: 2_000,
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/?#]+\\S*$',
    patternInWords: 'a URL that starts with http:// or https://',
    example: 'https://example.com/a',
  },
};

const specs = new WeakMap<DefinedField, FieldSpec>();

/** The specification of a field's values: by it they are validated, and tools describe them. */
export function specOf(definition: DefinedField): FieldSpec {
  let spec = specs.get(definition);
  if (!spec) specs.set(definition, (spec = { ...kindOf(definition), required: false, nullable: true, description: wordsOf(definition) }));
  return spec;
}

function kindOf({ type, options, currency }: DefinedField): Pick<FieldSpec, 'kind' | 'example'> & Partial<FieldSpec> {
  if (type === 'choice') return { kind: 'enum', values: options, example: options[0] };
  if (type === 'choices') return { kind: 'enum', values: options, list: { maxItems: MOST_CHOSEN }, example: [options[0]] };
  if (type === 'money') return { ...TYPES.money, currency: currency! } as Pick<FieldSpec, 'kind' | 'example'>;
  return (TYPES[type] ?? UUID) as Pick<FieldSpec, 'kind' | 'example'>;
}

function wordsOf({ label, description, type, currency }: DefinedField): string {
  const unit = type === 'money' ? ` (minor units of ${currency})` : '';
  const named = `${label}${unit}`;
  return description === null ? `${named}.` : `${named}: ${description}`;
}

/** Custom fields after a change. */
export interface MergedFields {
  values: CustomFieldValues;
  /** The definitions of the fields that got another value. */
  changed: readonly DefinedField[];
}

export interface MergeOptions {
  /** The values of the row that is changed; null for a new one. */
  before: CustomFieldValues | null;
  /** Whether a new row must have the required fields. */
  isComplete: boolean;
  /** Required fields that need not be given. */
  open?: readonly string[];
  /** Leaves out what is unknown or not valid. */
  onlyValid?: boolean;
  /** Where the values are; `custom_fields` by default. */
  param?: string;
}

/** Applies a merge patch. Throws one error that lists every field which is unknown, missing or not valid. */
export function mergeFields(
  definitions: readonly DefinedField[],
  given: CustomFieldValues,
  { before, isComplete, open = [], onlyValid = false, param: path = 'custom_fields' }: MergeOptions,
): MergedFields {
  const values: CustomFieldValues = { ...before };
  const changed: DefinedField[] = [];
  const faults: ErrorDetail[] = [];
  const paramOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  if (before === null)
    for (const { key, default_value } of definitions) if (default_value !== null && !Object.hasOwn(given, key)) values[key] = default_value;
  for (const [key, sent] of Object.entries(given)) {
    const definition = byKey.get(key);
    const param = paramOf(key);
    if (!definition) {
      faults.push(unknownField(param, key, [...byKey.keys()]));
    } else if (sent === null || sent === undefined) {
      if (sent === undefined || (before !== null && !Object.hasOwn(before, key))) continue;
      delete values[key];
      if (definition.required && before !== null)
        faults.push({ param, code: 'missing', message: `${param} is required and cannot be cleared` });
    } else if (!isDeepStrictEqual(sent, before?.[key])) {
      // a value that was valid once, such as an option that was removed, can be sent back as it was read
      const spec = specOf(definition);
      const value = canonical(spec, spec.kind === 'integer' ? writtenValue(given, key, sent) : sent);
      const fault = faultOf(spec, value, param) ?? urlFault(definition, value, param);
      if (fault) faults.push(fault);
      else if (JSON.stringify(value) !== JSON.stringify(before?.[key])) {
        values[key] = value;
        changed.push(definition);
      }
    }
  }
  if (onlyValid) return { values, changed };
  if (before === null && isComplete)
    for (const { key, required } of definitions)
      if (required && !open.includes(key) && !Object.hasOwn(values, key) && !faults.some(({ param }) => param === paramOf(key)))
        faults.push({ param: paramOf(key), code: 'missing', message: `${paramOf(key)} is required` });
  if (faults.length > 0) throw errorOf(faults.slice(0, 100));
  if (Buffer.byteLength(JSON.stringify(values)) > MOST_BYTES) throw invalid(path, 'must not be larger than 64 KiB as JSON');
  return { values, changed };
}

/** A misspelt key is the reason why a required one is missing. */
function errorOf(details: ErrorDetail[]): DomainError {
  const wrong = details.find(({ code }) => code !== 'missing');
  if (!wrong) return validationError(details);
  const { message, param, allowed, code } = wrong;
  // another project may have the field
  return CommonErrors.validationFailed({ message, param, allowed, details, ofProject: code === 'unknown' });
}

function canonical(spec: FieldSpec, value: unknown): unknown {
  return spec.list && Array.isArray(value) ? value.map((item: unknown) => canonicalOf(spec, item)) : canonicalOf(spec, value);
}

function urlFault({ type }: DefinedField, value: unknown, param: string): ErrorDetail | null {
  if (type !== 'url' || URL.canParse(value as string)) return null;
  return { param, code: 'invalid_value', message: `${param} must be a URL that starts with http:// or https://` };
}

function unknownField(param: string, key: string, keys: readonly string[]): ErrorDetail {
  const listed = keys.length === 0 ? '; there are none' : keys.length <= 20 ? `; the fields are ${keys.join(', ')}` : '';
  return {
    param,
    code: 'unknown',
    message: `${param} is not a custom field${suggestion(key, keys) || listed}`,
    ...(keys.length <= 50 ? { allowed: keys } : {}),
  };
}
