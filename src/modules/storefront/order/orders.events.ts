import { defineEvents, event } from '../../../kit/index.js';
import { InvoiceableOrderDto, RefundedOrderDto } from './invoiceable-order.dto.js';
import { OrderDto } from './order.dto.js';

const permission = 'storefront.order.manage';
const scope = 'storefront:order:write';
const OF_ORDER = { permission, scope, payload: OrderDto };
const INTERNAL = { permission, scope, payload: InvoiceableOrderDto, internal: true };

/** Internal events are emitted in addition to the public ones of the same change; they start invoices and generation triggers. */
export const OrderEvents = defineEvents({
  created: event({
    ...OF_ORDER,
    name: 'order.created',
    description: 'An order was created. If it was placed at once, order.state_changed follows.',
  }),
  updated: event({ ...OF_ORDER, name: 'order.updated', description: 'An order was changed, but not its state.' }),
  stateChanged: event({
    ...OF_ORDER,
    name: 'order.state_changed',
    description: 'The state of an order changed.',
    context: {
      from: 'Previous state.',
      to: 'New state.',
      trigger: 'What changed it: place, cancel, payment, refund, fulfill, cancel_fulfillment or payment_window.',
    },
  }),
  paymentRecorded: event({
    ...OF_ORDER,
    name: 'order.payment_recorded',
    description: 'A payment of an order was recorded; its status may be failed.',
    context: { payment: 'The payment, as in the payments of the order.' },
  }),
  refundRecorded: event({
    ...OF_ORDER,
    name: 'order.refund_recorded',
    description: 'A refund was recorded; its status may be failed.',
    context: { refund: 'The refund, as in the refunds of the order.' },
  }),
  fulfillmentChanged: event({
    ...OF_ORDER,
    name: 'order.fulfillment_changed',
    description: 'Goods were shipped, or a parcel was cancelled.',
    context: { fulfillment: 'The parcel, as in the fulfillments of the order.' },
  }),
  placed: event({ ...INTERNAL, name: 'order.placed', description: 'An order was placed.' }),
  paymentReceived: event({ ...INTERNAL, name: 'order.payment_received', description: 'A payment of an order succeeded.' }),
  paid: event({
    ...INTERNAL,
    name: 'order.paid',
    description: 'The payments of an order cover what is kept of it, by a payment or a cancellation. Not of a cancelled order.',
  }),
  fulfilled: event({
    ...INTERNAL,
    name: 'order.fulfilled',
    description: 'All of an order that was not cancelled is shipped; again after a cancelled parcel was sent again.',
  }),
  refunded: event({ ...INTERNAL, payload: RefundedOrderDto, name: 'order.refunded', description: 'A refund succeeded; `refund` is it.' }),
  cancelled: event({ ...INTERNAL, name: 'order.cancelled', description: 'All of an order was cancelled.' }),
});
