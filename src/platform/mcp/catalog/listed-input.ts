import type { Json } from '../protocol/protocol.js';

/**
 * Bounds that callers rarely exceed, such as the form of an id that they take from an answer, and that the error names if they do.
 * `describe_tool` returns them.
 */
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
/** Callers rarely exceed larger bounds. */
const MAX_SHOWN_BOUND = 100;

/** The listed form of a tool's input: every argument. */
export function listedInput(schema: Json): Json {
  return rewritten(schema, isDropped, (one) => withoutTypeLists(withoutBounds(flat(one))));
}

/** The same for a listing without room: the optional members of items with many are listed by name and type. */
export function briefInput(schema: Json): Json {
  return rewritten(schema, isDropped, (one) => withoutTypeLists(withoutBounds(brief(flat(one)))));
}

/**
 * The input as `describe_tool` returns it: with every bound but those that hardly anybody violates, that items differ and that texts are
 * not empty.
 */
export function boundedInput(schema: Json): Json {
  return rewritten(schema, (key, value) => key === 'uniqueItems' || (key === 'minLength' && value === 1), withoutBounds);
}

/**
 * The input without maps, for OpenAI's strict mode, which takes no object whose members are not known: a map is JSON text, which calls may
 * send for every object, unless a text may stand in its place.
 */
export function strictInput(schema: Json): Json {
  const { properties, items, anyOf } = schema as { properties?: Record<string, Json>; items?: Json; anyOf?: Json[] };
  if (isMap(schema)) return { type: 'string', description: [schema['description'], 'As JSON text.'].filter(Boolean).join(' ') };
  const branches = anyOf?.filter((branch) => !isMap(branch) || !anyOf.some(({ type }) => type === 'string')).map(strictInput);
  const { anyOf: _, ...rest } = schema;
  return {
    ...rest,
    ...(branches?.length === 1 ? branches[0] : branches && { anyOf: branches }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, strictInput(member)])) }),
    ...(items && { items: strictInput(items) }),
  };
}

function isMap({ type, properties }: Json): boolean {
  return type === 'object' && properties === undefined;
}

type Dropped = (key: string, value: unknown, schema: Json) => boolean;

function isDropped(key: string, value: unknown, schema: Json): boolean {
  // maps are open by default
  if (key === 'additionalProperties') return value === true;
  // models know times of day by their format; not all accept others
  if (key === 'format') return value !== 'date-time';
  if (key === 'default') return typeof value !== 'string' || isOrder(schema);
  if (key === 'minimum' && (value === 1 || value === 0)) return true;
  return DROPPED.has(key) || ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) > MAX_SHOWN_BOUND);
}

function rewritten(schema: Json, dropped: Dropped, finished: (schema: Json) => Json): Json {
  const inner = (value: unknown) => rewritten(value as Json, dropped, finished);
  const isLeftOut = (key: string, value: unknown) => dropped(key, value, schema) || (FRACTION.includes(key) && isFraction(schema));
  const result = Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (isLeftOut(key, value) ? [] : [[key, rewrittenMember(key, value, inner)]])),
  );
  return finished(result);
}

/** Of many members of an item, only the required ones have bounds of length. */
function withoutBounds(schema: Json): Json {
  return withOptionalMembers(schema, (member, { areMany }) => {
    const { maxLength, ...rest } = member;
    return maxLength === undefined || areMany ? rest : { ...rest, maxLength };
  });
}

/** The order of a list: the one by default is what most callers expect, and `describe_tool` tells it. */
function isOrder({ enum: values }: Json): boolean {
  return Array.isArray(values) && values.some((value) => values.includes(`-${String(value)}`));
}

const FRACTION = ['minimum', 'maximum'];

function isFraction({ type, minimum, maximum }: Json): boolean {
  return type === 'number' && maximum === 1 && (minimum === 0 || minimum === -1);
}

/** Of items with more members, `briefInput` leaves the descriptions to `describe_tool` and the guide. */
const MOST_DESCRIBED_MEMBERS = 15;

function brief(schema: Json): Json {
  return withOptionalMembers(schema, (member, { areMany }) => (areMany ? bare(member) : member));
}

/** Without descriptions, at any depth. */
function bare({ description: _, ...schema }: Json): Json {
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json };
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, bare(member)])) }),
    ...(items && { items: bare(items) }),
  };
}

/** A list with the optional members of its items changed. */
function withOptionalMembers(schema: Json, change: (member: Json, among: { areMany: boolean }) => Json): Json {
  const { items } = schema as { items?: { properties?: Record<string, Json>; required?: readonly string[] } };
  if (!items?.properties) return schema;
  const members = Object.entries(items.properties);
  const among = { areMany: members.length > MOST_DESCRIBED_MEMBERS };
  const properties = members.map(([name, member]) => [name, items.required?.includes(name) ? member : change(member, among)]);
  return { ...schema, items: { ...items, properties: Object.fromEntries(properties) as Json } };
}

function rewrittenMember(key: string, value: unknown, inner: (schema: unknown) => Json): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([name, property]) => [name, inner(property)]));
  if (key === 'items') return inner(value);
  return UNIONS.includes(key) ? (value as Json[]).map(inner) : value;
}

const UNIONS = ['anyOf', 'oneOf', 'allOf'];

/** Alternatives of alternatives as one list. */
function flat({ anyOf, oneOf, ...rest }: Json): Json {
  if (anyOf && oneOf) return { ...rest, anyOf, oneOf };
  const branches = (anyOf ?? oneOf) as Json[] | undefined;
  if (!branches) return rest;
  return {
    ...rest,
    anyOf: branches.flatMap((branch) => (Object.keys(branch).join() === 'anyOf' ? (branch['anyOf'] as Json[]) : [branch])),
  };
}

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['format', 'enum', 'minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'multipleOf'],
};

/** A list of types as alternatives: LangChain hands Gemini such a list as it is, and Gemini rejects it. */
export function withoutTypeLists(schema: Json): Json {
  const { type, description, default: byDefault, enum: values, ...others } = schema;
  if (!Array.isArray(type)) return schema;
  const rest: Json = { ...others, ...(values === undefined ? {} : { enum: (values as unknown[]).filter((value) => value !== null) }) };
  const of = (one: string): Json => {
    const keywords = OF_TYPE[one] ?? [];
    const own = Object.fromEntries(Object.entries(rest).filter(([key]) => keywords.includes(key)));
    return { type: one, ...own };
  };
  const placed = new Set((type as string[]).flatMap((one) => OF_TYPE[one] ?? []));
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !placed.has(key))),
    anyOf: (type as string[]).map(of),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(description === undefined ? {} : { description }),
  };
}
