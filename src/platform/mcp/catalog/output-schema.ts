import type { Json } from '../protocol/protocol.js';

/** Every record has them, as the instructions of the server say; `object` is the name of its kind. */
const OF_EVERY_RECORD = ['object', 'version', 'created_at', 'updated_at'];
/** Longer enums, such as the states of a document, are those of a filter, and `describe_tool` returns them. */
const MOST_LISTED_VALUES = 5;

/**
 * The output schema as `describe_tool` returns it: names, types and enums of the fields of the object and of its list items. It has no
 * descriptions, bounds, formats or required fields, so it accepts every value that the full schema accepts, and the error
 * envelope of a failed call, which many clients validate as well (modelcontextprotocol/typescript-sdk#2748).
 */
export function structureOf(schema: Json): Json {
  return shapeOf(schema, { fields: true, ofItems: true });
}

/** The listed form of a structure, without what every record has, without long enums, and without the types of scalars. */
export function listedStructure(structure: Json): Json {
  return Object.fromEntries(
    Object.entries(structure).flatMap(([key, value]) => (isScalarType(key, value) ? [] : [[key, listedMember(key, value)]])),
  );
}

const SCALARS = ['string', 'integer', 'number', 'boolean', 'null'];

function isScalarType(key: string, value: unknown): boolean {
  return key === 'type' && [value].flat().every((type) => SCALARS.includes(type as string));
}

function listedMember(key: string, value: unknown): unknown {
  if (key === 'items') return listedStructure(value as Json);
  if (key !== 'properties') return value;
  const fields = Object.entries(value as Record<string, Json>).filter(([name]) => !OF_EVERY_RECORD.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, listedField(name, field)]));
}

/** Parts of a record with more members are returned by `describe_tool`. */
const MOST_LISTED_MEMBERS = 12;

function listedField(name: string, field: Json): Json {
  if (isLongEnum(field)) return {};
  const members = Object.keys(((field['items'] as Json | undefined)?.['properties'] ?? {}) as Json);
  // the items of a page are records themselves
  return name !== 'data' && members.length > MOST_LISTED_MEMBERS ? { type: 'array' } : listedStructure(field);
}

function isLongEnum({ enum: values }: Json): boolean {
  return Array.isArray(values) && values.length > MOST_LISTED_VALUES && values.every((value) => typeof value === 'string');
}

/** The same without the fields, which the tool `source` lists. */
export function referenceTo(source: string): Json {
  return { type: 'object', description: `As in ${source}.` };
}

/** Whether it is one page of a list, as every list operation returns it. */
export function isPage(response: Json | undefined): boolean {
  const { object } = (response?.['properties'] ?? {}) as Record<string, Json>;
  return JSON.stringify(object?.['enum']) === '["list"]';
}

/** A page with these items, whose other fields the tool `source` lists. */
export function pageOf(source: string, data: Json): Json {
  return { type: 'object', description: `A page, as in ${source}.`, properties: { data } };
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
