import { Check, Column, Entity, ForeignKey } from 'typeorm';
import { BusinessEntity, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';

/**
 * The stock of an item over all locations, with the item's id. Every change of an item's stock locks this row first, several rows in the
 * order of their ids, so that changes of an item run one after the other and cannot deadlock.
 */
@Entity('stock_totals')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_totals_id_fkey',
  onDelete: 'CASCADE',
})
@Check('stock_totals_mode_check', `mode IN ('live', 'test')`)
@Check('stock_totals_on_hand_check', 'reserved + held <= on_hand')
@Check('stock_totals_reserved_check', 'reserved >= 0')
@Check('stock_totals_held_check', 'held >= 0')
@Check('stock_totals_incoming_check', 'incoming >= 0')
@Check('stock_totals_value_amount_check', 'value_amount BETWEEN 0 AND 9007199254740991 AND (value_amount = 0 OR on_hand + incoming > 0)')
export class StockTotal extends BusinessEntity {
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

  /** Expired: on hand, but not to be reserved. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  held: Decimal;

  /** Between two locations; part of the value. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
    default: 0,
  })
  incoming: Decimal;

  /** Of what is on hand and incoming, in the currency's minor unit. */
  @Column('bigint', { default: 0 })
  value_amount: number;

  /** The sequence of the last movement; 0 until the item moves. */
  @Column('integer', { default: 0 })
  sequence: number;
}
