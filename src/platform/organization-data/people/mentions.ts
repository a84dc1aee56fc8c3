import type { Ctx, Tx } from '../../../kit/index.js';
import { addressPattern, platformSql, wordPattern, type Manifest } from '../../../kit/internal.js';
import { tableOfEntity } from '../../persistence/database/installed-modules.js';
import type { OrganizationTable } from '../tables/organization-tables.js';

/** Rows of a table that still contain the address or a name. */
export interface Mention {
  table: string;
  rows: number;
  /** Of the first of them. */
  ids: string[];
  /** Why they stay; null if nothing declares it, so that somebody should look. */
  why: string | null;
}

/** As many as somebody looks at. */
export const MOST_IDS = 20;

const TEXTUAL = /^(text|character varying|json|jsonb|tsvector)/;

const OF_PLATFORM: Readonly<Record<string, string>> = {
  audit_entries: 'The audit log never changes; its entries are deleted after the retention.',
  members: 'An active member: deactivate them first.',
  mails: 'Mails that wait to be sent, or have only the name; they are deleted after the retention.',
  outbox_events: 'Events that have only the name; they are deleted after the retention.',
  jobs: 'Work that is not done yet; it is deleted some days after its end.',
};

/** Looks for the texts in all tables, whatever modules declare. */
export async function mentionsOf(
  { organizationId }: Ctx,
  tx: Tx,
  tables: readonly OrganizationTable[],
  email: string,
  names: readonly string[],
  manifests: readonly Manifest[],
): Promise<Mention[]> {
  const reasons = reasonsOf(manifests);
  const patterns = [addressPattern(email), ...names.map(wordPattern)];
  const mentions: Mention[] = [];
  for (const { name, columns, primaryKey, owned } of tables) {
    const texts = columns.filter(({ type }) => TEXTUAL.test(type)).map((column) => `t."${column.name}"::text`);
    if (texts.length === 0) continue;
    const keys = columns.some((column) => column.name === 'id') ? ['id'] : primaryKey;
    // a table without a key has no ids
    const key = keys.length > 0 ? keys.map((column) => `t."${column}"::text`).join(', ') : 'NULL';
    const [{ mentions: rows, ids }] = await tx.sql<{ mentions: number; ids: string[] }>(
      platformSql(
        `SELECT count(*)::int AS mentions,
           coalesce(array_agg(id ORDER BY number) FILTER (WHERE id <> '' AND number <= ${MOST_IDS}), '{}') AS ids
         FROM (
           SELECT concat_ws(' ', ${key}) AS id, row_number() OVER (ORDER BY ${key}) AS number
           FROM "${name}" t WHERE ${owned('t')} AND lower(concat_ws(' ', ${texts.join(', ')})) ~ ANY ($2)) AS found`,
        [organizationId, patterns],
      ),
    );
    if (rows > 0) mentions.push({ table: name, rows, ids, why: reasons.get(name) ?? OF_PLATFORM[name] ?? null });
  }
  return mentions;
}

function reasonsOf(manifests: readonly Manifest[]): Map<string, string> {
  const kept = manifests.flatMap(({ personalData = [] }) => personalData.filter(({ keep }) => keep));
  return new Map(kept.map(({ entity, keep }) => [tableOfEntity(entity), keep?.why ?? '']));
}
