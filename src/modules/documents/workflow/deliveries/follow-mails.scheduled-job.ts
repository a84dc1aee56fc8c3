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
} from '../../../../kit/index.js';
import { DocumentMail } from '../../model/records/document-mail.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { UndeliveredMails } from './undelivered-mails.service.js';

interface SettledMail extends DueRow {
  document_id: string;
  /** Null if it left the outbox unsent. */
  status: MailStatus | null;
  error: string | null;
}

/** Tells the sender of a document if a copy, the signed file, a signing code or the request for a decision could not be delivered. */
@ScheduledJob({
  name: 'documents.mails',
  everySeconds: 5,
  followsMails: true,
})
export class FollowMails implements ScheduledJobHandler<SettledMail> {
  constructor(
    private readonly store: Store,
    private readonly undelivered: UndeliveredMails,
  ) {}

  due(): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT d.id, d.organization_id, d.project_id, d.mode, d.document_id, m.status, m.error
      FROM ${table(DocumentMail)} d LEFT JOIN ${MAILS} m ON m.organization_id = d.organization_id AND m.id = d.mail_id
      WHERE m.id IS NULL OR m.status IN ('sent', 'failed')`;
  }

  handle(ctx: Ctx, { id, document_id, status, error }: SettledMail): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, document_id);
      const mail = await tx.find(DocumentMail, id);
      if (!mail) return;
      await tx.delete(mail);
      if (status === 'failed') await this.undelivered.report(ctx, tx, document, mail, mail.purpose, error);
    });
  }
}
