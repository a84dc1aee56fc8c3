import { ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../../kit/index.js';
import { RegulatoryDrift } from './regulatory-drift.js';
import { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';

/** Checks documents against all active packs once a day: rules come into force on their day, and documents change. */
@ScheduledJob({
  name: 'documents.regulatory_drift',
  everySeconds: 24 * 60 * 60,
})
export class CheckRulePacks implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly drift: RegulatoryDrift,
  ) {}

  due(): DueQuery {
    return {
      sql: `SELECT id, organization_id, NULL::uuid AS project_id, 'live' AS mode FROM regulatory_rule_packs WHERE active`,
      values: [],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date, signal: AbortSignal): Promise<void> {
    const pack = await this.store.find(ctx, RegulatoryRulePack, id);
    if (pack) await this.drift.check(ctx, pack, now, signal);
  }
}
