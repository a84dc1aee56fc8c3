import { getMetadataArgsStorage } from 'typeorm';
import type { Manifest } from '../../../kit/internal.js';
import { queryOnce } from '../connections/query-once.js';

/**
 * Notes which modules run on the database, with their tables. Returns a sentence for each module that ran on it before and does not now:
 * nobody deletes its tables.
 */
export async function noteModules(connectionString: string, manifests: readonly Pick<Manifest, 'name' | 'entities'>[]): Promise<string[]> {
  const present = manifests.map(({ name, entities }) => ({ name, tables: tablesOf(entities) }));
  const removed = await queryOnce<{ name: string; tables: string[] }>(
    { connectionString },
    `WITH present AS (
       SELECT name, ARRAY(SELECT jsonb_array_elements_text(m.tables)) AS tables
       FROM jsonb_to_recordset($1::jsonb) AS m (name text, tables jsonb)
     ), noted AS (
       INSERT INTO installed_modules SELECT name, tables FROM present
       ON CONFLICT (name) DO UPDATE SET tables = excluded.tables WHERE installed_modules.tables <> excluded.tables
     )
     SELECT name, tables FROM installed_modules WHERE name NOT IN (SELECT name FROM present) ORDER BY name`,
    [JSON.stringify(present)],
  );
  return removed.map(
    ({ name, tables }) =>
      `The module ${name} ran on this database and is not in suite.config.ts any more. Its tables stay` +
      `${tables.length > 0 ? `: ${tables.join(', ')}` : ''}. Add it again, or drop them by a migration of your own.`,
  );
}

function tablesOf(entities: readonly unknown[]): string[] {
  return getMetadataArgsStorage()
    .tables.flatMap(({ target, name }) => (entities.includes(target) && name !== undefined ? [name] : []))
    .sort();
}

/** The table that the entity's `@Entity('...')` names. */
export function tableOfEntity(entity: object): string {
  return tablesOf([entity])[0];
}
