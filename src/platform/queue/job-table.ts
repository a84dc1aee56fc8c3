import { Injectable, type Type } from '@nestjs/common';
import { Jobs, type Actor, type Ctx, type JobHandler, type Tx } from '../../kit/index.js';
import { jobOf, platformSql } from '../../kit/internal.js';
import { HAS_JOB, INSERT_JOB, jobRow } from './job-row.js';
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
    await this.insert(tx, jobRow(ctx, jobOf(job).name, JSON.stringify(payload), options), options.dueAt === undefined);
  }

  async ensure<P extends object>(
    ctx: Ctx,
    tx: Tx,
    job: Type<JobHandler<P>>,
    payload: P,
    { key, actor = ctx.actor }: { key: string; actor?: Actor },
  ): Promise<void> {
    const { organizationId, projectId, mode, memberId } = ctx;
    const { name } = jobOf(job);
    if ((await tx.sql(platformSql(HAS_JOB, [organizationId, mode, name, key]))).length > 0) return;
    await this.insert(tx, jobRow({ organizationId, projectId, mode, actor, memberId }, name, JSON.stringify(payload), { key }), true);
  }

  private async insert(tx: Tx, row: ReturnType<typeof jobRow>, isDue: boolean): Promise<void> {
    await tx.sql(platformSql(INSERT_JOB, row));
    if (isDue) tx.afterCommit(() => this.notifier.notify(JOB_QUEUE));
  }
}
