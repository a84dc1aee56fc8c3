import { Contexts, Mails, Maintenance, Projects, Store, Sweep, type Ctx, type Mode, type SweepHandler } from '../../../kit/index.js';
import { AuditEntry } from '../model/records/audit-entry.entity.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../model/records/document.entity.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { addDays, dayIn } from '../model/core/calendar-days.js';
import { endingMail } from './validity-mails.js';

interface Due {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
}

const BATCH = 100;
const REMINDED = 'papers.validity_reminder';
/** Days before the last one on which a mail goes out; of two that went by while nothing ran, only the later. */
const [EARLY, LATE] = [30, 7];

/** The day is the project's; the condition on UTC's alone, which no zone is more than a day ahead of, is for the index. */
const TODAY = '($1::timestamptz AT TIME ZONE p.timezone)::date';
const DUE = `
  SELECT d.id, d.organization_id, d.project_id, d.mode FROM documents d JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id
  WHERE d.state = 'executed' AND d.valid_until_on <= ($1::timestamptz AT TIME ZONE 'UTC')::date + ${EARLY + 1} AND d.valid_until_on BETWEEN ${TODAY} AND ${TODAY} + ${EARLY}
    AND d.id <> ALL($2::uuid[]) AND NOT EXISTS (
      SELECT 1 FROM document_audit_entries a WHERE a.document_id = d.id AND a.action = '${REMINDED}' AND a.detail->>'valid_until_on' = d.valid_until_on::text
        AND (a.detail->>'days')::integer = CASE WHEN d.valid_until_on <= ${TODAY} + ${LATE} THEN ${LATE} ELSE ${EARLY} END)
  ORDER BY d.valid_until_on LIMIT ${BATCH}`;

/** Mails who is responsible for a document that its validity ends soon. The audit trail says which mails have gone out. */
@Sweep({ name: 'documents.validity', everySeconds: 300 })
export class RemindValidity implements SweepHandler {
  constructor(
    private readonly maintenance: Maintenance,
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly moves: DocumentMoves,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const seen: string[] = [];
    for (let due = await this.due(now, seen); due.length > 0; due = await this.due(now, seen)) {
      for (const { id, organization_id, project_id, mode } of due) {
        signal.throwIfAborted();
        seen.push(id);
        await this.remind(this.contexts.system({ organizationId: organization_id, projectId: project_id, mode }), id, now).catch(
          (error: unknown) => failures.push(error),
        );
      }
    }
    // one that nobody can be reminded of holds up no other
    if (failures.length > 0)
      throw new AggregateError(failures, `Nobody could be reminded of the validity of ${failures.length} documents.`);
  }

  private due(now: Date, seen: readonly string[]): Promise<Due[]> {
    return this.maintenance.query<Due>(DUE, [now, seen]);
  }

  private remind(ctx: Ctx, id: string, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      const { state, project_id, valid_until_on } = document;
      // somebody may have revoked or renewed it since it was found
      if (state !== 'executed' || valid_until_on === null) return;
      const { timezone } = await this.projects.get(ctx, project_id);
      const days = valid_until_on <= addDays(dayIn(timezone, now), LATE) ? LATE : EARLY;
      const earlier = await tx.list(AuditEntry, { document_id: id, action: REMINDED });
      if (earlier.some(({ detail }) => detail.days === days && detail.valid_until_on === valid_until_on)) return;
      const people = await this.contacts.responsible(ctx, document);
      if (people.length === 0) return;
      for (const to of people) await this.mails.send(ctx, tx, endingMail(to, document));
      await this.moves.record(ctx, tx, document, REMINDED, { to_state: state, detail: { days, valid_until_on } });
    });
  }
}
