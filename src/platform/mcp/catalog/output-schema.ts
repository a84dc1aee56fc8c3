import type { Json } from '../protocol/protocol.js';
import { PROJECT_KEY } from './tool-input.js';

/** Of a page: the members of the summary that its rows lack, because they would make it too long. */
export const OMITTED = 'omitted';
/** The members of which its rows have only the beginning. */
export const SHORTENED = 'shortened';
/** What says how to read both. */
export const IN_FULL = 'message';

/** Every record has them, as the instructions of the server say; `object` is the name of its kind. */
const OF_EVERY_RECORD = ['object', 'version', 'created_at', 'updated_at'];

/**
 * The output schema as `describe_tool` returns it: names, types and enums of the fields of the object and of its list items. It has no
 * descriptions, bounds, formats or required fields, so it accepts every value that the full schema accepts, and the error
 * envelope of a failed call, which many clients validate as well (modelcontextprotocol/typescript-sdk#2748).
 */
export function structureOf(schema: Json): Json {
  return shapeOf(schema, { fields: true, ofItems: true });
}

/**
 * The output schema as it is listed: names and types of the fields, without what every record has and without the values of enums. The
 * items of a list have their summary, which is what they answer unless `fields` names others.
 */
export function listedOutput(structure: Json, summary: readonly string[] = []): Json {
  const fields = (structure['properties'] ?? {}) as Record<string, Json>;
  const { data, ...others } = fields;
  const items = data?.['items'] as Json | undefined;
  if (items?.['properties'] === undefined) return { type: 'object', properties: typesOf(fields) };
  const shown = new Set(summary.length === 0 ? [] : [...summary.map((path) => path.split(/[.?]/)[0] as string), PROJECT_KEY]);
  const ofItems = Object.entries(items['properties'] as Record<string, Json>).filter(([name]) => shown.size === 0 || shown.has(name));
  const rows = { type: 'array', items: { type: 'object', properties: typesOf(Object.fromEntries(ofItems)) } };
  return { type: 'object', properties: { data: rows, ...typesOf(others) } };
}

const NAMES: Json = { type: 'array', items: { type: 'string' } };

/** The schema of a page with the members that say what its rows lack. */
export function withLacks(page: Json, summary: readonly string[], texts: ReadonlySet<string>): Json {
  const lacks = {
    ...(summary.some((path) => path.endsWith('?')) || texts.size > 0 ? { [OMITTED]: NAMES } : {}),
    ...(texts.size > 0 ? { [SHORTENED]: NAMES } : {}),
  };
  if (Object.keys(lacks).length === 0) return page;
  return { ...page, properties: { ...(page['properties'] as Json), ...lacks, [IN_FULL]: { type: 'string' } } };
}

/** Names of members whose texts identify something or have a form of their own: their beginning is worth nothing. */
const FORMAL = new Set(
  'barcode code currency email hash id ids key link local number object offset path phone reference resource sku timezone type url'.split(
    ' ',
  ),
);

/** The paths of the texts in rows that may be shortened: those of any form, which identify nothing. */
export function textsIn(row: Json, above = ''): string[] {
  return Object.entries((row['properties'] ?? {}) as Record<string, Json>).flatMap(([name, member]) => {
    const { items = member } = member as { items?: Json };
    const path = `${above}${name}`;
    if ('properties' in items) return textsIn(items, `${path}.`);
    const { type, format, enum: values, pattern } = items;
    const isFree = [type].flat().includes('string') && format === undefined && values === undefined && isPlain(pattern);
    return isFree && !FORMAL.has(name.slice(name.lastIndexOf('_') + 1)) ? [path] : [];
  });
}

/** The pattern of texts that only may not be blank. */
function isPlain(pattern: unknown): boolean {
  return pattern === undefined || pattern === '\\S';
}

function typesOf(fields: Record<string, Json>): Record<string, Json> {
  const own = Object.entries(fields).filter(([name]) => !OF_EVERY_RECORD.includes(name));
  return Object.fromEntries(own.map(([name, field]) => [name, withoutValues(field)]));
}

function withoutValues({ enum: values, const: value, items, properties, ...rest }: Json): Json {
  const types = [...new Set((values as unknown[] | undefined)?.map((one) => (one === null ? 'null' : typeof one)) ?? [])];
  return {
    ...rest,
    ...(types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}),
    ...(value === undefined ? {} : { type: typeof value }),
    ...(properties ? { properties: typesOf(properties as Record<string, Json>) } : {}),
    ...(items ? { items: withoutValues(items as Json) } : {}),
  };
}

/** Whether it is one page of a list, as every list operation returns it. */
export function isPage(response: Json | undefined): boolean {
  const { object } = (response?.['properties'] ?? {}) as Record<string, Json>;
  return JSON.stringify(object?.['enum']) === '["list"]';
}

/** Whether to list the fields of the object, and those of the items of its lists. */
interface Selection {
  fields: boolean;
  ofItems: boolean;
}

function shapeOf(schema: Json, { fields, ofItems }: Selection): Json {
  const values = schema['enum'] as unknown[] | undefined;
  if (values !== undefined) return values.length === 1 ? { const: values[0] } : { enum: values };
  const shape: Json = {};
  const type = typeOf(schema);
  if (type !== undefined) shape['type'] = type;
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json };
  if (properties && fields) {
    const inner = { fields: false, ofItems };
    shape['properties'] = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, shapeOf(property, inner)]));
  }
  if (items) shape['items'] = shapeOf(items, { fields: ofItems, ofItems: false });
  return shape;
}

/** The type of an alternative is that of all its branches; undefined if one of them accepts any value. */
function typeOf(schema: Json): unknown {
  if (schema['type'] !== undefined) return schema['type'];
  const branches = ['anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  const types = branches.map(typeOf);
  if (types.length === 0 || types.includes(undefined)) return undefined;
  const distinct = [...new Set(types.flat())];
  return distinct.length === 1 ? distinct[0] : distinct;
}
