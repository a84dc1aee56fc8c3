import { plusDays, Store, type Ctx, type ModuleDemo } from '../../kit/index.js';
import { AccountingCustomers } from './customers/customers.service.js';
import { InvoiceDrafts } from './invoices/invoice-drafts.service.js';
import { InvoiceIssue } from './invoices/invoice-issue.service.js';
import { JournalEntries } from './ledger/journal-entries.service.js';
import { LedgerAccount, type AccountType } from './model/account.entity.js';
import { TaxRate } from './model/tax.entity.js';
import { monthOf } from './model/days.js';
import { Periods } from './periods/periods.service.js';
import { PeriodsQuery } from './periods/periods.dto.js';
import { CreditNotes } from './settlement/credit-notes.service.js';
import { Payments } from './settlement/payments.service.js';
import { AccountingSetup } from './setup/setup.service.js';

/** The services that create the demo data. */
interface AccountingSeeding {
  setup: AccountingSetup;
  customers: AccountingCustomers;
  entries: JournalEntries;
  drafts: InvoiceDrafts;
  issuing: InvoiceIssue;
  payments: Payments;
  creditNotes: CreditNotes;
  periods: Periods;
}

/** Ids of accounts and taxes by code. */
type Codes = Readonly<Record<string, string>>;

/** Accounts in addition to those that every project has. */
const ACCOUNTS: readonly [code: string, name: string, type: AccountType][] = [
  ['1300', 'Inventory', 'asset'],
  ['2300', 'Deferred revenue', 'liability'],
  ['4010', 'Consulting revenue', 'income'],
  ['4020', 'Subscription revenue', 'income'],
  ['6100', 'Rent', 'expense'],
  ['6200', 'Salaries', 'expense'],
  ['6300', 'Software', 'expense'],
];
const SELLER = {
  name: 'Demo Works GmbH',
  address: 'Hauptstraße 1\n10115 Berlin\nGermany',
  tax_id_number: 'DE123456789',
  email: 'billing@demo.example',
};
const STEPS = [
  { after_days: 7, subject: 'Reminder: invoice {NUMBER}', text: 'Dear {CUSTOMER},\n\n{BALANCE} of invoice {NUMBER} were due on {DUE_ON}.' },
  {
    after_days: 21,
    subject: 'Second reminder: invoice {NUMBER}',
    text: 'Dear {CUSTOMER},\n\nplease pay {BALANCE} of invoice {NUMBER} now.',
  },
];
const CUSTOMERS: readonly [name: string, email: string, address: string, currency?: string][] = [
  ['Nordlys Outdoor AS', 'billing@nordlys-outdoor.example', 'Storgata 1\n0155 Oslo\nNorway'],
  ['Casa Azul Hotels', 'contas@casa-azul-hotels.example', 'Rua Augusta 10\n1100-053 Lisboa\nPortugal'],
  ['Kleinhans Fahrradbau', 'rechnung@kleinhans-fahrradbau.example', 'Werkstraße 5\n50667 Köln\nGermany'],
  ['Brightside Logistics', 'accounts@brightside-logistics.example', '1 Harbour Road\nLondon\nUnited Kingdom'],
  ['Hoshi Ceramics', 'office@hoshi-ceramics.example', '2-1 Gion\nKyoto\nJapan', 'USD'],
];

/** What a customer with another open invoice paid too much. */
const OVERPAID = 1_500;

/** Sets up the books of a project: seller, reminders, more accounts and two more taxes. */
export async function setUpAccountingDemo(setup: AccountingSetup, ctx: Ctx, project_id: string): Promise<void> {
  await setup.updateSettings(ctx, project_id, { seller: SELLER, dunning_steps: STEPS, deal_customers: true, order_invoicing: 'paid' });
  for (const [code, name, type] of ACCOUNTS) await setup.createAccount(ctx, { project_id, code, name, type });
  await setup.createTax(ctx, { project_id, code: 'VAT19', name: 'VAT 19 %', rate: '19', category: 'S' });
  await setup.createTax(ctx, { project_id, code: 'VAT7', name: 'VAT 7 %', rate: '7', category: 'S' });
}

/**
 * Creates customers and nine invoices: drafts, open and overdue ones, paid in part and in full, credited, and one in USD. With `history`
 * also entries of last year, whose months are closed.
 */
export async function seedAccounting(
  services: AccountingSeeding,
  ctx: Ctx,
  project_id: string,
  { accounts, taxes, today, history }: { accounts: Codes; taxes: Codes; today: string; history: boolean },
): Promise<void> {
  const { customers, drafts, issuing, payments, creditNotes } = services;
  if (history) await seedLastYear(services, ctx, project_id, accounts, today);
  else
    await services.entries.create(ctx, entryOf(project_id, today, 'Rent', { debit: accounts['6100'], credit: accounts['1100'] }, 180_000));
  const people: string[] = [];
  for (const [name, email, address, currency] of CUSTOMERS)
    people.push((await customers.create(ctx, { project_id, name, email, address, currency })).id);
  const first = `${today.slice(0, 4)}-01-01`;
  const ago = (days: number) => [plusDays(today, -days), first].sort()[1];
  const draft = (customer: number, amount: number, more: object = {}) =>
    drafts.create(ctx, {
      project_id,
      customer_id: people[customer],
      lines: [
        { description: 'Consulting', quantity: '2.5', unit_amount: amount, tax_id: taxes.VAT19, account_id: accounts['4010'] },
        { description: 'Handbook', unit_amount: 2_990, tax_id: taxes.VAT7 },
      ],
      ...more,
    });
  const issued = async (customer: number, amount: number, daysAgo: number, terms: number) => {
    const dates = { issued_on: ago(daysAgo), due_on: plusDays(ago(daysAgo), terms) };
    return issuing.issue(ctx, (await draft(customer, amount, dates)).id);
  };
  const overdue = await issued(0, 48_000, 50, 30);
  const paid = await issued(1, 12_000, 40, 30);
  const partlyPaid = await issued(2, 36_000, 30, 14);
  const credited = await issued(3, 20_000, 20, 30);
  const overpaid = await issued(0, 9_900, 10, 30);
  const usd = { issued_on: ago(8), due_on: plusDays(today, 22), exchange_rate: '0.92' };
  const dollars = await issuing.issue(ctx, (await draft(4, 15_000, usd)).id);
  const wrong = await issued(1, 100, 5, 30);
  await draft(2, 7_500);
  await draft(3, 8_250, { memo: 'Waits for the order number.' });
  await payments.record(ctx, paid.id, { amount: paid.totals.gross_amount, paid_on: ago(12), reference: 'TX-2041' });
  await payments.record(ctx, partlyPaid.id, { amount: 50_000, paid_on: ago(9), reference: 'TX-2057' });
  const tooMuch = { amount: overpaid.totals.gross_amount + OVERPAID, excess: 'credit' as const };
  await payments.record(ctx, overpaid.id, { ...tooMuch, paid_on: ago(4), reference: 'TX-2066' });
  await payments.record(ctx, dollars.id, { amount: 20_000, paid_on: ago(2), exchange_rate: '0.9', method: 'card' });
  await creditNotes.create(ctx, credited.id, { reason: 'Returned', lines: [{ line_id: credited.lines[0].id, quantity: '1' }] });
  await issuing.void(ctx, wrong.id, 'Wrong customer');
  if (overdue.status !== 'issued') throw new Error('The demo invoice is not open.');
}

/** Capital, rent and sales of last year; then its months are closed. */
async function seedLastYear(
  { entries, periods }: AccountingSeeding,
  ctx: Ctx,
  project_id: string,
  accounts: Codes,
  today: string,
): Promise<void> {
  const year = Number(today.slice(0, 4)) - 1;
  const post = (on: string, memo: string, debit: string, credit: string, amount: number) =>
    entries.create(ctx, entryOf(project_id, on, memo, { debit: accounts[debit], credit: accounts[credit] }, amount));
  await post(`${year}-01-02`, 'Capital', '1100', '3000', 5_000_000);
  for (let month = 1; month <= 12; month++) {
    const on = `${year}-${String(month).padStart(2, '0')}-15`;
    await post(on, 'Rent', '6100', '1100', 180_000);
    await post(on, 'Subscriptions', '1100', '4020', 240_000 + month * 10_000);
  }
  await closeUntil(periods, ctx, project_id, `${year}-12-01`);
}

function entryOf(project_id: string, on: string, memo: string, { debit, credit }: { debit: string; credit: string }, amount: number) {
  const lines = [
    { account_id: debit, debit_amount: amount },
    { account_id: credit, credit_amount: amount },
  ];
  return { project_id, on, memo, lines };
}

async function closeUntil(periods: Periods, ctx: Ctx, projectId: string, last: string): Promise<void> {
  const { data } = await periods.page(ctx, Object.assign(new PeriodsQuery(), { project_id: [projectId], sort: 'month' }));
  for (const { id, month, status } of data) if (month <= monthOf(last) && status === 'open') await periods.close(ctx, id);
}

/** The books of the project OPS, with a closed last year, and those of ENG for its key. */
export const ACCOUNTING_DEMO: ModuleDemo = {
  async seed(demo) {
    const setup = demo.get(AccountingSetup);
    const services = {
      setup,
      customers: demo.get(AccountingCustomers),
      entries: demo.get(JournalEntries),
      drafts: demo.get(InvoiceDrafts),
      issuing: demo.get(InvoiceIssue),
      payments: demo.get(Payments),
      creditNotes: demo.get(CreditNotes),
      periods: demo.get(Periods),
    };
    const today = new Date().toISOString().slice(0, 10);
    for (const { id, key } of demo.projects) {
      const ctx = demo.as('grace', 'live');
      if (demo.isNew) await setUpAccountingDemo(setup, ctx, id);
      const byCode = (rows: readonly { code: string; id: string }[]): Codes => Object.fromEntries(rows.map((row) => [row.code, row.id]));
      const accounts = byCode(await demo.get(Store).list(ctx, LedgerAccount, { project_id: id }));
      const taxes = byCode(await demo.get(Store).list(ctx, TaxRate, { project_id: id }));
      for (const mode of demo.modes.toReversed()) {
        const history = key === 'OPS' && mode === 'live';
        await seedAccounting(services, demo.as('grace', mode), id, { accounts, taxes, today, history });
      }
    }
  },
  fits: {
    update_invoice: { type: 'invoice', status: 'draft' },
    issue_invoice: { type: 'invoice', status: 'draft' },
    void_invoice: { type: 'invoice', status: 'issued' },
    request_invoice_payment: { type: 'invoice', status: 'issued' },
    record_payment: { type: 'invoice', status: 'issued' },
    apply_credit: { type: 'invoice', status: 'issued', customer_name: CUSTOMERS[0][0] },
    'apply_credit.payment_id': { object: 'payment', customer_name: CUSTOMERS[0][0], unallocated_amount: OVERPAID },
    reverse_journal_entry: { source: { type: 'manual' }, reverses_id: null },
  },
  sends: {
    reverse_journal_entry: { on: 'on' },
  },
};
