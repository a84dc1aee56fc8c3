import { Logger } from '@nestjs/common';
import { ScheduledJob, Store, sql, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { StockDifference, type DifferenceSubject } from '../model/difference.entity.js';
import { DIFFERENCES, MOST_DIFFERENCES } from './comparison-sql.js';

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

  due(): DueQuery {
    return {
      sql: `SELECT p.id, p.organization_id, p.id AS project_id, 'live' AS mode FROM projects p
            WHERE EXISTS (SELECT FROM inventory_items i WHERE i.project_id = p.id AND i.mode = 'live')`,
      values: [],
    };
  }

  async handle(ctx: Ctx, { id: projectId }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const values = [ctx.organizationId, projectId, ctx.mode];
      // the planner expects far too few rows of one project among many, and would go through all sums for each item
      await tx.query(sql.legacy('SET LOCAL enable_nestloop = off'));
      const found = await tx.query<Found>(sql.legacy(DIFFERENCES, values));
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
