import type { Ctx, Tx } from '../../../kit/index.js';
import { addressPattern, platformSql, wordPattern, type Manifest } from '../../../kit/internal.js';
import { tableOfEntity } from '../../persistence/database/installed-modules.js';
import type { OrganizationTable } from '../tables/organization-tables.js';

/** Rows of a table that still contain the address or a name. */
export interface Mention {
  table: string;
  rows: number;
  /** Why they stay; null if nothing declares it, so that somebody should look. */
  why: string | null;
}

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
  for (const { name, columns, owned } of tables) {
    const texts = columns.filter(({ type }) => TEXTUAL.test(type)).map((column) => `t."${column.name}"::text`);
    if (texts.length === 0) continue;
    const [{ mentions: rows }] = await tx.sql<{ mentions: number }>(
      platformSql(
        `SELECT count(*)::int AS mentions FROM "${name}" t WHERE ${owned('t')} AND lower(concat_ws(' ', ${texts.join(', ')})) ~ ANY ($2)`,
        [organizationId, patterns],
      ),
    );
    if (rows > 0) mentions.push({ table: name, rows, why: reasons.get(name) ?? OF_PLATFORM[name] ?? null });
  }
  return mentions;
}

function reasonsOf(manifests: readonly Manifest[]): Map<string, string> {
  const kept = manifests.flatMap(({ personalData = [] }) => personalData.filter(({ keep }) => keep));
  return new Map(kept.map(({ entity, keep }) => [tableOfEntity(entity), keep?.why ?? '']));
}
