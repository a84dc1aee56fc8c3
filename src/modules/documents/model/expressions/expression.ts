import type { Comparison } from './syntax.js';

type Kind = 'number' | 'money' | 'text' | 'boolean' | 'date' | 'time' | 'table';

export interface ValueType {
  kind: Kind;
  /** Of money: an ISO 4217 code, the name of the field or column that holds one, or empty if the amount has none. */
  currency?: string;
  /** Whether the number is a JSON integer. */
  isWhole?: boolean;
  /** The values that a field can have, if they are listed. */
  options?: readonly unknown[];
}

/** The function of an aggregate of rows. */
export const AGGREGATES = ['sum', 'avg', 'min', 'max', 'count'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** An expression whose names and types are resolved. It is plain JSON. */
export type Expression = { type: ValueType } & (
  | { kind: 'literal'; value: string | boolean }
  | { kind: 'field'; name: string }
  /** Of the current row of the table. */
  | { kind: 'column'; table: string; column: string }
  /** Whether there is a value: the boolean is true, the table has rows. */
  | { kind: 'has'; of: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'or' | 'and'; left: Expression; right: Expression }
  | { kind: 'compare'; operator: Comparison; left: Expression; right: Expression }
  | Arithmetic
  /** A date some days later. */
  | { kind: 'shift'; date: Expression; days: Expression }
  /** The days between two dates. */
  | { kind: 'days'; from: Expression; to: Expression }
  | { kind: 'least' | 'greatest'; of: Expression[] }
  | { kind: 'if'; condition: Expression; yes: Expression; no: Expression }
  | { kind: 'default'; of: Expression; otherwise: Expression }
  | Aggregate
);

export type Arithmetic =
  | { kind: 'negative'; of: Expression }
  | { kind: 'add' | 'subtract' | 'multiply' | 'divide'; left: Expression; right: Expression }
  /** `places` of an amount are those of its currency if null. */
  | { kind: 'round'; of: Expression; places: number | null };

/** Over the rows of a table that meet `where`. With `by`, `of` is calculated once for each group of rows. */
export interface Aggregate {
  kind: 'aggregate';
  name: AggregateName;
  table: string;
  of: Expression | null;
  where: Expression | null;
  by: string | null;
}

/** The fields and columns that an expression names. */
export function namesIn(expression: Expression): Set<string> {
  const names = new Set<string>();
  const pending: unknown[] = [expression];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one !== 'object' || one === null) continue;
    const { kind, name, table, column, by } = one as Record<string, unknown>;
    if (kind === 'field') names.add(String(name));
    if (kind === 'column') names.add(`${String(table)}.${String(column)}`);
    if (kind === 'aggregate') names.add(typeof by === 'string' ? `${String(table)}.${by}` : String(table));
    pending.push(...Object.values(one).flat());
  }
  return names;
}
