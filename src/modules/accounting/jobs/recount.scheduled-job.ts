import { Logger } from '@nestjs/common';
import {
  keepDifferences,
  projectsWith,
  ScheduledJob,
  sql,
  Store,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { AccountingDifference } from '../model/difference.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';
import { MOST_DIFFERENCES, recount } from './recount-sql.js';

type Difference = Pick<AccountingDifference, 'subject' | 'subject_id' | 'stored' | 'computed'>;

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

  async handle(ctx: Ctx, { id: projectId }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const found = await tx.sql<Difference>(recount(projectId));
      const added = await keepDifferences(tx, AccountingDifference, { projectId, found, most: MOST_DIFFERENCES });
      for (const { subject, subject_id, stored, computed } of added)
        this.log.error(`${subject} ${subject_id} is ${stored} instead of ${computed}`);
    });
  }
}
