import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { Books } from './accounting-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { takenValues } from './taken-values.js';
import { mailSamples } from './mail-samples.js';

export const contract: ModuleContract = {
  mails: mailSamples,
  operations: `
    list_invoices get_invoice create_invoice update_invoice issue_invoice void_invoice record_payment list_journal_entries
    get_journal_entry create_journal_entry reverse_journal_entry get_trial_balance list_accounts list_tax_rates list_customers
    list_accounting_periods
  `,
  destructive: ['void_invoice', 'reverse_payment'],
  withoutUndo: ['delete_org_account', 'delete_org_tax_rate'],
  emailFields: [
    'PATCH /api/v1/ext/accounting/customers/{id} email (email)',
    'PATCH /api/v1/org/accounting/customers/{id} email (email)',
    'PATCH /api/v1/org/accounting/settings/{project_id} seller.email (email)',
    'POST /api/v1/ext/accounting/customers email (email)',
    'POST /api/v1/org/accounting/customers email (email)',
  ],
  openWorld: ['request_invoice_payment'],
  rarelySucceed: {
    create_journal_entry: 'The debits and credits of arbitrary lines are not equal.',
    create_invoice: 'Customer, taxes and accounts must be of one project, and dates and currencies must fit.',
    create_credit_note: 'The lines must be those of the very invoice.',
    record_payment: 'Most days are in the future or the amount exceeds the balance.',
    apply_credit: 'The credit must be one of the very customer.',
  },
  prepare,
  takenValues,
};

/** Books with drafts, issued invoices, payments and entries. */
async function prepare(app: TestApp, workspace: Workspace): Promise<void> {
  const books = await Books.open(app, { workspace });
  const { id: customer } = await books.customer();
  const today = new Date().toISOString().slice(0, 10);
  for (let count = 0; count < 8; count++) {
    await books.draft(customer, [[1_000, 'VAT19']]);
    await books.entry(today, '1100', '3000', 100);
    const { id } = await books.issue(await books.draft(customer, [[10_000, 'ZERO']]));
    if (count < 4) await books.post(`/invoices/${id}/payments`, { amount: 11_000, paid_on: today, excess: 'credit' });
  }
}
