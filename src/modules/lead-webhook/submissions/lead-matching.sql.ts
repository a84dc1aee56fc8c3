import type { Condition, Ctx, Tx } from '../../../kit/index.js';
import { Lead } from '../../crm/crm.public.js';
import { bestMatch, LEAD_VALUE, MATCHED_BY, mutexNames, type Identity, type MatchedBy } from './lead-matching.js';

/** The lead that a submission matches, locked. */
export interface LockedMatch {
  lead: Lead;
  by: MatchedBy;
  /** Ids of all leads that match by any value, this one included. */
  candidates: string[];
}

/** Waits for concurrent submissions of the same person, then finds and locks the lead; both in one round trip. */
export async function lockMatch(ctx: Ctx, tx: Tx, projectId: string, identity: Identity): Promise<LockedMatch | null> {
  const [, leads] = await Promise.all([
    tx.mutex(...mutexNames([ctx.organizationId, projectId, ctx.mode], identity)),
    tx.lockWhere(Lead, { project_id: projectId }, matching(ctx, projectId, identity)),
  ]);
  const match = bestMatch(leads, identity);
  return match && { ...match, candidates: match.candidates.map(({ id }) => id) };
}

/** For each value, the oldest lead (the smallest UUID v7) and one more, which shows that the match is ambiguous. */
function matching({ organizationId, mode }: Ctx, projectId: string, identity: Identity): Condition {
  const hits = MATCHED_BY.filter((by) => identity[by] !== null).map(
    (by) =>
      `(SELECT l.id FROM leads l
        WHERE l.organization_id = :organizationId AND l.mode = :mode AND l.project_id = :projectId AND l.${LEAD_VALUE[by]} = :${by}
        ORDER BY l.id LIMIT 2)`,
  );
  if (hits.length === 0) return { sql: 'false', values: {} };
  // an array, so that the planner always reads the few rows by id, even with stale statistics
  return { sql: `t.id = ANY (ARRAY(${hits.join(' UNION ALL ')}))`, values: { organizationId, mode, projectId, ...identity } };
}
