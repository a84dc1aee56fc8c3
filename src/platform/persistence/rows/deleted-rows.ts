import type { BaseEntity, Ctx, RestoreHandler } from '../../../kit/index.js';
import { allEncryptedColumns, newId, snakeCase, type OwnedRestorable } from '../../../kit/internal.js';
import { tableOfEntity } from '../database/installed-modules.js';
import type { EntityPlan } from './entity-plan.js';
import type { Queryable } from './queryable.js';
import { run } from './reader.js';
import { titleOf } from './row-title.js';
import { narrow, Values } from './sql.js';

/** A foreign key whose rows are deleted with those that they refer to. */
interface Cascade {
  child: string;
  parent: string;
  /** `child_columns[i]` refers to `columns[i]`. */
  child_columns: string[];
  columns: string[];
}

const CASCADES = `
  SELECT c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
    ARRAY(SELECT quote_ident(a.attname) FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY k.place) AS child_columns,
    ARRAY(SELECT quote_ident(a.attname) FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY k.place) AS columns
  FROM pg_constraint c WHERE c.contype = 'f' AND c.confdeltype = 'c'`;

/** The columns that refer to objects. */
const FILES = `
  SELECT c.conrelid::regclass::text AS name, quote_ident(a.attname) AS column
  FROM pg_constraint c CROSS JOIN unnest(c.conkey, c.confkey) AS k (own, of)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
    JOIN pg_attribute o ON o.attrelid = c.confrelid AND o.attnum = k.of AND o.attname = 'id'
  WHERE c.contype = 'f' AND c.confrelid = 'objects'::regclass`;

interface FileColumn {
  name: string;
  column: string;
}

/**
 * What is kept of tables with encrypted columns, `$1`: not these, because a replaced key could not decrypt them when the row is restored.
 * They are null then, as before the secret was made; those that cannot be null are kept.
 */
const UNSEALED = `
  SELECT a.attrelid::regclass::text AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
  FROM pg_attribute a
  WHERE a.attrelid IN (SELECT to_regclass(split_part(s, '.', 1)) FROM unnest($1::text[]) s) AND a.attnum > 0 AND NOT a.attisdropped
    AND (a.attnotnull OR NOT a.attrelid::regclass::text || '.' || a.attname = ANY($1::text[]))
  GROUP BY a.attrelid`;

interface Unsealed {
  name: string;
  columns: string;
}

interface RestorePlan {
  root: string;
  cascades: readonly Cascade[];
  files: readonly FileColumn[];
  unsealed: readonly Unsealed[];
}

/** The text that keeps a row, by its entity's plan: migrations run before the process uses the tables. */
const texts = new WeakMap<EntityPlan, Promise<string>>();

interface Deletion {
  restorable: OwnedRestorable;
  detached: readonly string[];
}

/**
 * Keeps a row and all that the database will delete with it, so that they can be restored. The row is locked, so that nothing is added to
 * it until it is deleted.
 */
export async function keepDeleted(on: Queryable, ctx: Ctx, plan: EntityPlan, row: BaseEntity, deletion: Deletion) {
  const { restorable, detached } = deletion;
  const { module, entity } = restorable;
  let text = texts.get(plan);
  if (!text) {
    texts.set(plan, (text = readKeepingText(on, plan)));
    text.catch(() => texts.delete(plan));
  }
  const { project_id } = row as BaseEntity & { project_id: string };
  const owner = [newId(), ctx.organizationId, project_id, ctx.mode, module, snakeCase(entity.name)];
  const values = [...owner, row.id, isForAll(restorable) ? (titleOf(row) ?? null) : null, JSON.stringify(ctx.actor), [...detached]];
  const locked = new Values();
  const where = `t."id" = ${locked.add(row.id)} AND ${narrow(plan, ctx, locked, 'write')}`;
  await run(on, { text: `SELECT FROM ${plan.table} t WHERE ${where} FOR UPDATE`, values: locked.list });
  await run(on, { text: await text, values });
}

/** Processes of earlier versions, which may still run beside this one, show the title of each record to all who may restore its kind. */
function isForAll({ handler }: OwnedRestorable): boolean {
  return (handler?.prototype as RestoreHandler<never> | undefined)?.visibleTo === undefined;
}

async function readKeepingText(on: Queryable, plan: EntityPlan): Promise<string> {
  const { rows: cascades } = await run<Cascade>(on, { text: CASCADES });
  const { rows: files } = await run<FileColumn>(on, { text: FILES });
  const sealed = allEncryptedColumns().map(({ entity, column }) => `${tableOfEntity(entity)}.${column}`);
  const { rows: unsealed } = await run<Unsealed>(on, { text: UNSEALED, values: [sealed] });
  return keepingText({ root: plan.table.replaceAll('"', ''), cascades, files, unsealed });
}

/** Each table is a part of one statement, after those that its rows refer to. Its place is that in which its rows are restored. */
function keepingText({ root, cascades, files, unsealed }: RestorePlan): string {
  const tables = tablesBelow(root, cascades);
  const parts = tables.map((name, place) => {
    const edges = cascades.filter(({ child, parent }) => child === name && parent !== name && tables.includes(parent));
    const found = edges.map((edge) => `SELECT k.ctid FROM ${name} k JOIN r${tables.indexOf(edge.parent)} p ON ${joined('k', edge)}`);
    const rows =
      place === 0
        ? `SELECT t.* FROM ${name} t WHERE t.id = $7 AND t.organization_id = $2 AND t.project_id = $3 AND t.mode = $4`
        : `SELECT t.* FROM ${name} t WHERE t.ctid = ANY(ARRAY(${found.join(' UNION ')}))`;
    const own = cascades.filter(({ child, parent }) => child === name && parent === name);
    const nested = own.map((edge) => ` UNION ALL SELECT k.* FROM ${name} k JOIN r${place} p ON ${joined('k', edge)}`);
    return `r${place} AS (${rows}${nested.join('')})`;
  });
  const kept = tables.map((name, place) => {
    const columns = unsealed.find((one) => one.name === name)?.columns ?? '*';
    return `SELECT $1::uuid, ${place}, '${name}', json_agg(k) FROM (SELECT ${columns} FROM r${place}) k HAVING count(*) > 0`;
  });
  const referring = tables.flatMap((name, place) =>
    files
      .filter((file) => file.name === name)
      .map(({ column }) => `SELECT $1::uuid, organization_id, ${column} FROM r${place} WHERE ${column} IS NOT NULL`),
  );
  // restoring inserts rows that refer to them: they must not be collected before
  if (referring.length > 0)
    parts.push(`files AS (INSERT INTO deleted_objects (deleted_record_id, organization_id, object_id) ${referring.join(' UNION ')})`);
  return `WITH RECURSIVE record AS (
    INSERT INTO deleted_records (id, organization_id, project_id, mode, module, resource, record_id, title, deleted_by, detached_ids)
    VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10)), ${parts.join(', ')}
    INSERT INTO deleted_rows (deleted_record_id, place, table_name, rows) ${kept.join(' UNION ALL ')}`;
}

function joined(alias: string, { child_columns, columns }: Cascade): string {
  return columns.map((column, at) => `${alias}.${child_columns[at]} = p.${column}`).join(' AND ');
}

/** The table and those below it, each after all that its rows refer to. */
function tablesBelow(root: string, cascades: readonly Cascade[]): string[] {
  const sorted: string[] = [];
  const open = new Set<string>();
  const visit = (name: string) => {
    if (sorted.includes(name)) return;
    if (open.has(name)) throw new Error(`Rows of ${root} cannot be kept: foreign keys with ON DELETE CASCADE lead from ${name} to itself.`);
    open.add(name);
    for (const { child, parent } of cascades) if (parent === name && child !== name) visit(child);
    sorted.push(name);
  };
  visit(root);
  return sorted.reverse();
}
