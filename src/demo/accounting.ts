import { Store, sql } from '../kit/index.js';
import {
  AccountingCustomers,
  AccountingSetup,
  CreditNotes,
  InvoiceDrafts,
  InvoiceIssue,
  JournalEntries,
  Payments,
  Periods,
  seedAccounting,
  setUpAccountingDemo,
} from '../modules/accounting/accounting.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the books of the project OPS, with a closed last year, and those of ENG for its key. */
export const seedAccountingDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const bookkeeper = members.find(({ email }) => email === PEOPLE.grace.email) ?? members[0];
  const setup = app.get(AccountingSetup);
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
    const codes = async (table: string) => {
      const text = `SELECT code, id FROM ${table} WHERE organization_id = $1 AND project_id = $2`;
      const rows = await app
        .get(Store)
        .reader(ctx)
        .query<{ code: string; id: string }>(sql.legacy(text, [ctx.organizationId, id]));
      return Object.fromEntries(rows.map((row) => [row.code, row.id]));
    };
    const [accounts, taxes] = [await codes('accounting_accounts'), await codes('accounting_taxes')];
    for (const mode of ['test', 'live'] as const) {
      const history = key === 'OPS' && mode === 'live';
      await seedAccounting(services, ctx.as(bookkeeper, mode), id, { accounts, taxes, today, history });
    }
  }
  ctx.asSystem();
};
