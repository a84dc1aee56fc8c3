// What other modules, and the demo, may import from this one.
export { AccountingCustomers } from './customers/customers.service.js';
export { AccountingSetup } from './setup/setup.service.js';
export { CreditNotes } from './settlement/credit-notes.service.js';
export { InvoiceDrafts } from './invoices/invoice-drafts.service.js';
export { InvoiceIssue } from './invoices/invoice-issue.service.js';
export { JournalEntries } from './ledger/journal-entries.service.js';
export { Payments } from './settlement/payments.service.js';
export { Periods } from './periods/periods.service.js';
