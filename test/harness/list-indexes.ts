import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { fieldsOf, LookupQuery, Through } from '../../src/kit/index.js';
import { listingOf, Sql } from '../../src/kit/internal.js';
import type { Reader } from '../../src/platform/persistence/rows/reader.js';
import { PgStore } from '../../src/platform/persistence/transactions/pg-store.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';

/** An index of a table. */
export interface ListIndex {
  table: string;
  method: string;
  /** The columns and expressions, in their order. */
  parts: readonly string[];
  /** The condition of a partial index; null if it has all rows. */
  predicate: string | null;
}

/** How a service reads a list. */
export interface ReadList {
  entity: string;
  table: string;
  query: Type;
  /** Columns for which the service itself gives values. */
  fixed: readonly string[];
  /** The service also restricts the list by SQL of its own. */
  hasSql: boolean;
}

const INDEXES = `
  SELECT c.relname AS "table", a.amname AS method, pg_get_expr(i.indpred, i.indrelid) AS predicate,
    array(SELECT pg_get_indexdef(i.indexrelid, n, true) FROM generate_series(1, i.indnkeyatts) AS n ORDER BY n) AS parts
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam
  WHERE c.relnamespace = 'public'::regnamespace AND i.indisvalid`;

/** What restricts every list to its caller. */
const OF_TENANT = new Set(['organization_id', 'project_id', 'mode']);

/** Fails a list of a module that may be sorted or filtered by a column without an index: the error of the request names the column. */
export async function requireListIndexes(app: NestFastifyApplication): Promise<void> {
  const dataSource = app.get(DataSource);
  const indexes = await dataSource.query<ListIndex[]>(INDEXES);
  const ofModules = new Set<Type>(app.get(ModuleRegistry).manifests.flatMap(({ entities }) => entities));
  const judged = new Map<string, string[]>();
  const reader = app.get(PgStore)['rows'] as Reader;
  const page = reader.page.bind(reader);
  reader.page = (on, ctx, entity, query, conditions) => {
    const type = query.constructor as Type;
    if (!ofModules.has(entity) || query instanceof LookupQuery) return page(on, ctx, entity, query, conditions);
    const list: ReadList = {
      entity: entity.name,
      table: dataSource.getMetadata(entity).tableName,
      query: type,
      ...restrictionsOf(conditions),
    };
    const key = JSON.stringify([list.table, type.name, list.fixed, list.hasSql]);
    const faults = judged.get(key) ?? indexFaults(list, indexes);
    judged.set(key, faults);
    return faults.length > 0 ? Promise.reject(new Error(faults.join('\n'))) : page(on, ctx, entity, query, conditions);
  };
}

function restrictionsOf(conditions: readonly object[]): Pick<ReadList, 'fixed' | 'hasSql'> {
  const isWritten = (condition: object) => condition instanceof Sql || condition instanceof Through;
  const given = conditions.filter((condition) => !isWritten(condition));
  const values = given.flatMap((condition) => Object.entries(condition) as [string, unknown][]);
  const fixed = values.filter(([, value]) => value !== undefined && value !== null).map(([column]) => column);
  return { fixed: fixed.sort(), hasSql: conditions.some(isWritten) };
}

/** By which columns a client may sort or filter the list although no index helps. */
export function indexFaults(list: ReadList, indexes: readonly ListIndex[]): string[] {
  const { sort, unindexed = {} } = listingOf(list.query);
  const own = indexes.filter(({ table }) => table === list.table);
  // other filters leave most rows, in the order of an index
  const filters = [...fieldsOf(list.query).values()].flatMap(({ filter, kind }) =>
    filter && filter.operator !== 'custom' && (kind === 'uuid' || kind === 'string') && !OF_TENANT.has(filter.column)
      ? [filter.column]
      : [],
  );
  const missing = [
    ...sort
      .filter((column) => !list.fixed.includes(column) && !own.some((index) => isOrderOf(index, column, list)))
      .map((column) => ({ column, what: 'sorted' })),
    ...filters.filter((column) => !own.some((index) => finds(index, column, list))).map((column) => ({ column, what: 'filtered' })),
  ];
  const unknown = Object.keys(unindexed).filter((column) => ![...sort, ...filters].includes(column));
  return [
    ...missing
      .filter(({ column }) => !Object.hasOwn(unindexed, column))
      .map(
        ({ column, what }) =>
          `${list.query.name}: a list of ${list.entity} can be ${what} by ${column}, but no index of ${list.table} begins with ` +
          `${[...(list.fixed.length > 0 ? list.fixed : ['organization_id', 'mode']), column].join(', ')}. ` +
          'Create it in a migration, or say in unindexed of @Listing why it is not needed.',
      ),
    ...unknown.map(
      (column) => `${list.query.name}: unindexed of @Listing names ${column}, by which the list is neither sorted nor filtered.`,
    ),
  ];
}

/** The first column of an index behind those whose values the list has anyway. */
function decisive({ parts }: ListIndex, { fixed }: ReadList): { at: number; part: string } {
  const at = parts.findIndex((part) => !OF_TENANT.has(part) && !fixed.includes(part));
  return { at, part: at === -1 ? '' : parts[at] };
}

function isOrderOf(index: ListIndex, column: string, list: ReadList): boolean {
  // what SQL restricts can be any of the columns before, or the condition of the index
  if (list.hasSql) return index.parts.slice(1).some((part) => names(part, column));
  const { at, part } = decisive(index, list);
  return at > 0 && names(part, column) && (index.predicate === null || list.fixed.some((one) => names(index.predicate!, one)));
}

function finds(index: ListIndex, column: string, list: ReadList): boolean {
  const { parts, method, predicate } = index;
  if (predicate !== null && !names(predicate, column) && !list.hasSql) return false;
  return method === 'btree'
    ? names(decisive(index, list).part, column) || list.fixed.includes(column)
    : parts.some((part) => names(part, column));
}

function names(expression: string, column: string): boolean {
  return new RegExp(`\\b${column}\\b`).test(expression);
}
