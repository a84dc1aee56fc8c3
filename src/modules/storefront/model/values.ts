export const PRODUCT_STATUSES = ['draft', 'active', 'archived'] as const;
export const DISCOUNT_KINDS = ['percentage', 'fixed_amount', 'free_shipping'] as const;
export const ORDER_STATES = ['draft', 'open', 'completed', 'cancelled'] as const;
export const PAYMENT_STATES = ['unpaid', 'partially_paid', 'paid', 'partially_refunded', 'refunded'] as const;
export const FULFILLMENT_STATES = ['unfulfilled', 'partially_fulfilled', 'fulfilled'] as const;
export const MONEY_STATUSES = ['succeeded', 'failed'] as const;
export const SHIPMENT_STATES = ['shipped', 'cancelled'] as const;

export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];
export type OrderState = (typeof ORDER_STATES)[number];
export type PaymentState = (typeof PAYMENT_STATES)[number];
export type FulfillmentState = (typeof FULFILLMENT_STATES)[number];
export type MoneyStatus = (typeof MONEY_STATUSES)[number];
export type ShipmentState = (typeof SHIPMENT_STATES)[number];

/** The default tax class of products and shipping methods. */
export const STANDARD_TAX_CLASS = 'standard';

/** A price of a variant in a currency other than its own. Amounts are in minor units. */
export interface Price {
  currency: string;
  price_amount: number;
  compare_at_amount: number | null;
}

/** ISO 3166-1 alpha-2 in `country`. */
export interface Address {
  name: string | null;
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  region: string | null;
  country: string;
}

/** The tax of one code and rate in an order; amounts in minor units, after discounts. */
export interface TaxLine {
  code: string;
  rate: string;
  net_amount: number;
  tax_amount: number;
}

/** The quantity reserved for an order line at one location, in units of the item. */
export interface LineReservation {
  id: string;
  location_id: string;
  quantity: string;
}

export interface Tracking {
  carrier: string | null;
  number: string | null;
  url: string | null;
}
