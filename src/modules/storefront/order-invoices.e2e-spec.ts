import { expect, it } from '@jest/globals';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { BOOKS, complete, openOrderBooks, ORG_BOOKS } from './testing/order-books.js';

const app = await sharedApp();
const open = (order_invoicing: 'paid' | 'fulfilled') => openOrderBooks(app, order_invoicing);

it('a paid order becomes a paid invoice, a refund a credit note, with the amounts of the order; a failure can be repeated', async () => {
  const place = await open('paid');
  const { books, post, postings, owner, sell } = place;
  const order = await sell([
    [999, 3],
    [333, 2, 'reduced'],
  ]);
  const payment = { amount: order.totals.total_amount, provider: 'bank', reference: 'pay-1' };
  const tried = await place.client.post(`/api/v1/ext/storefront/orders/${order.number}/payments`, payment, { 'svc-dry-run': 'true' });
  expect(tried.body.would_follow).toEqual([`Accounting then issues the invoice of order ${order.number} by itself.`]);
  await post(order, 'payments', payment);
  const [failed] = await postings(order, 1, 'failed');
  expect(failed).toMatchObject({
    event_type: 'order.paid',
    order_number: order.number,
    invoice_id: null,
    error: { code: 'validation_failed' },
  });
  await complete(place);
  const retried = await owner.post(`${ORG_BOOKS}/order-postings/${failed.id}/retry`, {});
  expect([retried.status, retried.body.status]).toEqual([200, 'done']);
  expect((await owner.post(`${ORG_BOOKS}/order-postings/${failed.id}/retry`, {})).status).toBe(409);
  const invoice = (await books.get(`${BOOKS}/invoices/${retried.body.invoice_id}`)).body;
  expect(invoice).toMatchObject({
    status: 'paid',
    source: { type: 'order', id: order.id },
    totals: { gross_amount: order.totals.total_amount, tax_amount: order.totals.tax_amount, balance_amount: 0 },
  });
  // a second invoice of the order is possible, but not without a word
  const again = { customer_id: invoice.customer_id, lines: [{ description: 'Tent', unit_amount: 1, tax_id: invoice.taxes[0].tax_id }] };
  const drafts = await Promise.all(
    [{ memo: `Order ${order.number}.` }, { external_id: order.id }, { memo: `Order ${order.number}0` }].map(async (named) => {
      return (await books.post(`${BOOKS}/invoices`, { ...again, ...named })).body;
    }),
  );
  const notice = expect.stringContaining(`${order.number} has the invoice ${invoice.number} (${invoice.id})`);
  expect(drafts.map((draft) => draft.notice)).toEqual([notice, notice, undefined]);
  const issued = await books.post(`${BOOKS}/invoices/${drafts[0].id}/issue`, {}, { 'svc-dry-run': 'true' });
  expect([issued.status, issued.body]).toEqual([200, expect.objectContaining({ notice })]);
  const { lines } = (await books.get(`${BOOKS}/journal-entries?source_id=${invoice.id}`)).body.data[0];
  expect(lines.reduce((sum: number, line: Record<string, number>) => sum + line.debit_amount - line.credit_amount, 0)).toBe(0);

  const [line] = order.lines;
  await post(order, 'cancel', { lines: [{ line_id: line.id, quantity: 1 }], reason: 'Broken' });
  const refunded = await post(order, 'refunds', { lines: [{ line_id: line.id, quantity: 1 }], provider: 'bank', reference: 'ref-1' });
  const [, credited] = await postings(order, 2);
  const note = (await books.get(`${BOOKS}/invoices/${credited.invoice_id}`)).body;
  const [part] = refunded.refunds[0].parts;
  expect(note).toMatchObject({
    type: 'credit_note',
    credits_id: invoice.id,
    status: 'paid',
    totals: { gross_amount: part.total_amount, tax_amount: part.tax_amount, net_amount: part.net_amount, balance_amount: 0 },
  });
  // the rest of the order comes back: all credit notes add up to the invoice
  await post(order, 'cancel', { reason: 'All of it' });
  // a credit note uses the taxes of its invoice, and is created even if orders are no longer invoiced
  const { data: taxes } = (await books.get(`${BOOKS}/tax-rates`)).body;
  for (const { id, code } of taxes) if (code !== 'ZERO') await owner.patch(`${ORG_BOOKS}/tax-rates/${id}`, { active: false });
  await owner.patch(`${ORG_BOOKS}/settings/${place.project_id}`, { order_invoicing: 'off' });
  await post(order, 'refunds', { amount: order.totals.total_amount - part.total_amount, provider: 'bank', reference: 'ref-2' });
  const [, , last] = await postings(order, 3);
  const rest = (await books.get(`${BOOKS}/invoices/${last.invoice_id}`)).body;
  expect([rest.totals.gross_amount + part.total_amount, rest.totals.tax_amount + part.tax_amount]).toEqual([
    invoice.totals.gross_amount,
    invoice.totals.tax_amount,
  ]);
  // everything was paid and paid back, so no account keeps a balance
  const { accounts } = (await books.get(`${BOOKS}/reports/trial-balance?project_id=${place.project_id}`)).body;
  expect(accounts.length).toBeGreaterThan(3);
  for (const { debit_amount, credit_amount } of accounts) expect(debit_amount).toBe(credit_amount);
});

it('money for a cancelled order makes no invoice', async () => {
  const place = await open('paid');
  await complete(place);
  const order = await place.sell([[1000, 1]]);
  await place.post(order, 'payments', { amount: 1, provider: 'bank', reference: 'pay-1' });
  await place.post(order, 'cancel', { reason: 'Too late' });
  await place.post(order, 'payments', { amount: order.totals.total_amount, provider: 'bank', reference: 'pay-2' });
  await place.post(order, 'refunds', { amount: 1, provider: 'bank', reference: 'ref-1' });
  expect(await place.postings(order, 1)).toMatchObject([{ event_type: 'order.refunded', invoice_id: null }]);
  expect((await place.books.get(`${BOOKS}/invoices?project_id=${place.project_id}`)).body.data).toEqual([]);
});

it('a refund waits for the invoice of an order, unless the order is cancelled', async () => {
  const { post, postings, list, sell } = await open('fulfilled');
  const order = await sell([[1000, 2]]);
  const [line] = order.lines;
  await post(order, 'payments', { amount: order.totals.total_amount, provider: 'bank', reference: 'pay-1' });
  await post(order, 'refunds', { amount: 1, provider: 'bank', reference: 'ref-1' });
  await postings(order, 1, 'waiting');
  await post(order, 'cancel', { lines: [{ line_id: line.id, quantity: 1 }], reason: 'Broken' });
  await post(order, 'cancel', { reason: 'Too late' });
  await eventually(
    () => list(`order-postings?order_id=${order.id}&status=done`),
    (rows: unknown[]) => rows.length === 1,
  );
  await post(order, 'refunds', { amount: 2, provider: 'bank', reference: 'ref-2' });
  await postings(order, 2);
});

it('a shipped order is invoiced without what was cancelled; a refund of that needs no credit note', async () => {
  const place = await open('fulfilled');
  await complete(place);
  const { books, post, postings, sell } = place;
  const order = await sell([[1000, 3]]);
  const [line] = order.lines;
  await post(order, 'payments', { amount: order.totals.total_amount, provider: 'bank', reference: 'pay-1' });
  await post(order, 'cancel', { lines: [{ line_id: line.id, quantity: 1 }], reason: 'Broken' });
  await post(order, 'refunds', { lines: [{ line_id: line.id, quantity: 1 }], provider: 'bank', reference: 'ref-1' });
  expect((await postings(order, 1, 'waiting'))[0].event_type).toBe('order.refunded');
  await post(order, 'fulfill', { notify: false });
  const [credited, invoiced] = await postings(order, 2);
  expect(credited.invoice_id).toBeNull();
  const invoice = (await books.get(`${BOOKS}/invoices/${invoiced.invoice_id}`)).body;
  expect(invoice).toMatchObject({ status: 'paid', totals: { gross_amount: 2490, balance_amount: 0 } });
  expect(invoice.lines).toMatchObject([{ quantity: '2', unit_amount: 1000 }, { description: 'Parcel' }]);
});

it('a foreign order is invoiced with the rate of the retry, and paid today if the month of its payment is closed', async () => {
  const place = await open('paid');
  await complete(place);
  const { books, post, postings, owner, sell, project_id } = place;
  const today = new Date().toISOString().slice(0, 10);
  const lastMonth = `${new Date(Date.parse(`${today.slice(0, 7)}-01`) - 1).toISOString().slice(0, 7)}-01`;
  const period = (await owner.post(`${ORG_BOOKS}/periods`, { project_id, month: lastMonth })).body;
  expect((await owner.post(`${ORG_BOOKS}/periods/${period.id}/close`)).status).toBe(200);
  // the channel sells in EUR
  await owner.patch(`${ORG_BOOKS}/settings/${project_id}`, { currency: 'USD' });
  const order = await sell([[1000, 3]]);
  const { total_amount } = order.totals;
  await post(order, 'payments', { amount: total_amount, provider: 'bank', reference: 'pay-1', on: lastMonth });
  const [failed] = await postings(order, 1, 'failed');
  expect(failed.error).toMatchObject({ code: 'validation_failed', param: 'exchange_rate' });
  const unchanged = { 'if-match': `"${failed.version}"` };
  const retry = (body: object) => owner.post(`${ORG_BOOKS}/order-postings/${failed.id}/retry`, body, unchanged);
  expect((await retry({})).body.error).toMatchObject({ param: 'exchange_rate' });
  const { body: done } = await retry({ exchange_rate: '1.25' });
  const invoice = (await books.get(`${BOOKS}/invoices/${done.invoice_id}`)).body;
  expect(invoice).toMatchObject({ status: 'paid', currency: 'EUR', exchange_rate: '1.25', totals: { gross_amount: total_amount } });
  const { data: payments } = (await books.get(`${BOOKS}/payments`)).body;
  expect(payments).toMatchObject([{ amount: total_amount, exchange_rate: '1.25', paid_on: today }]);
  await post(order, 'cancel', { reason: 'All of it' });
  await post(order, 'refunds', { amount: total_amount, provider: 'bank', reference: 'ref-1' });
  const [, credited] = await postings(order, 2);
  expect((await books.get(`${BOOKS}/invoices/${credited.invoice_id}`)).body).toMatchObject({ status: 'paid', exchange_rate: '1.25' });
  const { accounts } = (await books.get(`${BOOKS}/reports/trial-balance?project_id=${project_id}`)).body;
  for (const { debit_amount, credit_amount } of accounts) expect(debit_amount).toBe(credit_amount);
});
