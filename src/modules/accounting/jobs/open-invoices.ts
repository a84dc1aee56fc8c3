import type { AccountingInvoice } from '../model/invoice.entity.js';

/** Whether a locked invoice has an open amount. */
export function isOpen({ status, gross_amount, settled_amount }: AccountingInvoice): boolean {
  return (status === 'issued' || status === 'partially_paid') && settled_amount < gross_amount;
}
