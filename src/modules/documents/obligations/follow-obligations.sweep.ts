import { Logger } from '@nestjs/common';
import {
  Contexts,
  Mails,
  Maintenance,
  Projects,
  Store,
  Sweep,
  type Ctx,
  type Mode,
  type SweepHandler,
  type Tx,
} from '../../../kit/index.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { Document } from '../model/records/document.entity.js';
import { dayIn, addDays, reminderDay } from '../model/core/calendar-days.js';
import { reminderMail } from './obligation-mail.js';
import { ObligationSeries } from './obligation-series.js';
import { Obligation } from './obligation.entity.js';

interface Due {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
}

const BATCH = 100;

/** The day is the project's; the bound on UTC's alone, which no zone is more than a day ahead of, is for the indexes. */
const due = (day: string) =>
  `o.${day} <= ($1::timestamptz AT TIME ZONE 'UTC')::date + 1 AND o.${day} <= ($1::timestamptz AT TIME ZONE p.timezone)::date AND o.id <> ALL($2::uuid[])`;
const select = (conditions: string) =>
  `SELECT o.id, o.organization_id, o.project_id, o.mode FROM obligations o JOIN projects p ON p.organization_id = o.organization_id AND p.id = o.project_id WHERE o.status = 'pending' AND ${conditions}`;
const DUE = `
  (${select(`o.remind_on IS NOT NULL AND ${due('remind_on')}`)} ORDER BY o.remind_on LIMIT ${BATCH})
  UNION
  (${select(`o.recurrence IS NOT NULL AND NOT o.continued AND ${due('due_on')}`)} ORDER BY o.due_on LIMIT ${BATCH})`;

/** Mails reminders, each once, and makes the next occurrence of what has fallen due. */
@Sweep({ name: 'documents.obligations', everySeconds: 60 })
export class FollowObligations implements SweepHandler {
  private readonly log = new Logger('Obligations');

  constructor(
    private readonly maintenance: Maintenance,
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly contacts: DocumentContacts,
    private readonly mails: Mails,
    private readonly series: ObligationSeries,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const seen: string[] = [];
    for (let found = await this.due(now, seen); found.length > 0; found = await this.due(now, seen)) {
      for (const { id, organization_id, project_id, mode } of found) {
        signal.throwIfAborted();
        seen.push(id);
        // one that cannot be followed holds up no other, nor has the whole run fail; it is tried again with the next
        await this.handle(this.contexts.system({ organizationId: organization_id, projectId: project_id, mode }), id, now).catch(
          (error: Error) => this.log.error(`Obligation ${id} could not be followed: ${error.message}`),
        );
      }
    }
  }

  private due(now: Date, seen: readonly string[]): Promise<Due[]> {
    return this.maintenance.query<Due>(DUE, [now, seen]);
  }

  private handle(ctx: Ctx, id: string, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const { document_id, project_id } = await tx.get(Obligation, id);
      const document = await tx.lock(Document, document_id);
      const { timezone } = await this.projects.get(ctx, project_id);
      const obligation = await tx.lock(Obligation, id);
      // somebody may have ended it since it was found
      if (obligation.status !== 'pending') return;
      const today = dayIn(timezone, now);
      const reminded =
        obligation.remind_on !== null && obligation.remind_on <= today
          ? await this.remind(ctx, tx, document, obligation, today)
          : obligation;
      if (reminded.due_on <= today) await this.series.continue(ctx, tx, document, reminded);
    });
  }

  /** One mail to each, however many reminder days went by while nothing ran. While there is nobody to mail, it stays due. */
  private async remind(ctx: Ctx, tx: Tx, document: Document, obligation: Obligation, today: string): Promise<Obligation> {
    const to =
      obligation.responsible_email === null
        ? (await this.contacts.responsible(ctx, document)).map(({ email }) => email)
        : [obligation.responsible_email];
    if (to.length === 0) return obligation;
    for (const address of to) await this.mails.send(ctx, tx, reminderMail(address, obligation, document));
    return tx.update(obligation, { remind_on: reminderDay(obligation.due_on, obligation.reminder_days, addDays(today, 1)) });
  }
}
