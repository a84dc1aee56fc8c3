import type { Pool } from 'pg';
import { INSTALLATION } from './installation-log.js';

/** What a verification of an organization's log found. */
export interface VerifiedChain {
  organization_id: string;
  entries: number;
  /** Of the last entry; whoever notes it elsewhere can prove later that nothing before it was replaced. */
  last_sequence: string;
  last_hash: string;
  /** The position of the first entry that is missing or was changed; null if there is none. */
  broken_at: string | null;
  /** Of the last entry that the retention deleted; 0 if there is none. */
  deleted_sequence: string;
  /** When the latest entry was made that the retention deleted; null if there is none, or only from before this was noted. */
  deleted_until: Date | null;
  /** Whether the retention of today would have kept that entry. */
  shortened: boolean;
}

/**
 * Recomputes the hash of each entry from the hash of the one before it. The first one follows what the retention deleted, and the last one
 * must be the one that `audit_chains` names, so that entries missing at either end are found as well. Every organization and the
 * installation have a chain, so one that is missing was deleted.
 */
const VERIFY = `
  SELECT c.organization_id, v.entries, c.last_sequence::text, encode(c.last_hash, 'hex') AS last_hash,
    c.deleted_sequence::text, c.deleted_until, coalesce(c.deleted_until > clock_timestamp() - $2 * interval '24 hours', false) AS shortened,
    (least(v.broken_at, CASE WHEN (v.end_sequence, v.end_hash) IS DISTINCT FROM (c.last_sequence, c.last_hash)
      THEN least(v.end_sequence, c.last_sequence) + 1 END))::text AS broken_at
  FROM (
    SELECT organization_id, last_sequence, last_hash, deleted_sequence, deleted_hash, deleted_until FROM audit_chains
    UNION ALL
    SELECT lost.id, 1, ''::bytea, 0, ''::bytea, NULL
    FROM (SELECT id FROM organizations UNION SELECT organization_id FROM audit_entries UNION SELECT '${INSTALLATION}') AS lost
    WHERE NOT EXISTS (SELECT FROM audit_chains c WHERE c.organization_id = lost.id)
  ) AS c CROSS JOIN LATERAL (
    SELECT count(*)::int AS entries,
      min(CASE
        WHEN sequence <> prior_sequence + 1 THEN prior_sequence + 1
        WHEN hash <> audit_hash(prior_hash, entry) THEN sequence
      END) AS broken_at,
      coalesce(max(sequence), c.deleted_sequence) AS end_sequence,
      coalesce((array_agg(hash ORDER BY sequence DESC))[1], c.deleted_hash) AS end_hash
    FROM (
      SELECT e.sequence, e.hash, e AS entry,
        lag(e.sequence, 1, c.deleted_sequence) OVER (ORDER BY e.sequence) AS prior_sequence,
        lag(e.hash, 1, c.deleted_hash) OVER (ORDER BY e.sequence) AS prior_hash
      FROM audit_entries e WHERE e.organization_id = c.organization_id
    ) AS linked
  ) AS v
  WHERE ($1::uuid IS NULL OR c.organization_id = $1)
    AND NOT EXISTS (SELECT FROM organization_erasures WHERE id = c.organization_id)
  ORDER BY c.organization_id`;

/** Verifies the log of one organization, or of all whose data is not being erased. Entries are kept for `keepDays`. */
export async function verifyChains(pool: Pool, organizationId: string | null, keepDays: number): Promise<VerifiedChain[]> {
  return (await pool.query<VerifiedChain>(VERIFY, [organizationId, keepDays])).rows;
}
