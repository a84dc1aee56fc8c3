import type { Type } from '@nestjs/common';
import { CommonErrors, fieldsOf } from '../../../kit/index.js';
import type { FieldSpec } from '../../../kit/internal.js';
import type { CustomField } from '../../custom-fields/custom-field.entity.js';
import type { DeclaredEvent } from '../../registry/module-registry.js';
import { nearMatches } from '../../registry/near-matches.js';

/** By paths such as `data.object.status`: the values of which an event must have one at each of them. */
export type EventFilter = Record<string, string[]>;

const OBJECT = 'data.object.';
const PATH = /^[a-z]\w*(?:\.[\w-]+){1,6}$/i;
/** Matches what is null or absent. */
const NULL = 'null';
const MOST_VALUES = 100;
const LONGEST_VALUE = 200;
const MOST_ALLOWED = 50;
/** What is neither a map nor an object, and has no large texts. */
const COMPARED = new Set(['uuid', 'string', 'email', 'enum', 'integer', 'number', 'decimal', 'boolean', 'date', 'date_time', 'value']);

type Defined = Pick<CustomField, 'resource' | 'key' | 'options'>;

/** Whether a filter names custom fields. */
export function namesCustomFields(filter: Record<string, unknown>): boolean {
  return Object.keys(filter).some((path) => path.includes('.custom_fields.'));
}

/**
 * Throws unless every path is a field of the objects of at least one of the events, and its values can be compared with it. `customFields`
 * are those of the organization, or of the project of the endpoint. The error is about `asked`: what the caller sent, which need not be
 * the filter.
 */
export function requireFilter(
  filter: Record<string, unknown>,
  events: readonly DeclaredEvent[],
  customFields: readonly Defined[],
  asked: 'filter' | 'events' | 'project_id',
): void {
  const payloads = [...new Set(events.map(({ definition }) => definition.payload))];
  for (const [path, values] of Object.entries(filter)) {
    const param = `filter.${path}`;
    const refuse = (message: string, allowed?: readonly string[]) =>
      CommonErrors.validationFailed(
        asked === 'filter'
          ? { param, message: `${param} ${message}`, allowed }
          : { param: asked, message: `${asked} does not fit the endpoint's filter, whose ${path} ${message}; change filter as well` },
      );
    if (!isListOfTexts(values)) throw refuse(`must be a list of 1 to ${MOST_VALUES} texts, such as {"${OBJECT}status": ["open"]}`);
    const specs = PATH.test(path) && path.startsWith(OBJECT) ? payloads.flatMap((dto) => fieldAt(dto, path, customFields) ?? []) : [];
    if (specs.length === 0) {
      const known = [...new Set(payloads.flatMap((dto) => comparedFields(dto, customFields)))].sort().map((name) => OBJECT + name);
      // at most two edits: the beginning that all paths share would allow more
      const [meant] = nearMatches(path, known, 2);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw refuse(`is no field of the events to which the endpoint subscribes${hint}`, known.slice(0, MOST_ALLOWED));
    }
    const allowed = specs.some((spec) => spec === 'any' || !spec.values)
      ? null
      : specs.flatMap((spec) => (spec === 'any' ? [] : (spec.values ?? [])));
    const unknown = allowed && values.find((value) => value !== NULL && !allowed.includes(value));
    if (allowed && unknown !== undefined && unknown !== null) throw refuse(`has no value "${unknown}"`, [...new Set(allowed)]);
  }
}

function isListOfTexts(values: unknown): values is string[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.length <= MOST_VALUES &&
    values.every((value) => typeof value === 'string' && value.length <= LONGEST_VALUE)
  );
}

/** The field of a payload; `any` within a map, whose members no schema names. */
function fieldAt(payload: Type, path: string, customFields: readonly Defined[]): Pick<FieldSpec, 'values'> | 'any' | undefined {
  let dto: Type | undefined = payload;
  const names = path.slice(OBJECT.length).split('.');
  for (const [index, name] of names.entries()) {
    const spec: FieldSpec | undefined = dto && fieldsOf(dto).get(name);
    const isLast = index === names.length - 1;
    if (!spec) return undefined;
    if (isLast) return COMPARED.has(spec.kind) ? spec : undefined;
    if (spec.customFieldsOf !== undefined) return customField(customFields, spec.customFieldsOf, names.slice(index + 1).join('.'));
    if (spec.kind === 'map' && !spec.list) return 'any';
    // a path leads through objects, not through lists of them
    dto = spec.list ? undefined : spec.type?.();
  }
  return undefined;
}

/** Projects can have different fields with the same key. */
function customField(defined: readonly Defined[], resource: string, key: string): Pick<FieldSpec, 'values'> | undefined {
  const found = defined.filter((one) => one.resource === resource && one.key === key);
  if (found.length === 0) return undefined;
  return found.every((one) => one.options.length > 0) ? { values: found.flatMap((one) => one.options) } : {};
}

function comparedFields(payload: Type, customFields: readonly Defined[]): string[] {
  return [...fieldsOf(payload)].flatMap(([name, { kind, customFieldsOf }]) => {
    if (customFieldsOf === undefined) return COMPARED.has(kind) ? [name] : [];
    return customFields.filter(({ resource }) => resource === customFieldsOf).map(({ key }) => `${name}.${key}`);
  });
}
