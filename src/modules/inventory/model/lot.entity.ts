import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';

/** A batch of an item, or a single piece if the item is tracked by serial numbers. */
@Entity('stock_lots')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_lots_item_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('stock_lots_code_key', ['item_id', 'code'])
@Unique('stock_lots_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Index('stock_lots_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_lots_expires_on_asc_idx', { synchronize: false })
@Index('stock_lots_expires_on_desc_idx', { synchronize: false })
@Index('stock_lots_code_idx', ['organization_id', 'mode', 'code', 'id'])
@Index('stock_lots_due_idx', ['expires_on'], { where: 'NOT expired AND expires_on IS NOT NULL' })
@Check('stock_lots_mode_check', `mode IN ('live', 'test')`)
@Check('stock_lots_code_check', 'length(code) BETWEEN 1 AND 64')
@Check('stock_lots_expired_check', 'NOT expired OR expires_on IS NOT NULL')
@Check('stock_lots_on_hand_check', 'on_hand >= 0 AND in_transit >= 0 AND (NOT serial OR on_hand + in_transit <= 1)')
export class StockLot extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  @Column('text')
  code: string;

  /** The last day of use. */
  @Column('date', { nullable: true })
  expires_on: string | null;

  @Column('boolean')
  serial: boolean;

  /** Whether its quantities count as held. */
  @Column('boolean', { default: false })
  expired: boolean;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  on_hand: Decimal;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  in_transit: Decimal;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('sku', i.sku, 'item_name', i.name) FROM inventory_items i WHERE i.id = ${row}.item_id`,
  })
  readonly names?: { sku: string; item_name: string };
}
