import { Jobs, ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { ReadMail } from './read-mail.job.js';

const LOST_AFTER_MS = 60 * 60_000;

/** Reads mails whose job was lost: it failed, or ended in a process of an earlier version, which did not find their content. */
@ScheduledJob({
  name: 'desk.read_waiting_mails',
  everySeconds: 600,
})
export class ReadWaitingMails implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly jobs: Jobs,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(InboundMailRow)} i
      WHERE i.status = 'received' AND i.updated_at <= ${new Date(now.getTime() - LOST_AFTER_MS)}`;
  }

  async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const [mail] = await tx.lockWhere(InboundMailRow, { id, status: 'received' });
      if (mail) await this.jobs.ensure(ctx, tx, ReadMail, { mail_id: id }, { key: id });
    });
  }
}
