import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { asWritten, CommonErrors, isObject, strictSchemas, writtenValue, type ErrorDetail } from '../../../../kit/index.js';
import { calculate } from './calculated-values.js';
import { propertyOf, type FieldProperty, type FieldSchema, type ScalarField } from './field-schema.js';
import { CURRENCY_FORMAT, currencyNamesOf, FORMAT_NOUNS, isExtended, normalizedText, VALUE_FORMATS } from './value-formats.js';

/** A schema, or part of one, that has not been validated as a field schema. */
type Json = Record<string, unknown>;

const KEYWORDS = ['x-label', 'x-order', 'x-format', 'x-currency', 'x-total', 'x-calculated'];

function makeAjv(): Ajv2020 {
  const ajv = strictSchemas();
  for (const keyword of KEYWORDS) ajv.addKeyword({ keyword });
  for (const [name, { validate }] of Object.entries(VALUE_FORMATS)) ajv.addFormat(name, { type: 'string', validate });
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

/** The schema with unknown keys forbidden, to reject mistyped ones, integers limited to the exact range, and x-format applied. */
function closed(schema: Json, isCurrency = false): Json {
  const { type, properties, items, 'x-format': extended } = schema as Json & { properties?: Record<string, Json>; items?: Json };
  const currencies = properties ? currencyNamesOf(properties as Record<string, FieldProperty>) : new Set();
  const rules = [
    ...(type === 'integer' ? [EXACT] : []),
    ...(isExtended(extended) ? [{ type, format: extended }] : []),
    ...(isCurrency ? [{ type, format: CURRENCY_FORMAT }] : []),
  ];
  return {
    ...schema,
    ...(rules.length > 0 ? { allOf: rules } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, closed(property, currencies.has(name))]),
          ),
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

/** Why the default of a property is not one of its values, or null. */
export function defaultProblem(property: Json): string | null {
  if (property.default === undefined) return null;
  const [error] = problemsIn({ type: 'object', properties: { default: property } } as unknown as FieldSchema, {
    default: property.type === 'integer' ? writtenValue(property, 'default', property.default) : property.default,
  });
  return error ? error.message.slice(`${error.param} `.length) : null;
}

/** What is wrong with some of a document's values; their params begin with `data_values`. */
export function problemsOfSome(schema: FieldSchema, values: Record<string, unknown>): ErrorDetail[] {
  const given = normalized(schema.properties, withoutNulls(asWritten(schema, values)) as Record<string, unknown>);
  const calculated = calculate(schema, given);
  return [...problemsIn({ ...schema, required: [] }, given), ...calculated];
}

/** Why a text is not of the format of its property, or null. */
export function formatProblem({ type, format, 'x-format': extended }: Json, text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const property = { type, format, 'x-format': extended } as ScalarField;
  const [error] = problemsIn({ type: 'object', properties: { value: property } }, { value: normalizedText(property, text) });
  return error ? error.message.slice(`${error.param} `.length) : null;
}

function problemsIn(schema: FieldSchema, values: Record<string, unknown>): ErrorDetail[] {
  const validate = validatorOf(schema);
  return validate(values) ? [] : (validate.errors ?? []).map((error) => detailOf(error, schema));
}

/** The values with the default of every field that is absent, also in the rows of tables. A null stays: it means no value. */
export function withDefaults(schema: Pick<FieldSchema, 'properties'>, values: Record<string, unknown>): Record<string, unknown> {
  const result = { ...values };
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(values, name)) {
      if (property.default !== undefined) result[name] = structuredClone(property.default);
    } else if (property.type === 'array' && Array.isArray(values[name]))
      result[name] = (values[name] as unknown[]).map((row) => (isObject(row) ? withDefaults(property.items, row) : row));
  }
  return result;
}

/** The values in the form in which they are stored: phone numbers as E.164. */
function normalized(properties: Record<string, FieldProperty>, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property?.type === 'array' && Array.isArray(value))
        return [name, value.map((row) => (isObject(row) ? normalized(property.items.properties, row) : (row as unknown)))];
      return [name, property && typeof value === 'string' ? normalizedText(property as ScalarField, value) : value];
    }),
  );
}

/** What is wrong with a value: the keyword of JSON Schema that it breaks, with the keyword's parameters. `path` is dotted. */
export interface ValueFault {
  path: string;
  keyword: string;
  params: Readonly<Record<string, unknown>>;
}

/** What is wrong with the values, without those that are missing. */
export function valueFaults(schema: FieldSchema, values: Record<string, unknown>): ValueFault[] {
  const given = normalized(schema.properties, withoutNulls(values) as Record<string, unknown>);
  const validate = validatorOf(schema);
  if (validate(given)) return [];
  const faults = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'required');
  return faults.map((error) => ({
    path: pathOf(error).slice('data_values.'.length),
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
  }));
}

/**
 * Validates values against the schema, and calculates the fields that have `x-calculated`. Rejects wrong types and unknown keys. A draft
 * may lack required values: `missing` lists their paths. Null means no value.
 */
export function checkValues(schema: FieldSchema, values: Record<string, unknown>): { values: Record<string, unknown>; missing: string[] } {
  const given = normalized(schema.properties, withoutNulls(values) as Record<string, unknown>);
  const calculated = calculate(schema, given);
  const validate = validatorOf(schema);
  const errors = validate(given) ? [] : (validate.errors ?? []);
  const missing: string[] = [];
  const details: ErrorDetail[] = [];
  for (const error of errors) {
    if (error.keyword === 'required')
      missing.push(pathOf(error, (error.params as { missingProperty: string }).missingProperty).slice('data_values.'.length));
    else details.push(detailOf(error, schema));
  }
  // what is calculated from wrong values differs from what is meant
  if (details.length === 0) details.push(...calculated);
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
  return { values: given, missing };
}

function detailOf(error: ErrorObject, schema: FieldSchema): ErrorDetail {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    const param = pathOf(error, params.additionalProperty as string);
    return { param, code: 'unknown_field', message: `${param} is not a field of this type` };
  }
  const param = pathOf(error);
  if (error.keyword === 'type') {
    const noun = isMoney(error, schema)
      ? 'a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY'
      : nounOf(params.type as string | string[]);
    return { param, code: 'wrong_type', message: `${param} must be ${noun}` };
  }
  if (error.keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return { param, code: 'invalid_value', message: `${param} must be one of ${allowed.join(', ')}`, allowed };
  }
  if (error.keyword === 'format' && Object.hasOwn(FORMAT_NOUNS, String(params.format)))
    return { param, code: 'invalid_value', message: `${param} must be ${FORMAT_NOUNS[String(params.format)]}` };
  return { param, code: 'invalid_value', message: `${param} ${error.message}` };
}

function isMoney({ instancePath }: ErrorObject, schema: FieldSchema): boolean {
  const [, name, , column] = instancePath.split('/');
  const property = propertyOf(schema, name);
  const cell = column !== undefined && property?.type === 'array' ? propertyOf(property.items, column) : property;
  return cell?.['x-format'] === 'money';
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
    integer: 'a whole number without a decimal point',
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
