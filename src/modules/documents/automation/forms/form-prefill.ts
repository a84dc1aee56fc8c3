import { isObject } from '../../../../kit/index.js';
import { columnsOf, inOrder, labelOf, propertyOf, type FieldSchema, type ScalarField } from '../../model/core/field-schema.js';
import type { ZoneExtractionDto } from '../../types/zones/zone-extraction.dto.js';
import { currencyAt, readAnswers, typedText, type FormWriting, type Problem } from './form-answers.js';
import { mostRows } from './form-rows.js';
import { formTexts, type FormTexts } from './texts/texts.js';

/** The values from a file: the text of fields, as the page sends it, and the problems that the visitor must check. */
export interface Prefill {
  raw: Record<string, string>;
  /** The names of the fields with a value from the file. */
  filled: string[];
  problems: Problem[];
}

type Extracted = Pick<ZoneExtractionDto, 'data_values' | 'zones'>;

/** Copies the values of a type's fields to the form's fields of the same name. */
export function prefillOf(form: FieldSchema, type: FieldSchema, { data_values, zones }: Extracted, writing: FormWriting): Prefill {
  const texts = formTexts(writing.language);
  const prefill: Prefill = { raw: {}, filled: [], problems: [] };
  for (const [name] of inOrder(form.properties)) {
    const unread = zones.find(({ field, problem }) => field.split('.')[0] === name && problem !== null);
    if (unread) {
      const text = texts.upload.field(labelOf(name, form.properties[name]), unread.problem as string);
      prefill.problems.push({ path: name, text });
    }
    if (Object.hasOwn(data_values, name)) fill(prefill, { form, type, texts, writing }, name, data_values);
  }
  const { problems } = readAnswers(form, prefill.raw, writing);
  // a missing value is not a problem yet
  const wrong = problems.filter(({ path }) => prefill.raw[path]?.trim());
  return { ...prefill, problems: [...prefill.problems, ...wrong] };
}

interface Basis {
  form: FieldSchema;
  type: FieldSchema;
  texts: FormTexts;
  writing: FormWriting;
}

function fill(prefill: Prefill, { form, type, texts, writing }: Basis, name: string, values: Record<string, unknown>): void {
  const [field, source] = [propertyOf(form, name), propertyOf(type, name)];
  const value = values[name];
  if (field?.type !== 'array') {
    if (!source || source.type === 'array') return;
    prefill.raw[name] = textOf(source, value, type.properties, values, writing);
    prefill.filled.push(name);
    return;
  }
  if (source?.type !== 'array' || !Array.isArray(value)) return;
  const rows = value.filter(isObject);
  const most = mostRows(field);
  const columns = columnsOf(source, (one) => values[one]);
  for (const [index, row] of rows.slice(0, most).entries())
    for (const column of Object.keys(field.items.properties))
      if (Object.hasOwn(row, column) && Object.hasOwn(source.items.properties, column))
        prefill.raw[`${name}.${index}.${column}`] = textOf(columns[column], row[column], columns, row, writing);
  if (rows.length > most) {
    const text = texts.upload.rows(labelOf(name, field), rows.length, most);
    prefill.problems.push({ path: name, text });
  }
  if (rows.length > 0) prefill.filled.push(name);
}

/** A value as a visitor would enter it; `values` has the currency of an amount. */
function textOf(
  property: ScalarField,
  value: unknown,
  siblings: Readonly<Record<string, unknown>>,
  values: Record<string, unknown>,
  writing: FormWriting,
): string {
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return typedText(
    property,
    value,
    currencyAt(property, siblings, (name) => values[name]),
    writing,
  );
}
