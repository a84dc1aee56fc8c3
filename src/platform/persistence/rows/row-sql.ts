import { isDeepStrictEqual } from 'node:util';
import { plainDecimal, type BaseEntity, type Ctx, type CustomFieldValues } from '../../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';
import { hiddenValues } from './hidden-values.js';
import { narrow, type Values } from './sql.js';

/** Columns with their new values. */
export type Changed = readonly (readonly [column: string, value: unknown])[];

/** The number of INSERT texts kept per entity. Few combinations of columns occur. */
const MOST_INSERTS = 50;

const SET_BY_STORE = new Set(['id', 'organization_id', 'mode', 'project_id', 'version', 'created_at', 'updated_at']);

/** INSERT of a row's properties, whose values are the statement's first; undefined ones get the table's defaults. */
export function insertText(plan: EntityPlan, row: Readonly<Record<string, unknown>>, values: Values): string {
  let columns = '';
  for (const column in row) {
    const value = row[column];
    if (value === undefined) continue;
    values.add(toDatabase(plan, column, value));
    columns += columns === '' ? column : `,${column}`;
  }
  // the same string again, so that its name is found without reading it
  let text = plan.inserts.get(columns);
  if (text === undefined) {
    const names = columns.split(',');
    const placeholders = names.map((_, index) => `$${index + 1}`);
    text = `INSERT INTO ${plan.table} AS t (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${placeholders.join(', ')})`;
    if (plan.inserts.size < MOST_INSERTS) plan.inserts.set(columns, text);
  }
  return text;
}

/** The text of `insertText` for several rows with so many values in all. */
export function insertRowsText(insert: string, rows: number, values: number): string {
  const columns = values / rows;
  const rowOf = (row: number) => `(${Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`).join(', ')})`;
  return `${insert.slice(0, insert.indexOf(' VALUES ('))} VALUES ${Array.from({ length: rows }, (_, row) => rowOf(row)).join(', ')}`;
}

/** UPDATE of a row as it was read, at the transaction's time unless one is given. */
export function updateText(plan: EntityPlan, ctx: Ctx, row: BaseEntity, changed: Changed, values: Values, now?: Date): string {
  const sets = changed.map(([column, value]) => `"${column}" = ${values.add(toDatabase(plan, column, value))}`);
  sets.push('"version" = t."version" + 1', `"updated_at" = ${now ? values.add(now) : 'now()'}`);
  const where = `t."id" = ${values.add(row.id)} AND t."version" = ${values.add(row.version)} AND ${narrow(plan, ctx, values, 'write')}`;
  return `UPDATE ${plan.table} t SET ${sets.join(', ')} WHERE ${where}`;
}

/** UPDATE that adds amounts to columns of a row, failing if it finds none; `updated_at` becomes at least the time. */
export function incrementText(
  plan: EntityPlan,
  ctx: Ctx,
  id: string,
  amounts: readonly (readonly [column: string, amount: string])[],
  at: Date,
  values: Values,
): string {
  const sets = amounts.map(([column, amount]) => {
    const { type } = columnOf(plan, column);
    return `"${column}" = t."${column}" + ${values.add(amount)}::${type}`;
  });
  sets.push('"version" = t."version" + 1', `"updated_at" = greatest(t."updated_at", ${values.add(at)}::timestamptz)`);
  const where = `t."id" = ${values.add(id)} AND ${narrow(plan, ctx, values, 'write')}`;
  return requireUpdated(`UPDATE ${plan.table} t SET ${sets.join(', ')} WHERE ${where}`);
}

/** The UPDATE, failing if it finds no row: COMMIT is sent before the number of updated rows is known. */
export function requireUpdated(update: string): string {
  return `WITH updated AS (${update} RETURNING 1) SELECT CASE WHEN count(*) = 0 THEN raise_stale_row() END FROM updated`;
}

/** The changes that differ from the row, without the columns that the store sets. */
export function changedIn(plan: EntityPlan, row: object, changes: object): Changed {
  const before = row as Readonly<Record<string, unknown>>;
  return Object.entries(changes).filter(
    ([column, value]) => value !== undefined && !SET_BY_STORE.has(column) && !same(plan, column, before[column], value),
  );
}

/** A new row as it is stored, with null for missing values, and as reads return it, without columns that are not selected. */
export function wholeRow(
  plan: EntityPlan,
  given: Readonly<Record<string, unknown>>,
  now: Date,
): Record<'stored' | 'read', Record<string, unknown>> {
  for (const column of Object.keys(given)) columnOf(plan, column);
  const known: Record<string, unknown> = { ...given, version: 1, created_at: now, updated_at: now };
  const [stored, read]: Record<string, unknown>[] = [{}, {}];
  for (const [column, { nullable, selected }] of plan.columns) {
    const value = known[column];
    if (value !== undefined) stored[column] = value;
    if (!selected) continue;
    if (value === undefined && !nullable)
      throw new Error(`${plan.name}.${column} must be given, because the default of the table is not known here.`);
    read[column] = value ?? null;
    stored[column] = read[column];
  }
  return { stored, read };
}

function toDatabase(plan: EntityPlan, column: string, value: unknown): unknown {
  return columnOf(plan, column).json && value !== null ? JSON.stringify(value) : value;
}

function columnOf(plan: EntityPlan, column: string) {
  const known = plan.columns.get(column);
  if (!known) throw new Error(`${plan.name} has no column "${column}".`);
  return known;
}

/** `jsonb` keeps the keys of objects in an order of its own, `json` in the order in which they were written; `numeric` adds zeros. */
function same(plan: EntityPlan, column: string, before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (before instanceof Date && after !== null) return before.getTime() === new Date(after as string | Date).getTime();
  const type = plan.columns.get(column)?.type;
  if (typeof before === 'string' && typeof after === 'string') return type === 'numeric' && plainDecimal(before) === plainDecimal(after);
  if (typeof before !== 'object' || before === null) return false;
  // {} also removes what is hidden
  if (Object.keys(hiddenValues(before as CustomFieldValues)).length > 0) return false;
  const [old, given] = [JSON.stringify(before), JSON.stringify(after)];
  return old === given || (type === 'jsonb' && isDeepStrictEqual(JSON.parse(old), JSON.parse(given)));
}
