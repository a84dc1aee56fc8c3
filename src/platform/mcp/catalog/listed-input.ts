import type { Json } from '../protocol/protocol.js';
import { FIELDS } from './tool-input.js';

/** Bounds that a caller rarely meets, and that the error names when it does. `describe_tool` returns them. */
const DROPPED = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
]);
/** Larger bounds are those of the number's representation. */
const MAX_TELLING_BOUND = 1_000_000;

/** Lookups are short lists, so these are accepted there but not listed. */
const NOT_FOR_LOOKUPS = [FIELDS, 'include_total', 'created_after', 'created_before', 'updated_after'];

/** The listed form of a tool's input. */
export function listedInput(schema: Json, isLookup: boolean): Json {
  if (!isLookup) return listedSchema(schema);
  const properties = { ...(schema['properties'] as Json | undefined) };
  for (const name of NOT_FOR_LOOKUPS) delete properties[name];
  return listedSchema({ ...schema, properties });
}

/** Every field with its type, enum, format and description, without most bounds. */
function listedSchema(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => (isDropped(key, value) ? [] : [[key, listed(key, value)]])));
}

function isDropped(key: string, value: unknown): boolean {
  return DROPPED.has(key) || ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) > MAX_TELLING_BOUND);
}

function listed(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([name, property]) => [name, listedSchema(property)]));
  if (key === 'items') return listedSchema(value as Json);
  return ['anyOf', 'oneOf', 'allOf'].includes(key) ? (value as Json[]).map(listedSchema) : value;
}
