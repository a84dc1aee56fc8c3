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
import { StockDifference } from '../model/difference.entity.js';
import { InventoryItem } from '../model/item.entity.js';
import { differences, MOST_DIFFERENCES } from './comparison-sql.js';

type Difference = Pick<StockDifference, 'item_id' | 'subject' | 'subject_id' | 'stored' | 'computed'>;

/**
 * Compares the live stock of each project with its movements and reservations every night. Differences are logged and listed for
 * members, and never repaired silently.
 */
@ScheduledJob({
  name: 'inventory.compare_stock',
  everySeconds: 24 * 3_600,
})
export class CompareStock implements ScheduledJobHandler {
  private readonly log = new Logger('Stock comparison');

  constructor(private readonly store: Store) {}

  due(): Sql {
    return projectsWith(InventoryItem, sql`r.mode = 'live'`);
  }

  async handle(ctx: Ctx, { id: projectId }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      // the planner expects far too few rows of one project among many, and would go through all sums for each item
      await tx.sql(sql`SET LOCAL enable_nestloop = off`);
      const found = await tx.sql<Difference>(differences(projectId));
      const added = await keepDifferences(tx, StockDifference, { projectId, found, most: MOST_DIFFERENCES });
      for (const { subject, subject_id, item_id, stored, computed } of added)
        this.log.error(`${subject} ${subject_id} of item ${item_id} is ${stored} instead of ${computed}`);
    });
  }
}
