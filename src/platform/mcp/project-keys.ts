import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { ProjectKeys } from './dispatch/answer.js';

const MOST_KEPT = 10_000;

/** The keys of the projects of rows that a caller has received. They never change, so each is read once per process. */
export function projectKeysOf(pool: () => Pool): (ids: readonly string[]) => ProjectKeys | Promise<ProjectKeys> {
  const known = new LRUCache<string, string>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 });
  const keyOf: ProjectKeys = (id) => known.get(id);
  return (ids) => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return keyOf;
    return pool()
      .query<{ id: string; key: string }>('SELECT id, key FROM projects WHERE id = ANY($1)', [missing])
      .then(({ rows }) => {
        for (const { id, key } of rows) known.set(id, key);
        return keyOf;
      });
  };
}
