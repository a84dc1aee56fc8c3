import { Injectable, type Type } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { jobOf, Jobs, type Ctx, type JobHandler, type Tx } from '../../kit/index.js';
import { Wakes } from './wakes.js';

export const JOBS_WAKE = 'jobs.run';

/** The kit's `Jobs`: rows of the table `jobs`, written by the caller's transaction. */
@Injectable()
export class JobTable extends Jobs {
  constructor(private readonly wakes: Wakes) {
    super();
  }

  async add<P extends object>(ctx: Ctx, tx: Tx, job: Type<JobHandler<P>>, payload: P, { dueAt, key }: { dueAt?: Date; key?: string } = {}): Promise<void> {
    await tx.query(
      `INSERT INTO jobs (id, name, key, organization_id, project_id, mode, actor, member_id, payload, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, COALESCE($10, now()))
       ON CONFLICT (organization_id, mode, name, key) WHERE status = 'due' AND attempts = 0 DO NOTHING`,
      [uuidv7(), jobOf(job).name, key ?? null, ctx.organizationId, ctx.projectId, ctx.mode, JSON.stringify(ctx.actor), ctx.memberId, JSON.stringify(payload), dueAt ?? null],
    );
    if (dueAt === undefined) tx.afterCommit(() => this.wakes.wake(JOBS_WAKE));
  }
}
