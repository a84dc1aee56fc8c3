import { sql, table, own, type Person, type PersonalData, type Sql, type Tx } from '../../../kit/index.js';
import { Sql as Statement } from '../../../kit/internal.js';

/** What became of rows about a person. */
export interface ErasedRows {
  /** Null for the platform. */
  module: string | null;
  title: string;
  erased: number;
  kept: number;
  /** Why some are kept. */
  why: string | null;
}

/** For statements about a person. */
export const everywhere = sql.inOrganization('a person in both modes and all projects');

/** Applies a rule of a manifest in both modes and all projects. `names` gets the names that are found. */
export async function eraseRows(
  tx: Tx,
  module: string,
  rule: PersonalData,
  person: Person,
  isVersioned: boolean,
  names: Set<string>,
): Promise<ErasedRows> {
  const { entity, title, erase, keep } = rule;
  const isTheirs = sql`${own('t')} AND (${rule.where(person)})`;
  const isKept = erase === undefined ? sql`true` : keep ? (keep.where ?? sql`true`) : sql`false`;
  for (const column of rule.names ?? []) {
    const found = await tx.sql<{ name: string | null }>(
      everywhere`
        SELECT DISTINCT t.${sql.column(column)} AS name FROM ${table(entity)} t WHERE ${isTheirs}`,
    );
    for (const { name } of found) if (name !== null) names.add(name);
  }
  const [{ kept }] = await tx.sql<{ kept: number }>(
    everywhere`
      SELECT count(*)::int AS kept FROM ${table(entity)} t WHERE ${isTheirs} AND (${isKept}) IS TRUE`,
  );
  const isErased = sql`${isTheirs} AND (${isKept}) IS NOT TRUE`;
  const erased =
    erase === undefined
      ? []
      : await tx.sql(statementOf(entity, typeof erase === 'function' ? erase(person) : erase, isErased, isVersioned));
  return { module, title, erased: erased.length, kept, why: kept > 0 ? (keep?.why ?? null) : null };
}

function statementOf(
  entity: PersonalData['entity'],
  erase: Readonly<Record<string, unknown>> | 'delete',
  isErased: Sql,
  isVersioned: boolean,
): Sql {
  if (erase === 'delete') return everywhere`DELETE FROM ${table(entity)} t WHERE ${isErased} RETURNING 1`;
  const values = Object.entries(erase).map(([column, value]) => sql`${sql.column(column)} = ${valueOf(value)}`);
  if (isVersioned) values.push(sql`version = t.version + 1`, sql`updated_at = now()`);
  return everywhere`
    UPDATE ${table(entity)} t SET ${sql.join(values, ', ')} WHERE ${isErased} RETURNING 1`;
}

function valueOf(value: unknown): unknown {
  return value instanceof Statement || typeof value !== 'object' || value === null ? value : JSON.stringify(value);
}
