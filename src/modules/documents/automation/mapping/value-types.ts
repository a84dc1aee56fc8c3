import { isObject, type fieldsOf } from '../../../../kit/index.js';
import type { FieldProperty } from '../../model/core/field-schema.js';
import type { FieldConditionDto } from '../../model/types/approval-route.dto.js';
import { operandsOf } from '../../model/rules/field-condition.js';
import { sourceOf, type Source, type Transform } from './source-map.js';

type Described = Pick<Spec, 'kind' | 'format' | 'values' | 'list' | 'orKey'>;
type Spec = ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer S> ? S : never;
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/** What is known about a value before there is one. */
export interface ValueType {
  /** null: anything. */
  type: JsonType | null;
  /** Texts: the only values. */
  values?: readonly string[];
  /** Texts: the format that they have, named as in JSON Schema. */
  format?: string;
  /** Arrays: their items. */
  items?: ValueType;
  /** Fields of a request: a text that contains a number is read as that number. */
  readsText?: boolean;
}

const NOUNS: Record<JsonType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The formats of the kinds of fields. */
const FORMATS: Partial<Record<Spec['kind'], string>> = { date: 'date', date_time: 'date-time', email: 'email', uuid: 'uuid' };
/** Formats of dates and times, with an example for messages. A text without a format rarely is one. */
const TIMES: Partial<Record<string, string>> = {
  date: 'a date such as 2026-11-30',
  'date-time': 'a time such as 2026-11-30T09:00:00Z',
};

/** The type of a field's values. */
export function valueTypeOf({ kind, format = FORMATS[kind], values, list, orKey }: Described): ValueType {
  if (list) return { type: 'array', items: valueTypeOf({ kind, format, values, orKey }) };
  switch (kind) {
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: kind };
    case 'object':
    case 'map':
      return { type: 'object' };
    case 'text_or_map':
      return { type: null };
    default:
      if (kind === 'enum') return { type: 'string', values };
      // a key has a format of its own
      return format === undefined || orKey ? { type: 'string' } : { type: 'string', format };
  }
}

/** The type of the values of a document type's or form's field. */
export function fieldType(property: FieldProperty): ValueType {
  if (property.type === 'array') return { type: 'array', items: { type: 'object' } };
  return property.format === undefined ? { type: property.type } : { type: property.type, format: property.format };
}

/** Why a value of the event can never meet the condition; the message continues `conditions.0.`. */
export interface ConditionProblem {
  member: 'path' | 'operand';
  message: string;
  allowed?: readonly string[];
}

/** Why a condition can never hold, or `ne` never fail, for values of this type; null if it can. */
export function conditionProblem(
  { path, op, operand }: Pick<FieldConditionDto, 'op' | 'operand'> & { path: string },
  valueType: ValueType,
): ConditionProblem | null {
  const { type } = valueType;
  if (type === null || op === 'exists') return null;
  const isSingle = type !== 'array' && type !== 'object';
  const applies = op === 'contains' ? type === 'array' || type === 'string' : isSingle && (!ORDERS.has(op) || type !== 'boolean');
  if (!applies) return { member: 'path', message: `names ${path}: ${op} does not apply to ${NOUNS[type]}` };
  const compared = op === 'contains' && type === 'array' ? (valueType.items ?? { type: null }) : valueType;
  // a part of a text need not be one of its values
  const { type: expected, values } = op === 'contains' && type === 'string' ? { type } : compared;
  for (const value of operandsOf({ op, operand }, expected)) {
    // null stands for a missing value
    if (expected === null || value === null) continue;
    if (!isOf(expected, value))
      return { member: 'operand', message: `${op === 'in' ? 'each value' : 'value'} must be ${NOUNS[expected]}, as ${path} is` };
    if (values && !ORDERS.has(op) && !values.includes(value as string))
      return { member: 'operand', message: `must be one of ${values.join(', ')}, the values of ${path}`, allowed: values };
  }
  return null;
}

const ORDERS: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);

function isOf(type: JsonType, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === (type === 'integer' ? 'number' : type);
}

/** Why a source that reads values of one type can never fill a field of another; null if it can. */
export function mappingProblem(source: Source, from: ValueType, to: ValueType): string | null {
  const { path, transform, columns } = sourceOf(source);
  if (columns && to.type !== 'array') return `has columns, and the field takes ${NOUNS[to.type as JsonType]}`;
  if (from.type === null) return null;
  if (columns && from.type !== 'array') return `names ${path}: ${NOUNS[from.type]} has no entries for columns`;
  const isSingle = from.type !== 'array' && from.type !== 'object';
  if (transform !== undefined && !isSingle)
    return `names ${path}: ${NOUNS[from.type]} has no transform ${transform}; name a single value in it`;
  if ((transform === 'number' && from.type === 'boolean') || (transform === 'date' && from.type !== 'string'))
    return `names ${path}: ${NOUNS[from.type]} cannot become a ${transform}`;
  if (transform === 'date' && unlike(from.format, 'date') && from.format !== 'date-time')
    return `names ${path}, which is ${nounOf(from)} and cannot become a date`;
  const given = transform === undefined ? from : transformedType(transform, from);
  if (fills(given, to)) return formatProblem(path, given, to);
  const hint =
    isSingle && to.type === 'string' ? '; use the transform string' : isSingle && isNumber(to.type) ? '; use the transform number' : '';
  return `names ${path}, which is ${NOUNS[given.type as JsonType]}; the field takes ${NOUNS[to.type as JsonType]}${hint}`;
}

function transformedType(transform: Transform, { format }: ValueType): ValueType {
  if (transform === 'number') return { type: 'number' };
  return { type: 'string', format: transform === 'date' ? 'date' : format };
}

/** Why a text can never have the format of a field, or is not known to be a date or time. */
function formatProblem(path: string | undefined, from: ValueType, to: ValueType): string | null {
  const { format } = to;
  if (from.type !== 'string' || to.type !== 'string' || format === undefined || from.format === format) return null;
  if (TIMES[format] === undefined && !unlike(from.format, format)) return null;
  const hint = format === 'date' && (from.format ?? 'date-time') === 'date-time' ? '; use the transform date' : '';
  return `names ${path}, which is ${nounOf(from)}; the field takes ${TIMES[format] ?? `a text of the format ${format}`}${hint}`;
}

/** Whether no text has both formats. */
function unlike(one: string | undefined, other: string): boolean {
  return one !== undefined && one !== other && [one, other].every((format) => EXCLUSIVE.has(format));
}

function nounOf({ format, type }: ValueType): string {
  return format === undefined ? NOUNS[type as JsonType] : (TIMES[format] ?? `a text of the format ${format}`);
}

const EXCLUSIVE: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6']);

function fills(from: ValueType, to: ValueType): boolean {
  if (from.type === null || to.type === null) return true;
  if (isNumber(to.type)) return isNumber(from.type) || (to.readsText === true && from.type === 'string');
  if (from.type !== to.type) return false;
  return to.type !== 'array' || fills(from.items ?? { type: null }, to.items ?? { type: null });
}

function isNumber(type: JsonType | null): boolean {
  return type === 'number' || type === 'integer';
}
