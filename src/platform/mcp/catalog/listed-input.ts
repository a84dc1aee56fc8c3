import type { Json } from '../protocol/protocol.js';
import type { Operation } from './openapi-operations.js';
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

/** The lists of what belongs to one record are short, so these are accepted there but not listed. `describe_tool` returns them. */
const NOT_FOR_PARTS = ['include_total', 'created_after', 'created_before', 'updated_after'];
/** Lookups are short and brief. */
const NOT_FOR_LOOKUPS = [...NOT_FOR_PARTS, FIELDS, 'sort', 'limit'];

/** The listed form of a tool's input. */
export function listedInput(schema: Json, { method, isLookup, parameters }: Operation): Json {
  const ofOneRecord = method === 'GET' && parameters.some((parameter) => parameter.in === 'path');
  const unlisted = isLookup ? NOT_FOR_LOOKUPS : ofOneRecord ? NOT_FOR_PARTS : [];
  const properties = Object.entries((schema['properties'] ?? {}) as Json).filter(([name]) => !unlisted.includes(name));
  return listedSchema({ ...schema, properties: Object.fromEntries(properties) });
}

/** The input as `describe_tool` returns it: with every bound but `uniqueItems`, which hardly anybody violates. */
export function boundedInput(schema: Json): Json {
  return rewritten(schema, (key) => key === 'uniqueItems');
}

/** Every field with its type, enum, format and description, without most bounds. */
function listedSchema(schema: Json): Json {
  return rewritten(schema, isDropped);
}

type Dropped = (key: string, value: unknown) => boolean;

function isDropped(key: string, value: unknown): boolean {
  return DROPPED.has(key) || ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) > MAX_TELLING_BOUND);
}

function rewritten(schema: Json, dropped: Dropped): Json {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (dropped(key, value) ? [] : [[key, rewrittenMember(key, value, dropped)]])),
  );
}

function rewrittenMember(key: string, value: unknown, dropped: Dropped): unknown {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, property]) => [name, rewritten(property, dropped)]),
    );
  if (key === 'items') return rewritten(value as Json, dropped);
  return ['anyOf', 'oneOf', 'allOf'].includes(key) ? (value as Json[]).map((branch) => rewritten(branch, dropped)) : value;
}
