import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler, Store, type Tx } from '../../../../kit/index.js';
import { OutboundMailRow } from '../../model/mails.entity.js';
import type { Bounce } from '../inbound/inbound-mail.js';

interface SettledMail extends DueRow {
  status: 'sent' | 'failed';
  error: string | null;
}

const DUE = `
  SELECT o.id, o.organization_id, o.project_id, o.mode, m.status, m.error
  FROM desk_outbound_mails o JOIN mails m ON m.organization_id = o.organization_id AND m.id = o.mail_id
  WHERE o.status = 'queued' AND m.status IN ('sent', 'failed')`;

/** Copies the delivery status of each mail, because the outbox keeps mails for a limited time only. */
@ScheduledJob({
  name: 'desk.deliveries',
  everySeconds: 5,
  followsMails: true,
})
export class FollowDeliveries implements ScheduledJobHandler<SettledMail> {
  constructor(private readonly store: Store) {}

  due(): DueQuery {
    return { sql: DUE, values: [] };
  }

  handle(ctx: Ctx, { id, status, error }: SettledMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [mail] = await tx.lockWhere(OutboundMailRow, { id, status: 'queued' });
      if (mail) await tx.update(mail, { status, error });
    });
  }
}

/**
 * Records that a server accepted a mail and returned it later. The report is about one recipient. If it names none of ours, as after
 * forwarding, it counts if there was only one.
 */
export async function noteBounce({ organizationId, mode }: Ctx, tx: Tx, { messageIds, recipients, reason }: Bounce): Promise<void> {
  await tx.query(
    `UPDATE desk_outbound_mails o SET status = 'failed', error = $5, version = version + 1, updated_at = now()
     WHERE organization_id = $1 AND mode = $2 AND message_id = ANY ($3) AND status IN ('queued', 'sent')
       AND (recipient = ANY ($4) OR NOT EXISTS (
         SELECT FROM desk_outbound_mails other
         WHERE other.organization_id = $1 AND other.mode = $2 AND other.message_id = o.message_id AND other.id <> o.id))`,
    [organizationId, mode, messageIds, recipients, reason],
  );
}
