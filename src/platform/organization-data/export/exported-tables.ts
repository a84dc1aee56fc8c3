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
  /** Columns of which something is left out, with the reason. */
  partly: Readonly<Record<string, string>>;
  /** By such a column: its value, an SQL expression over `t`. */
  shownAs: Readonly<Record<string, string>>;
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

const PRIVATE_MAIL = 'null in mails that only their recipient may read';
const CONTENT_OF_MAIL = ['text', 'html', 'calendar'];

const DELETED_ROWS = 'deleted_rows';

/** The tables of an export by name, without the columns that contain secrets. */
export function exportedTables(tables: readonly OrganizationTable[], manifests: readonly Manifest[]): ExportedTable[] {
  const sealed = new Set(encryptedColumns(manifests).map(({ table, column }) => `${table}.${column}`));
  const modules = new Map(manifests.flatMap(({ name, entities }) => entities.map((entity) => [tableOfEntity(entity), name] as const)));
  const exported = tables
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
        ...partsOf(name),
        owned,
        columns: columns.filter((column) => !(column.name in omitted)),
        key: key.length > 0 ? key : [{ name: 'ctid', type: 'tid' }],
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const bin = exported.find(({ name }) => name === DELETED_ROWS);
  if (bin) bin.shownAs = { rows: deletedRows(exported) };
  return exported;
}

function partsOf(table: string): Pick<ExportedTable, 'partly' | 'shownAs'> {
  if (table === DELETED_ROWS) return { partly: { rows: 'without what is left out of the tables that the rows are of' }, shownAs: {} };
  if (table !== 'mails') return { partly: {}, shownAs: {} };
  const isReadable = 'NOT t.confidential AND t.only_reader_id IS NULL';
  return {
    partly: Object.fromEntries(CONTENT_OF_MAIL.map((column) => [column, PRIVATE_MAIL])),
    shownAs: Object.fromEntries(CONTENT_OF_MAIL.map((column) => [column, `CASE WHEN ${isReadable} THEN t."${column}" END`])),
  };
}

/** Rows of the bin without the columns that their own table omits. Null for a table that is gone: its secrets are not known any more. */
function deletedRows(tables: readonly ExportedTable[]): string {
  const cases = tables.map(({ name, omitted }) => {
    const names = Object.keys(omitted).map((column) => `'${column}'`);
    return `WHEN '${name}' THEN ARRAY[${names.join(', ')}]::text[]`;
  });
  return `(SELECT json_agg(r.value::jsonb - CASE t.table_name ${cases.join(' ')} END) FROM json_array_elements(t.rows) AS r)`;
}

function reasonToOmit({ name, type, generated }: TableColumn, isSealed: boolean): string | null {
  if (isSealed) return 'encrypted';
  if (SECRET_NAME.test(name)) return 'a secret, or its hash';
  return generated || type === 'tsvector' ? 'computed from other columns' : null;
}
