import { isObject } from '../../../../kit/index.js';
import type { BarcodeKind } from './barcodes.js';

/** Maximum length in characters of a regular expression for a field's value. */
export const LONGEST_PATTERN = 500;

/**
 * The fields of a document type: the subset of JSON Schema 2020-12 that forms and templates can show. One object whose
 * properties are scalars or arrays of flat objects.
 *
 * `x-format` refines the type of a scalar:
 * - `money`: an integer of minor units (1050 is 10.50 in EUR). `x-currency` next to it is either the ISO 4217 code or the
 *   name of a string property that holds the code: of the same object, or for a column also of the document. Without it, amounts are
 *   printed and read with two decimals and no currency.
 * - `phone`: a string, a valid phone number with its country code; stored as E.164.
 * - `party`: a string, the name of a person or company that is a party to the document; one line.
 * - `user`: a string, the e-mail address of an active member; stored in lower case.
 * - `image`: a string, the reference of an uploaded picture, which is printed in columns and by {{#image field}}.
 * - `ean13`, `ean8`, `upca`, `code128`: a string that is printed as a barcode, in columns and by {{#barcode field}}.
 */
export interface FieldSchema extends Keywords {
  type: 'object';
  properties: Record<string, FieldProperty>;
  required?: readonly string[];
}

export type FieldProperty = ScalarField | TableField;

export interface ScalarField extends Labelled {
  type: 'string' | 'number' | 'integer' | 'boolean';
  /** A format of JSON Schema, such as `date`, `date-time` or `email`. */
  format?: string;
  'x-format'?: 'money' | 'phone' | 'party' | 'user' | 'image' | BarcodeKind;
  'x-currency'?: string;
  /** In a table: whether the printed table ends with the sum of this column. */
  'x-total'?: boolean;
  /** An expression that gives the value. See `model/expressions`. */
  'x-calculated'?: string;
}

export interface TableField extends Labelled {
  type: 'array';
  items: { type: 'object'; properties: Record<string, ScalarField>; required?: readonly string[] };
}

/** Keywords that only the JSON Schema validator reads. */
interface Keywords {
  [keyword: string]: unknown;
}

interface Labelled extends Keywords {
  /** The value of a new document or form that has none. */
  default?: unknown;
  'x-label'?: string;
  'x-order'?: number;
}

/** The property of this name; inherited names such as `toString` do not count. */
export function propertyOf(schema: Pick<FieldSchema, 'properties'>, name: string): FieldProperty | undefined {
  return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

/** The schema with unknown names forbidden, as values are validated. */
export function closedSchema(schema: FieldSchema): FieldSchema {
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    property.type === 'array' ? { ...property, items: { ...property.items, additionalProperties: false } } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as FieldSchema['properties'], additionalProperties: false };
}

const CURRENCY = /^[A-Z]{3}$/;

/** The columns of a table, with the code of the currency in place of the document's field that holds it. */
export function columnsOf({ items }: TableField, valueOf: (field: string) => unknown): Record<string, ScalarField> {
  const resolved = (column: ScalarField): ScalarField => {
    const named = column['x-currency'];
    if (named === undefined || CURRENCY.test(named) || Object.hasOwn(items.properties, named)) return column;
    const code = valueOf(named);
    return typeof code === 'string' && CURRENCY.test(code) ? { ...column, 'x-currency': code } : column;
  };
  return Object.fromEntries(Object.entries(items.properties).map(([name, column]) => [name, resolved(column)]));
}

/** Properties in display order: by `x-order`, those without one last, ties in the order of the schema. */
export function inOrder<T extends Labelled>(properties: Record<string, T>): [name: string, property: T][] {
  const order = (property: T) => property['x-order'] ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(properties).sort(([, a], [, b]) => order(a) - order(b));
}

/** Values in the order of their schema, rows of tables included: `jsonb` does not keep the order of keys. */
export function valuesInOrder(schema: Pick<FieldSchema, 'properties'>, values: Record<string, unknown>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(schema.properties)) {
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name];
    const property = schema.properties[name];
    ordered[name] = property.type === 'array' && Array.isArray(value) ? value.map((row) => rowInOrder(property, row)) : value;
  }
  const others = Object.keys(values).filter((name) => !Object.hasOwn(ordered, name));
  return others.length === 0 ? ordered : { ...ordered, ...Object.fromEntries(others.map((name) => [name, values[name]])) };
}

function rowInOrder({ items }: TableField, row: unknown): unknown {
  return isObject(row) ? valuesInOrder(items, row) : row;
}

/** `x-label`, or a label made from the name: `start_on` becomes "Start on". */
export function labelOf(name: string, property: Labelled): string {
  if (property['x-label']) return property['x-label'];
  const words = name.replace(/[_.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Json = Record<string, unknown>;

/** The JSON type at a dotted path of a field schema, or null; `items.price` refers to a property of an array's items. */
export function typeAt(schema: object, path: string): string | null {
  const property = fieldAt(schema, path);
  return property && String(property.type);
}

/** The property at a dotted path of a field schema, or null. */
export function fieldAt(schema: object, path: string): Json | null {
  let object: Json | undefined = schema as Json;
  let found: Json | null = null;
  for (const name of path.split('.')) {
    const properties: Json = isObject(object?.properties) ? object.properties : {};
    const property: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(property)) return null;
    found = property;
    object = property.type === 'array' && isObject(property.items) ? property.items : undefined;
  }
  return found;
}
