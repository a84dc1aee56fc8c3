import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { ReadProjects } from './dispatch/projects.js';

const MOST_KEPT = 10_000;

/** The keys of projects, which never change, so each is read once per process. */
export function projectsIn(pool: () => Pool): ReadProjects {
  const keys = new LRUCache<string, string>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 });
  const ids = new LRUCache<string, string>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 });
  return {
    keysOf: (of) => {
      const missing = of.filter((id) => !keys.has(id));
      const keyOf = (id: string) => keys.get(id);
      if (missing.length === 0) return keyOf;
      return pool()
        .query<{ id: string; key: string }>('SELECT id, key FROM projects WHERE id = ANY($1)', [missing])
        .then(({ rows }) => {
          for (const { id, key } of rows) keys.set(id, key);
          return keyOf;
        });
    },
    idsOf: async (organization, of) => {
      const missing = of.filter((key) => !ids.has(`${organization} ${key}`));
      if (missing.length > 0) {
        const { rows } = await pool().query<{ id: string; key: string }>(
          'SELECT id, key FROM projects WHERE organization_id = $1 AND key = ANY($2)',
          [organization, missing],
        );
        for (const { id, key } of rows) ids.set(`${organization} ${key}`, id);
      }
      return (key) => ids.get(`${organization} ${key}`);
    },
  };
}
