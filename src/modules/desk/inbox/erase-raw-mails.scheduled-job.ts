import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';

/** Erases mails as they were received after the retention of their mailbox; what is known about them stays. */
@ScheduledJob({
  name: 'desk.erase_raw_mails',
  everySeconds: 600,
})
export class EraseRawMails implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(InboundMailRow)} i WHERE i.raw_until_at <= ${now}`;
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const mail = await tx.lock(InboundMailRow, id);
      if (mail.raw_until_at !== null && mail.raw_until_at <= now)
        await tx.update(mail, { content: null, content_object_id: null, raw_until_at: null });
    });
  }
}
