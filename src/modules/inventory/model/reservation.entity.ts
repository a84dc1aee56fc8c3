import { Check, Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';
import { StockLocation } from './location.entity.js';
import type { ReservationStatus } from './statuses.js';

/** Stock that is reserved for somebody. The open quantity, `quantity - consumed_quantity`, counts as reserved at its location. */
@Entity('stock_reservations')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_reservations_item_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_reservations_location_id_fkey',
})
@Index('stock_reservations_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_reservations_status_idx', ['organization_id', 'mode', 'status', 'created_at', 'id', 'project_id'])
@Index('stock_reservations_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('stock_reservations_item_id_idx', ['item_id', 'created_at', 'id'])
@Index('stock_reservations_active_idx', ['item_id', 'location_id'], { where: `status = 'active'` })
@Index('stock_reservations_reference_idx', ['organization_id', 'mode', 'reference', 'created_at', 'id'])
@Index('stock_reservations_due_idx', ['expires_at'], { where: `status = 'active' AND expires_at IS NOT NULL` })
@Check('stock_reservations_mode_check', `mode IN ('live', 'test')`)
@Check('stock_reservations_quantity_check', 'quantity > 0')
@Check(
  'stock_reservations_consumed_quantity_check',
  `consumed_quantity BETWEEN 0 AND quantity AND (status <> 'active' OR consumed_quantity < quantity)`,
)
@Check('stock_reservations_status_check', `status IN ('active', 'consumed', 'released', 'expired')`)
@Check('stock_reservations_reference_check', 'length(reference) BETWEEN 1 AND 255')
@Check('stock_reservations_ended_at_check', `(ended_at IS NULL) = (status = 'active')`)
export class StockReservation extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  @Column('uuid')
  location_id: string;

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
  consumed_quantity: Decimal;

  @Column('text')
  status: ReservationStatus;

  @Column('text')
  reference: string;

  @TimeColumn({ nullable: true })
  expires_at: Date | null;

  @TimeColumn({ nullable: true })
  ended_at: Date | null;

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('sku', i.sku, 'item_name', i.name, 'location_code', l.code)
      FROM inventory_items i, stock_locations l WHERE i.id = ${row}.item_id AND l.id = ${row}.location_id`,
  })
  readonly names?: { sku: string; item_name: string; location_code: string };
}
