import type { Type } from '@nestjs/common';

/**
 * A statement or a part of one, made by the tag `sql`. It has no text yet: that is made when the statement runs, for the caller who runs
 * it.
 */
export class Sql {
  constructor(
    /** The text around the holes. */
    readonly texts: readonly string[],
    readonly holes: readonly unknown[],
    /** Why the statement is not restricted to a caller; null if it is. */
    readonly unscoped: string | null = null,
    /** To what the statement is not restricted, although it is to the rest of the caller. */
    readonly beyond: readonly ('mode' | 'project')[] = [],
  ) {}
}

/** A hole for the quoted name of an entity's table. */
export class TableName {
  constructor(readonly entity: Type) {}
}

/** A hole for the condition that a row belongs to the caller. */
export class OwnRows {
  constructor(readonly alias: string) {}
}

/** A hole for what identifies the caller's rows. */
export class CallerValue {
  constructor(readonly name: 'organization' | 'mode') {}
}

type Tag = (texts: TemplateStringsArray, ...holes: readonly unknown[]) => Sql;

const NAME = /^[a-z_]\w*$/;

/** A tag that leaves out limits of the caller. The reason is for readers, and for the test that lists it. */
const beyond =
  (...limits: Sql['beyond']) =>
  (_why: string): Tag =>
  (texts, ...holes) =>
    new Sql(texts, holes, null, limits);

const tag = (texts: TemplateStringsArray, ...holes: readonly unknown[]) => new Sql(texts, holes);

/**
 * SQL for `Tx.sql` and its siblings:
 *
 * ```ts
 * import { Entity } from 'typeorm';
 * import { BusinessEntity, own, sql, table } from 'work-suite/kit';
 *
 * @Entity('items')
 * class Item extends BusinessEntity {}
 *
 * const ofSkus = (skus: string[]) => sql`SELECT i.id FROM ${table(Item)} i WHERE ${own('i')} AND i.sku = ANY(${skus})`;
 * ```
 *
 * A hole takes a value, which is sent as a parameter, another `sql`, whose text is inserted, `table(Entity)` or `own('alias')`. A value
 * that occurs twice is two parameters; an `sql` that occurs twice has the same parameters in both places, as GROUP BY needs it.
 */
export const sql = Object.assign(tag as Tag, {
  /** The parts with a separator between them, for conditions and rows of VALUES: `sql.join(conditions, ' AND ')`. */
  join: (parts: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' | ' UNION ALL ' | ' '): Sql =>
    parts.length === 0 ? new Sql([''], []) : new Sql(['', ...parts.slice(1).map(() => separator), ''], parts),
  /** The name of a column, quoted, where it is one of many that the code computes. */
  column: (name: string): Sql => {
    if (!NAME.test(name)) throw new Error(`${name} is not the name of a column.`);
    return new Sql([`"${name}"`], []);
  },
  /**
   * The tag of a statement that is not restricted to a caller: work on the rows of all organizations, such as the due rows of a scheduled
   * job, or rows that something else restricts. A test lists all of them with their reasons. `own` throws in it where there is no caller.
   */
  unscoped:
    (why: string): Tag =>
    (texts, ...holes) =>
      new Sql(texts, holes, why),
  /**
   * The tag of a statement that concerns both modes, of which `own` leaves out the mode: whether anything uses a configuration row, which
   * both modes share, or work on all rows of a project. A test lists all of these three tags with their reasons.
   */
  inBothModes: beyond('mode'),
  /**
   * The tag of a statement that concerns all projects of the organization, of which `own` leaves out the project to which the caller may be
   * pinned: whether a value is taken that is unique in the organization. The caller must not get rows from it.
   */
  inAllProjects: beyond('project'),
  /** The tag of a statement that concerns both modes and all projects, of which `own` leaves only the caller's organization. */
  inOrganization: beyond('mode', 'project'),
});

/** The values of a statement whose text has its own placeholders. */
export class PlacedValues {
  constructor(readonly list: readonly unknown[]) {}
}

/**
 * A statement of the platform, whose text has placeholders of its own, `$1` and so on, for the values. Nothing restricts it: the platform
 * keeps sessions, keys, mails and jobs, and works for all organizations. Modules cannot import it.
 */
export function platformSql(text: string, values: readonly unknown[] = []): Sql {
  return new Sql([text], [new PlacedValues(values)], 'a statement of the platform');
}

/**
 * The quoted name of an entity's table. Give it an alias for `own`: `` sql`FROM ${table(Item)} i` ``.
 *
 * @example
 * ```ts
 * import { own, sql, table, type SqlReader } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const counted = (reader: SqlReader) =>
 *   reader.sql<{ status: string; trips: number }>(
 *     sql`SELECT t.status, count(*)::int AS trips FROM ${table(Trip)} t WHERE ${own('t')} GROUP BY t.status`,
 *   );
 * ```
 */
export function table(entity: Type): TableName {
  return new TableName(entity);
}

/**
 * The condition that the row of a table is one of the caller's: in the caller's organization and, by the entity's scoping, in the mode and
 * in the project that the caller is pinned to. `alias` is the one that follows the table's name, or that name if none does. For the target
 * of UPDATE or DELETE, a configuration row of the whole organization is not the caller's if the caller is pinned.
 *
 * @example
 * ```ts
 * import { own, sql, table, type Tx } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const endAll = (tx: Tx) =>
 *   tx.sql(sql`UPDATE ${table(Trip)} t SET status = 'done', version = t.version + 1, updated_at = now() WHERE ${own('t')}`);
 * ```
 */
export const own = Object.assign((alias: string): OwnRows => new OwnRows(alias), {
  /** The caller's organization, for a new row. */
  organization: new CallerValue('organization'),
  /** The caller's mode, for a new row. */
  mode: new CallerValue('mode'),
});
