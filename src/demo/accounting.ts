import { Store } from '../kit/index.js';
import {
  AccountingCustomers,
  AccountingSetup,
  CreditNotes,
  InvoiceDrafts,
  InvoiceIssue,
  JournalEntries,
  LedgerAccount,
  Payments,
  Periods,
  seedAccounting,
  setUpAccountingDemo,
  TaxRate,
} from '../modules/accounting/accounting.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the books of the project OPS, with a closed last year, and those of ENG for its key. */
export const seedAccountingDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const bookkeeper = members.find(({ email }) => email === PEOPLE.grace.email) ?? members[0];
  const setup = app.get(AccountingSetup);
  const store = app.get(Store);
  const services = {
    setup,
    customers: app.get(AccountingCustomers),
    entries: app.get(JournalEntries),
    drafts: app.get(InvoiceDrafts),
    issuing: app.get(InvoiceIssue),
    payments: app.get(Payments),
    creditNotes: app.get(CreditNotes),
    periods: app.get(Periods),
  };
  const today = new Date().toISOString().slice(0, 10);
  for (const { id, key } of projects) {
    await setUpAccountingDemo(setup, ctx.as(bookkeeper, 'live'), id);
    const accounts = byCode(await store.list(ctx, LedgerAccount, { project_id: id }));
    const taxes = byCode(await store.list(ctx, TaxRate, { project_id: id }));
    for (const mode of ['test', 'live'] as const) {
      const history = key === 'OPS' && mode === 'live';
      await seedAccounting(services, ctx.as(bookkeeper, mode), id, { accounts, taxes, today, history });
    }
  }
  ctx.asSystem();
};

function byCode(rows: readonly { code: string; id: string }[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ code, id }) => [code, id]));
}
