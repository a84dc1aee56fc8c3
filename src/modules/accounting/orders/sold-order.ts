import { sumOf } from '../../../kit/index.js';

/** The members of the events of orders that are used here; this module does not import the storefront. Amounts are in minor units. */
export interface SoldOrder {
  id: string;
  version: number;
  number: string;
  state: string;
  fulfillment_state: string;
  email: string | null;
  name: string | null;
  currency: string;
  prices_include_tax: boolean;
  billing_address: Address | null;
  shipping_address: Address | null;
  payments: SoldPayment[];
  refunds: Refund[];
  fulfillments: { state: string; created_at: string }[];
  lines: { id: string; total_amount: number }[];
  shipping: { total_amount: number } | null;
  invoice_lines: SoldLine[];
  /** What the invoice less its credit notes must come to. Absent in postings that earlier versions have stored. */
  charged?: { line_id: string | null; total_amount: number }[];
  /** Of order.refunded. */
  refund?: Refund;
}

export interface SoldPayment {
  id: string;
  amount: number;
  status: string;
  reference: string;
  on: string;
}

export interface SoldLine {
  /** Null: shipping. */
  line_id: string | null;
  description: string;
  quantity: number;
  net_amount: number;
  tax_amount: number;
  total_amount: number;
  tax_code: string;
  tax_rate: string;
}

interface Refund {
  id: string;
  amount: number;
  status: string;
  reason: string | null;
  /** `reduction_amount` lowers the price of what is kept. Absent in postings that earlier versions have stored. */
  parts: { line_id: string | null; total_amount: number; reduction_amount?: number }[];
}

interface Address {
  name: string | null;
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  region: string | null;
  country: string;
}

export const ORDER_EVENTS = ['order.paid', 'order.fulfilled', 'order.refunded', 'order.cancelled', 'order.payment_received'] as const;

/**
 * The latest of the states in which an order was seen, with all refunds: events may be handled in any order. Those without `charged` say
 * less, so they count only if there are no others.
 */
export function orderOf(seen: readonly SoldOrder[]): SoldOrder {
  const [latest] = seen.toSorted((one, other) => Number(!!other.charged) - Number(!!one.charged) || other.version - one.version);
  return { ...latest, refunds: refundsOf(seen) };
}

/** The money that was received for an order, and paid back. */
export interface SoldMoney {
  paid: number;
  refunded: number;
}

export function moneyOf(seen: readonly SoldOrder[]): SoldMoney {
  const sum = (rows: readonly { amount: number }[]) => sumOf(rows.map(({ amount }) => amount));
  return { paid: sum(paymentsOf(seen)), refunded: sum(refundsOf(seen)) };
}

/** All succeeded ones. */
export function paymentsOf(seen: readonly SoldOrder[]): SoldPayment[] {
  return unique(seen.flatMap(({ payments }) => payments)).filter(({ status }) => status === 'succeeded');
}

export function refundsOf(seen: readonly SoldOrder[]): Refund[] {
  return unique(seen.flatMap(({ refunds }) => refunds)).filter(({ status }) => status === 'succeeded');
}

/** Those that are not among the others. */
export function unseen<T extends { id: string }>(rows: readonly T[], others: readonly T[]): T[] {
  const ids = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id));
}

function unique<T extends { id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * To whom the invoice is addressed: the billing address, otherwise the shipping address, with its own name if it has one, otherwise with
 * that of the order. Goods may be sent to somebody else, so the name of the shipping address does not go with a billing address unless
 * there is no other.
 */
export function buyerOf({ name, billing_address, shipping_address }: SoldOrder): { name: string | null; address: string | null } {
  const address = billing_address ?? shipping_address;
  return { name: address?.name ?? name ?? shipping_address?.name ?? null, address: addressText(address) };
}

/** When the last parcel was sent, if all that is not cancelled was sent. */
export function shippedAt({ fulfillment_state, fulfillments }: SoldOrder): string | null {
  if (fulfillment_state !== 'fulfilled') return null;
  const sent = fulfillments.filter(({ state }) => state === 'shipped').map(({ created_at }) => created_at);
  return sent.toSorted().at(-1) ?? null;
}

function addressText(address: Address | null): string | null {
  if (!address) return null;
  const { line1, line2, postal_code, city, region, country } = address;
  return [line1, line2, [postal_code, city].filter(Boolean).join(' '), region, country].filter(Boolean).join('\n');
}
