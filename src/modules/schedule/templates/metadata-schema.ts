import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { asWritten, invalid, isObject, strictSchemas, type ErrorDetail } from '../../../kit/index.js';

type Json = Record<string, unknown>;

const MOST_FIELDS = 50;
const LARGEST_SCHEMA = 20_000;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const ROOT_KEYWORDS = ['$schema', 'type', 'title', 'description', 'properties', 'required'];
const KEYWORDS = [
  ...['type', 'title', 'description', 'default', 'examples', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'items', 'minItems', 'maxItems', 'uniqueItems'],
];
const SCALARS = ['string', 'number', 'integer', 'boolean'];

const validators = new WeakMap<object, ValidateFunction>();
const known = new Map<string, ValidateFunction>();
const MOST_KNOWN = 500;

/** Checks the schema of a template's metadata: an object of at most 50 scalars and lists of scalars. */
export function requireMetadataSchema(schema: Json, at = 'metadata_schema'): void {
  const text = JSON.stringify(schema);
  if (text.length > LARGEST_SCHEMA) throw invalid(at, `must be at most ${LARGEST_SCHEMA} characters long as JSON`);
  onlyKeywords(schema, at, ROOT_KEYWORDS);
  if (schema.type !== 'object') throw invalid(`${at}.type`, 'must be object', ['object']);
  const { properties = {} } = schema;
  if (!isObject(properties)) throw invalid(`${at}.properties`, 'must be a JSON object');
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) throw invalid(`${at}.properties`, `must contain at most ${MOST_FIELDS} fields`);
  for (const [name, property] of entries) {
    const param = `${at}.properties.${name}`;
    if (!NAME.test(name)) throw invalid(param, 'must have a name of letters, digits and underscores that starts with a letter');
    if (!isObject(property)) throw invalid(param, 'must be a JSON object');
    onlyKeywords(property, param, KEYWORDS);
    const { type, items } = property;
    if (type !== 'array') requireScalar(type, param, [...SCALARS, 'array']);
    else if (!isObject(items)) throw invalid(`${param}.items`, 'must be a JSON object');
    else {
      onlyKeywords(items, `${param}.items`, KEYWORDS);
      requireScalar(items.type, `${param}.items`, SCALARS);
    }
  }
  const { required = [] } = schema;
  if (!Array.isArray(required)) throw invalid(`${at}.required`, 'must be an array');
  const unknown = required.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw invalid(`${at}.required`, `names ${String(unknown)}, which is not a property`);
  try {
    validatorOf(schema);
  } catch (error) {
    throw invalid(at, `is not a valid JSON Schema: ${(error as Error).message}`);
  }
}

/** The faults of an event's metadata; `metadata` alone means that the object is missing. Unknown members are rejected. */
export function metadataFaults(schema: Json, metadata: Json): ErrorDetail[] {
  const validate = validatorOf(schema);
  if (validate(asWritten(schema, metadata))) return [];
  return (validate.errors ?? []).map(faultOf);
}

function faultOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): ErrorDetail {
  const path = `metadata${instancePath.replaceAll('/', '.')}`;
  if (keyword === 'required') {
    const param = `${path}.${String(params['missingProperty'])}`;
    return { param, code: 'missing', message: `${param} is required` };
  }
  if (keyword === 'additionalProperties') {
    const param = `${path}.${String(params['additionalProperty'])}`;
    return { param, code: 'invalid_value', message: `${param} is not a field of the event template` };
  }
  const allowed = keyword === 'enum' ? (params['allowedValues'] as unknown[]).map(String) : undefined;
  const isInteger = keyword === 'type' && params['type'] === 'integer';
  const requirement = allowed
    ? `must be one of ${allowed.join(', ')}`
    : isInteger
      ? 'must be a whole number without a decimal point'
      : message;
  return {
    param: path,
    code: keyword === 'type' ? 'wrong_type' : 'invalid_value',
    message: `${path} ${requirement}`,
    ...(allowed && { allowed }),
  };
}

/** Each request reads new rows, so compiled schemas are also cached by their text. */
function validatorOf(schema: Json): ValidateFunction {
  let validate = validators.get(schema);
  if (validate) return validate;
  const text = JSON.stringify(schema);
  validate = known.get(text);
  if (!validate) {
    if (known.size >= MOST_KNOWN) known.clear();
    validate = strictSchemas().compile({ ...schema, additionalProperties: false });
    known.set(text, validate);
  }
  validators.set(schema, validate);
  return validate;
}

function requireScalar(type: unknown, param: string, allowed: readonly string[]): void {
  if (!allowed.includes(type as string) || type === 'array')
    throw invalid(`${param}.type`, `must be one of ${allowed.join(', ')}`, allowed);
}

function onlyKeywords(schema: Json, param: string, keywords: readonly string[]): void {
  const other = Object.keys(schema).find((keyword) => !keywords.includes(keyword));
  if (other !== undefined) throw invalid(`${param}.${other}`, 'is a keyword that event templates do not support');
}
