import type { Json } from './protocol.js';

/** What tells a client nothing of the structure: the bounds bind the server alone, and `describe_tool` has the words. */
const DROPPED = new Set([
  'description', 'default', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties',
]);

/**
 * An output schema as it is listed: its structure, types, formats and enums; of what is not always there, such as expansions,
 * the type alone. Looser than the whole one, never otherwise: listed whole, output schemas were three quarters of a listing.
 */
export function structureOf(schema: Json): Json {
  const required = new Set((schema['required'] ?? []) as string[]);
  const reduced = (key: string, value: unknown): unknown => {
    if (LITERAL.has(key) || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => structureOf(item as Json));
    if (key !== 'properties') return structureOf(value as Json);
    const properties = Object.entries(value as Record<string, Json>);
    return Object.fromEntries(properties.map(([name, property]) => [name, required.has(name) ? structureOf(property) : outlineOf(property)]));
  };
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !DROPPED.has(key)).map(([key, value]) => [key, reduced(key, value)]));
}

const LITERAL = new Set(['enum', 'const', 'required', 'type']);
const INNER = new Set(['properties', 'required', 'items', 'additionalProperties']);

function outlineOf(schema: Json): Json {
  const outline = structureOf(schema);
  for (const key of INNER) delete outline[key];
  if (Array.isArray(outline['anyOf'])) outline['anyOf'] = (outline['anyOf'] as Json[]).map(outlineOf);
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
