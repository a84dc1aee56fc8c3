import type { LineReservation, MoneyStatus, ShipmentState, Tracking } from './values.js';

/** A line as an order keeps it; decimals are text without trailing zeros. */
export interface PricedLine {
  variant_id: string;
  sku: string;
  title: string;
  option_values: string[];
  quantity: number;
  unit_amount: number;
  subtotal_amount: number;
  discount_amount: number;
  tax_amount: number;
  total_amount: number;
  tax_code: string;
  tax_rate: string;
  item_id: string | null;
  item_quantity: string;
}

/** A line of an order that was read. */
export interface ShownLine extends PricedLine {
  id: string;
  position: number;
  reservations: LineReservation[];
  fulfilled_quantity: number;
  cancelled_quantity: number;
  refunded_quantity: number;
  returned_quantity: number;
  refund_due_quantity: number;
  cancelled_amount: number;
  refunded_amount: number;
  returned_amount: number;
  refund_due_amount: number;
}

/** Times are text, because the rows are read as JSON. */
export interface ShownPayment {
  id: string;
  amount: number;
  status: MoneyStatus;
  provider: string;
  reference: string;
  on: string;
  created_at: string;
}

/** The part of a refund that belongs to a line, or to shipping if the line is null. */
export interface RefundPart {
  line_id: string | null;
  tax_code: string;
  tax_rate: string;
  tax_amount: number;
  total_amount: number;
  /** By how much a refund of an amount lowers the price of what is kept; absent in refunds that earlier versions have stored. */
  reduction_amount?: number;
}

export interface RefundedUnits {
  line_id: string;
  quantity: number;
  restock: boolean;
}

export interface ShownRefund extends ShownPayment {
  reason: string | null;
  /** Empty if an amount was refunded. */
  lines: RefundedUnits[];
  /** The amount beyond them was paid in excess. */
  parts: RefundPart[];
}

/** The stock that a shipment took from one location. */
export interface StockUse {
  line_id: string;
  location_id: string;
  quantity: string;
  movement_id: string;
  /** The quantity that was taken back into stock. */
  returned: string;
}

export interface ShownFulfillment {
  id: string;
  location_id: string | null;
  state: ShipmentState;
  lines: { line_id: string; quantity: number }[];
  uses: StockUse[];
  tracking: Tracking | null;
  created_at: string;
  cancelled_at: string | null;
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const list = (columns: string, table: string, order: string, sort: string) =>
  `SELECT json_agg(shown) FROM (SELECT ${columns} FROM ${table} WHERE order_id = ${order}.id ORDER BY ${sort}) shown`;

const LINE = `id, position, variant_id, sku, title, option_values, quantity, unit_amount, subtotal_amount, discount_amount, tax_amount,
  total_amount, tax_code, trim_scale(tax_rate)::text AS tax_rate, item_id, trim_scale(item_quantity)::text AS item_quantity, reservations,
  fulfilled_quantity, cancelled_quantity, refunded_quantity, returned_quantity, refund_due_quantity, cancelled_amount, refunded_amount,
  returned_amount, refund_due_amount`;
const PAYMENT = `id, amount, status, provider, reference, "on"::text AS "on", ${time('created_at')}`;
const FULFILLMENT = `id, location_id, state, lines, uses, tracking, ${time('created_at')}, ${time('cancelled_at')}`;

/** SQL for the rows that belong to an order, as JSON; null if there are none. `order` is the table's alias. */
export function shownLinesOf(order: string): string {
  return list(LINE, 'storefront_order_lines', order, 'position');
}

export function shownPaymentsOf(order: string): string {
  return list(PAYMENT, 'storefront_payments', order, 'id');
}

export function shownRefundsOf(order: string): string {
  return list(`${PAYMENT}, reason, lines, parts`, 'storefront_refunds', order, 'id');
}

export function shownFulfillmentsOf(order: string): string {
  return list(FULFILLMENT, 'storefront_fulfillments', order, 'id');
}
