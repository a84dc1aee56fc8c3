import { Logger } from '@nestjs/common';
import { projectsWith, ScheduledJob, sql, Store, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { StockDifference, type DifferenceSubject } from '../model/difference.entity.js';
import { InventoryItem } from '../model/item.entity.js';
import { differences, MOST_DIFFERENCES } from './comparison-sql.js';

interface Found {
  item_id: string;
  subject: DifferenceSubject;
  subject_id: string;
  stored: string;
  computed: string;
}

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
      const found = await tx.sql<Found>(differences(projectId));
      const known = await tx.list(StockDifference, { project_id: projectId, resolved_at: null });
      const isSame = (one: Found) => (other: StockDifference) => other.subject_id === one.subject_id && other.subject === one.subject;
      for (const row of known) {
        const now = found.find((one) => isSame(one)(row));
        if (now) await tx.update(row, { stored: now.stored, computed: now.computed });
        // otherwise it may be one of those that were left out
        else if (found.length < MOST_DIFFERENCES) await tx.update(row, { resolved_at: tx.startedAt });
      }
      for (const one of found.filter((candidate) => !known.some(isSame(candidate)))) {
        await tx.insert(StockDifference, { ...one, project_id: projectId, resolved_at: null });
        this.log.error(`${one.subject} ${one.subject_id} of item ${one.item_id} is ${one.stored} instead of ${one.computed}`);
      }
    });
  }
}
