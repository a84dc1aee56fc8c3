import { hash } from 'node:crypto';
import { sql, table, type Tx } from '../../../kit/index.js';
import { normalizeEmail, normalizeExternalId, normalizePhone, type LeadInput } from '../../crm/crm.public.js';
import { LeadImportKeyRow } from './lead-import-key-row.entity.js';

/** A value by which a row can be found again. */
export interface RowKey {
  row_number: number;
  param: string;
  key: string;
}

/** The keys of a row that names a person. Hashed, because a file has up to three for each of its rows. */
export function keysOf(row_number: number, { external_id, email, phone }: LeadInput, defaultCountry: string | null): RowKey[] {
  const values: [string, string | null][] = [
    ['external_id', normalizeExternalId(external_id)],
    ['email', normalizeEmail(email)],
    ['phone', normalizePhone(phone, defaultCountry)],
  ];
  return values.flatMap(([param, value]) =>
    value === null ? [] : [{ row_number, param, key: hash('sha256', `${param} ${value}`, 'base64url').slice(0, 22) }],
  );
}

/** Stores the keys and returns those that an earlier row of the import has, each with the number of the first such row. */
export async function storeKeys(tx: Tx, importId: string, keys: readonly RowKey[]): Promise<{ key: RowKey; first: number }[]> {
  const texts = keys.map(({ key }) => key);
  await tx.sql(
    sql`INSERT INTO ${table(LeadImportKeyRow)} (import_id, key, row_number)
      SELECT ${importId}, given.key, min(given.row_number)
      FROM unnest(${texts}::text[], ${keys.map(({ row_number }) => row_number)}::integer[]) AS given (key, row_number) GROUP BY given.key
      ON CONFLICT (import_id, key) DO NOTHING`,
  );
  const stored = await tx.sql<{ key: string; row_number: number }>(
    sql`SELECT k.key, k.row_number FROM ${table(LeadImportKeyRow)} k WHERE k.import_id = ${importId} AND k.key = ANY(${texts})`,
  );
  const firsts = new Map(stored.map(({ key, row_number }) => [key, row_number]));
  return keys.map((key) => ({ key, first: firsts.get(key.key) as number })).filter(({ key, first }) => first < key.row_number);
}

/** The import has ended: no further row can repeat one. */
export async function deleteKeys(tx: Tx, importId: string): Promise<void> {
  await tx.sql(sql`DELETE FROM ${table(LeadImportKeyRow)} k WHERE k.import_id = ${importId}`);
}
