import { DAY_MS, isInRange, minorDigitsOf, plusDays } from '../../../../kit/index.js';
import { compared, dividedBy, exact, negated, plus, rounded, times, type Exact } from './exact.js';
import type { Aggregate, Arithmetic, Expression, ValueType } from './expression.js';
import type { Comparison } from './syntax.js';

/** A date is a text. Null: there is no value. */
export type Value = Exact | string | boolean | null;
export type Row = Readonly<Record<string, unknown>>;

/** Where an expression is calculated. */
export interface Place {
  values: Row;
  /** The current row by table: of a group, any of its rows. */
  rows: Readonly<Record<string, Row>>;
  /** The rows of the current group by table; of other tables, all rows of `values` count. */
  groups: Readonly<Record<string, readonly Row[]>>;
}

const CURRENCY = /^[A-Z]{3}$/;
/** Of expressions and their parts. Takes a few hundredths of a second. */
const MOST_STEPS = 150_000;

/** The rows are too many for what is calculated from them. */
export class TooMuchToCalculate extends RangeError {
  constructor() {
    super('The document has too many rows to calculate with');
  }
}

/**
 * Calculates the expressions of one document. A calculation with a missing value has no value, and neither has a division by zero;
 * aggregates skip missing values, and without any only `count` has a value: 0. A missing value is unequal to everything and has no
 * order. Throws `TooMuchToCalculate` and `NumberTooLarge`.
 */
export class Calculation {
  private steps = 0;
  /** An aggregate depends on nothing but its rows and the fields of the document, so it is calculated once. */
  private readonly aggregates = new WeakMap<Aggregate, WeakMap<readonly Row[], Value>>();
  private readonly none: readonly Row[] = [];

  value(one: Expression, place: Place): Value {
    if (++this.steps > MOST_STEPS) throw new TooMuchToCalculate();
    switch (one.kind) {
      case 'literal':
        return typeof one.value === 'string' && one.type.kind !== 'text' ? exact(one.value) : one.value;
      case 'field':
        return valueOf(one, place.values, one.name);
      case 'column':
        return valueOf(one, place.rows[one.table] ?? {}, one.column);
      case 'has':
        return this.has(one.of, place);
      case 'not':
        return this.value(one.of, place) !== true;
      case 'and':
        return this.value(one.left, place) === true && this.value(one.right, place) === true;
      case 'or':
        return this.value(one.left, place) === true || this.value(one.right, place) === true;
      case 'compare':
        return isTrue(one.operator, this.value(one.left, place), this.value(one.right, place));
      case 'if':
        return this.value(this.value(one.condition, place) === true ? one.yes : one.no, place);
      case 'default':
        return this.value(one.of, place) ?? this.value(one.otherwise, place);
      case 'least':
      case 'greatest':
        return extreme(
          one.of.map((part) => this.value(part, place)),
          one.kind === 'least' ? -1 : 1,
          true,
        );
      case 'shift':
        return shifted(this.value(one.date, place), this.number(one.days, place));
      case 'days':
        return days(this.value(one.from, place), this.value(one.to, place));
      case 'aggregate':
        return this.aggregate(one, place);
      default:
        return this.arithmetic(one, place);
    }
  }

  private arithmetic(one: Expression & Arithmetic, place: Place): Value {
    if (one.kind === 'negative' || one.kind === 'round') {
      const number = this.number(one.of, place);
      if (number === null) return null;
      return one.kind === 'negative' ? negated(number) : this.round(number, one.places, one.type, place);
    }
    const [left, right] = [this.number(one.left, place), this.number(one.right, place)];
    if (left === null || right === null) return null;
    if (one.kind === 'multiply') return times(left, right);
    if (one.kind === 'divide') return dividedBy(left, right);
    return plus(left, one.kind === 'add' ? right : negated(right));
  }

  /** An amount counts minor units, and its places are those of the major one. */
  private round(number: Exact, places: number | null, { kind, currency: named = '' }: ValueType, place: Place): Exact | null {
    if (kind !== 'money' || places === null) return rounded(number, places ?? 0);
    const currency = currencyAt(named, place);
    return currency === null ? null : rounded(number, places - minorDigitsOf(currency));
  }

  private number(one: Expression, place: Place): Exact | null {
    const value = this.value(one, place);
    return typeof value === 'object' ? value : null;
  }

  private has(of: Expression, place: Place): boolean {
    if (of.type.kind === 'table') return of.kind === 'field' && this.rowsOf(of.name, place).length > 0;
    const value = this.value(of, place);
    return value !== null && value !== '' && value !== false;
  }

  private rowsOf(table: string, { groups, values }: Place): readonly Row[] {
    if (Object.hasOwn(groups, table)) return groups[table];
    const rows = Object.hasOwn(values, table) ? values[table] : undefined;
    return Array.isArray(rows) ? (rows as Row[]) : this.none;
  }

  private aggregate(one: Expression & Aggregate, place: Place): Value {
    const rows = this.rowsOf(one.table, place);
    let known = this.aggregates.get(one);
    if (!known) this.aggregates.set(one, (known = new WeakMap()));
    const value = known.get(rows);
    if (value !== undefined) return value;
    const found = this.overRows(one, rows, place.values);
    known.set(rows, found);
    return found;
  }

  private overRows({ name, table, of, where, by }: Aggregate, all: readonly Row[], values: Row): Value {
    const at = (row: Row, groups: Place['groups'] = {}): Place => ({ values, rows: { [table]: row }, groups });
    this.steps += all.length;
    const rows = where ? all.filter((row) => this.value(where, at(row)) === true) : all;
    const places = by === null ? rows.map((row) => at(row)) : groupsOf(rows, by).map((group) => at(group[0], { [table]: group }));
    if (of === null) return exact(places.length);
    const found = places.map((place) => this.value(of, place)).filter((value) => value !== null);
    if (name === 'count') return exact(found.length);
    if (found.length === 0) return null;
    if (name === 'min' || name === 'max') return extreme(found, name === 'min' ? -1 : 1, false);
    const sum = (found as Exact[]).reduce(plus);
    return name === 'sum' ? sum : dividedBy(sum, exact(found.length));
  }
}

/** The rows by their value in a column, in the order in which the values come first. Rows without one are a group of their own. */
export function groupsOf(rows: readonly Row[], column: string): Row[][] {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const key = Object.hasOwn(row, column) ? (row[column] ?? undefined) : undefined;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/** The currency of an amount: empty if it never has one, null if it is unknown. */
export function currencyAt(currency: string, { values, rows }: Place): string | null {
  if (currency === '' || CURRENCY.test(currency)) return currency;
  const [table, column] = currency.split('.');
  const [record, name] = column === undefined ? [values, table] : [rows[table] ?? {}, column];
  const value = Object.hasOwn(record, name) ? record[name] : null;
  return typeof value === 'string' && CURRENCY.test(value) ? value : null;
}

/** A value that is not of the type of its field counts as missing. */
function valueOf({ type: { kind } }: Expression, record: Row, name: string): Value {
  const value = Object.hasOwn(record, name) ? record[name] : null;
  if (kind === 'number' || kind === 'money') return typeof value === 'number' ? exact(value) : null;
  if (kind === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'string' && value !== '' ? value : null;
}

function isTrue(operator: Comparison, left: Value, right: Value): boolean {
  if (left === null || right === null) return operator === '!=';
  const sign = order(left, right);
  const results: Record<Comparison, boolean> = {
    '=': sign === 0,
    '!=': sign !== 0,
    '<': sign < 0,
    '<=': sign <= 0,
    '>': sign > 0,
    '>=': sign >= 0,
  };
  return results[operator];
}

/** ISO 8601 sorts as text. */
function order(left: NonNullable<Value>, right: NonNullable<Value>): number {
  if (typeof left === 'object' && typeof right === 'object') return compared(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

function extreme(values: readonly Value[], side: 1 | -1, needsAll: boolean): Value {
  const found = values.filter((value) => value !== null);
  if (found.length === 0 || (needsAll && found.length < values.length)) return null;
  return found.reduce((best, value) => (order(value, best) * side > 0 ? value : best));
}

function shifted(date: Value, days: Exact | null): Value {
  if (typeof date !== 'string' || days === null) return null;
  const count = Number(rounded(days, 0).units);
  const day = date.slice(0, 10);
  // a part of a day, or a day outside of the years 1000 to 9999, is none
  return compared(days, exact(count)) === 0 && isInRange(day, count) ? plusDays(day, count) : null;
}

function days(from: Value, to: Value): Value {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const difference = (Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / DAY_MS;
  return Number.isFinite(difference) ? exact(difference) : null;
}
