import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { CommonErrors, type ErrorDetail } from '../../../../kit/index.js';
import type { FieldSchema } from './field-schema.js';

/** A schema, or part of one, that has not been validated as a field schema. */
type Json = Record<string, unknown>;

/** Patterns come from users, so they run on RE2, whose time is linear in the length of the text. */
function linearPattern(source: string): { test: (text: string) => boolean } {
  const compiled = RE2JS.compile(source);
  return { test: (text) => compiled.matcher(text).find() };
}

const KEYWORDS = ['x-label', 'x-order', 'x-format', 'x-currency', 'x-total'];

function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) as never },
  });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  for (const keyword of KEYWORDS) ajv.addKeyword({ keyword });
  return ajv;
}

const compiled = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: Json): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) compiled.set(schema, (validate = makeAjv().compile(closed(schema))));
  return validate;
}

/** Integers outside this range lose precision in JSON. */
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The schema with unknown keys forbidden, so that a mistyped key is rejected, and integers limited to the exact range. */
function closed(schema: Json): Json {
  const { type, properties, items } = schema as { type?: unknown; properties?: Record<string, Json>; items?: Json };
  return {
    ...schema,
    ...(type === 'integer' ? { allOf: [EXACT] } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, closed(property)])),
          additionalProperties: false,
        }
      : {}),
    ...(items ? { items: closed(items) } : {}),
  };
}

/** Why ajv rejects a schema, or null. */
export function schemaProblem(schema: Json): string | null {
  try {
    validatorOf(schema);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Validates values against the schema. Rejects wrong types and unknown keys. A draft may lack required values: `missing`
 * lists their paths. Null means no value.
 */
export function checkValues(schema: FieldSchema, values: Record<string, unknown>): { values: Record<string, unknown>; missing: string[] } {
  const given = withoutNulls(values) as Record<string, unknown>;
  const validate = validatorOf(schema);
  if (validate(given)) return { values: given, missing: [] };
  const missing: string[] = [];
  const details: ErrorDetail[] = [];
  for (const error of validate.errors ?? []) {
    if (error.keyword === 'required')
      missing.push(pathOf(error, (error.params as { missingProperty: string }).missingProperty).slice('data_values.'.length));
    else details.push(detailOf(error));
  }
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
  return { values: given, missing };
}

function detailOf(error: ErrorObject): ErrorDetail {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    const param = pathOf(error, params.additionalProperty as string);
    return { param, code: 'unknown_field', message: `${param} is not a field of this type` };
  }
  const param = pathOf(error);
  if (error.keyword === 'type')
    return { param, code: 'wrong_type', message: `${param} must be ${nounOf(params.type as string | string[])}` };
  if (error.keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return { param, code: 'invalid_value', message: `${param} must be one of ${allowed.join(', ')}`, allowed };
  }
  return { param, code: 'invalid_value', message: `${param} ${error.message}` };
}

function pathOf(error: ErrorObject, last?: string): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return ['data_values', ...parts, ...(last === undefined ? [] : [last])].join('.');
}

function nounOf(type: string | string[]): string {
  const names: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    integer: 'an integer',
    boolean: 'true or false',
    array: 'an array',
    object: 'a JSON object',
  };
  return [type]
    .flat()
    .map((one) => names[one] ?? one)
    .join(' or ');
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

/** Rejects a document that lacks required values, naming each. */
export function requireComplete({ missing_required_fields }: { missing_required_fields: readonly string[] }): void {
  if (missing_required_fields.length === 0) return;
  const details = missing_required_fields.map((path) => ({
    param: `data_values.${path}`,
    code: 'missing',
    message: `data_values.${path} is required`,
  }));
  throw CommonErrors.missingFields({ param: details[0].param, message: details[0].message, details });
}

/** The value at a dotted path, or `undefined`. */
export function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
