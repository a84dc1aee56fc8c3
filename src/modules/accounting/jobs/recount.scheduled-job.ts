import { Logger } from '@nestjs/common';
import { projectsWith, ScheduledJob, sql, Store, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { AccountingDifference } from '../model/difference.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';
import { MOST_DIFFERENCES, recount } from './recount-sql.js';

type Found = Pick<AccountingDifference, 'subject' | 'subject_id' | 'stored' | 'computed'>;

/**
 * Compares stored figures of live mode with entries and allocations every night. Differences are logged and listed for members, and
 * never repaired silently.
 */
@ScheduledJob({
  name: 'accounting.recount',
  everySeconds: 24 * 3_600,
})
export class Recount implements ScheduledJobHandler {
  private readonly log = new Logger('Accounting recount');

  constructor(private readonly store: Store) {}

  due(): Sql {
    return projectsWith(JournalLineRow, sql`r.mode = 'live'`);
  }

  async handle(ctx: Ctx, { id: project_id }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const found = await tx.sql<Found>(recount(project_id));
      const known = await tx.list(AccountingDifference, { project_id, resolved_at: null });
      const open = new Map(known.map((row) => [`${row.subject} ${row.subject_id}`, row]));
      for (const one of found) {
        const key = `${one.subject} ${one.subject_id}`;
        const row = open.get(key);
        open.delete(key);
        if (row) await tx.update(row, { stored: one.stored, computed: one.computed });
        else {
          await tx.insert(AccountingDifference, { ...one, project_id, resolved_at: null });
          this.log.error(`${key} is ${one.stored} instead of ${one.computed}`);
        }
      }
      if (found.length < MOST_DIFFERENCES) for (const gone of open.values()) await tx.update(gone, { resolved_at: tx.startedAt });
    });
  }
}
