import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';
import { StockLocation } from './location.entity.js';

/** The stock of an item at a location. */
@Entity('stock_levels')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_levels_item_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_levels_location_id_fkey',
})
@Unique('stock_levels_location_id_key', ['item_id', 'location_id'])
@Index('stock_levels_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_levels_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('stock_levels_location_id_idx', ['location_id', 'mode', 'created_at', 'id'])
@Check('stock_levels_mode_check', `mode IN ('live', 'test')`)
@Check('stock_levels_on_hand_check', 'reserved + held <= on_hand')
@Check('stock_levels_reserved_check', 'reserved >= 0')
@Check('stock_levels_held_check', 'held >= 0')
export class StockLevel extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  @Column('uuid')
  location_id: string;

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
  reserved: Decimal;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  held: Decimal;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (level) => `SELECT json_build_object('sku', i.sku, 'item_name', i.name, 'location_code', l.code)
      FROM inventory_items i, stock_locations l WHERE i.id = ${level}.item_id AND l.id = ${level}.location_id`,
  })
  readonly names?: { sku: string; item_name: string; location_code: string };
}
