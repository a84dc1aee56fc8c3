import { personalData, sql } from '../../../kit/index.js';
import { DiscountUse } from '../model/discount-use.entity.js';
import { Order } from '../model/order.entity.js';

const KEPT = 'Placed orders are commercial records, which the law requires to be kept for years.';

/** What the module stores about people: buyers. */
export const STOREFRONT_PERSONAL_DATA = [
  personalData(DiscountUse, { title: 'uses of discounts', where: ({ email }) => sql`t.email = ${email}`, keep: { why: KEPT } }),
  personalData(Order, {
    title: 'orders and carts',
    where: ({ email }) => sql`lower(t.email) = ${email}`,
    names: ['name'],
    erase: { email: null, name: null, shipping_address: null, billing_address: null, note: null, external_id: null },
    keep: { where: sql`t.state <> 'draft'`, why: KEPT },
  }),
];
