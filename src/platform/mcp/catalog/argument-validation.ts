import type { McpFault } from '../protocol/fault.js';
import { isObject } from '../protocol/json-rpc.js';
import { nearestName } from '../text/nearest-name.js';
import type { Json } from '../protocol/protocol.js';

/**
 * The names a schema knows, at every depth, compiled at boot. Values are the route's to judge, so that an agent and a REST
 * client get one and the same answer; only what a route could not see is judged here: a name nobody declared.
 */
export interface ArgumentShape {
  properties: ReadonlyMap<string, ArgumentShape>;
  items: ArgumentShape | undefined;
  /** No other names than `properties` are allowed. */
  closed: boolean;
  acceptsObject: boolean;
  acceptsArray: boolean;
  acceptsString: boolean;
}

const MOST_FAULTS = 10;

export function compileShape(schema: Json): ArgumentShape {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Json[]).map(compileShape);
  const types = new Set([schema['type'] ?? []].flat() as string[]);
  const properties = new Map<string, ArgumentShape>();
  for (const branch of branches) for (const [name, shape] of branch.properties) properties.set(name, shape);
  for (const [name, value] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
    properties.set(name, compileShape(value));
  }
  const objects = branches.filter((branch) => branch.acceptsObject);
  return {
    properties,
    items: isObject(schema['items']) ? compileShape(schema['items']) : branches.find((branch) => branch.items)?.items,
    closed: schema['additionalProperties'] === false || (objects.length > 0 && objects.every((branch) => branch.closed)),
    acceptsObject: types.has('object') || objects.length > 0,
    acceptsArray: types.has('array') || branches.some((branch) => branch.acceptsArray),
    // A schema without a type takes anything, a string included.
    acceptsString: types.has('string') || (types.size === 0 && branches.length === 0) || branches.some((branch) => branch.acceptsString),
  };
}

/** Parses objects and arrays that arrived as JSON text, in place, and reports every name the shape does not know. */
export function checkArguments(shape: ArgumentShape, args: Json): McpFault | undefined {
  const faults: { name: string; param: string; known: ReadonlyMap<string, unknown> }[] = [];
  visit(shape, args, '', faults);
  const first = faults[0];
  if (first === undefined) return undefined;
  const describe = (fault: (typeof faults)[number]): string => {
    const nearest = nearestName(fault.name, fault.known.keys());
    return `unknown argument "${fault.param}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
  };
  return {
    code: 'validation_failed',
    message: describe(first),
    param: first.param,
    details: faults.map((fault) => ({ param: fault.param, code: 'unknown_argument', message: describe(fault) })),
    allowed: [...first.known.keys()],
  };
}

function visit(
  shape: ArgumentShape,
  value: unknown,
  path: string,
  faults: { name: string; param: string; known: ReadonlyMap<string, unknown> }[],
): void {
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items === undefined) return;
    value.forEach((item, index) => {
      value[index] = parsedOnce(items, item);
      visit(items, value[index], path === '' ? String(index) : `${path}.${index}`, faults);
    });
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    const inner = shape.properties.get(name);
    const param = path === '' ? name : `${path}.${name}`;
    if (inner !== undefined) {
      value[name] = parsedOnce(inner, value[name]);
      visit(inner, value[name], param, faults);
    } else if (shape.closed && faults.length < MOST_FAULTS) {
      faults.push({ name, param: param.slice(0, 200), known: shape.properties });
    }
  }
}

function parsedOnce(shape: ArgumentShape, value: unknown): unknown {
  if (typeof value !== 'string' || shape.acceptsString || !(shape.acceptsObject || shape.acceptsArray)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed) ? shape.acceptsArray : isObject(parsed) && shape.acceptsObject) return parsed;
  } catch {
    // Not JSON: the route refuses the string with its own words.
  }
  return value;
}
