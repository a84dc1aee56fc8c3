import type { DataSource } from 'typeorm';
import { scopingOf, type Scoping } from '../../../src/kit/internal.js';

/** What the gate knows of a table. */
export interface TableInfo {
  name: string;
  columns: ReadonlySet<string>;
  notNull: ReadonlySet<string>;
  /** Columns of which one is enough to identify a row. */
  keys: ReadonlySet<string>;
  /** Unique keys, by the name of their index. */
  uniques: ReadonlyMap<string, readonly string[]>;
  references: readonly Reference[];
  /** The entity's, if the table has one. */
  scoping: Scoping | undefined;
}

/** A foreign key: the columns of the table and those of the other. */
interface Reference {
  table: string;
  columns: readonly (readonly [own: string, other: string])[];
}

/** A function of the database that is not PostgreSQL's. */
interface FunctionInfo {
  name: string;
  argumentNames: readonly string[];
  body: string;
}

export interface Catalog {
  tables: ReadonlyMap<string, TableInfo>;
  functions: ReadonlyMap<string, FunctionInfo>;
  /** The names of views, which restrict nothing to a caller. */
  views: ReadonlySet<string>;
}

interface ColumnRow {
  table: string;
  column: string;
  not_null: boolean;
}

interface KeyRow {
  table: string;
  name: string;
  columns: string[];
}

interface ReferenceRow {
  table: string;
  other: string;
  columns: string[];
  others: string[];
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS column, a.attnotnull AS not_null FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attrelid, a.attnum`;
const namesOf = (key: string, table: string) =>
  `ARRAY(SELECT a.attname::text FROM unnest(${key}) WITH ORDINALITY k (n, o)
     JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.n ORDER BY o)`;
const KEYS = `
  SELECT c.relname AS table, i.relname AS name, ${namesOf('x.indkey::int2[]', 'c.oid')} AS columns
  FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
  WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique AND x.indpred IS NULL`;
const REFERENCES = `
  SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS other, ${namesOf('c.conkey', 'c.conrelid')} AS columns,
    ${namesOf('c.confkey', 'c.confrelid')} AS others
  FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`;
const VIEWS = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')`;
const FUNCTIONS = `
  SELECT p.proname AS name, COALESCE(p.proargnames, '{}') AS "argumentNames", p.prosrc AS body FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

/** Reads what the gate needs to know of the database. */
export async function readCatalog(dataSource: DataSource): Promise<Catalog> {
  const read = <R>(text: string) => dataSource.query<R[]>(text);
  const [columns, keys, references, functions, views] = await Promise.all([
    read<ColumnRow>(COLUMNS),
    read<KeyRow>(KEYS),
    read<ReferenceRow>(REFERENCES),
    read<FunctionInfo>(FUNCTIONS),
    read<{ name: string }>(VIEWS),
  ]);
  const scopings = new Map(
    dataSource.entityMetadatas.map(({ tableName, target }) => [tableName, typeof target === 'string' ? undefined : scopingOf(target)]),
  );
  const tables = new Map<string, TableInfo>();
  for (const [name, own] of Map.groupBy(columns, ({ table }) => table)) {
    const uniques = new Map(keys.filter(({ table }) => table === name).map((key) => [key.name, key.columns]));
    tables.set(name, {
      name,
      columns: new Set(own.map(({ column }) => column)),
      notNull: new Set(own.filter(({ not_null }) => not_null).map(({ column }) => column)),
      keys: new Set([...uniques.values()].filter(({ length }) => length === 1).map(([column]) => column)),
      uniques,
      references: references
        .filter(({ table }) => table === name)
        .map((key) => ({ table: key.other, columns: key.columns.map((column, index) => [column, key.others[index]] as const) })),
      scoping: scopings.get(name),
    });
  }
  return { tables, functions: new Map(functions.map((info) => [info.name, info])), views: new Set(views.map(({ name }) => name)) };
}
