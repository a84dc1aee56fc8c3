/** An independent model of books in one currency with one tax of 19 %, written from the rules alone: no code of the product. */

interface ModelInvoice {
  id: string;
  unit: number;
  gross: number;
  net: number;
  tax: number;
  settled: number;
  /** Of two pieces. */
  creditedPieces: number;
  credited: { net: number; tax: number };
  isVoid: boolean;
}

interface ModelCredit {
  id: string;
  kind: 'payment' | 'credit_note';
  left: number;
  amount: number;
  reversed: boolean;
}

interface ModelAllocation {
  invoice: ModelInvoice;
  credit: ModelCredit;
  amount: number;
}

const PIECES = 2;
/** 19 % in whole cents, halves up. */
const taxOf = (net: number) => Math.floor((net * 19 + 50) / 100);

export class BooksModel {
  readonly invoices: ModelInvoice[] = [];
  readonly credits: ModelCredit[] = [];
  private allocations: ModelAllocation[] = [];

  issue(id: string, unit: number): void {
    const net = unit * PIECES;
    const nothing = { settled: 0, creditedPieces: 0, credited: { net: 0, tax: 0 }, isVoid: false };
    this.invoices.push({ id, unit, net, tax: taxOf(net), gross: net + taxOf(net), ...nothing });
  }

  statusOf({ isVoid, settled, gross }: ModelInvoice): string {
    if (isVoid) return 'void';
    return settled === gross ? 'paid' : settled > 0 ? 'partially_paid' : 'issued';
  }

  /** The error code, or null if it is recorded. */
  pay(invoice: ModelInvoice, amount: number, keepsExcess: boolean, record: () => Promise<string>): Promise<string | null> {
    return this.unless(
      invoice.isVoid ? 'invalid_transition' : !keepsExcess && amount > this.openOf(invoice) ? 'payment_exceeds_balance' : null,
      async () => {
        const credit: ModelCredit = { id: await record(), kind: 'payment', left: amount, amount, reversed: false };
        this.credits.push(credit);
        this.allocate(invoice, credit, Math.min(amount, this.openOf(invoice)));
      },
    );
  }

  apply(invoice: ModelInvoice, credit: ModelCredit, record: () => Promise<string>): Promise<string | null> {
    const isOpen = !invoice.isVoid && this.openOf(invoice) > 0;
    return this.unless(!isOpen ? 'invalid_transition' : credit.left === 0 ? 'payment_exceeds_balance' : null, async () => {
      await record();
      this.allocate(invoice, credit, Math.min(credit.left, this.openOf(invoice)));
    });
  }

  reverse(payment: ModelCredit, record: () => Promise<string>): Promise<string | null> {
    return this.unless(payment.reversed ? 'already_reversed' : null, async () => {
      await record();
      for (const { invoice, amount } of this.allocations.filter(({ credit }) => credit === payment)) invoice.settled -= amount;
      this.allocations = this.allocations.filter(({ credit }) => credit !== payment);
      Object.assign(payment, { reversed: true, left: 0 });
    });
  }

  /** Credits one piece, or all that is left. */
  credit(invoice: ModelInvoice, isAll: boolean, record: () => Promise<string>): Promise<string | null> {
    const left = PIECES - invoice.creditedPieces;
    return this.unless(invoice.isVoid ? 'invalid_transition' : left === 0 ? 'already_credited' : null, async () => {
      const pieces = isAll ? left : 1;
      const isRest = pieces === left;
      const rest = { net: invoice.net - invoice.credited.net, tax: invoice.tax - invoice.credited.tax };
      const { net, tax } = isRest ? rest : { net: invoice.unit * pieces, tax: Math.min(rest.tax, taxOf(invoice.unit * pieces)) };
      const note: ModelCredit = { id: await record(), kind: 'credit_note', left: net + tax, amount: net + tax, reversed: false };
      this.credits.push(note);
      invoice.creditedPieces += pieces;
      invoice.credited = { net: invoice.credited.net + net, tax: invoice.credited.tax + tax };
      this.allocate(invoice, note, Math.min(note.left, this.openOf(invoice)));
    });
  }

  void(invoice: ModelInvoice, record: () => Promise<string>): Promise<string | null> {
    return this.unless(invoice.isVoid ? 'invalid_transition' : invoice.settled > 0 ? 'use_credit_note' : null, async () => {
      await record();
      invoice.isVoid = true;
    });
  }

  /** Debit less credit by the code of the account; accounts without a balance are left out. */
  balances(): Record<string, number> {
    const valid = this.invoices.filter(({ isVoid }) => !isVoid);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const payments = this.credits.filter(({ kind, reversed }) => kind === 'payment' && !reversed);
    const notes = this.credits.filter(({ kind }) => kind === 'credit_note');
    const all = {
      '1100': sum(payments.map(({ amount }) => amount)),
      '1200': sum(valid.map((invoice) => this.openOf(invoice))) - sum(notes.map(({ left }) => left)),
      '2100': -sum(payments.map(({ left }) => left)),
      '2200': -sum(valid.map(({ tax, credited }) => tax - credited.tax)),
      '4000': -sum(valid.map(({ net, credited }) => net - credited.net)),
    };
    return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
  }

  private openOf({ gross, settled }: ModelInvoice): number {
    return gross - settled;
  }

  private allocate(invoice: ModelInvoice, credit: ModelCredit, amount: number): void {
    if (amount === 0) return;
    invoice.settled += amount;
    credit.left -= amount;
    this.allocations.push({ invoice, credit, amount });
  }

  private async unless(code: string | null, happen: () => Promise<void>): Promise<string | null> {
    if (code === null) await happen();
    return code;
  }
}
