import { isObject, writtenValue } from '../../../kit/index.js';
import { isDecimalPattern } from '../../../kit/internal.js';
import { parseJson } from '../../http/validation/parse-json.js';
import type { McpFault } from '../protocol/fault.js';
import { nearestName } from '../text/nearest-name.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Json } from '../protocol/protocol.js';
import { CUSTOM_FIELDS } from './custom-fields.js';

/**
 * The argument names of an input schema at every depth, compiled at boot. The route validates values, so that agents and
 * REST clients get the same errors. Unknown names are rejected here, because the route never sees them.
 */
export interface ArgumentSchema {
  properties: ReadonlyMap<string, ArgumentSchema>;
  items: ArgumentSchema | undefined;
  /** Only the names in `properties` are allowed. */
  closed: boolean;
  acceptsObject: boolean;
  acceptsArray: boolean;
  acceptsString: boolean;
  isInteger: boolean;
  /** A decimal number in a string. */
  isDecimal: boolean;
  /** An old name, which tools do not list. */
  isDeprecated: boolean;
  /** The resource of the custom fields in it. They are optional, which only the service knows: a null counts as left out there, too. */
  customFieldsOf: string | undefined;
  required: ReadonlySet<string>;
}

/** What a refusal suggests. */
interface Refusal {
  vocabulary?: Vocabulary | undefined;
  /** Whether the caller's tools list an argument; all if undefined. */
  isListed?: ((name: string, argument: ArgumentSchema) => boolean) | undefined;
}

interface Fault {
  name: string;
  param: string;
  known: ReadonlyMap<string, ArgumentSchema>;
}

const MAX_FAULTS = 10;
const MOST_NAMED = 30;

export function compileArgumentSchema(schema: Json): ArgumentSchema {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Json[]).map(compileArgumentSchema);
  const types = new Set([schema['type'] ?? []].flat() as string[]);
  const properties = new Map<string, ArgumentSchema>();
  for (const branch of branches) for (const [name, property] of branch.properties) properties.set(name, property);
  for (const [name, value] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
    properties.set(name, compileArgumentSchema(value));
  }
  const objects = branches.filter((branch) => branch.acceptsObject);
  return {
    properties,
    items: isObject(schema['items']) ? compileArgumentSchema(schema['items']) : branches.find((branch) => branch.items)?.items,
    closed: schema['additionalProperties'] === false || (objects.length > 0 && objects.every((branch) => branch.closed)),
    acceptsObject: types.has('object') || objects.length > 0,
    acceptsArray: types.has('array') || branches.some((branch) => branch.acceptsArray),
    // A schema without a type accepts any value, strings included.
    acceptsString: types.has('string') || (types.size === 0 && branches.length === 0) || branches.some((branch) => branch.acceptsString),
    isInteger: types.has('integer') || branches.some((branch) => branch.isInteger),
    isDecimal: isDecimalPattern(schema['pattern']) || branches.some((branch) => branch.isDecimal),
    isDeprecated: schema['deprecated'] === true,
    customFieldsOf: schema[CUSTOM_FIELDS] as string | undefined,
    required: new Set((schema['required'] ?? []) as string[]),
  };
}

/**
 * Reports every name that the schema does not declare. First it changes in place what clients and models write in another way: objects and
 * arrays as JSON text are parsed, decimals as numbers become strings, and a null for an optional argument is left out, since strict
 * adapters send one for each. A refusal names the arguments that the caller's tools list.
 */
export function validateArguments(schema: ArgumentSchema, args: Json, { vocabulary, isListed }: Refusal = {}): McpFault | undefined {
  const faults: Fault[] = [];
  visit(schema, args, '', faults);
  const first = faults[0];
  if (first === undefined) return undefined;
  const namesOf = ({ known }: Fault) => [...known].flatMap(([name, argument]) => (isListed?.(name, argument) === false ? [] : [name]));
  const describe = (fault: Fault): string => {
    const names = namesOf(fault);
    const nearest = nearestName(fault.name, names, vocabulary);
    const hint = nearest === undefined ? `; the arguments are ${shortList(names)}` : `; did you mean "${nearest}"?`;
    return `unknown argument "${fault.param}"${hint}`;
  };
  return {
    code: 'validation_failed',
    message: describe(first),
    param: first.param,
    details: faults.map((fault) => ({ param: fault.param, code: 'unknown_argument', message: describe(fault) })),
    allowed: namesOf(first),
  };
}

/** Agents read the message, and not all of them `allowed`. */
export function shortList(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function visit(schema: ArgumentSchema, value: unknown, path: string, faults: Fault[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item, index) => {
      value[index] = asWritten(items, value, String(index), parseJsonText(items, item));
      visit(items, value[index], path === '' ? String(index) : `${path}.${index}`, faults);
    });
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    const inner = schema.properties.get(name);
    const param = path === '' ? name : `${path}.${name}`;
    const isOptional = inner === undefined ? schema.customFieldsOf !== undefined : !schema.required.has(name);
    if (value[name] === null && isOptional) {
      delete value[name];
    } else if (inner !== undefined) {
      value[name] = asWritten(inner, value, name, parseJsonText(inner, value[name]));
      visit(inner, value[name], param, faults);
    } else if (schema.closed && faults.length < MAX_FAULTS) {
      faults.push({ name, param: param.slice(0, 200), known: schema.properties });
    }
  }
}

/** The route, which gets the arguments as new JSON, refuses an integer that was written as 120.00. */
function asWritten(schema: ArgumentSchema, container: object, name: string, value: unknown): unknown {
  if (schema.isDecimal && typeof value === 'number') return decimalOf(value);
  return schema.isInteger ? writtenValue(container, name, value) : value;
}

/** The route refuses a number that would have an exponent. */
function decimalOf(value: number): unknown {
  const text = String(value);
  return text.includes('e') ? value : text;
}

/** Some clients send objects and arrays as JSON text. The value stays as it is where the schema accepts a string. */
function parseJsonText(schema: ArgumentSchema, value: unknown): unknown {
  if (typeof value !== 'string' || schema.acceptsString || !(schema.acceptsObject || schema.acceptsArray)) return value;
  try {
    const parsed = parseJson(value);
    if (Array.isArray(parsed) ? schema.acceptsArray : isObject(parsed) && schema.acceptsObject) return parsed;
  } catch {
    // Not JSON, or too much of it: the route rejects the string.
  }
  return value;
}
