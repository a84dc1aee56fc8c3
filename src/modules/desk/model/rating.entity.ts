import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../kit/index.js';
import { Ticket } from './ticket.entity.js';

/** A request for a rating, mailed to the requester once, and the answer. */
@Entity('desk_ratings')
@Unique('desk_ratings_ticket_id_key', ['ticket_id'])
@Unique('desk_ratings_token_hash_key', ['token_hash'])
@ForeignKey(() => Ticket, ['organization_id', 'project_id', 'mode', 'ticket_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'desk_ratings_ticket_id_fkey',
  onDelete: 'CASCADE',
})
@Check('desk_ratings_mode_check', `mode IN ('live', 'test')`)
@Check('desk_ratings_score_check', 'score BETWEEN 1 AND 5')
@Check('desk_ratings_comment_check', 'length(comment) <= 5000')
@Check('desk_ratings_rated_at_check', '(score IS NULL) = (rated_at IS NULL)')
export class TicketRating extends BusinessEntity {
  @Column('uuid')
  ticket_id: string;

  /** Of the token in the mailed link. */
  @Column('text')
  token_hash: string;

  /** Whom it was mailed to. */
  @Column('text')
  email: string;

  @Column('integer', { nullable: true })
  score: number | null;

  @Column('text', { nullable: true })
  comment: string | null;

  @TimeColumn({ nullable: true })
  rated_at: Date | null;
}
