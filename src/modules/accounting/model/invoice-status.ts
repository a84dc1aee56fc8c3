import { AccountingErrors } from './accounting.errors.js';

export const INVOICE_STATUSES = ['draft', 'issued', 'partially_paid', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** What changes the status of an invoice or credit note. */
export type InvoiceTrigger = 'issue' | 'settle' | 'reverse_payment' | 'void';

/** The statuses in which a trigger is possible, and those that it leads to. */
const TRANSITIONS: Readonly<Record<InvoiceTrigger, Partial<Record<InvoiceStatus, readonly InvoiceStatus[]>>>> = {
  // an invoice with a total of 0 has nothing open
  issue: { draft: ['issued', 'paid'] },
  settle: { issued: ['partially_paid', 'paid'], partially_paid: ['partially_paid', 'paid'] },
  reverse_payment: { paid: ['partially_paid', 'issued'], partially_paid: ['partially_paid', 'issued'] },
  void: { draft: ['void'], issued: ['void'] },
};

/** `invalid_transition` unless the trigger is possible from the status. */
export function requireTransition(status: InvoiceStatus, trigger: InvoiceTrigger): void {
  const from = Object.keys(TRANSITIONS[trigger]);
  if (from.includes(status)) return;
  throw AccountingErrors.invalidTransition({
    param: 'status',
    message: `This is not possible while the status is ${status}, only while it is ${from.join(' or ')}.`,
    allowed: from,
  });
}

/** Throws `invalid_transition` unless it is an invoice in one of the statuses; `consequence` completes the message. */
export function requireInvoice(
  { type, status }: { type: string; status: InvoiceStatus },
  allowed: readonly InvoiceStatus[],
  consequence: string,
): void {
  if (type === 'invoice' && allowed.includes(status)) return;
  const subject = type === 'invoice' ? `The invoice is ${status}` : 'It is a credit note';
  throw AccountingErrors.invalidTransition({ param: 'status', message: `${subject}, so ${consequence}.`, allowed });
}

/** The status that follows from the settled amount. */
export function statusOf({ gross_amount, settled_amount }: { gross_amount: number; settled_amount: number }): InvoiceStatus {
  if (settled_amount === gross_amount) return 'paid';
  return settled_amount > 0 ? 'partially_paid' : 'issued';
}
