import {
  dayIn,
  Mails,
  plusDays,
  projectDay,
  Projects,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { endingMail } from './validity-mails.js';

const REMINDED = 'papers.validity_reminder';
/** Days before the last one on which a mail is sent; if both have passed while no worker ran, only the later is sent. */
const [EARLY, LATE] = [30, 7];

/** Mails the people responsible for a document that its validity ends soon. The audit trail records which mails were sent. */
@ScheduledJob({
  name: 'documents.validity',
  everySeconds: 300,
})
export class RemindValidity implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly looks: DocumentLooks,
    private readonly moves: DocumentMoves,
  ) {}

  /** By the project's day. The additional condition on the UTC day uses the index; no time zone is more than a day ahead of it. */
  due(now: Date): Sql {
    const today = projectDay('d', now);
    return sql.unscoped('due rows of all organizations')`
      SELECT d.id, d.organization_id, d.project_id, d.mode FROM ${table(Document)} d
      WHERE d.state = 'executed' AND d.valid_until_on <= (${now}::timestamptz AT TIME ZONE 'UTC')::date + ${EARLY + 1}::integer
        AND d.valid_until_on BETWEEN ${today} AND ${today} + ${EARLY}::integer
        AND NOT EXISTS (
          SELECT 1 FROM ${table(AuditEntry)} a
          WHERE a.document_id = d.id AND a.action = ${REMINDED} AND a.detail->>'valid_until_on' = d.valid_until_on::text
            AND (a.detail->>'days')::integer = CASE WHEN d.valid_until_on <= ${today} + ${LATE}::integer THEN ${LATE}::integer
              ELSE ${EARLY}::integer END)`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      const { state, project_id, valid_until_on } = document;
      // it may have been revoked or renewed in the meantime
      if (state !== 'executed' || valid_until_on === null) return;
      const { timezone } = await this.projects.get(ctx, project_id);
      const days = valid_until_on <= plusDays(dayIn(timezone, now), LATE) ? LATE : EARLY;
      const earlier = await tx.list(AuditEntry, { document_id: id, action: REMINDED });
      if (earlier.some(({ detail }) => detail.days === days && detail.valid_until_on === valid_until_on)) return;
      const people = await this.contacts.responsible(ctx, document);
      if (people.length === 0) return;
      const look = await this.looks.of(ctx, document);
      for (const to of people) await this.mails.send(ctx, tx, endingMail(to, document, look));
      await this.moves.record(ctx, tx, document, REMINDED, { to_state: state, detail: { days, valid_until_on } });
    });
  }
}
