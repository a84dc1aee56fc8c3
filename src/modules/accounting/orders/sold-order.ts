/** The members of the events of orders that are used here; this module does not import the storefront. Amounts are in minor units. */
export interface SoldOrder {
  id: string;
  number: string;
  state: string;
  email: string | null;
  name: string | null;
  currency: string;
  prices_include_tax: boolean;
  billing_address: Address | null;
  shipping_address: Address | null;
  payments: { id: string; amount: number; status: string; reference: string; on: string }[];
  refunds: Refund[];
  lines: { id: string; total_amount: number }[];
  shipping: { total_amount: number } | null;
  invoice_lines: SoldLine[];
  /** Of order.refunded. */
  refund?: Refund;
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
  status: string;
  reason: string | null;
  parts: { line_id: string | null; total_amount: number }[];
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

export const ORDER_EVENTS = ['order.paid', 'order.fulfilled', 'order.refunded', 'order.cancelled'] as const;

/** An address as invoices show it. */
export function addressText(address: Address | null): string | null {
  if (!address) return null;
  const { line1, line2, postal_code, city, region, country } = address;
  return [line1, line2, [postal_code, city].filter(Boolean).join(' '), region, country].filter(Boolean).join('\n');
}
