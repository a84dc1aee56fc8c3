import {
  dayIn,
  Mails,
  plusDays,
  Projects,
  ScheduledJob,
  Store,
  type Ctx,
  type DueQuery,
  type DueRow,
  type ScheduledJobHandler,
  type Tx,
} from '../../../kit/index.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../model/records/document.entity.js';
import { reminderDay } from '../model/core/calendar-days.js';
import { DocumentLooks } from '../settings/document-looks.service.js';
import { reminderMail } from './obligation-mail.js';
import { ObligationSeries } from './obligation-series.js';
import { Obligation } from './obligation.entity.js';

/** By the project's day. The additional condition on the UTC day uses the indexes; no time zone is more than a day ahead of it. */
const reached = (day: string) =>
  `o.${day} <= ($1::timestamptz AT TIME ZONE 'UTC')::date + 1 AND o.${day} <= ($1::timestamptz AT TIME ZONE p.timezone)::date`;
const pending = (condition: string) => `
  SELECT o.id, o.organization_id, o.project_id, o.mode
  FROM obligations o JOIN projects p ON p.organization_id = o.organization_id AND p.id = o.project_id
  WHERE o.status = 'pending' AND ${condition}`;
const DUE = `
  ${pending(`o.remind_on IS NOT NULL AND ${reached('remind_on')}`)}
  UNION
  ${pending(`o.recurrence IS NOT NULL AND NOT o.continued AND ${reached('due_on')}`)}`;

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

  due(now: Date): DueQuery {
    return { sql: DUE, values: [now] };
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
