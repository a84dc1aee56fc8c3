import { describe, expect, test } from '@jest/globals';
import { Books, type Invoice } from '../testing/accounting-fixture.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const today = new Date().toISOString().slice(0, 10);
const year = Number(today.slice(0, 4));

/** The types of the public and internal events about a row, in their order. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await app.sql.query<{ type: string }>(
    `SELECT type FROM outbox_events WHERE body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
    [id],
  );
  return rows.map(({ type }) => type);
}

/** The previous attributes of the events of a type about a row. */
async function changedBy(type: string, id: string): Promise<object[]> {
  const { rows } = await app.sql.query<{ previous: object }>(
    `SELECT body::jsonb #> '{data,previous_attributes}' AS previous FROM outbox_events
     WHERE type = $1 AND body::jsonb #>> '{data,object,id}' = $2 ORDER BY sequence`,
    [type, id],
  );
  return rows.map(({ previous }) => previous);
}

describe('invoices', () => {
  test('a hundred are issued at once while some fail: numbers are consecutive, entries balance', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const { screen, project } = books;
    await screen.post('/api/v1/org/accounting/periods', { project_id: project, month: `${year - 1}-12-01` });
    expect((await books.period(`${year - 1}-12-01`, 'close')).status).toBe(200);
    // every tenth fails when it is issued, because its month is closed
    const drafts = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        books.draft(customer, [[1_000 + n, 'VAT19']], n % 10 === 9 ? { issued_on: `${year - 1}-12-31` } : {}),
      ),
    );
    const { client } = await books.workspace.key({ module: 'accounting', project_id: project, rate_limit_per_minute: 1_000 });
    const answers = await Promise.all(drafts.map(({ id }) => client.post(`/api/v1/ext/accounting/invoices/${id}/issue`)));
    const failed = answers.filter(({ status }) => status !== 200);
    expect(failed.map(({ body }) => body.error.code)).toEqual(Array(10).fill('period_closed'));
    const numbers = answers.flatMap(({ status, body }) => (status === 200 ? [body.number as string] : [])).sort();
    expect(numbers).toEqual(Array.from({ length: 90 }, (_, n) => `INV-${year}-${String(n + 1).padStart(5, '0')}`));
    const { rows } = await app.sql.query(
      `SELECT count(DISTINCT e.id)::int AS entries, sum(l.debit_amount)::int AS debit, sum(l.credit_amount)::int AS credit
       FROM accounting_journal_entries e JOIN accounting_journal_lines l ON l.entry_id = e.id WHERE e.organization_id = $1`,
      [books.workspace.organizationId],
    );
    expect(rows[0]).toMatchObject({ entries: 90 });
    expect(rows[0].debit).toBe(rows[0].credit);
    const balances = await books.balances(today);
    const gross = answers.reduce((sum, { status, body }) => sum + (status === 200 ? (body.totals.gross_amount as number) : 0), 0);
    expect(balances['1200']).toBe(gross);
  });

  test('a customer transfers what is open with the number of the invoice', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const { id } = await books.draft(customer, [[1_000, 'VAT19']]);
    const { client } = await books.workspace.key({ module: 'accounting' });
    const request = () => client.post(`/api/v1/ext/accounting/invoices/${id}/payment-requests`, {});
    expect((await request()).body.error.code).toBe('invalid_transition');
    const { number, totals } = await books.issue({ id });
    const { status, body } = await request();
    expect([status, body]).toMatchObject([200, { provider: 'manual', reference: number, url: null, amount: totals.balance_amount }]);
  });

  test('a payment that a provider reports twice is booked once, also at once and of another invoice', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const [first, second] = [
      await books.issue(await books.draft(customer, [[1_000, 'ZERO']])),
      await books.draft(customer, [[1_000, 'ZERO']]),
    ];
    await books.issue(second);
    const report = (id: string, more: object = {}) =>
      books.api.post(`/api/v1/ext/accounting/invoices/${id}/payments`, {
        amount: 1_000,
        paid_on: today,
        provider: 'paydesk',
        reference: 'pay_1',
        ...more,
      });
    expect((await report(first.id, { reference: undefined })).body.error).toMatchObject({ code: 'validation_failed', param: 'reference' });
    const reports = await Promise.all([report(first.id), report(first.id), report(second.id)]);
    expect(reports.map(({ body }) => body.error?.code ?? 'recorded').sort()).toEqual(['duplicate', 'duplicate', 'recorded']);
    const payment = reports.find(({ status }) => status === 201)!.body;
    expect(payment).toMatchObject({ provider: 'paydesk', reference: 'pay_1' });
    await books.post(`/payments/${payment.id}/reverse`, { reason: 'Returned' });
    expect((await report(payment.invoice_id)).body.error.code).toBe('duplicate');
    // references of one provider, or of none, say nothing about each other
    expect((await report(first.id, { provider: 'other' })).status).toBe(201);
    expect((await report(second.id, { provider: undefined })).status).toBe(201);
  });

  test('those that are issued at once have numbers without gaps', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const drafts = await Promise.all(Array.from({ length: 24 }, (_, n) => books.draft(customer, [[1_000 + n, 'VAT19']])));
    const answers = await Promise.all(drafts.map(({ id }) => books.api.post(`/api/v1/ext/accounting/invoices/${id}/issue`)));
    expect(answers.map(({ body }) => body.number as string).sort()).toEqual(
      answers.map((_, n) => `INV-${year}-${String(n + 1).padStart(5, '0')}`),
    );
  });

  test('one that is issued twice at once is issued once, with and without an idempotency key', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const drafts = await Promise.all(Array.from({ length: 12 }, () => books.draft(customer, [[1_000, 'VAT19']])));
    const issue = (id: string, headers?: Record<string, string>) =>
      books.api.post(`/api/v1/ext/accounting/invoices/${id}/issue`, undefined, headers);
    const answers = await Promise.all(drafts.flatMap(({ id }) => [issue(id), issue(id, { 'idempotency-key': id })]));
    const codes = answers.map(({ status, body }) => body.error?.code ?? status).sort();
    expect(codes).toEqual([...Array(12).fill(200), ...Array(12).fill('invalid_transition')]);
  });

  test('none is dated before one that another process issues at the same time', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const first = await books.issue(await books.draft(customer, [[1_000, 'VAT19']], { issued_on: yesterday }));
    const early = await books.draft(customer, [[1_000, 'VAT19']], { issued_on: yesterday });
    const late = await books.draft(customer, [[1_000, 'VAT19']]);
    const other = await app.sql.connect();
    await other.query('BEGIN');
    const { organizationId } = books.workspace;
    await other.query(`UPDATE counters SET last = last + 1 WHERE series LIKE 'accounting invoice %' AND organization_id = $1`, [
      organizationId,
    ]);
    const issued = await other.query(
      `UPDATE accounting_invoices i SET number = $2, status = 'issued', issued_on = $3, due_on = $3, seller_snapshot = o.seller_snapshot
       FROM accounting_invoices o WHERE i.id = $1 AND o.id = $4`,
      [late.id, `INV-${year}-00002`, today, first.id],
    );
    expect(issued.rowCount).toBe(1);
    const answer = books.api.post(`/api/v1/ext/accounting/invoices/${early.id}/issue`).then((response) => response);
    // longer than a group waits for the series
    await new Promise((resolve) => setTimeout(resolve, 300));
    await other.query('COMMIT');
    other.release();
    expect((await answer).body.error).toMatchObject({ code: 'validation_failed', param: 'issued_on' });
  });

  test('seven lines, two rates, thirds of cents: totals pass BR-CO-10 and BR-CO-17; posted by account and rate', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer({ payment_terms_days: 14 });
    const third = { quantity: '1', per_quantity: '3' };
    const draft = await books.draft(
      customer,
      [
        [100, 'VAT19', third],
        [200, 'VAT19', third],
        [1_000, 'VAT7', { ...third, discount_percent: '33.33' }],
        [999, 'VAT19', { quantity: '0.333333' }],
        [50, 'VAT7', { quantity: '7' }],
        [12_345, 'VAT19', { account_id: books.ids['2000'] }],
        [1, 'ZERO', { quantity: '3' }],
      ],
      { memo: 'Thank you', external_id: 'erp-1' },
    );
    const { lines, taxes, totals } = draft;
    expect(totals.net_amount).toBe(lines.reduce((sum, line) => sum + line.net_amount, 0));
    expect(taxes.map(({ rate, net_amount, tax_amount }) => [rate, tax_amount === Math.round((net_amount * Number(rate)) / 100)])).toEqual([
      ['19', true],
      ['7', true],
      ['0', true],
    ]);
    expect(totals.gross_amount).toBe(totals.net_amount + taxes.reduce((sum, { tax_amount }) => sum + tax_amount, 0));
    const changed = await books.api.patch(`/api/v1/ext/accounting/invoices/${draft.id}`, { prices_include_tax: true });
    expect(changed.body.totals).toMatchObject({ gross_amount: totals.net_amount });
    await books.api.patch(`/api/v1/ext/accounting/invoices/${draft.id}`, { prices_include_tax: false });
    const issued = await books.issue(draft);
    expect(issued).toMatchObject({
      status: 'issued',
      issued_on: today,
      totals: { ...totals, balance_amount: totals.gross_amount },
      taxes,
      number: `INV-${year}-00001`,
      overdue: false,
    });
    expect(Date.parse(String(issued.due_on)) - Date.parse(today)).toBe(14 * 86_400_000);
    expect(await books.invoice(draft.id)).toEqual(issued);
    expect(await books.balances(today)).toEqual({
      '1200': totals.gross_amount,
      '2000': -12_345,
      '2200': -totals.tax_amount,
      '4000': -(totals.net_amount - 12_345),
    });
    const late = await books.draft(customer, [[100, 'VAT19']], { issued_on: `${year}-01-01` });
    if (today > `${year}-01-01`) expect(await books.refused(`/invoices/${late.id}/issue`)).toEqual([400, 'validation_failed', 'issued_on']);
    // it would end the series, because nothing could be issued before that day
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const early = await books.draft(customer, [[100, 'VAT19']], { issued_on: later });
    expect(await books.refused(`/invoices/${early.id}/issue`)).toEqual([400, 'validation_failed', 'issued_on']);
    const sent = [{ description: 'Consulting', quantity: '1.0', unit_amount: 100, tax_id: books.ids.VAT19 }];
    const unchanged = { issued_on: later, memo: null, customer_id: customer, lines: sent };
    const same = await books.api.patch(`/api/v1/ext/accounting/invoices/${early.id}`, unchanged);
    expect([same.status, same.body.version, await eventsOf(early.id)]).toEqual([200, early.version, ['invoice.created']]);
    expect(await books.refused('/invoices', { customer_id: customer, lines: [], external_id: 'erp-1' })).toEqual([
      400,
      'validation_failed',
      'lines',
    ]);
    expect(await eventsOf(draft.id)).toEqual([
      ...['invoice.created', 'invoice.updated', 'invoice.updated', 'invoice.status_changed', 'invoice.issued'],
    ]);
    for (const sql of [
      `UPDATE accounting_invoices SET memo = 'changed' WHERE id = $1`,
      `UPDATE accounting_invoices SET status = 'draft' WHERE id = $1`,
      `DELETE FROM accounting_invoices WHERE id = $1`,
      `UPDATE accounting_invoice_lines SET net_amount = 1 WHERE invoice_id = $1`,
      `DELETE FROM accounting_invoice_lines WHERE invoice_id = $1`,
      `UPDATE accounting_invoices SET settled_amount = gross_amount + 1 WHERE id = $1`,
    ])
      await expect(app.sql.query(sql, [draft.id])).rejects.toMatchObject({ code: '23514' });
  });

  test('refusals of drafts name the field, and ids of other projects, modes and organizations are refused', async () => {
    const books = await Books.open(app);
    const [other, test_] = [await Books.open(app), await Books.open(app, { workspace: books.workspace, mode: 'test' })];
    const { id: customer } = await books.customer();
    const refused = async (line: object, more: object = {}) => {
      const lines = [{ description: 'X', unit_amount: 100, tax_id: books.ids.VAT19, ...line }];
      const [status, code, param] = await books.refused('/invoices', { customer_id: customer, lines, ...more });
      expect([status, code]).toEqual([400, 'validation_failed']);
      return param;
    };
    expect(await refused({ quantity: '-1' })).toBe('lines.0.quantity');
    expect(await refused({ quantity: '0' })).toBe('lines.0.quantity');
    expect(await refused({ quantity: '1.0000001' })).toBe('lines.0.quantity');
    expect(await refused({ unit_amount: -1 })).toBe('lines.0.unit_amount');
    expect(await refused({ unit_amount: 2 ** 53 })).toBe('lines.0.unit_amount');
    expect(await refused({ unit_amount: 2 ** 53 - 1, quantity: '2' })).toBe('lines.0.unit_amount');
    expect(await refused({ unit_amount: 2 ** 53 - 1 })).toBe('lines');
    expect(await refused({ discount_percent: '100.01' })).toBe('lines.0.discount_percent');
    expect(await refused({ tax_id: other.ids.VAT19 })).toBe('lines.0.tax_id');
    expect(await refused({ account_id: other.ids['4000'] })).toBe('lines.0.account_id');
    expect(await refused({ account_id: books.ids['1100'] })).toBe('lines.0.account_id');
    expect(await refused({}, { currency: 'USD' })).toBe('exchange_rate');
    expect(await refused({}, { exchange_rate: '1.5' })).toBe('exchange_rate');
    expect(await refused({ unit_amount: 2 ** 52 }, { currency: 'USD', exchange_rate: '9' })).toBe('exchange_rate');
    expect(await refused({}, { issued_on: '2026-02-01', due_on: '2026-01-01' })).toBe('due_on');
    expect(await refused({}, { supply_on: '1066-01-01' })).toBe('supply_on');
    for (const { id } of [await other.customer(), await test_.customer()])
      expect(await refused({}, { customer_id: id })).toBe('customer_id');
  });

  test('an incomplete setup names what is missing', async () => {
    const books = await Books.open(app);
    const { id } = await books.draft((await books.customer()).id, [[100, 'VAT19']]);
    const at = '/api/v1/org/accounting';
    await books.screen.patch(`${at}/settings/${books.project}`, { seller: { address: null } });
    await books.screen.patch(`${at}/accounts/${books.ids['1200']}`, { role: null });
    const { status, body } = await books.api.post(`/api/v1/ext/accounting/invoices/${id}/issue`);
    expect([status, body.error.code]).toEqual([409, 'setup_incomplete']);
    expect(body.error.details.map(({ param }: { param: string }) => param)).toEqual(['seller.address', 'accounts.receivable']);
    expect((await books.screen.patch(`${at}/accounts/${books.ids['1100']}`, { role: 'receivable' })).status).toBe(200);
    expect((await books.screen.patch(`${at}/accounts/${books.ids['4000']}`, { role: 'bank' })).body.error.param).toBe('role');
    expect((await books.screen.patch(`${at}/settings/${books.project}`, { currency: 'USD' })).body.error.code).toBe('resource_conflict');
    expect((await books.screen.delete(`${at}/tax-rates/${books.ids.VAT19}`)).body.error.code).toBe('resource_conflict');
    // nothing was posted to it yet, but payments in foreign currencies will be
    const { data } = await books.get('/accounts?limit=100');
    const gains = (data as { id: string; role: string }[]).find(({ role }) => role === 'exchange_gain') as { id: string };
    const kept = await books.screen.delete(`${at}/accounts/${gains.id}`);
    expect([kept.status, kept.body.error.message]).toEqual([409, expect.stringContaining('exchange_gain')]);
    expect((await books.screen.patch(`${at}/accounts/${gains.id}`, { role: null })).status).toBe(200);
    expect((await books.screen.delete(`${at}/accounts/${gains.id}`)).status).toBe(204);
    const closed = await books.screen.post(`${at}/tax-rates`, {
      project_id: books.project,
      code: 'E',
      name: 'E',
      rate: '0',
      category: 'E',
    });
    expect(closed.body.error.param).toBe('exemption_reason');
  });

  test('drafts and unpaid invoices are voided; the number stays and its posting is reversed', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const [one, two, draft] = [
      await books.issue(await books.draft(customer, [[1_000, 'VAT19']])),
      await books.issue(await books.draft(customer, [[500, 'VAT7']], {})),
      await books.draft(customer, [[1, 'ZERO']]),
    ];
    expect(await books.post(`/invoices/${one.id}/void`, { reason: 'Wrong' })).toMatchObject({ status: 'void', number: one.number });
    expect(await books.post(`/invoices/${draft.id}/void`, { reason: 'Wrong' })).toMatchObject({ status: 'void', number: null });
    expect(await books.refused(`/invoices/${one.id}/void`, { reason: 'Again' })).toEqual([400, 'invalid_transition', 'status']);
    expect((await books.balances(today))['1200']).toBe(535);
    expect(await books.refused(`/journal-entries/${String(two.journal_entry_id)}/reverse`)).toEqual([409, 'not_reversible', undefined]);
    await books.post(`/invoices/${two.id}/payments`, { amount: 35, paid_on: today });
    expect(await books.refused(`/invoices/${two.id}/void`, { reason: 'Late' })).toEqual([409, 'use_credit_note', undefined]);
    expect(await books.issue(await books.draft(customer, [[0, 'ZERO']]))).toMatchObject({ status: 'paid', journal_entry_id: null });
    const updated = await books.api.patch(`/api/v1/ext/accounting/invoices/${two.id}`, { memo: 'X' });
    expect([updated.status, updated.body.error.code]).toEqual([400, 'invalid_transition']);
  });
});

describe('settling', () => {
  test('a USD invoice is paid at another rate: the balance is zero, and the difference is posted', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer({ currency: 'USD' });
    const issued = await books.issue(await books.draft(customer, [[10_001, 'ZERO']], { exchange_rate: '0.9' }));
    expect(await books.balances(today)).toEqual({ '1200': 9_001, '4000': -9_001 });
    const pay = (amount: number, exchange_rate?: string) => ({ amount, paid_on: today, exchange_rate });
    expect(await books.refused(`/invoices/${issued.id}/payments`, pay(100))).toEqual([400, 'validation_failed', 'exchange_rate']);
    await books.post(`/invoices/${issued.id}/payments`, pay(3_333, '0.95'));
    await books.post(`/invoices/${issued.id}/payments`, pay(6_668, '0.85'));
    expect(await books.invoice(issued.id)).toMatchObject({ status: 'paid', totals: { balance_amount: 0, settled_amount: 10_001 } });
    const bank = Math.round(3_333 * 0.95) + Math.round(6_668 * 0.85);
    const balances = await books.balances(today);
    expect(balances).toEqual({ '1200': 0, '1100': bank, '4000': -9_001, '4900': expect.any(Number), '6900': expect.any(Number) });
    expect(bank + balances['4900'] + balances['6900']).toBe(9_001);
    expect(await eventsOf(issued.id)).toEqual([
      ...[
        'invoice.created',
        'invoice.status_changed',
        'invoice.issued',
        'invoice.status_changed',
        'invoice.status_changed',
        'invoice.paid',
      ],
    ]);
  });

  test('excess becomes a credit that settles other invoices; reversing the payment opens all of them', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const other = await books.customer({ name: 'Other' });
    const [one, two, foreign] = [
      await books.issue(await books.draft(customer, [[1_000, 'ZERO']])),
      await books.issue(await books.draft(customer, [[300, 'ZERO']])),
      await books.issue(await books.draft(other.id, [[300, 'ZERO']])),
    ];
    const payment = { amount: 1_500, paid_on: today, reference: 'TX-1' };
    const refused = await books.api.post(`/api/v1/ext/accounting/invoices/${one.id}/payments`, payment);
    expect(refused.body.error).toMatchObject({ code: 'payment_exceeds_balance', param: 'amount', balance_amount: 1_000 });
    const paid = await books.post(`/invoices/${one.id}/payments`, { ...payment, excess: 'credit' });
    expect(paid).toMatchObject({ unallocated_amount: 500, allocations: [{ invoice_id: one.id, amount: 1_000 }] });
    expect(await books.refused(`/invoices/${foreign.id}/credits`, { payment_id: paid.id })).toEqual([
      400,
      'validation_failed',
      'payment_id',
    ]);
    expect(await books.refused(`/invoices/${two.id}/credits`, {})).toEqual([400, 'validation_failed', 'payment_id']);
    expect(await books.refused(`/invoices/${two.id}/credits`, { payment_id: paid.id, amount: 301 })).toEqual([
      409,
      'payment_exceeds_balance',
      'amount',
    ]);
    expect(await books.post(`/invoices/${two.id}/credits`, { payment_id: paid.id, amount: 100 })).toMatchObject({
      status: 'partially_paid',
    });
    expect(await books.post(`/invoices/${two.id}/credits`, { payment_id: paid.id })).toMatchObject({ status: 'paid' });
    expect(await books.balances(today)).toMatchObject({ '1100': 1_500, '1200': 300, '2100': -200 });
    const { totals } = await books.get('/reports/aged-receivables');
    expect(totals).toMatchObject([{ currency: 'EUR', current_amount: 300, total_amount: 300, credit_amount: 200 }]);
    expect((await books.get('/payments?unallocated=true&reference=TX-1')).data).toMatchObject([{ id: paid.id, unallocated_amount: 200 }]);
    const reversed = await books.post(`/payments/${paid.id}/reverse`, { reason: 'Returned' });
    expect(reversed).toMatchObject({ unallocated_amount: 0, allocations: [], reversal_reason: 'Returned' });
    expect(await changedBy('payment.reversed', paid.id)).toEqual([
      {
        unallocated_amount: 200,
        allocations: expect.arrayContaining([{ invoice_id: one.id, amount: 1_000, applied_on: today }]),
        reversed_at: null,
        reversed_on: null,
        reversal_reason: null,
      },
    ]);
    expect(await books.refused(`/payments/${paid.id}/reverse`, { reason: 'Again' })).toEqual([409, 'already_reversed', undefined]);
    for (const { id } of [one, two]) expect(await books.invoice(id)).toMatchObject({ status: 'issued', totals: { settled_amount: 0 } });
    expect(await books.balances(today)).toMatchObject({ '1100': 0, '1200': 1_600, '2100': 0 });
    expect((await books.get('/reports/aged-receivables')).totals).toMatchObject([{ total_amount: 1_600, credit_amount: 0 }]);
  });

  test('credit notes add up to the invoice, settle it first, and settle others with the rest', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const lines: [number, string, { quantity: string }][] = [
      [333, 'VAT19', { quantity: '3' }],
      [777, 'VAT7', { quantity: '0.5' }],
    ];
    const invoice = await books.issue(await books.draft(customer, lines));
    const [first, second] = invoice.lines;
    const credit = (body: object = {}) =>
      books.post(`/invoices/${invoice.id}/credit-notes`, { reason: 'Returned', ...body }) as Promise<Invoice>;
    const notes = [await credit({ lines: [{ line_id: first.id, quantity: '1' }] })];
    expect(notes[0]).toMatchObject({ type: 'credit_note', number: `CN-${year}-00001`, status: 'paid', credits_id: invoice.id });
    expect(await books.get(`/invoices/${notes[0].id}`)).toMatchObject({ credits_number: invoice.number });
    expect(
      await books.refused(`/invoices/${invoice.id}/credit-notes`, { reason: 'X', lines: [{ line_id: first.id, quantity: '2.1' }] }),
    ).toEqual([400, 'validation_failed', 'lines.0.quantity']);
    expect(
      await books.refused(`/invoices/${invoice.id}/credit-notes`, { reason: 'X', lines: [{ line_id: customer, quantity: '1' }] }),
    ).toEqual([400, 'validation_failed', 'lines.0.line_id']);
    const left = (await books.invoice(invoice.id)).totals.balance_amount;
    await books.post(`/invoices/${invoice.id}/payments`, { amount: left - 100, paid_on: today });
    notes.push(
      await credit({
        lines: [
          { line_id: first.id, quantity: '1' },
          { line_id: second.id, quantity: '0.25' },
        ],
      }),
    );
    notes.push(await credit());
    expect(await books.refused(`/invoices/${invoice.id}/credit-notes`, { reason: 'X' })).toEqual([409, 'already_credited', undefined]);
    for (const total of ['net_amount', 'tax_amount', 'gross_amount'] as const)
      expect(notes.reduce((sum, note) => sum + note.totals[total], 0)).toBe(invoice.totals[total]);
    expect(await books.invoice(invoice.id)).toMatchObject({ status: 'paid', totals: { balance_amount: 0 } });
    expect(await books.balances(today)).toMatchObject({ '4000': 0, '2200': 0, '1200': -(left - 100), '1100': left - 100 });
    const next = await books.issue(await books.draft(customer, [[10_000, 'ZERO']]));
    const last = await books.invoice(notes[2].id);
    const settled = await books.post(`/invoices/${next.id}/credits`, { credit_note_id: last.id });
    expect(settled).toMatchObject({ status: 'partially_paid', totals: { settled_amount: last.totals.balance_amount } });
    expect(await books.invoice(last.id)).toMatchObject({ status: 'paid', totals: { balance_amount: 0 } });
    expect(await books.refused(`/invoices/${notes[0].id}/payments`, { amount: 1, paid_on: today })).toEqual([
      400,
      'invalid_transition',
      'status',
    ]);
  });

  test('a payment is reversed on the day of the bank, but not before it, in the future or in a closed month', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const [one, two] = [
      await books.draft(customer, [[1_000, 'ZERO']], { issued_on: day(40) }),
      await books.draft(customer, [[500, 'ZERO']]),
    ];
    for (const draft of [one, two]) await books.issue(draft);
    const paid = await books.post(`/invoices/${one.id}/payments`, { amount: 1_300, paid_on: day(39), excess: 'credit' });
    await books.post(`/invoices/${two.id}/credits`, { payment_id: paid.id });
    const at = `/payments/${paid.id}/reverse`;
    const reverse = (reversed_on: string) => books.refused(at, { reason: 'Returned', reversed_on });
    expect(await reverse(day(40))).toEqual([400, 'validation_failed', 'reversed_on']);
    expect(await reverse(day(-2))).toEqual([400, 'validation_failed', 'reversed_on']);
    await books.period(day(39), 'close');
    expect(await reverse(day(39))).toEqual([409, 'period_closed', 'reversed_on']);
    await books.period(day(39), 'reopen');
    expect(await books.post(at, { reason: 'Returned', reversed_on: day(37) })).toMatchObject({ reversed_on: day(37), allocations: [] });
    // the credit was applied today, so today is the day on which that ends
    expect([(await books.balances(day(38)))['1200'], (await books.balances(day(37)))['1200']]).toEqual([0, 1_000]);
    expect(await books.balances(today)).toMatchObject({ '1100': 0, '1200': 1_500, '2100': 0 });
    const { data } = await books.get(`/journal-entries?source_id=${paid.id}&sort=created_at`);
    expect((data as { on: string }[]).map(({ on }) => on)).toEqual([day(39), today, day(37), today]);
    const aged = await books.get(`/reports/aged-receivables?as_of=${day(37)}`);
    expect(aged).toMatchObject({
      receivable_amount: 1_000,
      customer_credit_amount: 0,
      totals: [{ total_amount: 1_000, credit_amount: 0 }],
    });
  });

  test('manual entries on the accounts of customers name a customer, who owes or is owed the amount', async () => {
    const books = await Books.open(app);
    const [one, other] = [await books.customer(), await books.customer({ name: 'Other' })];
    const test_ = await Books.open(app, { workspace: books.workspace, mode: 'test' });
    const lines = (account: string, more: object, amount = 700) => [
      { account_id: books.ids['4000'], credit_amount: amount },
      { account_id: books.ids[account], debit_amount: amount, ...more },
    ];
    const entry = (account: string, more: object) => ({ on: today, memo: 'Opening balance', lines: lines(account, more) });
    for (const account of ['1200', '2100'])
      expect(await books.refused('/journal-entries', entry(account, {}))).toEqual([400, 'validation_failed', 'lines.1.customer_id']);
    expect(await books.refused('/journal-entries', entry('1100', { customer_id: one.id }))).toEqual([
      400,
      'validation_failed',
      'lines.1.customer_id',
    ]);
    const { id: foreign } = await test_.customer();
    expect(await books.refused('/journal-entries', entry('1200', { customer_id: foreign }))).toEqual([
      400,
      'validation_failed',
      'lines.1.customer_id',
    ]);
    const opening = await books.post('/journal-entries', { ...entry('1200', { customer_id: one.id }), on: `${year - 1}-12-31` });
    expect(opening.lines).toMatchObject([{ customer_id: null }, { customer_id: one.id, debit_amount: 700 }]);
    const mistake = await books.post('/journal-entries', entry('1200', { customer_id: other.id }));
    await books.entry(today, '1100', '4000', 1);
    const back = { account_id: books.ids['1200'], credit_amount: 250, customer_id: one.id };
    await books.post('/journal-entries', { on: today, memo: 'Paid', lines: [{ account_id: books.ids['1100'], debit_amount: 250 }, back] });
    const owed = async () => (await books.get('/reports/aged-receivables')).customers as { customer_id: string }[];
    expect(await owed()).toMatchObject([
      { customer_id: other.id, total_amount: 700, current_amount: 700, credit_amount: 0 },
      { customer_id: one.id, total_amount: 450, current_amount: 0, credit_amount: 0 },
    ]);
    await books.post(`/journal-entries/${mistake.id}/reverse`);
    expect((await owed()).map(({ customer_id }) => customer_id)).toEqual([one.id]);
    const role = await books.screen.patch(`/api/v1/org/accounting/accounts/${books.ids['1100']}`, { role: 'receivable' });
    expect([role.status, role.body.error.code]).toEqual([409, 'resource_conflict']);
  });

  test('twenty payments at once never exceed the balance', async () => {
    const books = await Books.open(app);
    const { id: customer } = await books.customer();
    const { id } = await books.issue(await books.draft(customer, [[1_000, 'ZERO']]));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => books.api.post(`/api/v1/ext/accounting/invoices/${id}/payments`, { amount: 150, paid_on: today })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(await books.invoice(id)).toMatchObject({ status: 'partially_paid', totals: { settled_amount: 900, balance_amount: 100 } });
    expect(await books.balances(today)).toMatchObject({ '1100': 900, '1200': 100 });
  });

  test('test mode has numbers of its own', async () => {
    const books = await Books.open(app, { mode: 'test' });
    const issued = await books.issue(await books.draft((await books.customer()).id, [[100, 'VAT19']]));
    expect(issued.number).toBe(`TEST-INV-${year}-00001`);
    expect((await books.get(`/journal-entries/${String(issued.journal_entry_id)}`)).number).toBe('TEST-JE-000001');
  });
});
