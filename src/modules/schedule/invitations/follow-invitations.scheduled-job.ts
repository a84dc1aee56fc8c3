import { MAILS, ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../kit/index.js';
import { Invitee } from '../model/records/invitee.entity.js';

interface SettledMail extends DueRow {
  mail_id: string;
  status: 'sent' | 'failed';
  sent_at: Date | null;
  error: string | null;
}

const NEVER_SENT = 'It was not sent before it left the outbox.';
/** Copies the delivery status of the latest invitation to the invitee, because the outbox keeps mails for a limited time only. */
@ScheduledJob({
  name: 'schedule.invitations',
  everySeconds: 5,
  followsMails: true,
})
export class FollowInvitations implements ScheduledJobHandler<SettledMail> {
  constructor(private readonly store: Store) {}

  /** Mails on their way, also those that left the outbox unsent, and those that were sent again lately. */
  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode, i.mail_id, coalesce(m.status, 'failed') AS status, m.sent_at,
        CASE WHEN m.id IS NULL THEN ${NEVER_SENT} ELSE m.error END AS error
      FROM ${table(Invitee)} i LEFT JOIN ${MAILS} m ON m.organization_id = i.organization_id AND m.id = i.mail_id
      WHERE i.invitation_status = 'queued' AND i.mail_id IS NOT NULL AND (m.id IS NULL OR m.status IN ('sent', 'failed'))
      UNION ALL
      SELECT i.id, i.organization_id, i.project_id, i.mode, i.mail_id, m.status, m.sent_at, m.error
      FROM ${MAILS} m JOIN ${table(Invitee)} i ON i.organization_id = m.organization_id AND i.mail_id = m.id
      WHERE m.resent AND m.updated_at > now() - interval '7 days' AND m.status = 'sent' AND i.invitation_status = 'failed'`;
  }

  handle(ctx: Ctx, { id, mail_id, status, sent_at, error }: SettledMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const [invitee] = await tx.lockWhere(Invitee, { id, mail_id, invitation_status: ['queued', 'failed'] });
      // a newer invitation may have been mailed in the meantime, or the person removed
      if (!invitee) return;
      await tx.update(invitee, { invitation_status: status, invitation_sent_at: sent_at, invitation_error: error });
    });
  }
}
