import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { DifferenceEntity } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';

export const DIFFERENCE_SUBJECTS = [
  'level_on_hand',
  'level_reserved',
  'level_held',
  'level_sum',
  'lot_quantity',
  'lot_on_hand',
  'lot_in_transit',
  'lot_sum',
  'item_on_hand',
  'item_reserved',
  'item_held',
  'item_incoming',
  'item_value',
  'layer_quantity',
  'layer_value',
] as const;
export type DifferenceSubject = (typeof DIFFERENCE_SUBJECTS)[number];

/** A stored figure that differs from what the movements and reservations add up to; found by the nightly comparison. */
@Entity('stock_differences')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_differences_item_id_fkey',
  onDelete: 'CASCADE',
})
@Index('stock_differences_subject_key', ['subject_id', 'subject'], {
  unique: true,
  where: 'resolved_at IS NULL',
})
@Index('stock_differences_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_differences_item_id_idx', ['item_id'])
@Check('stock_differences_mode_check', `mode IN ('live', 'test')`)
export class StockDifference extends DifferenceEntity {
  @Column('uuid')
  item_id: string;

  /** Its row is a level, a lot, a lot's level, or the item. */
  declare subject: DifferenceSubject;
}
