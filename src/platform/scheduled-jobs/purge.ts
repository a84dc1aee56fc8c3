import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../../kit/index.js';
import type { RetentionRule } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { dropPartitions, isLong, makePartitions, partitionsOf } from '../persistence/partitions/partitions.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner, type ScheduledWork } from './scheduled-job-runner.js';

const DAY_MS = 24 * 60 * 60_000;
const ROWS_PER_DELETE = 5_000;

/**
 * Deletes rows after their retention period, by the rules of the platform and modules: in partitioned tables whole partitions, whose
 * successors it makes.
 */
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

  private async apply(rule: RetentionRule, now: Date, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    const { table, keepDays, partitioned, partitions: parts } = rule;
    const before = new Date(now.getTime() - keepDays * DAY_MS);
    if (partitioned) {
      // by the clock, also in a run as of a later time: a hole would remain up to there
      await makePartitions(pool, table, keepDays, new Date(), parts);
      await dropPartitions(pool, table, before);
    }
    const partitions = await partitionsOf(pool, table);
    // one after the other: a ctid identifies a row of one of them only
    const tables = partitions.filter((partition) => !partitioned || isLong(partition, keepDays, parts)).map(({ name }) => name);
    for (const name of partitions.length === 0 ? [table] : tables) await this.deleteRows(name, rule, before, signal);
  }

  /** In batches, so that locks and transactions are short. */
  private async deleteRows(
    table: string,
    { column, columnType, where = 'true', batch = ROWS_PER_DELETE }: RetentionRule,
    before: Date,
    signal: AbortSignal,
  ): Promise<void> {
    const values = [columnType === 'uuidv7' ? firstIdAt(before.getTime()) : before, batch];
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
