import { encryptedColumns } from '../../secrets/encrypted-columns.js';
import type { Manifest } from '../../../kit/internal.js';
import { tableOfEntity } from '../../persistence/database/installed-modules.js';
import { SECRET_NAME } from '../../persistence/transactions/audit-notes.js';
import type { OrganizationTable, TableColumn } from '../tables/organization-tables.js';

/** A table of an export. */
export interface ExportedTable {
  name: string;
  /** Null for the platform. */
  module: string | null;
  columns: readonly TableColumn[];
  /** Columns that are left out, with the reason. */
  omitted: Readonly<Record<string, string>>;
  /** Identifies its rows, in their order. */
  key: readonly { name: string; type: string }[];
  owned(alias: string): string;
}

/** Tables with nothing but secrets, or with what is forgotten within hours. */
export const OMITTED_TABLES: Readonly<Record<string, string>> = {
  api_key_end_notices: 'Which mails about keys were written.',
  api_key_secrets: 'Hashes of keys.',
  audit_chains: 'The end of the audit log; its entries are exported.',
  jobs: 'Work of the suite.',
  oauth_records: 'Tokens of connected apps.',
  password_resets: 'Links that set a password.',
  request_bodies: 'Encrypted bodies of recent requests.',
  second_factors: 'Secrets of authenticator apps.',
  sessions: 'Tokens of signed-in members.',
  webhook_rates: 'When endpoints are sent to next.',
};

/** The tables of an export by name, without the columns that contain secrets. */
export function exportedTables(tables: readonly OrganizationTable[], manifests: readonly Manifest[]): ExportedTable[] {
  const sealed = new Set(encryptedColumns(manifests).map(({ table, column }) => `${table}.${column}`));
  const modules = new Map(manifests.flatMap(({ name, entities }) => entities.map((entity) => [tableOfEntity(entity), name] as const)));
  return tables
    .filter(({ name }) => !(name in OMITTED_TABLES))
    .map(({ name, columns, primaryKey, owned }) => {
      const reasons = columns.map((column) => [column.name, reasonToOmit(column, sealed.has(`${name}.${column.name}`))] as const);
      const omitted = Object.fromEntries(reasons.filter((entry): entry is [string, string] => entry[1] !== null));
      const typeOf = (key: string) => (columns.find((column) => column.name === key) as TableColumn).type;
      const key = primaryKey.map((column) => ({ name: column, type: typeOf(column) }));
      return {
        name,
        module: modules.get(name) ?? null,
        omitted,
        owned,
        columns: columns.filter((column) => !(column.name in omitted)),
        key: key.length > 0 ? key : [{ name: 'ctid', type: 'tid' }],
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function reasonToOmit({ name, type, generated }: TableColumn, isSealed: boolean): string | null {
  if (isSealed) return 'encrypted';
  if (SECRET_NAME.test(name)) return 'a secret, or its hash';
  return generated || type === 'tsvector' ? 'computed from other columns' : null;
}
