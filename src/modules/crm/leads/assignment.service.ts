import { Injectable } from '@nestjs/common';
import { sql, type Ctx, type Tx } from '../../../kit/index.js';
import { activeMembersOf } from '../assignment/active-members.js';
import { firstMatch } from '../assignment/assignment-rules.js';
import { CrmConfig } from '../config/crm-config.service.js';
import { Lead } from './lead.entity.js';

/** Members with this many open leads or more count as equally busy, which bounds the cost of counting. */
const MAX_COUNTED = 1000;

/** Chooses the owner of a new lead. */
@Injectable()
export class AssignmentService {
  constructor(private readonly config: CrmConfig) {}

  /** A member of the first matching rule, or null when no rule matches or none of its members is active. */
  async assign(ctx: Ctx, tx: Tx, lead: Pick<Lead, 'project_id' | 'custom_fields'>): Promise<string | null> {
    const { rules } = await this.config.of(tx, lead.project_id);
    const rule = firstMatch(rules, lead);
    if (!rule) return null;
    const candidates = await activeMembersOf(ctx, tx, rule.member_ids);
    if (candidates.length < 2) return candidates[0] ?? null;
    const series = `lead_assignment ${rule.id}`;
    // each lead counts those that were assigned before it
    if (rule.assign === 'least_open') await tx.mutex(`${series} ${ctx.mode}`);
    // no two leads get the same number; if creating a lead fails, its number is lost and its member is skipped once
    const drawn = await tx.next(series, lead.project_id);
    const rotated = candidates.map((_, index) => candidates[(drawn - 1 + index) % candidates.length]);
    return rule.assign === 'least_open' ? this.leastBusy(ctx, tx, lead.project_id, rotated) : rotated[0];
  }

  /** The first of those with the fewest open leads. */
  private async leastBusy(ctx: Ctx, tx: Tx, projectId: string, candidates: readonly string[]): Promise<string> {
    const counts: number[] = [];
    for (const id of candidates) {
      const [{ open }] = await tx.query<{ open: number }>(
        sql.legacy(
          `SELECT count(*)::int AS open
         FROM (
           SELECT 1 FROM leads
           WHERE organization_id = $1 AND mode = $2 AND project_id = $3 AND owner_id = $4 AND status_kind = 'open'
           LIMIT $5
         ) AS counted`,
          [ctx.organizationId, ctx.mode, projectId, id, MAX_COUNTED],
        ),
      );
      counts.push(open);
    }
    return candidates[counts.indexOf(Math.min(...counts))];
  }
}
