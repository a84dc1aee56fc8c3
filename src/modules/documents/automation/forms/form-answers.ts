import { Temporal } from 'temporal-polyfill';
import { isCurrency, isExactNumber, isInstant, minorDigitsOf, plainNumber } from '../../../../kit/index.js';
import { minorUnits } from '../../model/core/amounts.js';
import { checkValues, valueAt, valueFaults } from '../../model/core/data-values.js';
import {
  columnsOf,
  type FieldProperty,
  inOrder,
  labelOf,
  propertyOf,
  type FieldSchema,
  type ScalarField,
  type TableField,
} from '../../model/core/field-schema.js';
import { exampleDay, typedDay } from '../../model/core/typed-days.js';
import { decimalOf, exampleNumber, typedAmount, typedNumber } from '../../model/core/typed-numbers.js';
import { faultText } from './fault-text.js';
import { mostRows, rowNumbers } from './form-rows.js';
import { formTexts, type FormTexts } from './texts/texts.js';

/** The raw answers of the HTML form: text by the dotted path of the field. */
export type RawAnswers = Readonly<Record<string, unknown>>;

/** How the visitors of a form write numbers and times. */
export interface FormWriting {
  /** BCP 47. */
  language: string;
  /** Of the form's project. */
  timeZone: string;
}

export interface Problem {
  /** Dotted path of the field. */
  path: string;
  text: string;
}

/** Converts the raw text to typed values by the form's fields and describes every problem for the visitor. */
export function readAnswers(
  schema: FieldSchema,
  raw: RawAnswers,
  writing: FormWriting,
): { answers: Record<string, unknown>; problems: Problem[] } {
  const answers: Record<string, unknown> = {};
  const numbers = rowNumbers(raw);
  for (const [name, property] of inOrder(schema.properties)) {
    const required = schema.required?.includes(name) ?? false;
    const value =
      property.type === 'array'
        ? valuesOf(readRows(property, name, numbers.get(name), raw, writing, schema))
        : readValue(
            property,
            required,
            raw[name],
            currencyAt(property, schema.properties, (sibling) => raw[sibling]),
            writing,
          );
    if (value !== undefined) answers[name] = value;
  }
  const problems = problemsOf(schema, answers, writing);
  return { answers: problems.length > 0 ? answers : checkValues(schema, answers).values, problems };
}

/**
 * The same answers without empty rows, and without rows that a table cannot have: those that are left are numbered as they count, so that
 * a problem stands at the row that has it.
 */
export function withoutEmptyRows(schema: FieldSchema, raw: RawAnswers, writing: FormWriting): RawAnswers {
  const kept = Object.fromEntries(Object.entries(raw).filter(([path]) => propertyOf(schema, path.split('.')[0])?.type !== 'array'));
  const numbers = rowNumbers(raw);
  for (const [name, table] of Object.entries(schema.properties)) {
    if (table.type !== 'array') continue;
    const rows = readRows(table, name, numbers.get(name), raw, writing, schema).slice(0, mostRows(table) + 1);
    for (const [index, { number }] of rows.entries())
      for (const sub of Object.keys(table.items.properties)) {
        const value = raw[`${name}.${number}.${sub}`];
        if (value !== undefined) kept[`${name}.${index}.${sub}`] = value;
      }
  }
  return kept;
}

interface ReadRow {
  /** As it was sent. */
  number: number;
  values: Record<string, unknown>;
}

function valuesOf(rows: readonly ReadRow[]): Record<string, unknown>[] | undefined {
  return rows.length > 0 ? rows.map(({ values }) => values) : undefined;
}

/** Empty rows are dropped. */
function readRows(
  table: TableField,
  name: string,
  numbers: readonly number[] = [],
  raw: RawAnswers,
  writing: FormWriting,
  schema: FieldSchema,
): ReadRow[] {
  const columns = columnsOf(table, (field) => rawAt(schema, raw, field));
  const required = (table.items as { required?: string[] }).required ?? [];
  const rows = numbers.map((number) => {
    const at = (sub: string) => raw[`${name}.${number}.${sub}`];
    const values = Object.entries(columns).map(([sub, property]) => [
      sub,
      readValue(property, required.includes(sub), at(sub), currencyAt(property, columns, at), writing),
    ]);
    return { number, values: Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown> };
  });
  return rows.filter(({ values }) =>
    // the page fills defaults into every row
    Object.entries(values).some(([sub, value]) => value !== false && value !== table.items.properties[sub].default),
  );
}

type Siblings = Readonly<Record<string, unknown>>;

/** Text that cannot be converted stays a string, which then fails the schema. */
function readValue(
  property: ScalarField,
  required: boolean,
  given: unknown,
  currency: string | null,
  { language, timeZone }: FormWriting,
): unknown {
  const text = typeof given === 'string' ? given.replace(/\r\n?/g, '\n').trim() : '';
  // an unticked required checkbox has no answer; an unticked optional one means false
  if (property.type === 'boolean') return text !== '' ? true : required ? undefined : false;
  // a field that was not sent at all has its default; one that the visitor cleared has no value
  if (text === '') return given === undefined ? property.default : undefined;
  if (property.type === 'string') return dated(property.format, text, { language, timeZone });
  // the page offers the values of an enum, so nobody typed this
  const option = (property.enum as readonly unknown[] | undefined)?.find((one) => String(one) === text);
  if (option !== undefined) return option;
  const digits = property['x-format'] === 'money' ? minorDigitsOf(currency) : null;
  const decimals = digits ?? (property.type === 'integer' ? 0 : null);
  const number = decimalOf(text, { language, decimals, currency: digits === null ? undefined : currency });
  if (number === null) return text;
  if (digits !== null) return minorUnits(number, digits) ?? text;
  return isExactNumber(number) ? Number(number) : text;
}

/** The currency of an amount, as the visitor chose it if that is a field of its own; null if it is unknown. */
export function currencyAt(property: ScalarField, siblings: Siblings, rawOf: (name: string) => unknown): string | null {
  const named = property['x-currency'];
  if (named === undefined) return null;
  const currency = Object.hasOwn(siblings, named) ? rawOf(named) : isCurrency(named) ? named : null;
  return typeof currency === 'string' && currency !== '' ? currency : null;
}

/** What the visitor entered into a field of the document; its default before the page was sent. */
export function rawAt({ properties }: FieldSchema, raw: RawAnswers, field: string): unknown {
  return raw[field] ?? (Object.hasOwn(properties, field) ? properties[field].default : undefined);
}

/** A text in the form in which days and times are stored; another text stays as it is. */
function dated(format: string | undefined, text: string, { language, timeZone }: FormWriting): string {
  if (format === 'date') return typedDay(text, language) ?? text;
  return format === 'date-time' ? instantOf(text, timeZone) : text;
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/;

/** The instant of a day and time in the zone, as browsers send it. Another text stays as it is. */
function instantOf(text: string, timeZone: string): string {
  if (!LOCAL_TIME.test(text)) return text;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return text;
  }
}

/** A value as a visitor would type it. */
export function typedText(property: ScalarField, value: unknown, currency: string | null, { language, timeZone }: FormWriting): string {
  if (typeof value === 'number') {
    if (property['x-format'] === 'money') return typedAmount(value, minorDigitsOf(currency), language);
    return typedNumber(plainNumber(value), language);
  }
  if (property.format === 'date') return typedDay(String(value), language) ?? String(value);
  if (property.format !== 'date-time' || typeof value !== 'string' || !isInstant(value)) return String(value);
  const local = Temporal.Instant.from(value).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return local.toString(local.second === 0 && local.microsecond === 0 && local.millisecond === 0 ? { smallestUnit: 'minute' } : {});
}

/** All invalid and missing answers, in the order of the fields. */
function problemsOf(schema: FieldSchema, answers: Record<string, unknown>, writing: FormWriting): Problem[] {
  const texts = formTexts(writing.language);
  const wrong = [
    ...wrongOf(schema, answers, writing.language),
    ...negativeAmounts(schema, answers, texts),
    ...tooManyRows(schema, answers, texts),
  ];
  const topOf = ({ path }: Problem) => path.split('.')[0];
  const isWrong = (name: string) => wrong.some((problem) => topOf(problem) === name);
  const { missing } = checkValues(schema, Object.fromEntries(Object.entries(answers).filter(([name]) => !isWrong(name))));
  const lacking = missing.map((path) => ({ path, text: lackingText(schema, path, texts) })).filter((problem) => !isWrong(topOf(problem)));
  const names = inOrder(schema.properties).map(([name]) => name);
  return [...wrong, ...lacking].sort((one, other) => names.indexOf(topOf(one)) - names.indexOf(topOf(other)));
}

function wrongOf(schema: FieldSchema, answers: Record<string, unknown>, language: string): Problem[] {
  const texts = formTexts(language);
  return valueFaults(schema, answers).map((fault) => {
    const label = labelAt(schema, fault.path, texts);
    const currency = moneyAt(schema, answers, fault.path);
    const digits = currency === undefined ? null : minorDigitsOf(currency);
    const limit = Number(fault.params.limit ?? fault.params.multipleOf ?? 0);
    const written = {
      example: exampleNumber(language, digits ?? (fault.params.type === 'integer' ? 0 : null)),
      day: exampleDay(language),
      limit: digits === null ? typedNumber(plainNumber(limit), language) : typedAmount(limit, digits, language),
    };
    const isAmount = fault.keyword === 'type' && digits !== null;
    const isInexact = fault.keyword === 'type' && digits === null && isNumber(valueAt(answers, fault.path), language);
    return {
      path: fault.path,
      text: isAmount
        ? texts.problems.money(label, written.example)
        : isInexact
          ? texts.problems.digits(label)
          : faultText(fault, label, texts.problems, written),
    };
  });
}

/** Whether a text that was not read as a number is one whose digits a number cannot hold. */
function isNumber(value: unknown, language: string): boolean {
  const decimal = typeof value === 'string' ? decimalOf(value, { language, decimals: null }) : null;
  return decimal !== null && !isExactNumber(decimal);
}

/** Visitors enter no negative amounts, unless the schema gives a minimum of its own. */
function negativeAmounts(schema: FieldSchema, answers: Record<string, unknown>, texts: FormTexts): Problem[] {
  const isNegative = (property: ScalarField, value: unknown) =>
    property['x-format'] === 'money' && property.minimum === undefined && typeof value === 'number' && value < 0;
  const inFields = (fields: Record<string, FieldProperty>, values: Record<string, unknown>, at: string): string[] =>
    Object.entries(fields).flatMap(([name, property]) => {
      const value = values[name];
      if (property.type !== 'array') return isNegative(property, value) ? [`${at}${name}`] : [];
      const rows = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
      return rows.flatMap((row, index) => inFields(property.items.properties, row, `${at}${name}.${index}.`));
    });
  return inFields(schema.properties, answers, '').map((path) => ({ path, text: texts.problems.negative(labelAt(schema, path, texts)) }));
}

/** Tables with more rows than a page can show, if their schema permits them. */
function tooManyRows({ properties }: FieldSchema, answers: Record<string, unknown>, texts: FormTexts): Problem[] {
  return Object.entries(properties).flatMap(([path, table]) => {
    if (table.type !== 'array' || !Array.isArray(answers[path])) return [];
    const most = mostRows(table);
    const isPermitted = ((table.maxItems as number | undefined) ?? Infinity) > most;
    const text = texts.problems.mostRows(labelOf(path, table), String(most));
    return isPermitted && answers[path].length > most ? [{ path, text }] : [];
  });
}

/** The currency of an amount at a path, null if it is unknown; undefined if the field is no amount. */
function moneyAt(schema: FieldSchema, answers: Record<string, unknown>, path: string): string | null | undefined {
  const [name, row, sub] = path.split('.');
  const property = propertyOf(schema, name);
  const isTable = property?.type === 'array';
  const columns = isTable ? columnsOf(property, (one) => answers[one]) : null;
  const field = columns ? columns[sub] : (property as ScalarField | undefined);
  if (field?.['x-format'] !== 'money') return undefined;
  const values = isTable ? (answers[name] as Record<string, unknown>[])[Number(row)] : answers;
  return currencyAt(field, columns ?? schema.properties, (sibling) => values[sibling]);
}

function lackingText(schema: FieldSchema, path: string, texts: FormTexts): string {
  const isBox = propertyOf(schema, path)?.type === 'boolean';
  const label = labelAt(schema, path, texts);
  return isBox ? texts.problems.tick(label) : texts.problems.required(label);
}

function labelAt(schema: FieldSchema, path: string, texts: FormTexts): string {
  const [name, row, sub] = path.split('.');
  const property = propertyOf(schema, name);
  if (property === undefined) return name;
  if (property.type !== 'array' || row === undefined) return labelOf(name, property);
  const cell = sub === undefined ? undefined : property.items.properties[sub];
  return `${texts.row(labelOf(name, property), Number(row) + 1)}${cell ? `, ${labelOf(sub, cell)}` : ''}`;
}
