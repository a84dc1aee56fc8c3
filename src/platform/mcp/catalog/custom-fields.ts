import { isObject } from '../../../kit/index.js';
import type { Json } from '../protocol/protocol.js';
import { CLEAR, clearSchema, type Clearable } from './clear-argument.js';

/** Marks the argument of a tool that takes custom fields, with their resource. */
export const CUSTOM_FIELDS = 'x-custom-fields';

/** The custom fields that a caller's organization and project have. */
export interface CallerFields {
  /** Differs after each change of the definitions; empty if there are none. */
  readonly revision: string;
  /** The schema of the values, or of the filters, of a resource; undefined if it has no fields. */
  schema(resource: string, use: 'values' | 'filters'): Json | undefined;
}

/** Where an input has custom fields. */
export interface CustomArgument {
  /** The members of the schema on the way to it. */
  path: readonly string[];
  resource: string;
  use: 'values' | 'filters';
}

/**
 * Takes the arguments with custom fields out of an input, and says where they were: most organizations have no custom fields, and for the
 * others they are listed with their types.
 */
export function takeCustomFields(schema: Json, use: CustomArgument['use'], path: readonly string[] = []): [Json, CustomArgument[]] {
  const found: CustomArgument[] = [];
  const result: Json = { ...schema };
  if (isObject(schema['properties'])) {
    const kept: [string, unknown][] = [];
    for (const [name, property] of Object.entries(schema['properties'] as Record<string, Json>)) {
      const resource = property[CUSTOM_FIELDS];
      if (typeof resource === 'string') {
        found.push({ path: [...path, 'properties', name], resource, use });
        continue;
      }
      const [inner, within] = takeCustomFields(property, use, [...path, 'properties', name]);
      kept.push([name, inner]);
      found.push(...within);
    }
    result['properties'] = Object.fromEntries(kept);
  }
  if (isObject(schema['items'])) {
    const [inner, within] = takeCustomFields(schema['items'], use, [...path, 'items']);
    result['items'] = inner;
    found.push(...within);
  }
  return [result, found];
}

/** The input with the fields of a caller. */
export function giveCustomFields(schema: Json, taken: readonly CustomArgument[], fields: CallerFields, clearable?: Clearable): Json {
  const given = taken.flatMap(({ path, resource, use }) => {
    const type = fields.schema(resource, use);
    return type === undefined ? [] : [{ path, type }];
  });
  if (given.length === 0) return schema;
  const copy = structuredClone(schema);
  for (const { path, type } of given) {
    const parent = path.slice(0, -1).reduce<Json | undefined>((at, name) => at?.[name] as Json | undefined, copy);
    if (parent) parent[path.at(-1)!] = type;
    if (parent === copy['properties'] && clearable) addClear(parent as Json, path.at(-1)!, type, clearable);
  }
  return copy;
}

function addClear(properties: Json, name: string, type: Json, { members }: Clearable): void {
  const keys = Object.keys(type['properties'] as Json).map((key) => `${name}.${key}`);
  properties[CLEAR] = clearSchema([...members, ...keys]);
}
