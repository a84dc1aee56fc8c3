import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../kit/index.js';
import { Order } from './order.entity.js';
import type { StockUse } from './shown-parts.js';
import type { ShipmentState, Tracking } from './values.js';

/** A parcel. */
@Entity('storefront_fulfillments')
@ForeignKey(() => Order, ['organization_id', 'project_id', 'mode', 'order_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_fulfillments_order_id_fkey',
  onDelete: 'CASCADE',
})
@Index('storefront_fulfillments_order_id_idx', ['order_id', 'id'])
@Check('storefront_fulfillments_mode_check', `mode IN ('live', 'test')`)
@Check('storefront_fulfillments_state_check', `state IN ('shipped', 'cancelled')`)
@Check('storefront_fulfillments_lines_check', `jsonb_typeof(lines) = 'array'`)
@Check('storefront_fulfillments_cancelled_at_check', `(cancelled_at IS NULL) = (state = 'shipped')`)
export class Fulfillment extends BusinessEntity {
  @Column('uuid')
  order_id: string;

  /** Null if it took stock of several locations, or of none. */
  @Column('uuid', { nullable: true })
  location_id: string | null;

  @Column('text')
  state: ShipmentState;

  @Column('jsonb')
  lines: { line_id: string; quantity: number }[];

  @Column('jsonb')
  uses: StockUse[];

  @Column('jsonb', { nullable: true })
  tracking: Tracking | null;

  @TimeColumn({ nullable: true })
  cancelled_at: Date | null;

  @Column('jsonb')
  created_by: Actor;
}
