import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const PRODUCT: TriggerStep = {
  call: 'create_product',
  body: { title: 'Triggered {unique}', status: 'active', variants: [{ sku: 'trg-{unique}', price_amount: 12_900 }] },
  as: 'product',
};
const ORDER: readonly TriggerStep[] = [
  PRODUCT,
  { call: 'list_sales_channels', query: { project_id: '{product.project_id}' }, as: 'channels' },
  {
    call: 'create_order',
    body: {
      channel_id: '{channels.data.0.id}',
      email: 'ada-{unique}@example.com',
      lines: [{ variant_id: '{product.variants.0.id}', quantity: 1 }],
    },
    as: 'order',
  },
];
const params = { id: '{order.id}' };
const PLACE: readonly TriggerStep[] = [...ORDER, { call: 'place_order', params, as: 'order' }];
const PAY: readonly TriggerStep[] = [
  ...PLACE,
  {
    call: 'record_order_payment',
    params,
    body: { amount: '{order.totals.total_amount}', provider: 'bank', reference: 'trigger-{unique}' },
  },
];
const REFUND: readonly TriggerStep[] = [
  ...PAY,
  {
    call: 'refund_order',
    params,
    body: { amount: '{order.totals.total_amount}', provider: 'bank', reference: 'refund-{unique}', reason: 'Returned' },
  },
];
const FULFILL: readonly TriggerStep[] = [...PAY, { call: 'fulfill_order', params, body: {} }];

/** How `work-suite trigger` causes the events of the storefront. */
export const STOREFRONT_TRIGGERS: EventTriggers = {
  'product.created': [PRODUCT],
  'product.updated': [PRODUCT, { call: 'update_product', params: { id: '{product.id}' }, body: { title: 'Changed {unique}' } }],
  'order.created': ORDER,
  'order.updated': [...ORDER, { call: 'update_order', params, body: { note: 'Triggered {unique}' } }],
  'order.state_changed': PLACE,
  'order.placed': PLACE,
  'order.payment_recorded': PAY,
  'order.paid': PAY,
  'order.refund_recorded': REFUND,
  'order.refunded': REFUND,
  'order.fulfillment_changed': FULFILL,
  'order.fulfilled': FULFILL,
  'order.cancelled': [...PLACE, { call: 'cancel_order', params, body: { reason: 'No longer needed' } }],
};
