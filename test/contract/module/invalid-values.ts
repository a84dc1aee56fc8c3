import { randomUUID } from 'node:crypto';
import { isObject } from '../../../src/kit/index.js';
import { isDecimalPattern } from '../../../src/kit/internal.js';
import type { ApiDocument, ApiOperation, Json, Schema } from '../../harness/api-document.js';

/** What makes an input invalid in one way, and the expected error. */
export interface Fault {
  what: string;
  /** The field, as a dotted path into the body, or the query parameter. */
  param: string;
  code: string;
  /** Undefined to leave it out; a query takes a text, or several for a parameter that is given as often. */
  value: unknown;
  /** The values that the error must list. */
  allowed?: readonly string[];
}

const LONGEST = 100_000;
const MOST_ITEMS = 1_000;

/** Values that violate the document in one field each, including nested fields. */
export function bodyFaults(api: ApiDocument, operation: ApiOperation, body: Json): Fault[] {
  return operation.body ? badObjects(api, api.resolve(operation.body), body, '') : [];
}

function badObjects(api: ApiDocument, schema: Schema, body: Json, path: string): Fault[] {
  const found: Fault[] = [];
  const required = (schema.required ?? []) as string[];
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    const param = path + name;
    const shape = api.resolve(property);
    if (required.includes(name)) found.push({ what: 'absent', param, code: 'missing_fields', value: undefined });
    if (!api.acceptsNull(property)) found.push({ what: 'null', param, code: 'validation_failed', value: null });
    for (const { what, value, allowed, code = 'validation_failed' } of badValues(shape, body[name]))
      found.push({ what, param, code, value, allowed });
    found.push(...badMembers(api, shape, body[name], param));
  }
  return found;
}

/** Fields within objects and arrays of objects of the sample. */
function badMembers(api: ApiDocument, shape: Schema, value: unknown, param: string): Fault[] {
  if (isObject(value) && shape.properties) return badObjects(api, shape, value, `${param}.`);
  if (!Array.isArray(value) || !isObject(value[0])) return [];
  return badObjects(api, api.resolve(shape.items as Schema), value[0], `${param}.0.`);
}

/** The body with some faults, none of which is within another. */
export function bodyWith(body: Json, faults: readonly Fault[]): Json {
  const copy = structuredClone(body);
  for (const { param, value } of faults) {
    const path = param.split('.');
    const parent = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json)[step], copy) as Json;
    if (value === undefined) delete parent[path.at(-1)!];
    else parent[path.at(-1)!] = value;
  }
  return copy;
}

/** A query with some faults, and with the examples of the other parameters that it must have. */
export function queryWith(operation: ApiOperation, faults: readonly Fault[]): string {
  const faulty = new Set(faults.map(({ param }) => param));
  const needed = operation.parameters.filter(({ in: place, name, required }) => place === 'query' && required && !faulty.has(name));
  return [
    ...faults.flatMap(({ param, value }) => [value].flat().map((text) => `${param}=${encodeURIComponent(String(text))}`)),
    ...needed.map(({ name, schema }) => `${name}=${encodeURIComponent(exampleOf(schema))}`),
  ].join('&');
}

function exampleOf(schema: Schema): string {
  return String([((schema.examples as unknown[] | undefined) ?? ['x'])[0]].flat()[0]);
}

/** Texts that violate the document in one parameter of a query each. */
export function queryFaults(api: ApiDocument, operation: ApiOperation): Fault[] {
  return operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name: param, schema }): Fault[] => {
      const shape = api.resolve(schema);
      const isList = shape.type === 'array';
      const texts = badValues(isList ? api.resolve(shape.items as Schema) : shape, undefined).filter(
        // a query takes a day for its beginning
        ({ value }) => (typeof value === 'string' && value !== DAY) || shape.type === 'integer' || shape.type === 'number',
      );
      const code = 'validation_failed';
      const bad = texts.map(({ what, value, allowed }) => ({ what, param, code, value, allowed }));
      const example = exampleOf(schema);
      return isList ? bad : [...bad, { what: 'given twice', param, code, value: [example, example] }];
    });
}

interface BadValue {
  /** Defaults to validation_failed. */
  code?: string;
  what: string;
  value: unknown;
  allowed?: readonly string[];
}

function badValues(shape: Schema, sample: unknown): BadValue[] {
  const type = [shape.type].flat().find((name) => name !== 'null');
  if (shape.oneOf) return badTextOrMaps(shape.oneOf as Schema[]);
  const enumeration = shape.enum as (string | null)[] | undefined;
  if (enumeration) {
    const allowed = enumeration.filter((value) => value !== null);
    const code = shape['x-error-code'] as string | undefined;
    return [
      { what: 'none of the values', value: 'no_such_value', allowed, code },
      { what: 'of a wrong type', value: {}, ...(code === undefined ? { allowed } : {}) },
    ];
  }
  switch (type) {
    case 'string':
      return badStrings(shape);
    case 'integer':
      return [{ what: 'no whole number', value: 1.5 }, { what: 'a text with a decimal point', value: '1.00' }, ...badNumbers(shape)];
    case 'number':
      return badNumbers(shape);
    case 'boolean':
      return [{ what: 'of a wrong type', value: 'maybe' }];
    case 'array':
      return badArrays(shape, sample);
    case 'object':
      return [
        { what: 'of a wrong type', value: 'text' },
        { what: 'an array', value: [] },
      ];
    default:
      throw new Error(`A schema has no type that can be tested: ${JSON.stringify(shape)}`);
  }
}

/** A field that is a string or an object. */
function badTextOrMaps(forms: readonly Schema[]): BadValue[] {
  const text = forms.find((form) => form.type === 'string') as Schema;
  return [
    { what: 'of a wrong type', value: 42 },
    { what: 'an array', value: [] },
    ...badStrings(text).filter(({ what }) => what.startsWith('longer')),
  ];
}

/** No time. */
const DAY = '2026-01-01';

const BAD_FORMATS: Record<string, readonly string[]> = {
  uuid: ['not-a-uuid', '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a6g'],
  email: ['nobody'],
  date: ['2026-02-30', 'tomorrow'],
  'date-time': ['2026-13-01T00:00:00Z', DAY],
};

function badStrings({ format, minLength, maxLength, pattern }: Schema): BadValue[] {
  const bad: BadValue[] = [
    { what: isDecimalPattern(pattern) ? 'a decimal as a number' : 'of a wrong type', value: 42 },
    { what: 'of a wrong type (object)', value: {} },
  ];
  for (const value of BAD_FORMATS[format as string] ?? []) bad.push({ what: `no ${format as string} (${value})`, value });
  if (typeof maxLength === 'number' && maxLength < LONGEST)
    bad.push({ what: `longer than ${maxLength}`, value: 'x'.repeat(maxLength + 1) });
  if (typeof minLength === 'number' && minLength > 0) bad.push({ what: 'empty', value: '' });
  if (isDecimal(pattern)) bad.push({ what: 'no decimal', value: '1e3' }, { what: 'with too many digits', value: '9'.repeat(30) });
  if (pattern === String.raw`\S`) bad.push({ what: 'blank', value: '   ' });
  return bad;
}

/** The patterns of `Field.decimal` are the only ones that count digits after a point. */
function isDecimal(pattern: unknown): boolean {
  return typeof pattern === 'string' && pattern.includes(String.raw`\.\d{1,`);
}

function badNumbers({ minimum, maximum }: Schema): BadValue[] {
  const bad: BadValue[] = [{ what: 'of a wrong type', value: 'many' }];
  if (typeof minimum === 'number') bad.push({ what: `below ${minimum}`, value: beyond(minimum, -1) });
  if (typeof maximum === 'number') bad.push({ what: `above ${maximum}`, value: beyond(maximum, 1) });
  return bad;
}

/** The next integer that a double can distinguish from the bound. */
function beyond(bound: number, step: 1 | -1): number {
  return bound + step * Math.max(1, Math.abs(bound) * Number.EPSILON * 2);
}

function badArrays({ items, minItems, maxItems, uniqueItems }: Schema, sample: unknown): BadValue[] {
  const bad: BadValue[] = [
    { what: 'of a wrong type', value: 'text' },
    { what: 'an object', value: {} },
  ];
  if (typeof minItems === 'number' && minItems > 0) bad.push({ what: 'without an item', value: [] });
  const item = exampleItem(items as Schema, sample);
  if (item === undefined) return bad;
  if (typeof maxItems === 'number' && maxItems < MOST_ITEMS)
    bad.push({ what: `more than ${maxItems} items`, value: Array.from({ length: maxItems + 1 }, item) });
  if (uniqueItems === true) {
    const twice = item();
    bad.push({ what: 'an item twice', value: [twice, twice] });
  }
  if ((items as Schema).type === 'string') bad.push({ what: 'an item of a wrong type', value: [42] });
  return bad;
}

/** Creates distinct valid items, if the schema or the sample allows it. */
function exampleItem(items: Schema, sample: unknown): (() => unknown) | undefined {
  if (Array.isArray(sample) && isObject(sample[0])) return () => structuredClone(sample[0] as object);
  if (items.type !== 'string' || items.enum) return undefined;
  return items.format === 'uuid' ? () => randomUUID() : () => `item ${randomUUID()}`;
}

/** A valid body that differs from the given one, or null if the schema allows no other. */
export function otherBody(api: ApiDocument, operation: ApiOperation, body: Json): Json | null {
  for (const [name, property] of Object.entries((api.resolve(operation.body as Schema).properties ?? {}) as Record<string, Schema>)) {
    const { type, format, enum: values, pattern, maxLength = Infinity } = api.resolve(property);
    const value = body[name];
    const isText = [type].flat().includes('string');
    if (isText && values) return { ...body, [name]: (values as unknown[]).find((other) => other !== value && other !== null) };
    if (isText && !format && (!pattern || pattern === String.raw`\S`)) {
      const text = typeof value === 'string' ? value : '';
      return { ...body, [name]: text.length < (maxLength as number) ? `${text}x` : text.slice(1) };
    }
    if (type === 'boolean') return { ...body, [name]: value !== true };
  }
  return null;
}
