import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler, Store } from '../../../kit/index.js';
import { OutboundMailRow } from '../model/mails.entity.js';
import { MailFailures } from './mail-failures.service.js';

interface SettledMail extends DueRow {
  status: 'sent' | 'failed';
  error: string | null;
}

const DUE = `
  SELECT o.id, o.organization_id, o.project_id, o.mode, m.status, m.error
  FROM desk_outbound_mails o JOIN mails m ON m.organization_id = o.organization_id AND m.id = o.mail_id
  WHERE o.status IN ('queued', 'failed', 'held')
    AND CASE o.status WHEN 'queued' THEN m.status IN ('sent', 'failed') ELSE m.status = 'sent' AND m.sent_at > o.updated_at END`;

/**
 * Copies the delivery status of each mail, also of one that was sent again after it failed, because the outbox keeps mails for a limited
 * time only. Failures are shown on the ticket.
 */
@ScheduledJob({
  name: 'desk.deliveries',
  everySeconds: 5,
  followsMails: true,
})
export class FollowDeliveries implements ScheduledJobHandler<SettledMail> {
  constructor(
    private readonly store: Store,
    private readonly failures: MailFailures,
  ) {}

  due(): DueQuery {
    return { sql: DUE, values: [] };
  }

  handle(ctx: Ctx, { id, status, error }: SettledMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [mail] = await tx.lockWhere(OutboundMailRow, { id, status: ['queued', 'failed', 'held'] });
      if (mail && status === 'failed') await this.failures.note(ctx, tx, mail, error ?? 'the mail server refused it');
      else if (mail) await tx.update(mail, { status, error });
    });
  }
}
