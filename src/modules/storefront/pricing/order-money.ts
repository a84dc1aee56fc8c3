import { multiply, plainDecimal, shareOut, sumOf } from '../../../kit/index.js';
import type { Order } from '../model/order.entity.js';
import type { RefundPart, ShownLine } from '../model/shown-parts.js';
import { shareOfUnits, taxShare } from './shares.js';

/*
 * The amounts of an order: kept, paid, due back. All sums are derived here:
 *
 * - kept = total - cancelled - returned. It never rises: returned goods and reductions of the price lower it as cancellations do.
 * - net payments = paid - refunded. The order is paid when they cover what is kept. From then on they do: a refund is accepted only if
 *   nothing is due, and returns no more than is due back, unless it lowers what is kept by the same amount.
 * - Of each part, `refund_due` is what was cancelled after it was paid for, and is not refunded yet. The refund due of the order beyond
 *   the sum of its parts was paid in excess of what was kept, such as for units that had been cancelled before.
 */

type Amounts = Pick<Order, 'total_amount' | 'cancelled_amount' | 'returned_amount' | 'paid_amount' | 'refunded_amount'>;

/** A line, or shipping. */
type Part = Pick<
  ShownLine,
  'total_amount' | 'tax_amount' | 'cancelled_amount' | 'returned_amount' | 'refunded_amount' | 'refund_due_amount'
>;

/** Units of a line. */
interface Units {
  line: ShownLine;
  quantity: number;
}

/** An order after a change: its lines, and the columns that follow from them. */
interface ChangedOrder {
  lines: ShownLine[];
  columns: Partial<Order>;
}

export interface DividedRefund extends ChangedOrder {
  amount: number;
  /** Only parts with an amount; lines in order, then shipping. The amount beyond them was paid in excess. */
  parts: RefundPart[];
}

/** The amount that the buyer owes, negative if the buyer is owed. */
export function balanceOf(order: Amounts): number {
  return keptOf(order) - (order.paid_amount - order.refunded_amount);
}

/** What the buyer owes in the end for a part, or has paid and not got back: what the invoice and the credit notes of it must come to. */
export function chargedOf(part: Part): number {
  return keptOf(part) + part.refund_due_amount;
}

export function shippingOf(order: Order): Part {
  return {
    total_amount: order.shipping_total_amount,
    tax_amount: order.shipping_tax_amount,
    cancelled_amount: order.shipping_cancelled_amount,
    returned_amount: order.shipping_returned_amount,
    refunded_amount: order.shipping_refunded_amount,
    refund_due_amount: order.shipping_refund_due_amount,
  };
}

/**
 * Cancels units; shipping as well if nothing is left of the order. What was paid for them becomes due back. They are cancelled with their
 * whole price: refunds that had reduced it count as refunds of what is cancelled from then on.
 */
export function cancelUnits(order: Order, lines: readonly ShownLine[], units: readonly Units[], isWhole: boolean): ChangedOrder {
  const counts = lines.map(({ id }) => units.find(({ line }) => line.id === id)?.quantity ?? 0);
  const shipping = shippingOf(order);
  const given = [...lines.map((line, index) => keptPart(line, counts[index])), isWhole ? keptOf(shipping) : 0];
  const cancelled = [
    ...lines.map((line, index) => pricePart(line, counts[index])),
    isWhole ? shipping.total_amount - shipping.cancelled_amount : 0,
  ];
  const reductions = cancelled.map((amount, index) => amount - given[index]);
  const dueBack = shareOut(Math.max(0, sumOf(given) - Math.max(0, balanceOf(order))), given);
  const changed = lines.map((line, index) => {
    const [quantity, due] = [counts[index], dueBack[index]];
    if (quantity === 0) return line;
    return {
      ...line,
      cancelled_quantity: line.cancelled_quantity + quantity,
      cancelled_amount: line.cancelled_amount + cancelled[index],
      returned_amount: line.returned_amount - reductions[index],
      refund_due_quantity: line.refund_due_quantity + (due === 0 ? 0 : Math.ceil(quantity * (due / given[index]))),
      refund_due_amount: line.refund_due_amount + due,
    };
  });
  return {
    lines: changed,
    columns: {
      cancelled_quantity: changed.reduce((sum, line) => sum + line.cancelled_quantity, 0),
      cancelled_amount: order.cancelled_amount + sumOf(cancelled),
      returned_amount: order.returned_amount - sumOf(reductions),
      shipping_cancelled_amount: shipping.cancelled_amount + cancelled[lines.length],
      shipping_returned_amount: shipping.returned_amount - reductions[lines.length],
      shipping_refund_due_amount: shipping.refund_due_amount + dueBack[lines.length],
    },
  };
}

/** Units of a line that can be refunded: those that are due back, the other cancelled ones if more was paid, and shipped ones. */
export function refundableUnits(order: Order, lines: readonly ShownLine[], line: ShownLine): number {
  const { excess } = dueBackOf(order, lines);
  return line.refund_due_quantity + (excess > 0 ? unpaidUnits(line) : 0) + line.fulfilled_quantity - line.returned_quantity;
}

/** Refunds units, no more of each line than `refundableUnits`: cancelled ones first, then shipped ones, which are returned. */
export function refundUnits(order: Order, lines: readonly ShownLine[], units: readonly Units[]): DividedRefund {
  let { excess } = dueBackOf(order, lines);
  const shares = lines.map((line): Share => {
    const quantity = units.find((one) => one.line.id === line.id)?.quantity ?? 0;
    const dueUnits = Math.min(quantity, line.refund_due_quantity);
    const unpaid = excess > 0 ? Math.min(quantity - dueUnits, unpaidUnits(line)) : 0;
    const excessAmount = Math.min(excess, partOf(unpaidAmount(line), unpaid, unpaidUnits(line)));
    excess -= excessAmount;
    const returnedUnits = quantity - dueUnits - unpaid;
    return {
      quantity,
      dueUnits,
      due: duePart(line, dueUnits),
      excess: excessAmount,
      returnedUnits,
      returned: keptPart(line, returnedUnits),
    };
  });
  return divided(order, lines, [...shares, NOTHING]);
}

/**
 * Refunds an amount: first what is due back for parts, then what was paid in excess, then a reduction of the price of what is kept, each
 * in proportion to the parts.
 */
export function refundAmount(order: Order, lines: readonly ShownLine[], amount: number): DividedRefund {
  const parts = [...lines, shippingOf(order)];
  const { owed, excess } = dueBackOf(order, lines);
  const due = shareOut(
    Math.min(amount, owed),
    parts.map(({ refund_due_amount }) => refund_due_amount),
  );
  let left = amount - sumOf(due);
  const unpaid = parts.map(unpaidAmount);
  const beyond = shareOut(Math.min(left, excess, sumOf(unpaid)), unpaid);
  left -= Math.min(left, excess);
  const kept = parts.map(keptOf);
  const returned = shareOut(Math.min(left, sumOf(kept)), kept);
  const shares = parts.map((_, index) => ({ ...NOTHING, due: due[index], excess: beyond[index], returned: returned[index] }));
  return { ...divided(order, lines, shares), amount };
}

/** The refund of one part. */
interface Share {
  quantity: number;
  dueUnits: number;
  due: number;
  /** Paid in excess, for units that were cancelled before they were paid for. */
  excess: number;
  returnedUnits: number;
  returned: number;
}

const NOTHING: Share = { quantity: 0, dueUnits: 0, due: 0, excess: 0, returnedUnits: 0, returned: 0 };

/** One share for each line and one for shipping. */
function divided(order: Order, lines: readonly ShownLine[], shares: readonly Share[]): DividedRefund {
  const amounts = shares.map(({ due, excess, returned }) => due + excess + returned);
  const changed = lines.map((line, index) => {
    const { quantity, dueUnits, due, returnedUnits, returned } = shares[index];
    if (quantity === 0 && amounts[index] === 0) return line;
    const refund_due_amount = line.refund_due_amount - due;
    const left = line.refund_due_quantity - dueUnits;
    // if nothing is due back any more, they are refunded without being named
    const isLast = refund_due_amount === 0;
    return {
      ...line,
      refunded_quantity: line.refunded_quantity + quantity + (isLast ? left : 0),
      refunded_amount: line.refunded_amount + amounts[index],
      returned_quantity: line.returned_quantity + returnedUnits,
      returned_amount: line.returned_amount + returned,
      refund_due_quantity: isLast ? 0 : left,
      refund_due_amount,
    };
  });
  const shipping = shippingOf(order);
  const [last, lastAmount] = [shares[lines.length], amounts[lines.length]];
  const parts: RefundPart[] = lines.flatMap(({ id, tax_code, tax_rate, ...line }, index) =>
    amounts[index] === 0 ? [] : [{ line_id: id, tax_code, tax_rate, ...refundedPart(line, shares[index]) }],
  );
  const { shipping_tax_code, shipping_tax_rate } = order;
  if (lastAmount > 0 && shipping_tax_code !== null && shipping_tax_rate !== null)
    parts.push({
      line_id: null,
      tax_code: shipping_tax_code,
      tax_rate: plainDecimal(shipping_tax_rate),
      ...refundedPart(shipping, last),
    });
  const amount = sumOf(amounts);
  return {
    amount,
    parts,
    lines: changed,
    columns: {
      returned_amount: order.returned_amount + sumOf(shares.map(({ returned }) => returned)),
      shipping_refunded_amount: shipping.refunded_amount + lastAmount,
      shipping_returned_amount: shipping.returned_amount + last.returned,
      shipping_refund_due_amount: shipping.refund_due_amount - last.due,
    },
  };
}

function refundedPart(
  part: Pick<Part, 'tax_amount' | 'total_amount' | 'refunded_amount'>,
  { quantity, due, excess, returned }: Share,
): Pick<RefundPart, 'tax_amount' | 'total_amount' | 'reduction_amount'> {
  const whole = { tax: part.tax_amount, total: part.total_amount };
  const total_amount = due + excess + returned;
  return {
    tax_amount: taxShare(whole, part.refunded_amount, total_amount),
    total_amount,
    reduction_amount: quantity === 0 ? returned : 0,
  };
}

/** The refund due: what is owed for parts, and what was paid in excess. */
function dueBackOf(order: Order, lines: readonly ShownLine[]): { owed: number; excess: number } {
  const owed = sumOf([...lines, shippingOf(order)].map(({ refund_due_amount }) => refund_due_amount));
  return { owed, excess: Math.max(0, -balanceOf(order) - owed) };
}

export function keptOf({
  total_amount,
  cancelled_amount,
  returned_amount,
}: Pick<Part, 'total_amount' | 'cancelled_amount' | 'returned_amount'>) {
  return total_amount - cancelled_amount - returned_amount;
}

/** The price of so many units of those that are kept: the difference of cumulative shares of the line. */
function pricePart({ total_amount, quantity, cancelled_quantity, returned_quantity }: ShownLine, units: number): number {
  return shareOfUnits(total_amount, quantity, cancelled_quantity + returned_quantity, units);
}

/** What they are worth: their price, less their part in reductions of it. The last ones are worth the rest. */
function keptPart(line: ShownLine, units: number): number {
  const before = pricePart(line, line.quantity - line.cancelled_quantity - line.returned_quantity);
  const after = before - pricePart(line, units);
  return before === 0 ? 0 : keptOf(line) - multiply(keptOf(line), String(after), String(before));
}

/** The same of what is due back; earlier refunds of an amount have reduced it. */
function duePart({ total_amount, quantity, refunded_quantity, refund_due_quantity, refund_due_amount }: ShownLine, units: number): number {
  const shareOf = (count: number) => shareOfUnits(total_amount, quantity, refunded_quantity, count);
  const [share, whole] = [shareOf(units), shareOf(refund_due_quantity)];
  return units === refund_due_quantity || whole === 0 ? refund_due_amount : multiply(refund_due_amount, String(share), String(whole));
}

/** Cancelled before they were paid for, and not refunded from what was paid in excess. */
function unpaidAmount({ cancelled_amount, refund_due_amount, refunded_amount, returned_amount }: Part): number {
  return Math.max(0, cancelled_amount - refund_due_amount - (refunded_amount - returned_amount));
}

function unpaidUnits({ cancelled_quantity, refund_due_quantity, refunded_quantity, returned_quantity }: ShownLine): number {
  return Math.max(0, cancelled_quantity - refund_due_quantity - (refunded_quantity - returned_quantity));
}

function partOf(amount: number, units: number, all: number): number {
  return units === 0 ? 0 : multiply(amount, String(units), String(all));
}
