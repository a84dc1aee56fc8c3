import type { Tx } from '../../kit/index.js';
import { choose, MATCHED_BY, type Identity, type Match, type MatchedBy } from './lead-matching.js';

const COLUMN: Readonly<Record<MatchedBy, string>> = { external_id: 'external_id', email: 'email_normalized', phone: 'phone_normalized' };

/** Of equal values two are enough: the oldest, which is the least UUID v7, and one that tells that there are more. */
const HITS = MATCHED_BY.map((by, index) =>
  `(SELECT '${by}' AS by, t.id FROM leads t WHERE t.organization_id = $1 AND t.project_id = $2 AND t.mode = $3 AND t.${COLUMN[by]} = $${index + 4} ORDER BY t.id LIMIT 2)`,
).join(' UNION ALL ');

/** A statement of its own: the one after it sees all that was committed before the locks were had. */
export async function takeTurn(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key', [keys]);
}

/** Whom the values match in a place: organisation, project and mode. */
export async function findMatch(tx: Tx, place: readonly string[], identity: Identity): Promise<Match | null> {
  const rows = await tx.query<{ by: MatchedBy; id: string }>(HITS, [...place, ...MATCHED_BY.map((by) => identity[by])]);
  const idsBy = (by: MatchedBy) => rows.filter((row) => row.by === by).map(({ id }) => id).sort();
  return choose({ external_id: idsBy('external_id'), email: idsBy('email'), phone: idsBy('phone') });
}
