import { MAILS, ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { OutboundMailRow } from '../model/mails.entity.js';
import { MailFailures } from './mail-failures.service.js';

interface SettledMail extends DueRow {
  status: 'sent' | 'failed';
  error: string | null;
}

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

  /**
   * Mails on their way, also those that left the outbox unsent, and those that were sent again lately: what failed or is held for good is
   * not looked at. One that a server returned failed after it was sent.
   */
  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT o.id, o.organization_id, o.project_id, o.mode, coalesce(m.status, 'failed') AS status, m.error
      FROM ${table(OutboundMailRow)} o LEFT JOIN ${MAILS} m ON m.organization_id = o.organization_id AND m.id = o.mail_id
      WHERE o.status = 'queued' AND o.mail_id IS NOT NULL AND (m.id IS NULL OR m.status IN ('sent', 'failed'))
      UNION ALL
      SELECT o.id, o.organization_id, o.project_id, o.mode, m.status, m.error
      FROM ${MAILS} m JOIN ${table(OutboundMailRow)} o
        ON o.organization_id = m.organization_id AND o.mode = m.mode AND o.message_id = m.message_id AND o.mail_id = m.id
      WHERE m.resent AND m.updated_at > now() - interval '7 days'
        AND (o.status = 'held' AND m.status IN ('sent', 'failed')
          OR o.status = 'failed' AND m.status = 'sent' AND m.sent_at > o.updated_at)`;
  }

  handle(ctx: Ctx, { id, status, error }: SettledMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [mail] = await tx.lockWhere(OutboundMailRow, { id, status: ['queued', 'failed', 'held'] });
      if (mail && status === 'failed') await this.failures.note(ctx, tx, mail, error ?? 'it was not sent');
      else if (mail) await tx.update(mail, { status, error });
    });
  }
}
