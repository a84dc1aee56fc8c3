import { Injectable } from '@nestjs/common';
import { Brands, Contexts, organizationNameOf, sql, Store, table, type Ctx, type TokenRow } from '../../../kit/index.js';
import { TicketRating } from '../model/rating.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import type { RatingQuestion } from './rating.page.js';

interface RatingRow extends TokenRow, Omit<RatingQuestion, 'brand'> {
  ticket_id: string;
}

const byHash = (hash: string) => sql.unscoped('the rating that a token names')`
  SELECT r.id, r.organization_id, r.project_id, r.mode, r.email, r.ticket_id, r.score, r.comment, t.number, t.subject,
    ${organizationNameOf('r')} AS organization
  FROM ${table(TicketRating)} r JOIN ${table(Ticket)} t ON t.id = r.ticket_id
  WHERE r.token_hash = ${hash}`;
const UNKNOWN = 'This link is not valid.';

/** Ratings that requesters give by the link of the mail that asks for them. */
@Injectable()
export class Ratings {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly brands: Brands,
  ) {}

  async find(token: string, requestId: string | null = null): Promise<{ ctx: Ctx; question: RatingQuestion; ids: RatingRow }> {
    const { ctx, row } = await this.contexts.byToken<RatingRow>(token, byHash, { unknown: UNKNOWN, requestId });
    return { ctx, question: { ...row, token, brand: await this.brands.of(ctx) }, ids: row };
  }

  /** A rating can be changed; the same one again changes nothing. */
  async rate(token: string, score: number, comment: string | null, requestId: string): Promise<void> {
    const { ctx, ids } = await this.find(token, requestId);
    await this.store.write(ctx, async (tx) => {
      // in the same order as other changes, to avoid deadlocks
      const ticket = await tx.lock(Ticket, ids.ticket_id);
      const rating = await tx.lock(TicketRating, ids.id);
      if (rating.score === score && rating.comment === comment) return;
      await tx.update(rating, { score, comment, rated_at: tx.startedAt });
      const rated = await tx.update(ticket, { satisfaction_score: score, satisfaction_comment: comment });
      tx.emit(TicketEvents.rated, { object: TicketDto.from(rated), projectId: rated.project_id });
    });
  }
}
