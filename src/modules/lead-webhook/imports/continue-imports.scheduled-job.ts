import { Jobs, ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { ImportLeads } from './import-leads.job.js';
import { LeadImport } from './lead-import.entity.js';

const LOST_AFTER_MS = 60 * 60_000;

/** Continues imports whose job was lost: it ended in a process of an earlier version, which did not find their file. */
@ScheduledJob({
  name: 'lead_webhook.continue_imports',
  everySeconds: 600,
})
export class ContinueImports implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly jobs: Jobs,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(LeadImport)} i
      WHERE i.finished_at IS NULL AND i.updated_at <= ${new Date(now.getTime() - LOST_AFTER_MS)}`;
  }

  async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const [row] = await tx.lockWhere(LeadImport, { id, finished_at: null });
      if (row) await this.jobs.ensure(ctx, tx, ImportLeads, { import_id: id }, { key: id, actor: row.created_by });
    });
  }
}
