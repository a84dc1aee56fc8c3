import type { TableField } from '../../model/core/field-schema.js';

type Table = TableField & { minItems?: number; maxItems?: number };

const SHOWN_ROWS = 10;
const USUAL_ROWS = 3;
/** How many rows of a table a page without scripts shows. */
export function shownRows({ minItems = 0, maxItems = USUAL_ROWS }: Table): number {
  return Math.min(Math.max(minItems, Math.min(maxItems, SHOWN_ROWS)), SHOWN_ROWS);
}

const MOST_ROWS = 100;
/** Bounds the page of a form with wide tables. */
const MOST_CELLS = 2000;
/** How many rows of a table a visitor can send. */
export function mostRows({ maxItems = MOST_ROWS, items }: Table): number {
  const fitting = Math.floor(MOST_CELLS / Math.max(1, Object.keys(items.properties).length));
  return Math.min(maxItems, Math.max(SHOWN_ROWS, Math.min(MOST_ROWS, fitting)));
}

const IN_ROW = /^([^.]+)\.(\d{1,6})\./;

/** The numbers of the rows that were sent, in order, by the name of their table. */
export function rowNumbers(raw: Readonly<Record<string, unknown>>): Map<string, number[]> {
  const found = new Map<string, Set<number>>();
  for (const path of Object.keys(raw)) {
    const [, name, number] = IN_ROW.exec(path) ?? [];
    if (name === undefined) continue;
    const numbers = found.get(name) ?? new Set();
    found.set(name, numbers.add(Number(number)));
  }
  return new Map([...found].map(([name, numbers]) => [name, [...numbers].sort((one, other) => one - other)]));
}
