import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../../kit/index.js';
import type { RetentionRule } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner, type ScheduledWork } from './scheduled-job-runner.js';

const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_DELETE = 5_000;

/** Deletes rows after their retention period, by the rules of the platform and modules. */
@Injectable()
export class Purge implements ScheduledWork {
  readonly name = 'platform.purge';
  readonly everySeconds = 10 * 60;

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ModuleRegistry,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const failures: string[] = [];
    for (const rule of this.registry.retention()) {
      try {
        await this.apply(rule, now, signal);
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`${rule.table}: ${(error as Error).message}`);
      }
    }
    if (failures.length > 0) throw new Error(`Rows could not be deleted from ${failures.join('; ')}`);
  }

  /** In batches, so that locks and transactions are short. */
  private async apply(
    { table, column, columnType, keepDays, where = 'true', batch = ROWS_PER_DELETE }: RetentionRule,
    now: Date,
    signal: AbortSignal,
  ): Promise<void> {
    const cutoff = now.getTime() - keepDays * DAY_MS;
    const values = [columnType === 'uuidv7' ? firstIdAt(cutoff) : new Date(cutoff), batch];
    for (let deleted = batch; deleted === batch;) {
      signal.throwIfAborted();
      const { rowCount } = await poolOf(this.dataSource).query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE ${column} <= $1 AND (${where}) LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        values,
      );
      deleted = rowCount ?? 0;
    }
  }
}
