import { Injectable } from '@nestjs/common';
import type { Ctx, Tx } from '../../../kit/index.js';
import { activeMembersOf } from '../assignment/active-members.js';
import { firstMatch } from '../assignment/assignment-rules.js';
import { CrmConfig } from '../config/crm-config.service.js';
import { Lead } from './lead.entity.js';

/** Above so many open leads a member counts as fully busy; the bound keeps counting cheap however many leads there are. */
const MOST_COUNTED = 1000;

/** Gives a new lead its owner. */
@Injectable()
export class AssignmentService {
  constructor(private readonly config: CrmConfig) {}

  /** The member whom the first matching rule names, or null: no rule matches, or nobody of it is active. */
  async assign(ctx: Ctx, tx: Tx, lead: Pick<Lead, 'project_id' | 'custom_fields'>): Promise<string | null> {
    const { rules } = await this.config.of(tx, lead.project_id);
    const rule = firstMatch(rules, lead);
    if (!rule) return null;
    const candidates = await activeMembersOf(ctx, tx, rule.member_ids);
    if (candidates.length < 2) return candidates[0] ?? null;
    // the counter's row stays locked until the end of the transaction, so that two leads never take the same turn
    const turn = await tx.nextGapless(`lead_assignment ${rule.id}`, lead.project_id);
    const inTurn = candidates.map((_, index) => candidates[(turn - 1 + index) % candidates.length]);
    return rule.assign === 'least_open' ? this.leastBusy(ctx, tx, lead.project_id, inTurn) : inTurn[0];
  }

  /** Equals take turns. */
  private async leastBusy(ctx: Ctx, tx: Tx, projectId: string, candidates: readonly string[]): Promise<string> {
    const counts: number[] = [];
    for (const id of candidates) {
      const [{ open }] = await tx.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM (SELECT 1 FROM leads WHERE organization_id = $1 AND mode = $2 AND project_id = $3 AND owner_id = $4 AND status_kind = 'open' LIMIT $5) AS counted`,
        [ctx.organizationId, ctx.mode, projectId, id, MOST_COUNTED],
      );
      counts.push(open);
    }
    return candidates[counts.indexOf(Math.min(...counts))];
  }
}
