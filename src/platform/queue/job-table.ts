import { Injectable, type Type } from '@nestjs/common';
import { Jobs, type Ctx, type JobHandler, type Tx } from '../../kit/index.js';
import { jobOf, platformSql } from '../../kit/internal.js';
import { INSERT_JOB, jobRow } from './job-row.js';
import { JobNotifier } from './job-notifier.js';

export const JOB_QUEUE = 'jobs.run';

/** Implements the kit's `Jobs`: rows of the table `jobs`, written in the caller's transaction. */
@Injectable()
export class JobTable extends Jobs {
  constructor(private readonly notifier: JobNotifier) {
    super();
  }

  async add<P extends object>(
    ctx: Ctx,
    tx: Tx,
    job: Type<JobHandler<P>>,
    payload: P,
    options: { dueAt?: Date; key?: string } = {},
  ): Promise<void> {
    await tx.sql(platformSql(INSERT_JOB, jobRow(ctx, jobOf(job).name, JSON.stringify(payload), options)));
    if (options.dueAt === undefined) tx.afterCommit(() => this.notifier.notify(JOB_QUEUE));
  }
}
