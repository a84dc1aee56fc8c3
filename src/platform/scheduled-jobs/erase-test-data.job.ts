import { Injectable } from '@nestjs/common';
import { Job, Store, type Ctx, type JobHandler, type JobRun } from '../../kit/index.js';
import { PurgeTestRows } from './purge-test-rows.js';
import { TestDataErasure } from './test-data-erasure.entity.js';

/** Time between two updates of the progress. */
const PASS_MS = 2_000;
const ATTEMPTS = 6;

interface Payload {
  erasure_id: string;
}

/** Erases test rows until none is left, and records the progress. Locked rows are tried again later. */
@Injectable()
@Job({
  name: 'platform.erase_test_data',
  attempts: ATTEMPTS,
})
export class EraseTestData implements JobHandler<Payload> {
  constructor(
    private readonly store: Store,
    private readonly testRows: PurgeTestRows,
  ) {}

  async run(ctx: Ctx, { erasure_id }: Payload, { attempt, signal }: JobRun): Promise<void> {
    let left = await this.testRows.count(ctx.organizationId);
    for (let before = Infinity; totalOf(left) > 0 && totalOf(left) < before;) {
      before = totalOf(left);
      await this.testRows.erase(ctx.organizationId, PASS_MS, signal);
      const now = await this.testRows.count(ctx.organizationId);
      await this.note(ctx, erasure_id, left, now, totalOf(now) === 0 ? 'done' : 'running');
      left = now;
    }
    if (totalOf(left) === 0) return this.note(ctx, erasure_id, left, left, 'done');
    if (attempt >= ATTEMPTS) return this.note(ctx, erasure_id, left, left, 'failed');
    throw new Error(`${totalOf(left)} test rows are locked, or referred to by others.`);
  }

  private note(
    ctx: Ctx,
    id: string,
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, number>,
    status: TestDataErasure['status'],
  ): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const erasure = await tx.lock(TestDataErasure, id);
      if (erasure.status !== 'running') return;
      const deleted = { ...erasure.deleted };
      for (const [module, rows] of before) {
        // test keys may create rows in the meantime
        const gone = Math.max(0, rows - (after.get(module) ?? 0));
        if (gone > 0) deleted[module] = (deleted[module] ?? 0) + gone;
      }
      await tx.update(erasure, { deleted, status, finished_at: status === 'running' ? null : new Date() });
    });
  }
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, rows) => total + rows, 0);
}
