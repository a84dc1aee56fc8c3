import type { Json } from '../protocol/protocol.js';

/** What tells a client nothing of the structure: the bounds bind the server alone, and `describe_tool` has the words. */
const DROPPED = new Set([
  'description',
  'default',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);

/**
 * An output schema as it is listed: its structure, types, formats and enums, down to the items of its lists; of objects
 * inside of those, and of what is not always there, such as expansions, the type alone. Looser than the whole one, never
 * otherwise: listed whole, output schemas were three quarters of a listing.
 */
export function structureOf(schema: Json, inItem = false): Json {
  const required = new Set((schema['required'] ?? []) as string[]);
  const reduced = (key: string, value: unknown): unknown => {
    if (key !== 'properties')
      return Array.isArray(value) && SCHEMA_LISTS.has(key) ? value.map((item) => partOf(item as Json, inItem)) : value;
    const properties = Object.entries(value as Record<string, Json>);
    return Object.fromEntries(
      properties.map(([name, property]) => [name, required.has(name) ? partOf(property, inItem) : outlineOf(property)]),
    );
  };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, value]) => [key, reduced(key, value)]),
  );
}

const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const INNER = ['properties', 'required', 'items', 'additionalProperties'];

function partOf(schema: Json, inItem: boolean): Json {
  const outline = outlineOf(schema);
  const items = schema['items'] as Json | undefined;
  return items ? { ...outline, items: inItem ? outlineOf(items) : structureOf(items, true) } : outline;
}

function outlineOf(schema: Json): Json {
  const outline = Object.fromEntries(Object.entries(schema).filter(([key]) => !DROPPED.has(key) && !INNER.includes(key)));
  for (const key of SCHEMA_LISTS) if (Array.isArray(outline[key])) outline[key] = (outline[key] as Json[]).map(outlineOf);
  return outline;
}

/**
 * A failed call's structured content is the error envelope, which many clients hold against the output schema although
 * `isError` exempts it (modelcontextprotocol/typescript-sdk#2748), and the agent never sees why it failed. So the schema
 * admits it: what is required is so only in the absence of `error`.
 */
export function orError(output: Json): Json {
  const { required, ...rest } = output;
  const properties = (output['properties'] ?? {}) as Json;
  const error = { ...('error' in properties ? {} : { type: 'object' }), description: 'Only of a failed call.' };
  return {
    ...rest,
    properties: { ...properties, error },
    ...(required === undefined ? {} : { if: { required: ['error'] }, else: { required } }),
  };
}
