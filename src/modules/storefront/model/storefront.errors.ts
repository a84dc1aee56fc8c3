import { CommonErrors, defineErrors, type DomainError } from '../../../kit/index.js';

export { duplicateOf, invalid } from '../../../kit/index.js';

/** Errors specific to the storefront module. */
export const StorefrontErrors = defineErrors({
  /** `totals` are the present ones. */
  totalsChanged: {
    code: 'totals_changed',
    type: 'conflict_error',
    status: 409,
    message: 'The total is not expected_total_amount; show the buyer the totals in this error, and place the order with the new one.',
  },
  priceMissing: {
    code: 'price_missing',
    type: 'conflict_error',
    status: 409,
    message: 'A variant has no price in the currency of the channel; add one, or leave the line out.',
  },
  taxRateMissing: {
    code: 'tax_rate_missing',
    type: 'conflict_error',
    status: 409,
    message: 'There is no tax rate for the country and tax class; a member has to add it to the settings of the storefront.',
  },
  discountRefused: {
    code: 'discount_refused',
    type: 'conflict_error',
    status: 409,
    message: 'The discount code does not apply; send another discount_code, or null for none.',
  },
  orderShipped: {
    code: 'order_shipped',
    type: 'conflict_error',
    status: 409,
    message: 'Units that were shipped cannot be cancelled; cancel the fulfillment first, or refund them.',
  },
  refundExceedsPayment: {
    code: 'refund_exceeds_payment',
    type: 'conflict_error',
    status: 409,
    message: 'Refunds cannot exceed what was paid, and nothing is refunded while due_amount is due; refund at most refundable_amount.',
  },
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'This is not possible in the current state of the order.',
    description: 'Read the order with get_order and do what its state permits; the message says why this is not possible.',
  },
});

/** 400 `missing_fields` for one field; `message` continues the sentence that its name begins. */
export function missing(param: string, message: string): DomainError {
  const sentence = `${param} ${message}`;
  return CommonErrors.missingFields({ param, message: sentence, details: [{ param, code: 'missing', message: sentence }] });
}
