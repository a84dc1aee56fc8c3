import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { isLong, makePartitions, partitionsOf, type Partition } from '../persistence/partitions/partitions.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';

const DAY_MS = 24 * 60 * 60_000;
const BATCH = 2_000;
const TABLE = 'audit_entries';

/**
 * Drops partitions of the audit log after its retention, and makes those of the next days. Entries in a partition that is longer, such as
 * those from before there were partitions, are deleted from the oldest on: the only deletion that the database permits.
 */
@Injectable()
export class AuditRetention implements ScheduledWork {
  readonly name = 'platform.audit_retention';
  readonly everySeconds = 60 * 60;

  constructor(
    private readonly dataSource: DataSource,
    runner: ScheduledJobRunner,
    private readonly keepDays: number,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    const before = new Date(now.getTime() - this.keepDays * DAY_MS);
    // by the clock, also in a run as of a later time
    await makePartitions(pool, TABLE, this.keepDays, new Date());
    for (let dropped = true; dropped;) {
      signal.throwIfAborted();
      dropped = (await pool.query<{ dropped: boolean }>('SELECT drop_audit_partition($1) AS dropped', [before])).rows[0].dropped;
    }
    if (!(await this.hasOldEntries(before))) return;
    for (let deleted = BATCH; deleted === BATCH;) {
      signal.throwIfAborted();
      deleted = (await pool.query<{ deleted: number }>('SELECT delete_audit_entries($1, $2) AS deleted', [before, BATCH])).rows[0].deleted;
    }
  }

  /** Those that do not go with their partition soon. */
  private async hasOldEntries(before: Date): Promise<boolean> {
    const pool = poolOf(this.dataSource);
    const mayHave = (one: Partition) => isLong(one, this.keepDays) && (one.begins_at === null || one.begins_at < before);
    for (const { name } of (await partitionsOf(pool, TABLE)).filter(mayHave)) {
      const { rows } = await pool.query(`SELECT FROM ${name} WHERE id < $1 LIMIT 1`, [firstIdAt(before.getTime())]);
      if (rows.length > 0) return true;
    }
    return false;
  }
}
