import { isObject, type ErrorDetail } from '../../../../kit/index.js';
import { BY_ZERO, dividesByZero } from '../expressions/constants.js';
import { compile } from '../expressions/check.js';
import { Calculation, TooMuchToCalculate, type Value } from '../expressions/evaluate.js';
import { decimalText, NumberTooLarge, rounded } from '../expressions/exact.js';
import { namesIn, type Expression, type ValueType } from '../expressions/expression.js';
import { currencyName } from '../expressions/scope.js';
import { ExpressionFault } from '../expressions/syntax.js';
import type { FieldSchema, ScalarField } from './field-schema.js';
import { typeOf } from './schema-types.js';

type Json = Record<string, unknown>;

/** A field that is calculated, or a column of a table. */
interface Calculated {
  table: string | null;
  name: string;
  property: ScalarField;
  expression: Expression;
}

/** What is wrong with the `x-calculated` of a field, or of a column as `items.amount`. */
export interface CalculationProblem {
  path: string;
  message: string;
}

interface Plan {
  /** A field comes after those that it is calculated from. */
  order: Calculated[];
  problems: CalculationProblem[];
}

const plans = new WeakMap<object, Plan>();

/** Why fields of a valid schema cannot be calculated. */
export function calculationProblems(schema: FieldSchema): CalculationProblem[] {
  const { problems, order } = planOf(schema);
  const never = order.filter(({ expression }) => dividesByZero(expression));
  return [...problems, ...never.map(({ table, name }) => ({ path: table === null ? name : `${table}.${name}`, message: BY_ZERO }))];
}

/**
 * Calculates the fields that have `x-calculated`, in the values themselves. They must not be given otherwise: returns what is wrong with
 * those that are, and with results that are too large.
 */
export function calculate(schema: FieldSchema, values: Json): ErrorDetail[] {
  const { order } = planOf(schema);
  const details: ErrorDetail[] = [];
  if (order.length === 0) return details;
  const calculation = new Calculation();
  for (const one of order)
    for (const { record, path, rows } of recordsOf(one, values)) {
      const given = Object.hasOwn(record, one.name) ? record[one.name] : undefined;
      const found = resultOf(() => calculation.value(one.expression, { values, rows, groups: {} }), one.property);
      delete record[one.name];
      if (typeof found === 'object') {
        details.push(detail(found.isOfAll ? 'data_values' : `data_values.${path}`, found.problem));
        if (found.isOfAll) return details;
        continue;
      }
      if (given !== undefined && given !== found) {
        const is = found === undefined ? 'it has no value yet' : `it is ${JSON.stringify(found)}, not ${JSON.stringify(given)}`;
        details.push(detail(`data_values.${path}`, `is calculated: ${is}; leave it out`));
      }
      if (found !== undefined) record[one.name] = found;
    }
  return details;
}

/** The values without those that are calculated, before they are calculated again. */
export function withoutCalculated(schema: FieldSchema, values: Json): Json {
  const { order } = planOf(schema);
  if (order.length === 0) return values;
  const copy = structuredClone(values);
  for (const one of order) for (const { record } of recordsOf(one, copy)) delete record[one.name];
  return copy;
}

interface CalculatedRecord {
  record: Json;
  path: string;
  rows: Record<string, Json>;
}

function recordsOf({ table, name }: Calculated, values: Json): CalculatedRecord[] {
  if (table === null) return [{ record: values, path: name, rows: {} }];
  const rows = Object.hasOwn(values, table) ? values[table] : undefined;
  return (Array.isArray(rows) ? (rows as unknown[]) : []).flatMap((row, index) =>
    isObject(row) ? [{ record: row, path: `${table}.${index}.${name}`, rows: { [table]: row } }] : [],
  );
}

type Found = string | number | boolean | undefined | { problem: string; isOfAll: boolean };

function resultOf(work: () => Value, { type }: ScalarField): Found {
  try {
    const value = work();
    if (value === null) return undefined;
    if (typeof value !== 'object') return value;
    // amounts and whole numbers are rounded half away from zero
    const number = Number(decimalText(type === 'integer' ? rounded(value, 0) : value));
    return type === 'integer' && !Number.isSafeInteger(number) ? { problem: 'is calculated and too large', isOfAll: false } : number;
  } catch (error) {
    if (error instanceof TooMuchToCalculate) return { problem: 'has too many rows for what is calculated from them', isOfAll: true };
    if (error instanceof NumberTooLarge) return { problem: 'is calculated from numbers that are too large', isOfAll: false };
    throw error;
  }
}

function detail(param: string, message: string): ErrorDetail {
  return { param, code: 'invalid_value', message: `${param} ${message}` };
}

function planOf(schema: FieldSchema): Plan {
  let plan = plans.get(schema);
  if (!plan) plans.set(schema, (plan = makePlan(schema)));
  return plan;
}

function makePlan(schema: FieldSchema): Plan {
  const problems: CalculationProblem[] = [];
  const all = new Map<string, Calculated>();
  const add = (table: string | null, name: string, property: ScalarField) => {
    const text = property['x-calculated'];
    if (text === undefined) return;
    const path = table === null ? name : `${table}.${name}`;
    const expression = expressionOf(schema, table, path, text);
    if (typeof expression === 'string') problems.push({ path, message: expression });
    else all.set(path, { table, name, property, expression });
  };
  for (const [name, property] of Object.entries(schema.properties))
    if (property.type !== 'array') add(null, name, property);
    else for (const [column, cell] of Object.entries(property.items.properties)) add(name, column, cell);
  return { order: inDependence(all, problems), problems };
}

function expressionOf(schema: FieldSchema, table: string | null, path: string, text: string): Expression | string {
  const rows = table === null ? [] : [{ table, columns: null }];
  try {
    const expression = compile(text, { typeOf: (name) => typeOf(schema, name), rows, isStrict: true });
    return kindProblem(typeOf(schema, path) as ValueType, expression.type) ?? expression;
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return `at character ${error.at + 1}: ${error.message}`;
  }
}

function kindProblem(field: ValueType, { kind, currency }: ValueType): string | null {
  if (field.kind === 'money' && kind === 'money')
    return field.currency === currency
      ? null
      : `gives an amount in ${currencyName(currency)}, but the field has ${currencyName(field.currency)}`;
  return field.kind === kind ? null : `gives a value of the kind ${kind}, but the field is of the kind ${field.kind}`;
}

/** The fields such that each comes after those that it depends on. Fields that depend on themselves are problems. */
function inDependence(all: ReadonlyMap<string, Calculated>, problems: CalculationProblem[]): Calculated[] {
  const order = new Set<Calculated>();
  const open: string[] = [];
  const visit = (path: string): void => {
    const one = all.get(path);
    if (!one || order.has(one)) return;
    if (open.includes(path)) {
      const circle = [...open.slice(open.indexOf(path)), path].join(', ');
      problems.push({ path, message: `depends on itself: ${circle}` });
      return;
    }
    open.push(path);
    for (const name of namesIn(one.expression)) visit(name);
    open.pop();
    order.add(one);
  };
  for (const path of all.keys()) visit(path);
  return [...order];
}
