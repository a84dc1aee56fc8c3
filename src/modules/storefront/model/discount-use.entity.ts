import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../kit/index.js';
import { Discount } from './discount.entity.js';
import { Order } from './order.entity.js';

/** An order that uses a discount; written while the discount is locked, so that uses per e-mail address can be counted. */
@Entity('storefront_discount_uses')
@Unique('storefront_discount_uses_order_id_key', ['order_id'])
@ForeignKey(() => Order, ['organization_id', 'project_id', 'mode', 'order_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_discount_uses_order_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Discount, ['organization_id', 'project_id', 'mode', 'discount_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'storefront_discount_uses_discount_id_fkey',
})
@Index('storefront_discount_uses_email_idx', ['discount_id', 'email'])
@Check('storefront_discount_uses_mode_check', `mode IN ('live', 'test')`)
export class DiscountUse extends BusinessEntity {
  @Column('uuid')
  discount_id: string;

  @Column('uuid')
  order_id: string;

  /** In lower case. */
  @Column('text')
  email: string;
}
