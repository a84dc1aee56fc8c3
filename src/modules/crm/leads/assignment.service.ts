import { Injectable } from '@nestjs/common';
import { activeMembersOf, own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
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
    const candidates = await activeMembersOf(tx, rule.member_ids);
    if (candidates.length < 2) return candidates[0] ?? null;
    const series = `lead_assignment ${rule.id}`;
    // each lead counts those that were assigned before it
    if (rule.assign === 'least_open') await tx.advanced.mutex(`${series} ${ctx.mode}`);
    // no two leads get the same number; if creating a lead fails, its number is lost and its member is skipped once
    const drawn = await tx.next(series, lead.project_id);
    const rotated = candidates.map((_, index) => candidates[(drawn - 1 + index) % candidates.length]);
    return rule.assign === 'least_open' ? this.leastBusy(tx, lead.project_id, rotated) : rotated[0];
  }

  /** The first of those with the fewest open leads. */
  private async leastBusy(tx: Tx, projectId: string, candidates: readonly string[]): Promise<string> {
    const counts: number[] = [];
    for (const id of candidates) {
      const [{ open }] = await tx.sql<{ open: number }>(
        sql`SELECT count(*)::int AS open
          FROM (
            SELECT FROM ${table(Lead)} l WHERE ${own('l')} AND l.project_id = ${projectId} AND l.owner_id = ${id} AND l.status_kind = 'open'
            LIMIT ${MAX_COUNTED}
          ) AS counted`,
      );
      counts.push(open);
    }
    return candidates[counts.indexOf(Math.min(...counts))];
  }
}
