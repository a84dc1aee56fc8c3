import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../kit/index.js';
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

  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT p.id, p.organization_id, NULL::uuid AS project_id, 'live' AS mode FROM ${table(RegulatoryRulePack)} p WHERE p.active`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date, signal: AbortSignal): Promise<void> {
    const pack = await this.store.find(ctx, RegulatoryRulePack, id);
    if (pack) await this.drift.check(ctx, pack, now, signal);
  }
}
