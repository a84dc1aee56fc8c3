import { rowKey } from '../../../kit/index.js';
import { AccountingInvoice } from './invoice.entity.js';
import { JournalEntry } from './journal-entry.entity.js';

/** Settings choose the form of the numbers of invoices and credit notes. */
export const INVOICE_NUMBER = rowKey(AccountingInvoice, 'number', { example: 'INV-2026-0042' });

export const ENTRY_NUMBER = rowKey(JournalEntry, 'number', {
  pattern: '^(?:(?:TEST|test)-)?[Jj][Ee]-[0-9]{6,10}$',
  example: 'JE-000042',
  title: 'memo',
});
