import type { Type } from '@nestjs/common';
import { fieldsOf } from '../../../kit/index.js';
import type { FieldSpec } from '../../../kit/internal.js';

/** A column of a file: where an item has its value. */
export interface Column {
  /** Such as `totals.gross_amount`. */
  heading: string;
  path: readonly string[];
  spec: FieldSpec | null;
}

type Item = Readonly<Record<string, unknown>>;
type KeysOf = (resource: string) => readonly string[];

const DEEPEST = 3;

/**
 * The columns of a resource in the order of its fields: one for each member of an object in it, and one for each custom field, by the
 * headings that imports read. Lists of objects, and maps, are one column. Optional objects, such as those of `expand`, are left out unless
 * the first items have them.
 */
export function columnsOf(dto: Type, first: readonly Item[], keysOf: KeysOf, path: readonly string[] = []): Column[] {
  return [...fieldsOf(dto)].flatMap(([name, spec]): Column[] => {
    const own = [...path, name];
    if (spec.required === false && !first.some((item) => valueAt(item, own) !== undefined)) return [];
    if (spec.customFieldsOf !== undefined)
      return keysOf(spec.customFieldsOf).map((key) => ({ heading: [...own, key].join('.'), path: [...own, key], spec: null }));
    if (spec.type && !spec.list && own.length < DEEPEST) return columnsOf(spec.type(), first, keysOf, own);
    // the same in each row
    if (spec.kind === 'enum' && spec.values?.length === 1 && name === 'object') return [];
    return [{ heading: own.join('.'), path: own, spec }];
  });
}

/** The resources whose custom fields a file has. */
export function customFieldResources(dto: Type): string[] {
  return [...fieldsOf(dto).values()].flatMap(({ customFieldsOf }) => customFieldsOf ?? []);
}

/** The cells of an item. Lists and maps are JSON. */
export function cellsOf(item: Item, columns: readonly Column[]): unknown[] {
  return columns.map(({ path, spec }) => {
    const value = valueAt(item, path);
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
    // a negative number is no formula
    return spec?.kind === 'decimal' && typeof value === 'string' ? (Object(value) as unknown) : value;
  });
}

function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) value = (value as Item | null | undefined)?.[name];
  return value;
}
