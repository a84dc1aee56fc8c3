import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { dropEmptyPartitions, makePartitions } from '../persistence/partitions/partitions.js';
import { runAll } from '../scheduled-jobs/all-steps.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';

export const AUDIT_RETENTION = 'platform.audit_retention';
const BATCH = 500;
const TABLE = 'audit_entries';

/**
 * Deletes the entries of the audit log after their retention, from the oldest of each chain on: the only deletion that the database
 * permits. Then makes the partitions of the next days and drops those that are empty. Whoever reads the table for long, such as a backup,
 * can delay only that.
 */
@Injectable()
export class AuditRetention implements ScheduledWork {
  readonly name = AUDIT_RETENTION;
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
    const steps = [
      () => this.deleteEntries(before, signal),
      // by the clock, also in a run as of a later time
      () => makePartitions(pool, TABLE, this.keepDays, new Date()),
      () => dropEmptyPartitions(pool, TABLE, before),
    ];
    await runAll(
      steps.map((run) => ({ subject: TABLE, run })),
      'The retention failed for',
      signal,
    );
  }

  private async deleteEntries(before: Date, signal: AbortSignal): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      signal.throwIfAborted();
      const { rows } = await poolOf(this.dataSource).query<{ deleted: number }>('SELECT delete_audit_entries($1, $2) AS deleted', [
        before,
        BATCH,
      ]);
      deleted = rows[0].deleted;
    }
  }
}
