import { upload, type TakenValues } from '../../../../test/contract/taken-values.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { Books, EXT_ACCOUNTING, ORG_ACCOUNTING } from './accounting-fixture.js';

export async function takenValues(app: TestApp): Promise<TakenValues> {
  const books = await Books.open(app);
  const customer = await books.customer();
  const entryLines = [
    { account_id: books.ids['1100'], debit_amount: 100 },
    { account_id: books.ids['4000'], credit_amount: 100 },
  ];
  return {
    requests: {
      create_invoice: {
        table: 'accounting_invoices',
        value: { external_id: 'new' },
        ready: async () => {
          const { id } = await books.draft(customer.id, [[100, 'VAT19']]);
          const lines = [{ description: 'Work', unit_amount: 100, tax_id: books.ids.VAT19 }];
          return { id, send: () => books.api.post(`${EXT_ACCOUNTING}/invoices`, { customer_id: customer.id, lines, external_id: 'new' }) };
        },
      },
      create_customer: {
        table: 'accounting_customers',
        value: { external_id: 'new' },
        ready: async () => ({
          id: (await books.customer()).id,
          send: () => books.api.post(`${EXT_ACCOUNTING}/customers`, { name: 'Ada', external_id: 'new' }),
        }),
      },
      create_journal_entry: {
        table: 'accounting_journal_entries',
        value: { external_id: 'new' },
        ready: async () => {
          const body = { on: '2026-01-05', memo: 'Sale', lines: entryLines };
          const { id } = await books.post('/journal-entries', body);
          return { id, send: () => books.api.post(`${EXT_ACCOUNTING}/journal-entries`, { ...body, external_id: 'new' }) };
        },
      },
    },
    imports: {
      customers: {
        table: 'accounting_customers',
        value: { external_id: 'row-2' },
        ready: async () => ({
          id: (await books.customer()).id,
          send: () =>
            upload(books.screen, `${ORG_ACCOUNTING}/imports/customers`, books.project, ['name,external_id', 'First,row-1', 'Second,row-2']),
        }),
      },
    },
  };
}
