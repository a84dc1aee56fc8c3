import {
  Mails,
  projectDay,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../../kit/index.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { endedMail } from './validity-mails.js';
import { DocumentMoves } from '../moves/document-moves.js';

interface ExpiringDocument extends DueRow {
  reason: 'signing_deadline' | 'validity_end';
}

/** Expires documents that were not signed in time or whose validity has ended. */
@ScheduledJob({
  name: 'documents.expire',
  everySeconds: 60,
})
export class ExpireDocuments implements ScheduledJobHandler<ExpiringDocument> {
  constructor(
    private readonly store: Store,
    private readonly moves: DocumentMoves,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly looks: DocumentLooks,
  ) {}

  /**
   * The last day of the validity is included, in the project's time zone. The additional condition on the UTC day uses the index; no time
   * zone is more than a day ahead of it.
   */
  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT d.id, d.organization_id, d.project_id, d.mode, 'signing_deadline' AS reason FROM ${table(Document)} d
      WHERE d.state IN ('sent', 'partially_signed') AND d.signing_deadline_at <= ${now}
      UNION ALL
      SELECT d.id, d.organization_id, d.project_id, d.mode, 'validity_end' AS reason FROM ${table(Document)} d
      WHERE d.state = 'executed' AND d.valid_until_on <= (${now}::timestamptz AT TIME ZONE 'UTC')::date + 1
        AND d.valid_until_on < ${projectDay('d', now)}`;
  }

  handle(ctx: Ctx, { id, reason }: ExpiringDocument, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      // it may have been signed, revoked or renewed in the meantime
      const isDue =
        reason === 'validity_end'
          ? document.state === 'executed' && document.valid_until_on !== null
          : ['sent', 'partially_signed'].includes(document.state) &&
            document.signing_deadline_at !== null &&
            document.signing_deadline_at <= now;
      if (!isDue) return;
      await this.moves.move(ctx, tx, document, 'expire', 'expired', {
        changes: { expired_reason: reason },
        context: { expired: { reason } },
        detail: { reason },
      });
      if (reason !== 'validity_end') return;
      const look = await this.looks.of(ctx, document);
      for (const to of await this.contacts.responsible(ctx, document)) await this.mails.send(ctx, tx, endedMail(to, document, look));
    });
  }
}
