import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { ReadNames } from './dispatch/names.js';

const log = new Logger('MCP');

const MOST_KEPT = 10_000;
/** How long the former name of an API key may be shown. */
const RENAMED_MS = 60_000;

/**
 * Names that answers of tools have beside ids, and ids of projects whose keys were sent. The keys of projects never change, so each is read
 * once per process; the names of API keys are kept for a minute.
 */
export function namesIn(pool: () => Pool): ReadNames {
  const read = async (text: string, values: unknown[]) => (await pool().query<{ id: string; name: string }>(text, values)).rows;
  /** From memory, or with those that `load` reads. */
  const known = (load: (missing: string[], scope: string) => Promise<[string, string][]>, ttl = 0) => {
    const kept = new LRUCache<string, string>({ maxSize: MOST_KEPT, sizeCalculation: () => 1, ttl });
    return (of: readonly string[], scope = '') => {
      const at = (one: string) => `${scope} ${one}`;
      const found = new Map(of.map((one) => [one, kept.get(at(one))]));
      const missing = of.filter((one) => found.get(one) === undefined);
      const nameOf = (one: string) => found.get(one);
      if (missing.length === 0) return nameOf;
      return load(missing, scope).then(
        (pairs) => {
          for (const [one, name] of pairs) {
            kept.set(at(one), name);
            found.set(one, name);
          }
          return nameOf;
        },
        (error: Error) => {
          // the call may have changed something: its answer must not be lost for a name
          log.warn(`Names of projects or keys could not be read: ${error.message}`);
          return nameOf;
        },
      );
    };
  };
  const projectKeys = known(async (ids) =>
    (await read('SELECT id, key AS name FROM projects WHERE id = ANY($1)', [ids])).map(({ id, name }) => [id, name]),
  );
  const projectIds = known(async (keys, organization) => {
    const text = 'SELECT id, key AS name FROM projects WHERE organization_id = $1 AND key = ANY($2)';
    return (await read(text, [organization, keys])).map(({ id, name }) => [name, id]);
  });
  const keyNames = known(async (ids, organization) => {
    const text = 'SELECT id, name FROM api_keys WHERE organization_id = $1 AND id = ANY($2)';
    return (await read(text, [organization, ids])).map(({ id, name }) => [id, name]);
  }, RENAMED_MS);
  return {
    projectKeysOf: (ids) => projectKeys(ids),
    projectIdsOf: (organization, keys) => projectIds(keys, organization),
    keyNamesOf: (organization, ids) => keyNames(ids, organization),
  };
}
