import { Injectable, type Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import { CommonErrors } from '../errors/common-errors.js';
import type { KeyFormat } from '../fields/field-specification.js';
import { own, sql, table } from '../sql/sql.js';
import { isUuid } from '../values/formats.js';
import type { BaseEntity } from './entities.js';
import { Store } from './store.js';

/** A key for people whose row is found by a column. */
export interface RowKey<E extends BaseEntity = BaseEntity> extends KeyFormat {
  entity: Type<E>;
  /**
   * The column, which the answers show by the same name, and the first one of an index after `organization_id` and `mode`. If several
   * rows that the caller sees have the key, the answer is an error with the ids of the newest ones, and what tells them apart.
   */
  column: keyof E & string;
  /** The column with the title, which tells rows with the same key apart. */
  title?: keyof E & string;
}

/** No row has this id. */
const NO_ROW = '00000000-0000-0000-0000-000000000000';

/** Any number of rows may have a key, such as the documents of many projects. */
const MOST_NAMED = 10;
const LONGEST_TITLE = 60;

/** Numbers whose form an administrator chooses. */
const ONE_LINE = '^\\S(?:.{0,198}\\S)?$';

/**
 * What routes accept in place of the id: `@Id(TRIP_NUMBER)`. The handler receives the id. Keys match as they are written, or else in upper
 * case; one in the form of a UUID is an id.
 *
 * @example
 * ```ts
 * import { rowKey } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const TRIP_TITLE = rowKey(Trip, 'title', { example: 'Airport' });
 * ```
 */
export function rowKey<E extends BaseEntity>(
  entity: Type<E>,
  column: keyof E & string,
  { pattern = ONE_LINE, example, title }: { pattern?: string; example: string; title?: keyof E & string },
): RowKey {
  return { entity, column, pattern, example, title } as unknown as RowKey;
}

export function isRowKey(format: KeyFormat): format is RowKey {
  return 'entity' in format;
}

/**
 * Finds the rows whose keys callers send in place of ids, among those of the caller. `@Id` does so for paths.
 *
 * @example
 * ```ts
 * import { rowKey, type Ctx, type RowKeys } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * const TRIP_TITLE = rowKey(Trip, 'title', { example: 'Airport' });
 *
 * // a field of the body that takes an id or a title
 * export const tripBefore = (keys: RowKeys, ctx: Ctx, sent: string) => keys.idOf(ctx, TRIP_TITLE, sent, 'after_trip');
 * ```
 */
@Injectable()
export class RowKeys {
  constructor(private readonly store: Store) {}

  /** The id of the row; `not_found` if the caller has no such row. `param` names the input in the error about a key of several rows. */
  async idOf(ctx: Ctx, key: RowKey, idOrKey: string, param: string): Promise<string> {
    const id = (await this.resolver(ctx, key, [idOrKey], param))(idOrKey);
    if (id === NO_ROW) throw CommonErrors.notFound();
    return id;
  }

  /** Maps ids to themselves and the given keys to ids. A key of no row that the caller may access becomes an id of no row. */
  async resolver(
    ctx: Ctx,
    key: RowKey,
    idsOrKeys: readonly (string | null | undefined)[],
    param: string,
  ): Promise<<T extends string | null | undefined>(idOrKey: T) => T> {
    const sent = new Set(
      idsOrKeys.filter((value): value is string => typeof value === 'string' && !value.includes('\0') && !isUuid(value)),
    );
    const found = new Map<string, { rows: number; ids: string[] }>();
    if (sent.size > 0) {
      const name = sql.column(key.column);
      const wanted = [...new Set([...sent].flatMap((one) => [one, one.toUpperCase()]))];
      const rows = await this.store.reader(ctx).sql<{ key: string; rows: number; ids: string[] }>(
        sql`SELECT t.${name} AS key, count(*)::int AS rows, (array_agg(t.id ORDER BY t.id DESC))[1:${MOST_NAMED}::int] AS ids
            FROM ${table(key.entity)} t WHERE ${own('t')} AND t.${name} = ANY(${wanted}::text[]) GROUP BY 1`,
      );
      for (const { key: of, ...those } of rows) found.set(of, those);
    }
    const rowsOf = (one: string) => found.get(one) ?? found.get(one.toUpperCase()) ?? { rows: 0, ids: [NO_ROW] };
    for (const one of sent) {
      const { rows, ids } = rowsOf(one);
      if (rows > 1) throw severalRows(param, one, await this.candidates(ctx, key, ids), rows);
    }
    return <T extends string | null | undefined>(value: T) =>
      (typeof value !== 'string' || isUuid(value) ? value : rowsOf(value).ids[0]) as T;
  }

  /** Titles only for keys, which see every row: a member may be allowed to see some only. */
  private candidates(ctx: Ctx, { entity, title }: RowKey, ids: readonly string[]): Promise<Candidate[]> {
    const named = title !== undefined && ctx.actor.type === 'api_key';
    return this.store.reader(ctx).sql<Candidate>(
      sql`SELECT t.id, p.key AS project, ${named ? sql`t.${sql.column(title)}` : sql`NULL`} AS title
          FROM ${table(entity)} t LEFT JOIN projects p ON p.organization_id = t.organization_id AND p.id = t.project_id
          WHERE ${own('t')} AND t.id = ANY(${ids}::uuid[]) ORDER BY t.id DESC`,
    );
  }
}

/** A row with the key, and what people know of it. */
export interface Candidate {
  id: string;
  project?: string | null;
  title?: string | null;
}

/** The error about a key that several rows have, such as equal numbers of two projects. It names some of them. */
export function severalRows(param: string, key: string, candidates: readonly Candidate[], rows = candidates.length): Error {
  const named = candidates.slice(0, MOST_NAMED);
  const some = rows > MOST_NAMED ? `, ${MOST_NAMED} of which are named` : '';
  const message = `${rows} records have ${key}${some}; send the id of the one that you mean: ${named.map(described).join(', ')}`;
  return CommonErrors.validationFailed({ param, message, allowed: named.map(({ id }) => id) });
}

function described({ id, project, title }: Candidate): string {
  const short = title && title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : title;
  const known = [project, short && JSON.stringify(short)].filter(Boolean).join(' ');
  return known === '' ? id : `${id} (${known})`;
}
