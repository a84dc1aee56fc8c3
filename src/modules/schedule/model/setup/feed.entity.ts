import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { Calendar } from './calendar.entity.js';

export const FEED_DETAILS = ['full', 'busy'] as const;
export type FeedDetail = (typeof FEED_DETAILS)[number];

/** A secret address `/c/{token}.ics` at which calendar programs subscribe to a calendar's live events. */
@Entity('schedule_feeds')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_feeds_calendar_id_fkey',
  onDelete: 'CASCADE',
})
@Index('schedule_feeds_token_hash_key', ['token_hash'], { unique: true })
@Index('schedule_feeds_calendar_id_idx', ['calendar_id', 'created_at', 'id'])
@Check('schedule_feeds_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_feeds_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('schedule_feeds_detail_check', `detail IN ('full', 'busy')`)
export class Feed extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  calendar_id: string;

  @Column('text')
  name: string;

  /** SHA-256 of the address's token, hexadecimal. */
  @Column('text')
  token_hash: string;

  /** `busy`: times without titles, places and descriptions. */
  @Column('text', { default: 'full' })
  detail: FeedDetail;
}
