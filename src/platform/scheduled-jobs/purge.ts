import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, firstIdAt } from '../../kit/index.js';
import type { RetentionRule } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { dropPartitions, isLong, makePartitions, partitionsOf } from '../persistence/partitions/partitions.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { runAll, type Step } from './all-steps.js';
import { ScheduledJobRunner, type ScheduledWork } from './scheduled-job-runner.js';

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
    const steps = this.registry.retention().flatMap((rule) => this.stepsOf(rule, now, signal));
    await runAll(steps, 'Rows could not be deleted from', signal);
  }

  /** A reader who delays the drop of partitions must not delay that new ones are made, nor the other way round. */
  private stepsOf(rule: RetentionRule, now: Date, signal: AbortSignal): Step[] {
    const pool = poolOf(this.dataSource);
    const { table: subject, keepDays, partitioned, partitions } = rule;
    const before = new Date(now.getTime() - keepDays * DAY_MS);
    const deletion = { subject, run: () => this.deleteOld(rule, before, signal) };
    if (!partitioned) return [deletion];
    return [
      // by the clock, also in a run as of a later time: a hole would remain up to there
      { subject, run: () => makePartitions(pool, subject, keepDays, new Date(), partitions) },
      { subject, run: () => dropPartitions(pool, subject, before) },
      deletion,
    ];
  }

  private async deleteOld(rule: RetentionRule, before: Date, signal: AbortSignal): Promise<void> {
    const { table, keepDays, partitioned, partitions: parts } = rule;
    const partitions = await partitionsOf(poolOf(this.dataSource), table);
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
