import { describe, expect, test } from '@jest/globals';
import { Books } from './testing/accounting-fixture.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

const app = await sharedApp();
const today = new Date().toISOString().slice(0, 10);
const year = today.slice(0, 4);
const lastYear = Number(year) - 1;

describe('the ledger', () => {
  test('an entry in a closed month is reversed today, and that month does not change', async () => {
    const books = await Books.open(app);
    const day = `${lastYear}-03-15`;
    const { id, number } = await books.entry(day, '6000', '1100', 12_500, { external_id: 'rent' });
    expect(number).toBe('JE-000001');
    expect((await books.period(day, 'close')).body).toMatchObject({ status: 'closed' });
    const then = await books.get(`/reports/trial-balance?as_of=${lastYear}-03-31`);
    const again = { on: day, memo: 'Late', lines: [] as object[] };
    again.lines = [
      { account_id: books.ids['6000'], debit_amount: 1 },
      { account_id: books.ids['1100'], credit_amount: 1 },
    ];
    expect(await books.refused('/journal-entries', again)).toEqual([409, 'period_closed', 'on']);
    expect(await books.refused('/journal-entries', { ...again, on: `${lastYear}-02-01` })).toEqual([409, 'period_closed', 'on']);
    expect(await books.refused(`/journal-entries/${id}/reverse`, { on: `${lastYear}-03-31` })).toEqual([409, 'period_closed', 'on']);
    expect(await books.refused(`/journal-entries/${id}/reverse`, { on: `${lastYear}-03-01` })).toEqual([400, 'validation_failed', 'on']);
    const reversal = await books.post(`/journal-entries/${id}/reverse`);
    expect(reversal).toMatchObject({ on: today, reverses_id: id, reversed_by_id: null });
    expect(await books.get(`/journal-entries/${id}`)).toMatchObject({ reversed_by_id: reversal.id });
    expect(await books.refused(`/journal-entries/${id}/reverse`)).toEqual([409, 'already_reversed', undefined]);
    expect(await books.refused(`/journal-entries/${reversal.id}/reverse`)).toEqual([409, 'not_reversible', undefined]);
    expect(await books.get(`/reports/trial-balance?as_of=${lastYear}-03-31`)).toEqual(then);
    expect(then).toMatchObject({ total_debit_amount: 12_500, total_credit_amount: 12_500 });
    // the loss of last year, and its reversal this year
    expect(await books.get(`/reports/balance-sheet?as_of=${today}`)).toMatchObject({
      earlier_profit_amount: -12_500,
      current_profit_amount: 12_500,
      total_assets_amount: 0,
      total_equity_amount: 0,
    });
    expect(await books.get(`/reports/profit-and-loss?from=${lastYear}-01-01&to=${lastYear}-12-31`)).toMatchObject({
      expenses: [{ code: '6000', amount: 12_500 }],
      profit_amount: -12_500,
    });
  });

  test('months are closed in their order, and their balances are those of their lines', async () => {
    const books = await Books.open(app);
    for (const month of ['01', '02', '04']) await books.entry(`${lastYear}-${month}-10`, '1100', '3000', Number(month) * 100);
    const before = await books.get(`/reports/trial-balance?as_of=${lastYear}-03-31`);
    expect((await books.period(`${lastYear}-02-01`, 'close')).body.error).toMatchObject({
      code: 'resource_conflict',
      month: `${lastYear}-01-01`,
    });
    for (const month of ['01', '02']) expect((await books.period(`${lastYear}-${month}-01`, 'close')).status).toBe(200);
    expect((await books.period(`${lastYear}-01-01`, 'reopen')).body.error).toMatchObject({
      code: 'period_closed',
      month: `${lastYear}-02-01`,
    });
    expect(await books.get(`/reports/trial-balance?as_of=${lastYear}-03-31`)).toEqual(before);
    expect(await books.balances(`${lastYear}-02-09`)).toEqual({ '1100': 100, '3000': -100 });
    expect(await books.balances(`${lastYear}-04-10`)).toEqual({ '1100': 700, '3000': -700 });
    expect((await books.period(`${lastYear}-02-01`, 'reopen')).body).toMatchObject({ status: 'open', closed_at: null });
    await books.entry(`${lastYear}-02-11`, '1100', '3000', 5);
    expect(await books.balances(`${lastYear}-04-10`)).toEqual({ '1100': 705, '3000': -705 });
  });

  test('refusals name the field', async () => {
    const books = await Books.open(app);
    const { workspace, ids } = books;
    const other = await Books.open(app);
    const lines = (...amounts: [debit: number, credit: number][]) =>
      amounts.map(([debit_amount, credit_amount], index) => ({
        account_id: index % 2 === 0 ? ids['1100'] : ids['3000'],
        ...(debit_amount ? { debit_amount } : {}),
        ...(credit_amount ? { credit_amount } : {}),
      }));
    const body = { on: today, memo: 'Test', lines: lines([5, 0], [0, 5]) };
    const refused = (change: object) => books.refused('/journal-entries', { ...body, ...change });
    expect(await refused({ lines: lines([5, 0], [0, 6]) })).toEqual([400, 'entry_unbalanced', 'lines']);
    expect(await refused({ lines: lines([5, 5], [0, 6]) })).toEqual([400, 'validation_failed', 'lines.0.debit_amount']);
    expect(await refused({ lines: lines([5, 0], [0, 0]) })).toEqual([400, 'validation_failed', 'lines.1.debit_amount']);
    expect(await refused({ lines: lines([2 ** 53, 0], [0, 2 ** 53]) })).toEqual([400, 'validation_failed', 'lines.0.debit_amount']);
    const most = Number.MAX_SAFE_INTEGER;
    expect(await refused({ lines: lines([most, 0], [0, most], [1, 0], [0, 1]) })).toEqual([400, 'validation_failed', 'lines']);
    expect(await refused({ currency: 'USD' })).toEqual([400, 'validation_failed', 'exchange_rate']);
    expect(await refused({ currency: 'XQZ', exchange_rate: '1.1' })).toEqual([400, 'validation_failed', 'currency']);
    expect(await refused({ exchange_rate: '1.1' })).toEqual([400, 'validation_failed', 'exchange_rate']);
    expect(await refused({ currency: 'USD', exchange_rate: '9000000000', lines: lines([most, 0], [0, most]) })).toEqual([
      400,
      'validation_failed',
      'exchange_rate',
    ]);
    expect(await refused({ on: '0099-01-01' })).toEqual([400, 'validation_failed', 'on']);
    expect(await refused({ lines: [{ ...lines([5, 0])[0], account_id: other.ids['1100'] }, lines([5, 0], [0, 5])[1]] })).toEqual([
      400,
      'validation_failed',
      'lines.0.account_id',
    ]);
    const first = await books.post('/journal-entries', { ...body, external_id: 'once' });
    const { body: repeat } = await books.api.post('/api/v1/ext/accounting/journal-entries', { ...body, external_id: 'once' });
    expect(repeat.error).toMatchObject({ code: 'duplicate', param: 'external_id', existing_id: first.id });
    // thirds of a unit: both sides stay equal in the base currency
    const split = await books.post('/journal-entries', {
      ...body,
      currency: 'USD',
      exchange_rate: '0.3333333333',
      lines: lines([1, 0], [0, 2], [1, 0], [0, 1], [1, 0]),
    });
    const rows = split.lines as { base_debit_amount: number; base_credit_amount: number }[];
    expect(rows.map((line) => line.base_debit_amount - line.base_credit_amount)).toEqual([1, -1, 0, 0, 0]);
    const contact = await workspace.key({ module: 'crm', mode: 'test' });
    const { id: contact_id } = (await contact.client.post('/api/v1/ext/crm/contacts', { project_id: books.project, full_name: 'Ada' }))
      .body;
    expect(await books.refused('/customers', { name: 'Ada', contact_id })).toEqual([400, 'validation_failed', 'contact_id']);
  });

  test('no SQL of the application changes what was posted', async () => {
    const books = await Books.open(app);
    const { id } = await books.entry(today, '1100', '3000', 700);
    const own = `organization_id = '${books.workspace.organizationId}'`;
    const before = `${Number(today.slice(0, 4)) - 1}-03-01`;
    await books.entry(before, '1100', '3000', 5);
    expect((await books.period(before, 'close')).status).toBe(200);
    const issued = await books.issue(await books.draft((await books.customer()).id, [[500, 'ZERO']]));
    const paid = await books.post(`/invoices/${issued.id}/payments`, { amount: 600, paid_on: today, excess: 'credit' });
    const settle = (amount: number) => `
      INSERT INTO accounting_allocations (id, organization_id, project_id, mode, invoice_id, payment_id, amount, base_amount,
        base_credit_amount, applied_on)
      SELECT gen_random_uuid(), organization_id, project_id, mode, invoice_id, id, ${amount}, ${amount}, ${amount}, paid_on
      FROM accounting_payments WHERE id = '${paid.id}'`;
    const line = `entry_id, position, organization_id, project_id, mode, posted_on, account_id, debit_amount, credit_amount`;
    for (const sql of [
      `UPDATE accounting_journal_entries SET memo = 'changed' WHERE id = '${id}'`,
      `UPDATE accounting_journal_lines SET debit_amount = 1 WHERE entry_id = '${id}'`,
      `UPDATE accounting_journal_lines SET memo = 'changed' WHERE ${own}`,
      `DELETE FROM accounting_journal_lines WHERE entry_id = '${id}'`,
      `DELETE FROM accounting_journal_entries WHERE id = '${id}'`,
      `TRUNCATE accounting_journal_lines`,
      `INSERT INTO accounting_journal_lines (${line}, base_debit_amount, base_credit_amount)
       SELECT entry_id, position + 2, organization_id, project_id, mode, posted_on, account_id, debit_amount, credit_amount,
         base_debit_amount, base_credit_amount FROM accounting_journal_lines WHERE entry_id = '${id}'`,
      `INSERT INTO accounting_journal_entries (id, organization_id, project_id, mode, number, "on", memo, currency, exchange_rate,
         source_type, line_count, account_ids, created_by)
       SELECT gen_random_uuid(), organization_id, project_id, mode, 'X', "on", memo, currency, exchange_rate, 'manual', 2, account_ids, '{}'
       FROM accounting_journal_entries WHERE id = '${id}'`,
      `UPDATE accounting_periods SET month = '1999-01-01' WHERE ${own} AND status = 'closed'`,
      `DELETE FROM accounting_periods WHERE ${own}`,
      `TRUNCATE accounting_periods`,
      `UPDATE accounting_balances SET debit_amount = debit_amount + 1 WHERE ${own}`,
      `DELETE FROM accounting_balances WHERE ${own}`,
      `INSERT INTO accounting_balances SELECT organization_id, project_id, month, '${books.ids['6000']}', 1, 0 FROM accounting_balances
       WHERE ${own} AND account_id = '${books.ids['1100']}'`,
      `TRUNCATE accounting_balances`,
      settle(1),
      `${settle(1)}; UPDATE accounting_invoices SET settled_amount = settled_amount + 1 WHERE id = '${issued.id}'`,
      `UPDATE accounting_allocations SET ended_on = '${today}', ended_at = now() WHERE invoice_id = '${issued.id}'`,
      `UPDATE accounting_payments SET unallocated_amount = 0 WHERE id = '${paid.id}'`,
      `UPDATE accounting_invoices SET status = 'void' WHERE id = '${issued.id}'`,
    ])
      await expect(app.sql.query(sql)).rejects.toMatchObject({ code: '23514' });
  });
});
