import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';
import { Deal } from './deal.entity.js';

/** A note on a deal; deleted with the deal. */
@Entity('deal_notes')
@ForeignKey(() => Deal, ['organization_id', 'project_id', 'mode', 'deal_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'deal_notes_deal_id_fkey',
  onDelete: 'CASCADE',
})
@Index('deal_notes_created_at_idx', ['deal_id', 'created_at', 'id'])
@Check('deal_notes_mode_check', `mode IN ('live', 'test')`)
@Check('deal_notes_body_check', 'length(body) BETWEEN 1 AND 10000')
export class DealNote extends BusinessEntity {
  @Column('uuid')
  deal_id: string;

  @Column('text')
  body: string;

  @Column('jsonb')
  author: Actor;
}
