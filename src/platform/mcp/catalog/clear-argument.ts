import { isObject } from '../../../kit/index.js';
import type { McpFault } from '../protocol/fault.js';
import type { Json } from '../protocol/protocol.js';
import { nearestName } from '../text/nearest-name.js';

/** The argument that names the members to empty, because a null counts as left out: strict adapters send one for each optional argument. */
export const CLEAR = 'clear';

/** What a tool can empty. */
export interface Clearable {
  members: readonly string[];
  /** The member whose own members can be emptied, as `custom_fields.KEY`. */
  customFields: string | undefined;
}

export function clearSchema(names: readonly string[]): Json {
  return { type: 'array', items: { type: 'string', enum: names }, description: 'Members to empty.' };
}

/** The optional members of a body that can be null. */
export function nullableMembers(schema: Json, names: readonly string[]): string[] {
  const properties = schema['properties'] as Record<string, Json | undefined>;
  const required = (schema['required'] ?? []) as string[];
  return names.filter((name) => !required.includes(name) && isNullable(properties[name] ?? {}));
}

/** Makes each named member null, and takes the names out of the arguments. */
export function applyClear({ members, customFields }: Clearable, args: Json): McpFault | undefined {
  const { [CLEAR]: names } = args;
  delete args[CLEAR];
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    return { code: 'validation_failed', message: `${CLEAR} must be a list of names`, param: CLEAR, allowed: [...members] };
  // a name can be repeated
  for (const name of new Set<string>(names)) {
    const isCustom = customFields !== undefined && name.startsWith(`${customFields}.`);
    if (!isCustom && !members.includes(name)) return notClearable(name, members);
    const parent = isCustom ? (args[customFields] ??= {}) : args;
    const key = isCustom ? name.slice(customFields.length + 1) : name;
    // the route refuses custom fields of another type
    if (!isObject(parent)) continue;
    if (Object.hasOwn(parent, key))
      return { code: 'validation_failed', message: `${name} is set, so it cannot be in ${CLEAR}, too`, param: name };
    Object.defineProperty(parent, key, { value: null, enumerable: true, configurable: true, writable: true });
  }
  return undefined;
}

function notClearable(name: string, members: readonly string[]): McpFault {
  const nearest = nearestName(name, members);
  const hint = nearest === undefined ? `the members that can be emptied are ${members.join(', ') || 'none'}` : `did you mean "${nearest}"?`;
  return {
    code: 'validation_failed',
    message: `${CLEAR} cannot empty "${name.slice(0, 100)}"; ${hint}`,
    param: CLEAR,
    allowed: [...members],
  };
}

const UNIONS = ['anyOf', 'oneOf', 'allOf'];

/** The schema without null where it means the same as leaving an optional member out: everywhere but in required members and in items. */
export function withoutOptionalNulls(schema: Json): Json {
  const result: Json = { ...schema };
  if (isObject(schema['properties'])) {
    const required = (schema['required'] ?? []) as string[];
    const members = Object.entries(schema['properties'] as Record<string, Json>).map(([name, member]) => {
      return [name, withoutOptionalNulls(required.includes(name) ? member : withoutNull(member))];
    });
    result['properties'] = Object.fromEntries(members) as Json;
  }
  if (isObject(schema['items'])) result['items'] = withoutOptionalNulls(schema['items']);
  for (const key of UNIONS) if (Array.isArray(schema[key])) result[key] = (schema[key] as Json[]).map(withoutOptionalNulls);
  return result;
}

function isNullable({ type, anyOf, oneOf }: Json): boolean {
  return [type].flat().includes('null') || [...((anyOf ?? []) as Json[]), ...((oneOf ?? []) as Json[])].some(isNullable);
}

function withoutNull(schema: Json): Json {
  const { type, anyOf, enum: values, ...rest } = schema;
  const others = (values as unknown[] | undefined)?.filter((value) => value !== null);
  const listed = others === undefined ? {} : { enum: others };
  const branches = (anyOf as Json[] | undefined)?.filter((branch) => branch['type'] !== 'null');
  if (branches?.length === 1) return { ...branches[0], ...rest };
  if (branches) return { anyOf: branches, ...rest, ...(type === undefined ? {} : { type }), ...listed };
  if (!Array.isArray(type) || !type.includes('null')) return schema;
  const types = type.filter((one) => one !== 'null') as string[];
  return { type: types.length === 1 ? types[0] : types, ...listed, ...rest };
}
