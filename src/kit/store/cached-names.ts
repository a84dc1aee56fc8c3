import { LRUCache } from 'lru-cache';
import type { Ctx } from '../callers/ctx.js';

interface Named {
  id: string;
  name: string;
}

const TTL_MS = 5_000;
const MAX_NAMES = 50_000;

/**
 * The names that responses show beside ids. All unknown ones of a response are read in one query; a change of a name is seen
 * at most five seconds later. `read` returns only what the caller may see, so names, and ids without one, are cached separately
 * for each organization, project pin and mode. Within a write, unknown names are read on the connection of its transaction.
 */
export class CachedNames {
  /** Grows with its entries; with `max`, it would take 2 MiB from the start. */
  private readonly known = new LRUCache<string, { name: string | null }>({ maxSize: MAX_NAMES, sizeCalculation: () => 1, ttl: TTL_MS });

  constructor(private readonly read: (ctx: Ctx, ids: string[]) => Promise<readonly Named[]>) {}

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
      for (const { id, name } of await this.read(ctx, missing)) names.set(id, name);
      for (const id of missing) this.known.set(seenBy + id, { name: names.get(id) ?? null });
    }
    return (id) => (id === null ? null : (names.get(id) ?? null));
  }
}
