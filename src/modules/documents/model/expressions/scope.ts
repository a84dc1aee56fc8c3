import type { Expression, ValueType } from './expression.js';
import { ExpressionFault } from './syntax.js';

/** What names stand for where an expression is written. */
export interface Scope {
  /** The type of a field, or of a column as `items.price`; undefined if there is none. */
  typeOf: (path: string) => ValueType | undefined;
  /** Why there is no such name, if more can be said than that. */
  missing?: (path: string) => string | undefined;
  /** The tables that have a current row here, from the outermost. */
  rows: readonly RowScope[];
  /** Whether literals are checked against the fields that they are compared with. */
  isStrict: boolean;
}

export interface RowScope {
  table: string;
  /** The columns that all rows of a group have in common; null for a single row. */
  columns: readonly string[] | null;
  /** Whether its columns can only be named with the table before them. */
  isHidden?: boolean;
}

/** The names inside an aggregate of a table: its columns and the fields of the document. */
export function rowOf(scope: Scope, table: string, columns: readonly string[] | null): Scope {
  return { ...scope, rows: [{ table, columns }] };
}

/**
 * Two amounts of one currency. A whole number that is written beside an amount is an amount in minor units, as in conditions. Throws
 * `ExpressionFault` for anything else.
 */
export function matched(left: Expression, right: Expression, at: number, verb: string, isStrict = true): [Expression, Expression] {
  const amount = left.type.kind === 'money' ? left : right;
  const asAmount = (one: Expression): Expression => {
    if (one.type.kind === 'money') return one;
    if (one.kind !== 'literal' || (isStrict && !one.type.isWhole))
      throw new ExpressionFault(`an amount and a number cannot be ${verb}: multiply one by the other, or write whole minor units`, at);
    return { ...one, type: amount.type };
  };
  const [one, other] = [asAmount(left), asAmount(right)];
  if (one.type.currency === other.type.currency) return [one, other];
  const names = [one, other].map(({ type }) => currencyName(type.currency));
  throw new ExpressionFault(`amounts in different currencies cannot be ${verb}: ${names.join(' and ')}`, at);
}

export function currencyName(currency: string | undefined): string {
  if (currency === undefined || currency === '') return 'no currency';
  return /^[A-Z]{3}$/.test(currency) ? currency : `the currency in ${currency}`;
}
