import type { Json } from '../protocol/protocol.js';

/** Keywords that do not describe structure. Bounds bind the server only, and `describe_tool` returns the descriptions. */
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
 * Reduces an output schema for tools/list to structure, types, formats and enums, down to the items of its lists. Objects
 * below that level and optional properties, such as expansions, keep only their type. The reduced schema accepts every
 * value that the full one accepts. Full output schemas would be three quarters of a listing.
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
 * Lets the schema accept the error envelope: `required` applies only without `error`. A failed call has the envelope as
 * structured content, and many clients validate it although `isError` exempts it; the agent would never see the error
 * (modelcontextprotocol/typescript-sdk#2748).
 */
export function orError(output: Json): Json {
  const { required, ...rest } = output;
  const properties = (output['properties'] ?? {}) as Json;
  const error = { ...('error' in properties ? {} : { type: 'object' }), description: 'Only on a failed call.' };
  return {
    ...rest,
    properties: { ...properties, error },
    ...(required === undefined ? {} : { if: { required: ['error'] }, else: { required } }),
  };
}
