import type { Pool } from 'pg';

/** A column of a table, in the order of the table. */
export interface TableColumn {
  name: string;
  type: string;
  /** Computed from others. */
  generated: boolean;
}

/** A table with rows of organizations. */
export interface OrganizationTable {
  name: string;
  columns: readonly TableColumn[];
  primaryKey: readonly string[];
  /** SQL: whether a row with this alias belongs to the organization `$1`. */
  owned(alias: string): string;
}

interface TableRow {
  name: string;
  columns: TableColumn[];
  primary_key: string[];
}

/** Rows of `child` refer to rows of `parent`. */
interface Reference {
  child: string;
  parent: string;
  child_columns: string[];
  parent_columns: string[];
}

const TABLES = `
  SELECT c.relname AS name,
    (SELECT json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'generated', a.attgenerated <> '') ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    ARRAY(SELECT a.attname::text FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.place) AS primary_key
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`;

const REFERENCES = `
  SELECT c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
    ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS child_columns,
    ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY k.place) AS parent_columns
  FROM pg_constraint c
  WHERE c.contype = 'f' AND c.conparentid = 0 AND c.connamespace = 'public'::regnamespace`;

/** References without a foreign key, of tables that are written too often to have one. */
const UNCHECKED: readonly Reference[] = [
  { child: 'webhook_attempts', child_columns: ['delivery_id'], parent: 'webhook_deliveries', parent_columns: ['id'] },
  { child: 'webhook_rates', child_columns: ['endpoint_id'], parent: 'webhook_endpoints', parent_columns: ['id'] },
];

/**
 * Tables of the installation. Those of the last line have rows that organizations cause, but name none in a column: hashes, addresses and
 * the keys of files that a storage has yet to delete. They are deleted within hours or days.
 */
const OF_INSTALLATION = new Set([
  ...['default_permissions', 'installation', 'installation_keys', 'installed_modules', 'migrations', 'organization_erasures'],
  ...['scheduled_jobs', 'workers', 'oauth_clients', 'request_log_days'],
  ...['idempotency_records', 'object_removals', 'password_reset_requests', 'sign_in_failures'],
]);

const ROOT = 'organizations';

/** The tables with rows of organizations, each before those that it refers to, and what refers to what. */
export interface OrganizationTables {
  tables: readonly OrganizationTable[];
  /** Tables that name no organization and are not of the installation. A test of the suite refuses them. */
  unknown: readonly string[];
  /** Those that refer to each other, such as departments and their heads: none of them comes before the others. */
  cyclic: readonly OrganizationTable[];
  /** SQL: whether any row refers to the row with this alias. */
  isReferred(table: OrganizationTable, alias: string): string;
}

/**
 * Finds the tables of all modules in the database itself, so that none can be forgotten: those with `organization_id`, and those that
 * refer to one of them.
 */
export async function organizationTables(pool: Pick<Pool, 'query'>): Promise<OrganizationTables> {
  const [{ rows }, { rows: declared }] = await Promise.all([pool.query<TableRow>(TABLES), pool.query<Reference>(REFERENCES)]);
  const references = [...declared.map((one) => ({ ...one, child: unquoted(one.child), parent: unquoted(one.parent) })), ...UNCHECKED];
  const owned = ownedBy(rows, references);
  const unknown = rows.flatMap(({ name }) => (owned.has(name) || OF_INSTALLATION.has(name) ? [] : [name]));
  const tables = rows.flatMap(({ name, columns, primary_key }) => {
    const condition = owned.get(name);
    return condition ? [{ name, columns, primaryKey: primary_key, owned: condition }] : [];
  });
  const order = childrenFirst(tables, references);
  return {
    tables: order,
    cyclic: order.filter(({ name }) => refersToItself(name, references)),
    unknown,
    isReferred: ({ name }, alias) => {
      const referring = references.filter(({ parent }) => parent === name);
      return referring.length === 0 ? 'false' : referring.map((reference) => existsChild(reference, alias)).join(' OR ');
    },
  };
}

/** By the name of a table: SQL for an alias. Of several ways to the organization, the shortest. */
function ownedBy(rows: readonly TableRow[], references: readonly Reference[]): Map<string, (alias: string) => string> {
  const owned = new Map<string, (alias: string) => string>([[ROOT, (alias) => `${alias}.id = $1`]]);
  for (const { name, columns } of rows)
    if (columns.some((column) => column.name === 'organization_id')) owned.set(name, (alias) => `${alias}.organization_id = $1`);
  for (let before = 0; before < owned.size;) {
    before = owned.size;
    const found = references.filter(({ child, parent }) => !owned.has(child) && owned.has(parent));
    for (const { child, parent, child_columns, parent_columns } of found) {
      const ofParent = owned.get(parent) as (alias: string) => string;
      const inner = `of_${parent}`;
      owned.set(
        child,
        (alias) =>
          `EXISTS (SELECT FROM "${parent}" ${inner} WHERE ${matches(inner, parent_columns, alias, child_columns)} AND ${ofParent(inner)})`,
      );
    }
  }
  return owned;
}

function childrenFirst(tables: readonly OrganizationTable[], references: readonly Reference[]): OrganizationTable[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const order: OrganizationTable[] = [];
  while (left.size > 0) {
    const isFree = (name: string) => !references.some(({ child, parent }) => parent === name && child !== name && left.has(child));
    // tables that refer to each other have no order
    const free = [...left.keys()].filter(isFree);
    for (const name of free.length > 0 ? free : [...left.keys()].slice(0, 1)) {
      order.push(left.get(name) as OrganizationTable);
      left.delete(name);
    }
  }
  return order;
}

/** Through another table. */
function refersToItself(name: string, references: readonly Reference[]): boolean {
  const reached = new Set<string>();
  const follow = (from: string): void => {
    for (const { child, parent } of references)
      if (child === from && parent !== from && !reached.has(parent)) {
        reached.add(parent);
        follow(parent);
      }
  };
  follow(name);
  return reached.has(name);
}

function existsChild({ child, child_columns, parent_columns }: Reference, alias: string): string {
  return `EXISTS (SELECT FROM "${child}" child WHERE ${matches('child', child_columns, alias, parent_columns)})`;
}

function matches(left: string, leftColumns: readonly string[], right: string, rightColumns: readonly string[]): string {
  return leftColumns.map((column, index) => `${left}."${column}" = ${right}."${rightColumns[index]}"`).join(' AND ');
}

function unquoted(name: string): string {
  return name.replaceAll('"', '');
}
