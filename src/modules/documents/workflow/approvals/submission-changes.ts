import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../../kit/index.js';
import { fieldText, type PrintedFor } from '../../engine/content/field-text.js';
import { inOrder, labelOf, type FieldProperty, type FieldSchema } from '../../model/core/field-schema.js';
import type { ChangeTexts } from '../../pages/texts/change-texts.js';

/** What a submission contains. */
export interface Submitted {
  title: string;
  data_values: Record<string, unknown>;
  file_sha256: string | null;
}

/** A field with its text before and now. */
export interface FieldChange {
  label: string;
  before: string;
  after: string;
}

/** Longer texts show only the part that differs, with so many words around it. */
const SHORT = 120;
const AROUND = 5;

/** The amounts of a document, as they are printed in it. */
export function amountsOf(schema: FieldSchema, values: Record<string, unknown>, print: PrintedFor): (readonly [string, string])[] {
  return inOrder(schema.properties).flatMap(([name, property]) => {
    if (property.type === 'array' || property['x-format'] !== 'money') return [];
    const text = fieldText(property, values[name], values, print);
    return text === null ? [] : [[labelOf(name, property), text] as const];
  });
}

/** The fields whose text differs, in the order of the schema. */
export function changesBetween(
  schema: FieldSchema,
  before: Submitted,
  after: Submitted,
  print: PrintedFor,
  texts: ChangeTexts,
): FieldChange[] {
  const changes: FieldChange[] = [];
  if (before.title !== after.title) changes.push(changeOf(texts.title, before.title, after.title));
  if (before.file_sha256 !== after.file_sha256) changes.push({ label: texts.file, before: '', after: texts.otherFile });
  for (const [name, property] of inOrder(schema.properties)) {
    if (isDeepStrictEqual(before.data_values[name] ?? null, after.data_values[name] ?? null)) continue;
    const text = ({ data_values }: Submitted) => valueText(property, data_values[name], data_values, print, texts);
    const [old, now] = [text(before), text(after)];
    if (old !== now) changes.push(changeOf(labelOf(name, property), old, now));
  }
  return changes.map((change) => ({
    ...change,
    before: change.before === '' ? texts.empty : change.before,
    after: change.after || texts.empty,
  }));
}

/** A table as one line for each row. */
function valueText(
  property: FieldProperty,
  value: unknown,
  siblings: Record<string, unknown>,
  print: PrintedFor,
  texts: ChangeTexts,
): string {
  if (property.type !== 'array') return fieldText(property, value, siblings, print) ?? '';
  if (!Array.isArray(value)) return '';
  const columns = inOrder(property.items.properties);
  const lines = value.map((row: unknown) =>
    isObject(row) ? columns.flatMap(([name, column]) => fieldText(column, row[name], row, print) ?? []).join(' · ') : String(row),
  );
  return lines.length === 0 ? '' : [texts.rows(lines.length), ...lines].join('\n');
}

function changeOf(label: string, before: string, after: string): FieldChange {
  if (before.length <= SHORT && after.length <= SHORT) return { label, before, after };
  const [old, now] = [before, after].map((text) => text.split(/(?<=\s)/));
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const part = (words: readonly string[]) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(words.length, words.length - end + AROUND)];
    return `${from > 0 ? '… ' : ''}${words.slice(from, to).join('').trim()}${to < words.length ? ' …' : ''}`;
  };
  return { label, before: before === '' ? '' : part(old), after: after === '' ? '' : part(now) };
}
