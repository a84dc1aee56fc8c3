import { own, sql, table, type Condition, type Ctx, type Sql, type Tx } from '../../../kit/index.js';
import { Lead } from '../../crm/crm.public.js';
import { bestMatch, MATCHED_BY, mutexNames, type Identity, type MatchedBy } from './lead-matching.js';

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
    tx.advanced.mutex(...mutexNames([ctx.organizationId, projectId, ctx.mode], identity)),
    tx.lockWhere(Lead, { project_id: projectId }, matching(projectId, identity)),
  ]);
  const match = bestMatch(leads, identity);
  return match && { ...match, candidates: match.candidates.map(({ id }) => id) };
}

const VALUE: Readonly<Record<MatchedBy, Sql>> = {
  external_id: sql`l.external_id`,
  email: sql`l.email_normalized`,
  phone: sql`l.phone_normalized`,
};

/** For each value, the oldest lead (the smallest UUID v7) and one more, which shows that the match is ambiguous. */
function matching(projectId: string, identity: Identity): Condition<Lead> {
  const hits = MATCHED_BY.filter((by) => identity[by] !== null).map(
    (by) =>
      sql`(SELECT l.id FROM ${table(Lead)} l WHERE ${own('l')} AND l.project_id = ${projectId} AND ${VALUE[by]} = ${identity[by]}
        ORDER BY l.id LIMIT 2)`,
  );
  if (hits.length === 0) return sql`false`;
  // an array, so that the planner always reads the few rows by id, even with stale statistics
  return sql`t.id = ANY (ARRAY(${sql.join(hits, ' UNION ALL ')}))`;
}
