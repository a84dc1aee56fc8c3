import type { Json } from '../protocol/protocol.js';

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

/** The names of the fields of an object and of the items of a page, without what every record has. */
export function outlineOf({ properties }: Json): Json {
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).filter(([name]) => !OF_EVERY_RECORD.includes(name));
  return { type: 'object', properties: Object.fromEntries(fields.map(([name, field]) => [name, outlinedField(name, field)])) };
}

function outlinedField(name: string, { items }: Json): Json {
  const areRecords = name === 'data' && (items as Json | undefined)?.['properties'] !== undefined;
  return areRecords ? { type: 'array', items: outlineOf(items as Json) } : {};
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
