import { ScheduledJob, sql, Store, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../../kit/index.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { Document, type Sending } from '../../../model/records/document.entity.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { DocumentMoves } from '../../moves/document-moves.js';
import { DocumentSettings } from '../../../settings/document-settings.entity.js';
import { Invitations } from './invitations.service.js';

interface WaitingParty extends DueRow {
  document_id: string;
}

/** The most automatic reminders of a document with reminders of its own: they end with its deadline or with the signature. */
const MOST_OF_DOCUMENT = 30;

/** Reminds parties that have not signed, as often as the document says, or else the settings of the organization. */
@ScheduledJob({
  name: 'documents.remind_parties',
  everySeconds: 600,
})
export class RemindParties implements ScheduledJobHandler<WaitingParty> {
  constructor(
    private readonly store: Store,
    private readonly invitations: Invitations,
    private readonly moves: DocumentMoves,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id
      FROM ${table(SignatureParty)} p
      JOIN ${table(DocumentSettings)} s ON s.organization_id = p.organization_id
      JOIN ${table(Document)} d ON d.id = p.document_id AND d.revision = p.revision
      WHERE p.status IN ('invited', 'viewed') AND p.invitation = 'accepted'
        AND p.reminders < CASE WHEN d.sending ?| ARRAY['remind_after_days', 'remind_every_days'] THEN ${MOST_OF_DOCUMENT}::integer
          ELSE s.reminder_count END
        AND p.invited_at <= ${now}::timestamptz - make_interval(days => COALESCE(
          CASE WHEN p.reminders > 0 THEN (d.sending->>'remind_every_days')::integer END,
          (d.sending->>'remind_after_days')::integer, (d.sending->>'remind_every_days')::integer, s.reminder_days))
        AND d.state IN ('sent', 'partially_signed') AND (d.signing_deadline_at IS NULL OR d.signing_deadline_at > ${now})`;
  }

  handle(ctx: Ctx, { id, document_id }: WaitingParty, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, document_id);
      const party = await tx.find(SignatureParty, id);
      const [settings] = await tx.list(DocumentSettings);
      // it may have signed, or been reminded by a member, in the meantime
      if (!party || !isBeingSigned(document.state) || !isDue(party, document.sending, settings, now)) return;
      await this.invitations.remind(ctx, tx, document, party, { reminders: party.reminders + 1 });
      await this.moves.record(ctx, tx, document, 'papers.remind', {
        to_state: document.state,
        detail: { party: party.key, reminded: [party.email], automatic: party.reminders + 1 },
      });
      await tx.advanced.touch(document);
    });
  }
}

function isDue(
  { status, invited_at, reminders }: SignatureParty,
  sending: Sending | null,
  { reminder_days, reminder_count }: DocumentSettings,
  now: Date,
): boolean {
  const { remind_after_days: after, remind_every_days: every } = sending ?? {};
  const days = (reminders > 0 ? every : null) ?? after ?? every ?? reminder_days;
  const most = (after ?? every) ? MOST_OF_DOCUMENT : reminder_count;
  if ((status !== 'invited' && status !== 'viewed') || invited_at === null || days === null) return false;
  return reminders < most && invited_at.getTime() + days * 86_400_000 <= now.getTime();
}
