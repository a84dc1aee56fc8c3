import { isObject } from '../../../kit/index.js';
import type { Json } from '../protocol/protocol.js';
import { CUSTOM_FIELDS } from './custom-fields.js';

export type Direction = 'input' | 'output';

// Keywords that JSON Schema does not define, or that an agent does not need.
const DROPPED = new Set(['nullable', 'example', 'examples', 'xml', 'externalDocs', 'discriminator', 'readOnly', 'writeOnly', 'title']);
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const SCHEMA_VALUES = ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const;
const COMPONENT = '#/components/schemas/';

/** Converts OpenAPI 3.0 or 3.1 schemas to self-contained JSON Schema 2020-12: no `$ref`, cycles cut. */
export class SchemaInliner {
  private readonly components: Readonly<Record<string, Json>>;

  constructor(components: Readonly<Record<string, Json>>) {
    this.components = components;
  }

  /** Input objects with declared properties are closed at every depth, so that misspelled names are errors. */
  inline(schema: Json, direction: Direction): Json {
    return this.convert(schema, direction, []);
  }

  private convert(schema: Json, direction: Direction, path: readonly string[]): Json {
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.resolve(reference, schema, direction, path);
    const result: Json = {};
    for (const [key, value] of Object.entries(schema)) {
      const isKept = key === 'x-mcp-header' || (key === CUSTOM_FIELDS && direction === 'input');
      if (DROPPED.has(key) || (key.startsWith('x-') && !isKept)) continue;
      result[key] = value;
    }
    this.convertChildren(result, direction, path);
    mergeAllOf(result);
    convertBounds(result);
    if (schema['nullable'] === true) allowNull(result);
    if (direction === 'input') dropRepeatedBounds(result);
    if (direction === 'input' && 'properties' in result && !('additionalProperties' in result)) {
      result['additionalProperties'] = false;
    }
    return result;
  }

  private resolve(reference: string, schema: Json, direction: Direction, path: readonly string[]): Json {
    const name = reference.startsWith(COMPONENT) ? reference.slice(COMPONENT.length) : '';
    const target = this.components[name];
    if (target === undefined) throw new Error(`The schema ${reference} does not exist`);
    const { $ref: _reference, ...siblings } = schema;
    if (path.includes(name)) {
      return { type: target['type'] ?? 'object', description: `A nested ${name}, with the same fields.`, ...siblings };
    }
    return this.convert({ ...target, ...siblings }, direction, [...path, name]);
  }

  private convertChildren(result: Json, direction: Direction, path: readonly string[]): void {
    const convert = (value: unknown): Json => this.convert(value as Json, direction, path);
    if (isObject(result['properties'])) {
      const hidden = direction === 'input' ? 'readOnly' : 'writeOnly';
      const properties = Object.entries(result['properties']).filter(([, value]) => (value as Json)[hidden] !== true);
      const names = new Set(properties.map(([name]) => name));
      result['properties'] = Object.fromEntries(properties.map(([name, value]) => [name, convert(value)]));
      const required = ((result['required'] ?? []) as string[]).filter((name) => names.has(name));
      if (required.length > 0) result['required'] = required;
      else delete result['required'];
    }
    for (const key of SCHEMA_LISTS) if (Array.isArray(result[key])) result[key] = result[key].map(convert);
    for (const key of SCHEMA_VALUES) if (isObject(result[key])) result[key] = convert(result[key]);
    if (isObject(result['additionalProperties'])) {
      const values = convert(result['additionalProperties']);
      result['additionalProperties'] = Object.keys(values).length === 0 ? true : values;
    }
  }
}

/** Merges `allOf` into one object. OpenAPI generators wrap a `$ref` with a description in it, and mapped types join objects with it. */
function mergeAllOf(schema: Json): void {
  const members = schema['allOf'] as Json[] | undefined;
  if (!members || members.some((member) => 'anyOf' in member || 'oneOf' in member || 'not' in member)) return;
  delete schema['allOf'];
  const own = { ...schema };
  const properties: Json = {};
  const required = new Set<string>();
  for (const member of [...members, own]) {
    const { properties: more, required: needed, additionalProperties: closed, ...rest } = member;
    Object.assign(schema, rest);
    // Each member was closed to its own properties; the merged object is closed to all of them.
    if (closed !== undefined && closed !== false) schema['additionalProperties'] = closed;
    Object.assign(properties, more);
    for (const name of (needed ?? []) as string[]) required.add(name);
  }
  if (Object.keys(properties).length > 0) schema['properties'] = properties;
  if (required.size > 0) schema['required'] = [...required];
}

function convertBounds(schema: Json): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && bound in schema) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else {
      delete schema[exclusive];
    }
  }
}

/** Drops input keywords that are redundant or have no effect, to keep listings small. The OpenAPI document keeps them. */
function dropRepeatedBounds(schema: Json): void {
  const { format, pattern, minLength, minItems } = schema;
  if (format === 'uuid' || (pattern === '\\S' && minLength !== undefined)) delete schema['pattern'];
  if (minItems === 0) delete schema['minItems'];
}

function allowNull(schema: Json): void {
  if (typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (Array.isArray(schema[key])) schema[key] = [...(schema[key] as unknown[]), { type: 'null' }];
  }
  const values = schema['enum'];
  if (Array.isArray(values) && !values.includes(null)) schema['enum'] = [...(values as unknown[]), null];
}
