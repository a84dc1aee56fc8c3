import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { invalid, Jobs, organizationName, Store, type Ctx } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { EraseTestData } from './erase-test-data.job.js';
import { PurgeTestRows } from './purge-test-rows.js';
import { TestDataDto, TestDataErasureDto } from './test-data.dto.js';
import { TestDataErasure } from './test-data-erasure.entity.js';

/** What test keys created, and erasing it. */
@Injectable()
export class TestDataService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly jobs: Jobs,
    private readonly testRows: PurgeTestRows,
  ) {}

  async read(ctx: Ctx): Promise<TestDataDto> {
    const [counts, last] = await Promise.all([this.testRows.count(ctx.organizationId), this.lastOf(ctx)]);
    return {
      object: 'test_data',
      total: sum(counts.values()),
      by_module: [...counts].map(([module, rows]) => ({ module, rows })),
      last_erasure: last && TestDataErasureDto.from(last),
    };
  }

  get(ctx: Ctx, id: string): Promise<TestDataErasure> {
    return this.store.get(ctx, TestDataErasure, id);
  }

  /** Starts a job, or returns the one that is running. */
  async erase(ctx: Ctx, givenName: string): Promise<TestDataErasure> {
    return this.store.write(ctx, async (tx) => {
      const name = await organizationName(tx);
      if (name !== givenName) throw invalid('organization_name', 'must be the name of the organization whose test data is erased');
      await tx.advanced.mutex(`erase test data ${ctx.organizationId}`);
      const [running] = await tx.list(TestDataErasure, { status: 'running' });
      if (running) return running;
      const total = sum((await this.testRows.count(ctx.organizationId, tx)).values());
      const erasure = await tx.insert(TestDataErasure, {
        requested_by: ctx.memberId,
        status: 'running',
        total,
        deleted: {},
        finished_at: null,
      });
      await this.jobs.add(ctx, tx, EraseTestData, { erasure_id: erasure.id });
      return erasure;
    });
  }

  private async lastOf(ctx: Ctx): Promise<TestDataErasure | null> {
    const { rows } = await poolOf(this.dataSource).query<{ id: string }>(
      `SELECT id FROM test_data_erasures WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
      [ctx.organizationId],
    );
    return rows.length > 0 ? this.get(ctx, rows[0].id) : null;
  }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
