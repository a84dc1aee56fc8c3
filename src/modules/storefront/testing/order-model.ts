/** An independent model of the money of one order, written from the rules alone: no code of the product. Amounts are cents. */

interface ModelPart {
  total: number;
  tax: number;
  rate: string;
  /** 0: shipping. */
  quantity: number;
  shipped: number;
  cancelled: number;
  returned: number;
  /** Cancelled units by whether they were paid for, as long as they are not refunded. */
  paidUnits: number;
  unpaidUnits: number;
  /** Cents. What the buyer keeps, and what of the cancellations is not refunded. */
  kept: number;
  due: number;
  unpaid: number;
  cancelledAmount: number;
  refunded: number;
  invoiced: number;
  invoicedTax: number;
}

export interface ModelRefund {
  amount: number;
  /** By part: amount and tax. */
  parts: [number, number][];
}

const halves = (top: number, bottom: number) => (bottom === 0 ? 0 : Math.floor((2 * top + bottom) / (2 * bottom)));
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Gives each its floor, then one cent more to those that lost most, the first of equals first. */
function split(amount: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  if (amount === 0 || total === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (amount * weight) / total);
  const shares = exact.map(Math.floor);
  const order = weights.map((_, index) => index).sort((a, b) => exact[b] - shares[b] - (exact[a] - shares[a]) || a - b);
  for (let left = amount - sum(shares), place = 0; left > 0; left--, place++) shares[order[place]]++;
  return shares;
}

export class OrderModel {
  readonly parts: ModelPart[];
  paid = 0;
  refunded = 0;
  isInvoiced = false;

  constructor(lines: readonly { total: number; tax: number; rate: string; quantity: number }[]) {
    const nothing = { shipped: 0, cancelled: 0, returned: 0, paidUnits: 0, unpaidUnits: 0, due: 0, unpaid: 0, cancelledAmount: 0 };
    this.parts = lines.map((line) => ({ ...line, ...nothing, kept: line.total, refunded: 0, invoiced: 0, invoicedTax: 0 }));
  }

  get lines(): ModelPart[] {
    return this.parts.slice(0, -1);
  }

  get kept(): number {
    return sum(this.parts.map(({ kept }) => kept));
  }

  get net(): number {
    return this.paid - this.refunded;
  }

  get due(): number {
    return Math.max(0, this.kept - this.net);
  }

  get refundDue(): number {
    return Math.max(0, this.net - this.kept);
  }

  get isCancelled(): boolean {
    return this.lines.every(({ quantity, cancelled }) => quantity === cancelled);
  }

  get isShipped(): boolean {
    return !this.isCancelled && this.lines.every((line) => openOf(line) === 0);
  }

  get state(): string {
    if (this.isCancelled) return 'cancelled';
    return this.isShipped && this.due === 0 ? 'completed' : 'open';
  }

  pay(amount: number): void {
    this.paid += amount;
  }

  cancel(counts: readonly number[]): void {
    const [before, open] = [this.refundDue, this.lines.map((line, index) => openOf(line) - counts[index])];
    const isAll = this.lines.every(({ shipped }, index) => shipped === 0 && open[index] === 0);
    const gone = this.parts.map((part, index) => (index < counts.length ? worth(part, counts[index]) : isAll ? part.kept : 0));
    for (const [index, part] of this.parts.entries()) {
      part.kept -= gone[index];
      // the whole price, whatever of it had been given back before
      const before = part.cancelled + part.returned;
      if (index < counts.length) part.cancelledAmount += cumulative(part, before + counts[index]) - cumulative(part, before);
      else if (isAll) part.cancelledAmount = part.total;
      part.cancelled += counts[index] ?? 0;
    }
    const due = split(this.refundDue - before, gone);
    for (const [index, part] of this.parts.entries()) {
      const units = counts[index] ?? 0;
      const paid = due[index] === 0 ? 0 : Math.ceil((units * due[index]) / gone[index]);
      part.due += due[index];
      part.unpaid += gone[index] - due[index];
      part.paidUnits += paid;
      part.unpaidUnits += units - paid;
    }
  }

  /** Units that are due back, then others that were cancelled, then shipped ones. The status, or what is refunded. */
  refundUnits(index: number, units: number): number | ModelRefund {
    const part = this.parts[index];
    const excess = this.refundDue - sum(this.parts.map(({ due }) => due));
    const unpaidUnits = excess > 0 ? part.unpaidUnits : 0;
    if (this.due > 0) return 409;
    if (units > part.paidUnits + unpaidUnits + part.shipped - part.returned) return 400;
    const paid = Math.min(units, part.paidUnits);
    const unpaid = Math.min(units - paid, unpaidUnits);
    const back = units - paid - unpaid;
    const refundedUnits = part.returned + part.cancelled - part.paidUnits - part.unpaidUnits;
    const share = (count: number) => cumulative(part, refundedUnits + count) - cumulative(part, refundedUnits);
    const due = paid === part.paidUnits ? part.due : halves(part.due * share(paid), share(part.paidUnits));
    const beyond = Math.min(excess, unpaid === 0 ? 0 : halves(part.unpaid * unpaid, part.unpaidUnits));
    const returned = worth(part, back);
    if (due + beyond + returned === 0) return 400;
    part.paidUnits -= paid;
    part.unpaidUnits -= unpaid;
    part.returned += back;
    return this.refund(
      due + beyond + returned,
      this.parts.map((_, place) => (place === index ? { due, beyond, returned } : { due: 0, beyond: 0, returned: 0 })),
    );
  }

  /** What is due back, then what was paid in excess, then a reduction of the price of what is kept. */
  refundAmount(amount: number): number | ModelRefund {
    if (this.due > 0 || amount > this.net) return 409;
    const dues = this.parts.map(({ due }) => due);
    const due = split(Math.min(amount, sum(dues)), dues);
    const rest = amount - sum(due);
    const excess = this.refundDue - sum(dues);
    const unpaid = this.parts.map((part) => part.unpaid);
    const beyond = split(Math.min(rest, excess, sum(unpaid)), unpaid);
    const returned = split(
      rest - Math.min(rest, excess),
      this.parts.map(({ kept }) => kept),
    );
    return this.refund(
      amount,
      this.parts.map((_, index) => ({ due: due[index], beyond: beyond[index], returned: returned[index] })),
    );
  }

  /** The invoice charges what is not cancelled. */
  invoice(): void {
    if (this.isInvoiced) return;
    this.isInvoiced = true;
    for (const part of this.parts) {
      part.invoiced = part.total - part.cancelledAmount;
      part.invoicedTax = part.tax - halves(part.tax * part.cancelledAmount, part.total);
    }
  }

  /** What invoice and credit notes come to by part, once nothing is due: what is kept, and what was paid for and not given back. */
  charged(): number[] {
    return this.parts.map(({ invoiced, kept, due }) => Math.min(invoiced, kept + due));
  }

  /** What of the invoice is not charged any more. */
  released(): number {
    const charged = this.charged();
    return sum(this.parts.map(({ invoiced }, index) => invoiced - charged[index]));
  }

  /** The tax of it, by rate. */
  taxes(): Record<string, number> {
    const charged = this.charged();
    const taxes: Record<string, number> = {};
    for (const [index, { rate, invoiced, invoicedTax }] of this.parts.entries()) {
      const credited = halves(invoicedTax * (invoiced - charged[index]), invoiced);
      taxes[rate] = (taxes[rate] ?? 0) + invoicedTax - credited;
    }
    return Object.fromEntries(Object.entries(taxes).filter(([, tax]) => tax > 0));
  }

  private refund(amount: number, shares: readonly Record<'due' | 'beyond' | 'returned', number>[]): ModelRefund {
    const parts = this.parts.map((part, index): [number, number] => {
      const { due, beyond, returned } = shares[index];
      const before = part.refunded;
      part.due -= due;
      part.unpaid -= beyond;
      part.kept -= returned;
      part.refunded += due + beyond + returned;
      // they are refunded without being named
      if (part.due === 0) part.paidUnits = 0;
      return [part.refunded - before, halves(part.tax * part.refunded, part.total) - halves(part.tax * before, part.total)];
    });
    this.refunded += amount;
    return { amount, parts };
  }
}

/** Units that are neither shipped nor cancelled. */
export function openOf({ quantity, shipped, cancelled }: ModelPart): number {
  return quantity - shipped - cancelled;
}

function cumulative({ total, quantity }: ModelPart, units: number): number {
  return halves(total * units, quantity);
}

/** What the next units are worth of those that are kept; a reduction of the price reduces each in proportion. */
function worth(part: ModelPart, units: number): number {
  if (units === 0) return 0;
  const gone = part.cancelled + part.returned;
  const before = part.total - cumulative(part, gone);
  return before === 0 ? 0 : part.kept - halves(part.kept * (part.total - cumulative(part, gone + units)), before);
}
