import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';
import { StockTransfer } from './transfer.entity.js';

/** An item of a transfer, of one lot if the item is tracked. What is neither received nor lost is in transit. */
@Entity('stock_transfer_lines')
@ForeignKey(
  () => StockTransfer,
  ['organization_id', 'project_id', 'mode', 'transfer_id'],
  ['organization_id', 'project_id', 'mode', 'id'],
  {
    name: 'stock_transfer_lines_transfer_id_fkey',
    onDelete: 'CASCADE',
  },
)
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_transfer_lines_item_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('stock_transfer_lines_position_key', ['transfer_id', 'position'])
@Index('stock_transfer_lines_item_id_idx', ['item_id', 'transfer_id'])
@Check('stock_transfer_lines_mode_check', `mode IN ('live', 'test')`)
@Check('stock_transfer_lines_quantity_check', 'quantity > 0')
@Check(
  'stock_transfer_lines_received_quantity_check',
  'received_quantity >= 0 AND lost_quantity >= 0 AND received_quantity + lost_quantity <= quantity',
)
export class StockTransferLine extends BusinessEntity {
  @Column('uuid')
  transfer_id: string;

  @Column('smallint')
  position: number;

  @Column('uuid')
  item_id: string;

  @Column('uuid', { nullable: true })
  lot_id: string | null;

  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  quantity: Decimal;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  received_quantity: Decimal;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  lost_quantity: Decimal;
}
