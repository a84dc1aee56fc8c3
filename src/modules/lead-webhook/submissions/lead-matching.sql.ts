import type { Condition, Ctx, Tx } from '../../../kit/index.js';
import { Lead } from '../../crm/crm.public.js';
import { choose, LEAD_VALUE, MATCHED_BY, mutexNames, type Identity, type MatchedBy } from './lead-matching.js';

/** A lead that a submission belongs to, locked. */
export interface Found {
  lead: Lead;
  by: MatchedBy;
  /** Ids of all leads that match by anything, the one taken among them. */
  candidates: string[];
}

/** Waits for all who hand in the same person, then looks for the lead and locks it; both in one round trip. */
export async function findLocked(ctx: Ctx, tx: Tx, projectId: string, identity: Identity): Promise<Found | null> {
  const [, leads] = await Promise.all([
    tx.mutex(...mutexNames([ctx.organizationId, projectId, ctx.mode], identity)),
    tx.lockWhere(Lead, { project_id: projectId }, matching(ctx, projectId, identity)),
  ]);
  const match = choose(leads, identity);
  return match && { ...match, candidates: match.candidates.map(({ id }) => id) };
}

/** Of equal values two are enough: the oldest, which is the least UUID v7, and one that tells that there are more. */
function matching({ organizationId, mode }: Ctx, projectId: string, identity: Identity): Condition {
  const hits = MATCHED_BY.filter((by) => identity[by] !== null).map(
    (by) =>
      `(SELECT l.id FROM leads l WHERE l.organization_id = :organizationId AND l.mode = :mode AND l.project_id = :projectId AND l.${LEAD_VALUE[by]} = :${by} ORDER BY l.id LIMIT 2)`,
  );
  if (hits.length === 0) return { sql: 'false', values: {} };
  // an array, so that the few rows are always taken by their ids, however the table has grown since it was analysed
  return { sql: `t.id = ANY (ARRAY(${hits.join(' UNION ALL ')}))`, values: { organizationId, mode, projectId, ...identity } };
}
