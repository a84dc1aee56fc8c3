import type { Type } from '@nestjs/common';
import { fieldsOf, isObject, validationError, type ErrorDetail } from '../../../kit/index.js';
import { canonicalOf, comparedOf, faultOf, ruleFaults, type FieldSpec } from '../../../kit/internal.js';

const NONE = 'none';

/**
 * Validates query parameters and converts them to a DTO. Unknown parameters are rejected: silently ignoring a filter would return
 * wrong rows. Only pages ignore them (`ignoreUnknown`), because mail programs and campaigns append their own to a link. The value
 * `none` of a list filter becomes null.
 */
export function validateQuery<T extends object>(
  dto: Type<T> | null,
  query: Record<string, string | string[]>,
  { ignoreUnknown = false } = {},
): T | undefined {
  const fields: ReadonlyMap<string, FieldSpec> = dto ? fieldsOf(dto) : new Map();
  const { custom, unknown } = membersOf(query, fields);
  const details = ignoreUnknown ? [] : unknown.map((name) => unknownParameter(name, fields));
  if (!dto) {
    if (details.length > 0) throw validationError(details);
    return undefined;
  }
  const value = new dto() as Record<string, unknown>;
  const withNone = new Set<string>();
  for (const [name, spec] of fields) {
    const isCustom = spec.customFieldsOf !== undefined;
    const read = isCustom ? readCustomFields(spec, name, query[name], custom) : readField(spec, name, query[name], withNone);
    if (read.fault) details.push(read.fault);
    else if (read.value !== undefined) value[name] = read.value;
  }
  if (details.length === 0) details.push(...ruleFaults(dto, value, ''));
  if (details.length > 0) throw validationError(details);
  for (const name of withNone) (value[name] as unknown[]).push(null);
  return value as T;
}

/** What a parameter was converted to: nothing if it was not sent, or why it cannot be. */
interface ReadParameter {
  value?: unknown;
  fault?: ErrorDetail;
}

/** The custom fields that were sent by name, and the names of no parameter. */
function membersOf(
  query: Record<string, string | string[]>,
  fields: ReadonlyMap<string, FieldSpec>,
): { custom: Record<string, unknown>; unknown: string[] } {
  const customFields = [...fields].find(([, spec]) => spec.customFieldsOf !== undefined)?.[0];
  const custom: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name of Object.keys(query)) {
    const key = customFields && memberOf(customFields, name);
    if (key !== undefined) custom[key] = query[name];
    else if (!fields.has(name)) unknown.push(name);
  }
  return { custom, unknown };
}

function unknownParameter(name: string, fields: ReadonlyMap<string, FieldSpec>): ErrorDetail {
  return { param: name, code: 'unknown', message: `${name} is not a parameter of this route`, allowed: [...fields.keys()] };
}

function readField(spec: FieldSpec, name: string, given: string | string[] | undefined, withNone: Set<string>): ReadParameter {
  if (given === undefined)
    return spec.required === false ? {} : { fault: { param: name, code: 'missing', message: `${name} is required` } };
  if (Array.isArray(given) && !spec.list) return { fault: { param: name, code: 'wrong_type', message: `${name} must be given once` } };
  const value = convert(spec, name, given, withNone);
  const fault = faultOf(spec, value, name);
  return fault ? { fault: { ...fault, ...(spec.values ? { allowed: spec.values } : {}) } } : { value };
}

function readCustomFields(
  spec: FieldSpec,
  name: string,
  given: string | string[] | undefined,
  custom: Record<string, unknown>,
): ReadParameter {
  const { members, fault } = customFieldsIn(name, given, custom);
  const problem = fault ?? faultOf(spec, members, name);
  if (problem) return { fault: problem };
  return Object.keys(members).length > 0 ? { value: members } : {};
}

/** `region` of `custom_fields.region` and of `custom_fields[region]`. */
function memberOf(field: string, name: string): string | undefined {
  if (!name.startsWith(field)) return undefined;
  const rest = name.slice(field.length);
  if (rest.startsWith('.')) return rest.slice(1);
  return rest.startsWith('[') && rest.endsWith(']') ? rest.slice(1, -1) : undefined;
}

/** The members that were sent by name, and those of a JSON object, as tools send it. The list checks them. */
function customFieldsIn(
  name: string,
  given: string | string[] | undefined,
  named: Record<string, unknown>,
): { members: Record<string, unknown>; fault?: ErrorDetail } {
  if (given === undefined) return { members: named };
  const parsed = Array.isArray(given) ? null : parsedObject(given);
  if (parsed) return { members: { ...parsed, ...named } };
  const message = `${name} must be sent by key, such as ${name}.region=emea, or as a JSON object`;
  return { members: named, fault: { param: name, code: 'wrong_type', message } };
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function convert(spec: FieldSpec, name: string, given: string | string[], withNone: Set<string>): unknown {
  if (!spec.list) return convertOne(spec, given as string);
  const items = [given]
    .flat()
    .flatMap((text) => text.split(','))
    .map((item) => item.trim());
  const named = spec.filter?.orNone ? items.filter((item) => item !== NONE) : items;
  if (named.length < items.length) withNone.add(name);
  return named.map((item) => convertOne(spec, item));
}

/** A value that cannot be converted stays text, and the field's validators reject it with their own message. */
function convertOne(spec: FieldSpec, text: string): unknown {
  if (spec.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return canonicalOf(spec, comparedOf(spec, text));
}
