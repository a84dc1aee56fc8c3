import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';

/** The quantity of a FIFO item that one movement received, and how much of it is left. Layers are consumed in the order of `sequence`. */
@Entity('stock_cost_layers')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_cost_layers_item_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('stock_cost_layers_sequence_key', ['item_id', 'sequence'])
@Index('stock_cost_layers_open_idx', ['item_id', 'sequence'], { where: 'remaining > 0' })
@Check('stock_cost_layers_mode_check', `mode IN ('live', 'test')`)
@Check('stock_cost_layers_remaining_check', 'remaining BETWEEN 0 AND quantity')
@Check('stock_cost_layers_remaining_amount_check', 'remaining_amount >= 0 AND (remaining > 0 OR remaining_amount = 0)')
export class CostLayer extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  /** That of the movement. */
  @Column('integer')
  sequence: number;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  quantity: Decimal;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  remaining: Decimal;

  @Column('bigint')
  remaining_amount: number;
}
