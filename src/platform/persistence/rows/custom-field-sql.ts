import type { DefinedField } from './custom-field-definitions.js';

// Expressions over the values of a custom field. Indexes have them, too, so a change of one needs new indexes.

/** How values are compared: as text, as numbers, or by their items. */
export type ComparedAs = 'text' | 'number' | 'list';

const KEY = /^[a-z][a-z0-9_]{0,62}$/;
const NUMBERS = new Set(['integer', 'decimal', 'money', 'number']);
/** Of a longer text, the beginning is compared first: an entry of an index has a largest size. */
export const COMPARED_CHARACTERS = 256;

export function comparedAs({ type }: Pick<DefinedField, 'type'>): ComparedAs {
  if (type === 'choices') return 'list';
  return NUMBERS.has(type) ? 'number' : 'text';
}

/** As text, because an index serves statements with this condition only if it sees the key when it plans them. */
function keyText(key: string): string {
  if (!KEY.test(key)) throw new Error(`${key} is not the key of a custom field.`);
  return `'${key}'`;
}

/** Whether the row has a value. */
export function hasValue(key: string, alias = 't.'): string {
  return `${alias}"custom_fields" ? ${keyText(key)}`;
}

/** What is compared. Another organization may have values of any type under the key, so nothing in it may fail. */
export function comparedValue(as: ComparedAs, key: string, alias = 't.'): string {
  const text = `${alias}"custom_fields" ->> ${keyText(key)}`;
  if (as === 'list') return `(${alias}"custom_fields" -> ${keyText(key)})`;
  if (as === 'text') return `left(${text}, ${COMPARED_CHARACTERS}) COLLATE "C"`;
  return `CASE WHEN ${text} ~ '^-?[0-9]{1,40}([.][0-9]{1,40})?$' THEN (${text})::numeric END`;
}

/** Whether the value is one of the given ones, which are of the field's type. */
export function isOneOf(as: ComparedAs, key: string, wanted: readonly unknown[], add: (value: unknown) => string): string {
  const texts = wanted.map(String);
  const compared = comparedValue(as, key);
  const type = as === 'number' ? 'numeric' : 'text';
  const any = (values: readonly string[]) => (values.length === 1 ? `${add(values[0])}::${type}` : `ANY(${add(values)}::${type}[])`);
  if (as === 'list') return `${hasValue(key)} AND ${compared} ?| ${add(texts)}::text[]`;
  const begins = texts.map((text) => [...text].slice(0, COMPARED_CHARACTERS).join(''));
  const isLong = texts.some((text, index) => text !== begins[index]);
  const whole = isLong ? ` AND t."custom_fields" ->> ${keyText(key)} = ${any(texts)}` : '';
  return `${hasValue(key)} AND ${compared} = ${any(begins)}${whole}`;
}
