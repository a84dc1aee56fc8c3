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
  type Tx,
} from '../../../../kit/index.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../../model/records/document.entity.js';
import { reminderDay } from '../../model/core/calendar-days.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { reminderMail } from './obligation-mail.js';
import { ObligationSeries } from './obligation-series.js';
import { Obligation } from './obligation.entity.js';

const pending = (condition: Sql) => sql`
  SELECT o.id, o.organization_id, o.project_id, o.mode FROM ${table(Obligation)} o WHERE o.status = 'pending' AND ${condition}`;

/** Mails reminders, each once, and creates the next occurrence of recurring obligations that have fallen due. */
@ScheduledJob({
  name: 'documents.obligations',
  everySeconds: 60,
})
export class FollowObligations implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly looks: DocumentLooks,
    private readonly series: ObligationSeries,
  ) {}

  /** By the project's day. The additional condition on the UTC day uses the indexes; no time zone is more than a day ahead of it. */
  due(now: Date): Sql {
    const latest = sql`(${now}::timestamptz AT TIME ZONE 'UTC')::date + 1`;
    const today = projectDay('o', now);
    return sql.unscoped('due rows of all organizations')`
      ${pending(sql`o.remind_on IS NOT NULL AND o.remind_on <= ${latest} AND o.remind_on <= ${today}`)}
      UNION
      ${pending(sql`o.recurrence IS NOT NULL AND NOT o.continued AND o.due_on <= ${latest} AND o.due_on <= ${today}`)}`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const { document_id, project_id } = await tx.get(Obligation, id);
      const document = await tx.lock(Document, document_id);
      const { timezone } = await this.projects.get(ctx, project_id);
      const obligation = await tx.lock(Obligation, id);
      // it may have been completed or cancelled in the meantime
      if (obligation.status !== 'pending') return;
      const today = dayIn(timezone, now);
      const reminded =
        obligation.remind_on !== null && obligation.remind_on <= today
          ? await this.remind(ctx, tx, document, obligation, today)
          : obligation;
      if (reminded.due_on <= today) await this.series.continue(ctx, tx, document, reminded);
    });
  }

  /** Sends one mail to each person, even if several reminder days have passed. As long as there is no recipient, the reminder stays due. */
  private async remind(ctx: Ctx, tx: Tx, document: Document, obligation: Obligation, today: string): Promise<Obligation> {
    const to =
      obligation.responsible_email === null
        ? (await this.contacts.responsible(ctx, document)).map(({ email }) => email)
        : [obligation.responsible_email];
    if (to.length === 0) return obligation;
    const look = await this.looks.of(ctx, document);
    for (const address of to) await this.mails.send(ctx, tx, reminderMail(address, obligation, document, look));
    return tx.update(obligation, { remind_on: reminderDay(obligation.due_on, obligation.reminder_days, plusDays(today, 1)) });
  }
}
