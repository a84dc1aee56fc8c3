import { invalid, validationError } from '../../../kit/index.js';
import { canonicalOf, comparedOf, faultOf, type FieldSpec } from '../../../kit/internal.js';
import { suggestion } from '../../registry/near-matches.js';
import type { DefinedField } from './custom-field-definitions.js';
import { comparedAs, comparedValue, hasValue, isOneOf } from './custom-field-sql.js';
import { specOf } from './custom-field-rules.js';
import type { Values } from './sql.js';

const NONE = 'none';
const MOST_VALUES = 50;
const PARAM = 'custom_fields';

type Bound = 'from' | 'before' | 'to';

interface FieldFilter {
  definition: DefinedField;
  bound: Bound | null;
}

const BOUNDS: Readonly<Record<string, readonly [form: (key: string) => string, bound: Bound][]>> = {
  number: [
    [(key) => `min_${key}`, 'from'],
    [(key) => `max_${key}`, 'to'],
  ],
  date: [
    [(key) => `${key}_after`, 'from'],
    [(key) => `${key}_before`, 'before'],
  ],
};

function boundsOf(definition: DefinedField) {
  if (comparedAs(definition) === 'number') return BOUNDS.number;
  return definition.type === 'date' || definition.type === 'time' ? BOUNDS.date : [];
}

/** The names under which a list accepts values of its custom fields. */
export function filterNames(definitions: readonly DefinedField[]): Map<string, FieldFilter> {
  const names = new Map<string, FieldFilter>();
  for (const definition of definitions) {
    if (!definition.filterable) continue;
    for (const [form, bound] of boundsOf(definition)) names.set(form(definition.key), { definition, bound });
  }
  // last: a key wins over a bound with the same name
  for (const definition of definitions) if (definition.filterable) names.set(definition.key, { definition, bound: null });
  return names;
}

/** The conditions for what a list's query has in `custom_fields`. */
export function customFilters(definitions: readonly DefinedField[], asked: Readonly<Record<string, unknown>>, values: Values): string[] {
  const names = filterNames(definitions);
  return Object.entries(asked).flatMap(([name, given]) => {
    const param = `${PARAM}.${name}`;
    const found = names.get(name);
    if (!found) throw unknownFilter(definitions, [...names.keys()], name);
    requireOneType(definitions, found.definition, param);
    return given === null || given === undefined ? [] : [condition(found, given, param, values)];
  });
}

/** By what a list is sorted. */
export interface CustomSort {
  key: string;
  expression: string;
  /** What the expression is for a row without a value: these come last. */
  last: string;
}

export function customSort(
  definitions: readonly DefinedField[],
  key: string,
  descending: boolean,
  valueOf: (compared: string) => string,
): CustomSort {
  const definition = definitions.find((one) => one.key === key && one.filterable && one.type !== 'choices');
  const sortable = definitions.filter((one) => one.filterable && one.type !== 'choices').map((one) => one.key);
  if (!definition)
    throw invalid(
      'sort',
      `names ${PARAM}.${key}, which is not a custom field that can be sorted by` +
        (sortable.length > 0 ? hintOf(key, sortable) : ' in this list'),
    );
  requireOneType(definitions, definition, 'sort');
  const as = comparedAs(definition);
  const last = as === 'number' ? `${descending ? '-' : ''}Infinity` : descending ? '' : '\u{10FFFF}';
  return { key, expression: `COALESCE(${valueOf(comparedValue(as, key))}, '${last}')`, last };
}

function condition({ definition, bound }: FieldFilter, given: unknown, param: string, values: Values): string {
  const as = comparedAs(definition);
  const { key } = definition;
  const add = (value: unknown) => values.add(value);
  if (bound !== null) {
    const spec = { ...specOf(definition), isBound: true };
    const last: unknown = Array.isArray(given) ? given.at(-1) : given;
    const value = checked(spec, typeof last === 'string' ? comparedOf(spec, last) : last, param);
    const operator = { from: '>=', before: '<', to: '<=' }[bound];
    const type = as === 'number' ? 'numeric' : 'text';
    return `${hasValue(key)} AND ${comparedValue(as, key)} ${operator} ${values.add(String(value))}::${type}`;
  }
  const items = [given].flat().flatMap((item) => (typeof item === 'string' ? item.split(',').map((one) => one.trim()) : [item]));
  if (items.length > MOST_VALUES) throw invalid(param, `must contain at most ${MOST_VALUES} values`);
  const isNone = (item: unknown) => item === NONE && !definition.options.includes(NONE);
  const wanted = items.filter((item) => !isNone(item)).map((item) => checked(itemSpec(definition), item, param));
  const none = `NOT (${hasValue(key)})`;
  if (wanted.length === 0) return none;
  const some = isOneOf(as, key, wanted, add);
  return wanted.length < items.length ? `((${some}) OR ${none})` : some;
}

/** A value of a field, or one item of a list. */
function itemSpec(definition: DefinedField): FieldSpec {
  const { list: _, ...spec } = specOf(definition);
  return spec;
}

function checked(spec: FieldSpec, given: unknown, param: string): unknown {
  const isFlag = spec.kind === 'boolean' && (given === 'true' || given === 'false');
  // tools send numbers, and decimals are texts
  const sent = typeof given === 'number' ? String(given) : given;
  const value = isFlag ? given === 'true' : canonicalOf(spec, sent);
  const fault = faultOf(spec, value, param);
  if (fault) throw validationError([fault]);
  return value;
}

function unknownFilter(definitions: readonly DefinedField[], names: readonly string[], name: string) {
  const param = `${PARAM}.${name}`;
  if (definitions.some(({ key }) => key === name))
    return invalid(param, 'is not filterable; an administrator can make it filterable in the settings of custom fields', names);
  return invalid(param, `is not a custom field that this list has${hintOf(name, names)}`, names);
}

function hintOf(name: string, names: readonly string[]): string {
  const meant = suggestion(name, names);
  return meant || (names.length === 0 ? '; none is filterable' : `; it has ${names.slice(0, 20).join(', ')}`);
}

function requireOneType(definitions: readonly DefinedField[], { key, type }: DefinedField, param: string): void {
  if (definitions.every((other) => other.key !== key || other.type === type)) return;
  throw invalid(param, 'has different types in several projects; send one project_id');
}
