import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';
import { StockLocation } from './location.entity.js';
import { StockLot } from './lot.entity.js';

/** The quantity of a lot at a location. */
@Entity('stock_lot_levels')
@ForeignKey(() => StockLot, ['organization_id', 'project_id', 'mode', 'lot_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_lot_levels_lot_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_lot_levels_item_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_lot_levels_location_id_fkey',
})
@Unique('stock_lot_levels_location_id_key', ['lot_id', 'location_id'])
@Index('stock_lot_levels_serial_key', ['lot_id'], {
  unique: true,
  where: 'serial AND quantity > 0',
})
@Index('stock_lot_levels_item_id_idx', ['item_id', 'location_id'], { where: 'quantity > 0' })
@Index('stock_lot_levels_location_id_idx', ['location_id', 'lot_id'])
@Check('stock_lot_levels_mode_check', `mode IN ('live', 'test')`)
@Check('stock_lot_levels_quantity_check', 'quantity >= 0 AND (NOT serial OR quantity <= 1)')
export class StockLotLevel extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  @Column('uuid')
  lot_id: string;

  @Column('uuid')
  location_id: string;

  @Column('boolean')
  serial: boolean;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  quantity: Decimal;
}
