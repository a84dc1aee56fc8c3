import { ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { InboundMailRow } from '../model/mails.entity.js';

/** Erases mails as they were received after the retention of their mailbox; what is known about them stays. */
@ScheduledJob({
  name: 'desk.erase_raw_mails',
  everySeconds: 600,
})
export class EraseRawMails implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, project_id, mode FROM desk_inbound_mails WHERE raw_until_at <= $1`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const mail = await tx.lock(InboundMailRow, id);
      if (mail.raw_until_at !== null && mail.raw_until_at <= now) await tx.update(mail, { content: null, raw_until_at: null });
    });
  }
}
