import { html, labelled, minorDigitsOf, tickable, type Html } from '../../../../kit/index.js';
import { columnsOf, inOrder, labelOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';
import { exampleNumber } from '../../model/core/typed-numbers.js';
import { currencyAt, rawAt, typedText, type FormWriting, type Problem, type RawAnswers } from './form-answers.js';
import { mostRows, rowNumbers, shownRows } from './form-rows.js';
import { formTexts } from './texts/texts.js';

/** A scalar field with the keywords that only forms use. */
interface FormField extends ScalarField {
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  maxLength?: number;
}

/** What all fields of a page share: the values sent, the problem of each field, and how visitors write. */
interface Shared {
  raw: RawAnswers;
  problems: readonly Problem[];
  writing: FormWriting;
}

type Siblings = Readonly<Record<string, FormField>>;

/** `within_row`: required only if its row has another value. */
type Need = 'required' | 'within_row' | 'optional';

const LONG_TEXT = 255;
/** The most characters that the page repeats of a value whose field has no maxLength. */
const MOST_KEPT = 10_000;

/** The id of a field's input element. */
export function fieldId(path: string): string {
  return `f-${path.replaceAll('.', '-')}`;
}

/** The fields of a form. */
export function formFields(schema: FieldSchema, shared: Shared): Html[] {
  const required = schema.required ?? [];
  return inOrder(schema.properties).map(([name, property]) =>
    property.type === 'array'
      ? rows(name, property, required.includes(name), shared, schema)
      : field(name, name, property, required.includes(name) ? 'required' : 'optional', schema.properties as Siblings, shared),
  );
}

/** The script of the page numbers rows anew; this stands for the number in texts. */
const NUMBER = '{n}';
/** The number of a row that the script copies. */
const COPIED = 'new';

/** The rows of a table. Without the script of the page there are as many as the page shows; with it, visitors add and remove rows. */
function rows(name: string, table: TableField, isRequired: boolean, shared: Shared, schema: FieldSchema): Html {
  const { problems, writing } = shared;
  const texts = formTexts(writing.language);
  const required = (table.items as { required?: string[] }).required ?? [];
  const problem = problems.find(({ path }) => path === name) ?? null;
  const label = labelOf(name, table);
  const needOf = (sub: string, index: number | string): Need =>
    !required.includes(sub) ? 'optional' : isRequired && index === 0 ? 'required' : 'within_row';
  const columns = columnsOf(table, (one) => rawAt(schema, shared.raw, one));
  const row = (index: number | string, isOptional: boolean) => html`<fieldset class="entry" data-row="${index}">
<legend>${texts.row(label, Number(index) + 1 || NUMBER)}${isOptional && html` <span class="soft">(${texts.optional})</span>`}</legend>
${inOrder(columns).map(([sub, property]) => field(`${name}.${index}.${sub}`, sub, property, needOf(sub, index), columns, shared))}
<button type="button" class="quiet" data-remove hidden></button></fieldset>
`;
  const filled = (rowNumbers(shared.raw).get(name)?.at(-1) ?? -1) + 1;
  const [least, most] = [Math.max(1, (table.minItems as number | undefined) ?? 0), mostRows(table)];
  const count = Math.max(filled, shownRows(table));
  return html`<div class="rows" id="${fieldId(name)}" tabindex="-1" data-rows="${name}" data-filled="${Math.max(filled, least)}"
data-least="${least}" data-most="${most}" data-title="${texts.row(label, NUMBER)}" data-remove-text="${texts.removeRow(NUMBER)}"
data-removed="${texts.rowRemoved(NUMBER)}" data-full="${texts.mostRows(most)}">
${problem && html`<p class="error">${problem.text}</p>`}
${Array.from({ length: count }, (_, index) => row(index, index > 0 || !isRequired))}
<template>${row(COPIED, false)}</template>
<button type="button" class="quiet" data-add hidden>${texts.addRow(label)}</button>
<p class="soft" aria-live="polite"></p></div>`;
}

function field(path: string, name: string, property: FormField, need: Need, siblings: Siblings, { raw, problems, writing }: Shared): Html {
  const texts = formTexts(writing.language);
  const id = fieldId(path);
  const problem = problems.find((one) => one.path === path) ?? null;
  const own = html` name="answers.${path}"${need === 'required' && html` required`}`;
  // before the visitor has sent anything, the currency of an amount is the default of its field
  const beside = path.slice(0, path.length - name.length);
  const currency = currencyAt(property, siblings, (other) => raw[`${beside}${other}`] ?? siblings[other].default);
  const value = Object.hasOwn(raw, path)
    ? kept(property, typedText(property, String(raw[path]), currency, writing))
    : typeof property.default === 'object'
      ? ''
      : typedText(property, property.default ?? '', currency, writing);
  const shown = { id, label: labelOf(name, property), hint: hintOf(property, writing), problem: problem?.text };
  if (property.type === 'boolean') {
    const checked = html`${value !== '' && value !== 'false' && html` checked`}`;
    return tickable(shown, (attributes) => html`<input type="checkbox" value="yes"${own}${attributes}${checked}>`);
  }
  const optional = { isOptional: need === 'optional', optionalWord: texts.optional };
  return labelled({ ...shown, ...optional }, (attributes) =>
    control(property, html`${own}${attributes}`, value, texts.choose, (option) => typedText(property, option, currency, writing)),
  );
}

/** A value that is too long is cut to one character more than allowed: it must stay invalid until the visitor has shortened it. */
function kept({ maxLength = MOST_KEPT }: FormField, value: string): string {
  const characters = Math.min(maxLength, MOST_KEPT) + 1;
  // a character is one or two code units
  return value.length <= characters ? value : [...value.slice(0, 2 * characters)].slice(0, characters).join('');
}

function control(property: FormField, attributes: Html, value: string, choose: string, textOf: (option: unknown) => string): Html {
  if (property.enum) {
    const options = property.enum.map((option) => {
      const isChosen = String(option) === value || textOf(option) === value;
      return html`<option value="${String(option)}"${isChosen && html` selected`}>${textOf(option)}</option>`;
    });
    return html`<select${attributes}><option value="">${choose}</option>${options}</select>`;
  }
  if (property.type === 'string' && (property.maxLength ?? 0) > LONG_TEXT)
    return html`<textarea rows="5"${attributes}>\n${value}</textarea>`;
  return html`<input${kindOf(property)} value="${value}"${attributes}>`;
}

function kindOf(property: FormField): Html {
  if (property.type !== 'string') {
    const isWhole = property.type === 'integer' && property['x-format'] !== 'money';
    return html` type="text" inputmode="${isWhole ? 'numeric' : 'decimal'}" autocomplete="off"`;
  }
  if (property.format === 'date') return html` type="date"`;
  if (property.format === 'date-time') return html` type="datetime-local" step="any"`;
  if (property.format === 'email') return html` type="email" autocomplete="email"`;
  if (property['x-format'] === 'phone') return html` type="tel" autocomplete="tel"`;
  return html` type="text"`;
}

function hintOf(property: FormField, { language, timeZone }: FormWriting): string | null {
  const { hints } = formTexts(language);
  if (property.description) return property.description;
  if (property['x-format'] === 'money' && /^[A-Z]{3}$/.test(property['x-currency'] ?? ''))
    return hints.money(property['x-currency'] as string, exampleNumber(language, minorDigitsOf(property['x-currency'] as string)));
  if (property['x-format'] === 'phone') return hints.phone;
  return property.format === 'date-time' ? hints.time(timeZone) : null;
}
