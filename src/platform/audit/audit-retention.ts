import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/database/pool.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';

const DAY_MS = 24 * 60 * 60_000;
const BATCH = 2_000;

/** Deletes entries of the audit log after their retention: the only deletion that the database permits. */
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
    const before = new Date(now.getTime() - this.keepDays * DAY_MS);
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
