import {
  DAY_MS,
  Mails,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../../../kit/index.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { AuditEntry } from '../../../model/records/audit-entry.entity.js';
import { Document } from '../../../model/records/document.entity.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { Invitations } from './invitations.service.js';
import { endingSoonMail } from './signing-mails.js';

const WARNED = 'papers.deadline_warning';

/**
 * Warns the parties that have not signed, and the sender, some days before the deadline if the document says so. A party that was asked
 * within a day is not warned. The audit trail records the deadline of which they were warned.
 */
@ScheduledJob({
  name: 'documents.deadlines',
  everySeconds: 600,
})
export class WarnDeadlines implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly contacts: DocumentContacts,
    private readonly invitations: Invitations,
    private readonly moves: DocumentMoves,
  ) {}

  /** No warning comes more than 30 days before the deadline, so that the index is used. */
  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT d.id, d.organization_id, d.project_id, d.mode FROM ${table(Document)} d
      WHERE d.state IN ('sent', 'partially_signed') AND d.signing_deadline_at > ${now}
        AND d.signing_deadline_at <= ${now}::timestamptz + interval '30 days'
        AND d.signing_deadline_at <= ${now}::timestamptz + make_interval(days => (d.sending->>'warn_days')::integer)
        AND EXISTS (
          SELECT 1 FROM ${table(SignatureParty)} p
          WHERE p.document_id = d.id AND p.revision = d.revision AND p.status IN ('invited', 'viewed')
            AND p.invited_at <= ${now}::timestamptz - interval '1 day')
        AND NOT EXISTS (
          SELECT 1 FROM ${table(AuditEntry)} a
          WHERE a.document_id = d.id AND a.action = ${WARNED} AND (a.detail->>'deadline_at')::timestamptz = d.signing_deadline_at)`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      const deadline_at = document.signing_deadline_at?.toISOString();
      if (!isBeingSigned(document.state) || deadline_at === undefined) return;
      const earlier = await tx.list(AuditEntry, { document_id: id, action: WARNED });
      if (earlier.some(({ detail }) => detail.deadline_at === deadline_at)) return;
      const open = await tx.list(SignatureParty, { document_id: id, revision: document.revision, status: ['invited', 'viewed'] });
      const parties = open.filter(({ invited_at }) => invited_at !== null && invited_at.getTime() <= now.getTime() - DAY_MS);
      if (parties.length === 0) return;
      for (const party of parties) await this.invitations.warn(ctx, tx, document, party);
      const subject = await this.invitations.subjectOf(ctx, document);
      for (const to of await this.contacts.senders(ctx, tx, document)) await this.mails.send(ctx, tx, endingSoonMail(to, subject));
      const reminded = parties.map(({ email }) => email);
      await this.moves.record(ctx, tx, document, WARNED, { to_state: document.state, detail: { deadline_at, reminded } });
      await tx.advanced.touch(document);
    });
  }
}
