import { ScheduledJob, Store, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { Invitee } from '../model/records/invitee.entity.js';

interface SettledMail extends DueRow {
  mail_id: string;
  status: 'sent' | 'failed';
  sent_at: Date | null;
  error: string | null;
}

const DUE = `
  SELECT i.id, i.organization_id, i.project_id, i.mode, i.mail_id, m.status, m.sent_at, m.error
  FROM schedule_invitees i JOIN mails m ON m.organization_id = i.organization_id AND m.id = i.mail_id
  WHERE i.invitation_status IN ('queued', 'failed')
    AND (m.status = 'sent' OR i.invitation_status = 'queued' AND m.status = 'failed')`;

/** Copies the delivery status of the latest invitation to the invitee, because the outbox keeps mails for a limited time only. */
@ScheduledJob({
  name: 'schedule.invitations',
  everySeconds: 5,
  followsMails: true,
})
export class FollowInvitations implements ScheduledJobHandler<SettledMail> {
  constructor(private readonly store: Store) {}

  due(): DueQuery {
    return { sql: DUE, values: [] };
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
