import {
  MAILS,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type MailStatus,
  type ScheduledJobHandler,
  type Sql,
} from '../../../../../kit/index.js';
import { UndeliveredMails } from '../../deliveries/undelivered-mails.service.js';
import { DocumentViews } from '../../../views/document-views.js';
import { Document } from '../../../model/records/document.entity.js';
import { SendingService } from './sending.service.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';

interface SentInvitation extends DueRow {
  document_id: string;
  mail_id: string;
  status: MailStatus;
  error: string | null;
}

/**
 * Records whether invitations to sign were delivered.
 * The first one makes the document `sent`, also if it failed before and was sent again; if one was rejected, notifies the sender of the
 * document.
 */
@ScheduledJob({
  name: 'documents.invitations',
  everySeconds: 5,
  followsMails: true,
})
export class FollowInvitations implements ScheduledJobHandler<SentInvitation> {
  constructor(
    private readonly store: Store,
    private readonly sending: SendingService,
    private readonly views: DocumentViews,
    private readonly undelivered: UndeliveredMails,
  ) {}

  /** Invitations on their way, and those that failed and were sent again lately. */
  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.mail_id, m.status, m.error
      FROM ${table(SignatureParty)} p JOIN ${MAILS} m ON m.organization_id = p.organization_id AND m.id = p.mail_id
      WHERE p.invitation = 'sending' AND m.status <> 'queued'
      UNION ALL
      SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.mail_id, m.status, m.error
      FROM ${MAILS} m JOIN ${table(SignatureParty)} p ON p.organization_id = m.organization_id AND p.mail_id = m.id
      WHERE m.resent AND m.updated_at > now() - interval '7 days' AND m.status = 'sent' AND p.invitation = 'failed'`;
  }

  handle(ctx: Ctx, { id, document_id, mail_id, status, error }: SentInvitation): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, document_id);
      const party = await tx.get(SignatureParty, id);
      // a reminder may have been sent in the meantime, by another mail
      const isResent = party.invitation === 'failed' && status === 'sent';
      if (party.mail_id !== mail_id || (party.invitation !== 'sending' && !isResent)) return;
      const before = await this.views.of(ctx, document);
      const followed = await tx.update(party, { invitation: status === 'failed' ? 'failed' : 'accepted' });
      if (party.status !== 'invited') return;
      if (status !== 'failed' && document.send_request) {
        await this.sending.confirm(ctx, tx, document, before);
        return;
      }
      const shown = await tx.advanced.touch(await (status === 'failed' ? this.sending.reject(tx, document) : document));
      if (status === 'failed' && (isBeingSigned(document.state) || document.send_request))
        await this.undelivered.report(ctx, tx, shown, followed, 'signature', error);
    });
  }
}
