/**
 * What a document type asks for: the part of JSON Schema 2020-12 that a form and a template can show. One object, its
 * properties scalars or arrays of flat objects.
 *
 * `x-format` says more about a scalar than its type does:
 * - `money`: an integer of minor units (1050 is 10.50 in EUR). `x-currency` beside it is either the ISO 4217 code itself or the
 *   name of the string property, in the same object, that holds the code.
 * - `phone`: a string, E.164 where the number is known to be valid.
 * - `party`: a string, the name of a person or company that takes part in the document.
 * - `user`: a string, a member's e-mail address.
 */
export interface FieldSchema extends Keywords {
  type: 'object';
  properties: Record<string, FieldProperty>;
  required?: readonly string[];
}

export type FieldProperty = ScalarField | TableField;

export interface ScalarField extends Labelled {
  type: 'string' | 'number' | 'integer' | 'boolean';
  /** `date`, `date-time`, `email`, ...: as JSON Schema names them. */
  format?: string;
  'x-format'?: 'money' | 'phone' | 'party' | 'user';
  'x-currency'?: string;
}

export interface TableField extends Labelled {
  type: 'array';
  items: { type: 'object'; properties: Record<string, ScalarField>; required?: readonly string[] };
}

/** What of JSON Schema only its validator reads. */
interface Keywords {
  [keyword: string]: unknown;
}

interface Labelled extends Keywords {
  'x-label'?: string;
  'x-order'?: number;
}

/** The property of this name; names like `toString`, which every object knows, are none. */
export function propertyOf(schema: FieldSchema, name: string): FieldProperty | undefined {
  return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

/** Properties as people read them: by `x-order`, those without one last, equals as they were written. */
export function inOrder<T extends Labelled>(properties: Record<string, T>): [name: string, property: T][] {
  const order = (property: T) => property['x-order'] ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(properties).sort(([, a], [, b]) => order(a) - order(b));
}

/** `x-label`, or the name made readable: `start_on` is "Start on". */
export function labelOf(name: string, property: Labelled): string {
  if (property['x-label']) return property['x-label'];
  const words = name.replace(/[_.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Json = Record<string, unknown>;

/** The JSON type at a dotted path of a field schema; `items.price` reaches into an array. Null when there is none. */
export function typeAt(schema: object, path: string): string | null {
  let object: Json | undefined = schema as Json;
  let type: string | null = null;
  for (const name of path.split('.')) {
    const properties: Json = isObject(object?.properties) ? object.properties : {};
    const property: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(property)) return null;
    type = String(property.type);
    object = type === 'array' && isObject(property.items) ? property.items : undefined;
  }
  return type;
}

/** A JSON object: neither an array nor null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
