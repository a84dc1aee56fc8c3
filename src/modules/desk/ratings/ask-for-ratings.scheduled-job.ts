import {
  newToken,
  organizationName,
  ScheduledJob,
  Settings,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { TicketRating } from '../model/rating.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { MailWriter } from '../mail/outbound/mail-writer.service.js';
import { ratingContent } from '../mail/outbound/ticket-content.js';

/** Asks the requester of a solved ticket for a rating, once, some time after it was solved. */
@ScheduledJob({
  name: 'desk.ask_for_ratings',
  everySeconds: 60,
})
export class AskForRatings implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly mails: MailWriter,
    private readonly settings: Settings,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT t.id, t.organization_id, t.project_id, t.mode FROM ${table(Ticket)} t WHERE t.rating_due_at <= ${now}`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const ticket = await tx.lock(Ticket, id);
      if (ticket.rating_due_at === null || ticket.rating_due_at > now) return;
      await tx.update(ticket, { rating_due_at: null });
      const isAsked = (await tx.list(TicketRating, { ticket_id: id })).length > 0;
      const isSolved = ticket.status_category === 'solved' || ticket.status_category === 'closed';
      if (isAsked || !isSolved || ticket.merged_into_id !== null) return;
      const { token, hash } = newToken();
      const { project_id, number, requester_email: email } = ticket;
      await tx.insert(TicketRating, { project_id, ticket_id: id, token_hash: hash, email });
      const sent = await this.mails.write(ctx, tx, ticket, [email], {
        subject: `[${number}] How was our help?`,
        content: ratingContent(await organizationName(tx), number, `${this.settings.baseUrl}/t/${token}`),
        confidential: true,
      });
      await this.mails.record(ctx, tx, { kind: 'rating', project_id, ticket_id: id, ticket_message_id: null }, sent);
    });
  }
}
