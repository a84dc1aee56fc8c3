import { LRUCache } from 'lru-cache';
import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import { own, sql, table } from '../sql/sql.js';
import type { BaseEntity } from './entities.js';
import type { Store } from './store.js';

interface RecordName {
  id: string;
  name: string;
}

/** Stands for the name of a row that was deleted meanwhile, where a list has a name for each id. */
export const UNKNOWN_NAME = '(unknown)';

const TTL_MS = 5_000;
const MAX_NAMES = 50_000;

/**
 * The names that responses show beside ids. All unknown ones of a response are read in one query; a change of a name is seen
 * at most five seconds later. `read` returns only what the caller may see, so names, and ids without one, are cached separately
 * for each organization, project pin and mode. Within a write, unknown names are read on the connection of its transaction.
 *
 * Names of configuration (statuses, queues, calendars, departments), numbers of records and names of members stand in every answer that has
 * their ids. Names of other people, such as contacts and employees, are personal data of records with a scope of their own: they are only
 * for callers with that scope and permission (`hasAccess`).
 *
 * @example
 * ```ts
 * import { CachedNames, type Ctx, type Store } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const namesOf = (store: Store) =>
 *   new CachedNames(async (ctx: Ctx, ids) => (await store.list(ctx, Trip, { id: ids })).map(({ id, title }) => ({ id, name: title })));
 * ```
 */
export class CachedNames {
  /** Grows with its entries; with `max`, it would take 2 MiB from the start. */
  private readonly known = new LRUCache<string, { name: string | null }>({ maxSize: MAX_NAMES, sizeCalculation: () => 1, ttl: TTL_MS });

  private readonly reading = new WeakMap<Ctx, Map<string, Promise<void>>>();

  constructor(private readonly read: (ctx: Ctx, ids: string[]) => Promise<readonly RecordName[]>) {}

  /** What a column of the entity has: only that is read, since rows may be large. An id whose column is null has no name. */
  static ofColumn<E extends BaseEntity>(store: Store, entity: Type<E>, column: keyof E & string): CachedNames {
    const name = sql`t.${sql.column(column)}`;
    return new CachedNames((ctx, ids) =>
      store
        .reader(ctx)
        .sql<RecordName>(
          sql`SELECT t.id, ${name} AS name FROM ${table(entity)} t WHERE ${own('t')} AND t.id = ANY(${ids}) AND ${name} IS NOT NULL`,
        ),
    );
  }

  /** Returns the function that maps these ids to names; null for null and for an id without a row. */
  async of(ctx: Ctx, ids: Iterable<string | null>): Promise<(id: string | null) => string | null> {
    const names = new Map<string, string | null>();
    const missing: string[] = [];
    // an id that a caller made up, or that another caller may not see, must not become unknown to everybody
    const seenBy = `${ctx.organizationId} ${ctx.projectId} ${ctx.mode} `;
    for (const id of ids) {
      if (id === null || names.has(id)) continue;
      const known = this.known.get(seenBy + id);
      names.set(id, known?.name ?? null);
      if (!known) missing.push(id);
    }
    if (missing.length > 0) {
      await this.readOnce(ctx, seenBy, missing);
      for (const id of missing) names.set(id, this.known.get(seenBy + id)?.name ?? null);
    }
    return (id) => (id === null ? null : (names.get(id) ?? null));
  }

  /** What the caller is reading already, for another of the records that it handles at once, is not read again. */
  private async readOnce(ctx: Ctx, seenBy: string, ids: readonly string[]): Promise<void> {
    const reading = this.reading.get(ctx) ?? new Map<string, Promise<void>>();
    this.reading.set(ctx, reading);
    const unread = ids.filter((id) => !reading.has(id));
    if (unread.length > 0) {
      const read = this.read(ctx, unread)
        .then((found) => {
          const names = new Map(found.map(({ id, name }) => [id, name]));
          for (const id of unread) this.known.set(seenBy + id, { name: names.get(id) ?? null });
        })
        .finally(() => unread.forEach((id) => reading.delete(id)));
      for (const id of unread) reading.set(id, read);
    }
    await Promise.all(new Set(ids.map((id) => reading.get(id))));
  }
}
