import { Contexts, Mails, Maintenance, Store, Sweep, type Ctx, type Mode, type SweepHandler } from '../../../kit/index.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../model/records/document.entity.js';
import { endedMail } from './validity-mails.js';
import { DocumentMoves } from '../moves/document-moves.js';

interface Due {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
}

type Reason = 'signing_deadline' | 'validity_end';

const BATCH = 100;

/** The last day of a validity belongs to it, as the project's clocks have it; the condition on the day alone is for the index. */
const DUE: Record<Reason, string> = {
  signing_deadline: `SELECT d.id, d.organization_id, d.project_id, d.mode FROM documents d
    WHERE d.state IN ('sent', 'partially_signed') AND d.signing_deadline_at <= $1 AND d.id <> ALL($2::uuid[]) ORDER BY d.signing_deadline_at LIMIT ${BATCH}`,
  validity_end: `SELECT d.id, d.organization_id, d.project_id, d.mode FROM documents d JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id
    WHERE d.state = 'executed' AND d.valid_until_on <= ($1::timestamptz AT TIME ZONE 'UTC')::date + 1 AND d.valid_until_on < ($1::timestamptz AT TIME ZONE p.timezone)::date
      AND d.id <> ALL($2::uuid[]) ORDER BY d.valid_until_on LIMIT ${BATCH}`,
};

/** Ends what was not signed in time, and what was valid until yesterday. */
@Sweep({ name: 'documents.expire', everySeconds: 60 })
export class ExpireDocuments implements SweepHandler {
  constructor(
    private readonly maintenance: Maintenance,
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly moves: DocumentMoves,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const reason of Object.keys(DUE) as Reason[]) {
      const seen: string[] = [];
      for (let due = await this.due(reason, now, seen); due.length > 0; due = await this.due(reason, now, seen)) {
        for (const { id, organization_id, project_id, mode } of due) {
          signal.throwIfAborted();
          seen.push(id);
          await this.expire(this.contexts.system({ organizationId: organization_id, projectId: project_id, mode }), id, reason, now).catch(
            (error: unknown) => failures.push(error),
          );
        }
      }
    }
    // one document that cannot be expired holds up no other
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} documents could not be expired.`);
  }

  private due(reason: Reason, now: Date, seen: readonly string[]): Promise<Due[]> {
    return this.maintenance.query<Due>(DUE[reason], [now, seen]);
  }

  private expire(ctx: Ctx, id: string, reason: Reason, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      // somebody may have signed, revoked or renewed it since it was found
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
      if (reason === 'validity_end')
        for (const to of await this.contacts.responsible(ctx, document)) await this.mails.send(ctx, tx, endedMail(to, document));
    });
  }
}
