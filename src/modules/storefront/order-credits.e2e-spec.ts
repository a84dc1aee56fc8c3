import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { BOOKS, complete, openOrderBooks, ORG_BOOKS } from './testing/order-books.js';
import { ORG_STOREFRONT, type OrderBody } from './testing/storefront-fixture.js';

const app = await sharedApp();

async function open(order_invoicing: 'paid' | 'fulfilled') {
  const place = await openOrderBooks(app, order_invoicing);
  await complete(place);
  const { books, post, project_id, client, owner } = place;
  const method = { project_id, name: 'Free', currency: 'EUR', price_amount: 0, countries: ['DE'] };
  const { body: free } = await owner.post(`${ORG_STOREFRONT}/shipping-methods`, method);
  let used = 0;
  const money = () => ({ provider: 'bank', reference: `ref-${++used}` });
  const invoices = async (query: string) => (await books.get(`${BOOKS}/invoices?sort=created_at&${query}`)).body.data;
  return {
    ...place,
    /** Without costs of shipping. */
    sellFree: (lines: Parameters<typeof place.sell>[0]) => place.sell(lines, { shipping_method_id: free.id }),
    pay: (order: OrderBody, amount = order.totals.total_amount) => post(order, 'payments', { amount, ...money() }),
    cancel: (order: OrderBody, line: number, quantity = 1) =>
      post(order, 'cancel', { lines: [{ line_id: order.lines[line].id, quantity }], reason: 'Broken' }),
    refund: (order: OrderBody, body: object) => post(order, 'refunds', { ...body, ...money() }),
    refundLine: (order: OrderBody, line: number, quantity = 1) =>
      post(order, 'refunds', { lines: [{ line_id: order.lines[line].id, quantity }], ...money() }),
    refused: async (order: OrderBody, body: object) => {
      const { status, body: answer } = await client.post(`/api/v1/ext/storefront/orders/${order.id}/refunds`, { ...body, ...money() });
      return [status, answer.error.code, answer.error.refundable_amount, answer.error.due_amount];
    },
    shown: async ({ id }: { id: string }) => (await client.get(`/api/v1/ext/storefront/orders/${id}`)).body,
    /** What a dry run says that modules do after it. */
    foreseen: async (order: OrderBody, action: string, body: object) => {
      const url = `/api/v1/ext/storefront/orders/${order.id}/${action}`;
      const answer = await client.post(url, body, { 'svc-dry-run': 'true' });
      return [answer.status, answer.body.would_follow];
    },
    invoices,
    notes: () => invoices('type=credit_note'),
    credit: async (invoice: { id: string }, lines?: object[]) => {
      const { status, body, text } = await books.post(`${BOOKS}/invoices/${invoice.id}/credit-notes`, { reason: 'Agreed', lines });
      if (status !== 201) throw new Error(text);
      return body;
    },
    balances: async (): Promise<Record<string, number>> => {
      const { accounts } = (await books.get(`${BOOKS}/reports/trial-balance?project_id=${project_id}`)).body;
      const rows = accounts.map((row: { code: string; debit_amount: number; credit_amount: number }) => [
        row.code,
        row.debit_amount - row.credit_amount,
      ]);
      return Object.fromEntries(rows.filter(([, balance]: [string, number]) => balance !== 0));
    },
  };
}

it('a unit that is cancelled before it is paid for is not refunded, and the rest stays due', async () => {
  const { sell, pay, cancel, refused, shown, postings, invoices, refund, balances } = await open('paid');
  const order = await sell([[4990, 3]]);
  await pay(order, 7730);
  await cancel(order, 0);
  const [line] = order.lines;
  expect(await refused(order, { lines: [{ line_id: line.id, quantity: 1 }] })).toEqual([409, 'refund_exceeds_payment', 0, 2740]);
  expect(await refused(order, { amount: 1000 })).toEqual([409, 'refund_exceeds_payment', 0, 2740]);
  expect((await shown(order)).totals).toMatchObject({ due_amount: 2740, refund_due_amount: 0, refunded_amount: 0 });
  await pay(order, 2740);
  expect((await shown(order)).totals).toMatchObject({ due_amount: 0, refund_due_amount: 0, paid_amount: 10_470 });
  await postings(order, 1);
  expect(await invoices('type=invoice')).toMatchObject([{ status: 'paid', totals: { gross_amount: 10_470 } }]);
  expect(await balances()).toMatchObject({ '1150': 10_470 });
  // the buyer pays for the cancelled unit after all
  await pay(order, 4990);
  expect(await refund(order, { lines: [{ line_id: line.id, quantity: 1 }] })).toMatchObject({
    totals: { due_amount: 0, refund_due_amount: 0, refunded_amount: 4990 },
  });
  const [, refunded] = await postings(order, 2);
  expect(refunded).toMatchObject({ event_type: 'order.refunded', invoice_id: null });
  expect(await balances()).toMatchObject({ '1150': 10_470 });
});

it('a refund of an amount falls on what was paid and then cancelled', async () => {
  const { sellFree, pay, cancel, refund, postings, notes, balances } = await open('paid');
  const order = await sellFree([
    [1190, 2],
    [1070, 2, 'reduced'],
  ]);
  await cancel(order, 0);
  await pay(order, 3330);
  await cancel(order, 1);
  const { refunds } = await refund(order, { amount: 1070 });
  expect(refunds[0].parts).toMatchObject([{ line_id: order.lines[1].id, total_amount: 1070, tax_amount: 70 }]);
  await postings(order, 2);
  expect(await notes()).toMatchObject([{ totals: { gross_amount: 1070, tax_amount: 70 }, taxes: [{ code: 'S7' }] }]);
  expect(await balances()).toEqual({ '1150': 2260, '2200': -260, '4000': -2000 });
});

it('payments after the invoice settle it, and what is cancelled before it is paid for is credited', async () => {
  const { sellFree, pay, cancel, foreseen, post, shown, postings, invoices, notes, balances } = await open('fulfilled');
  const order = await sellFree([[1190, 2]]);
  await post(order, 'fulfill', { notify: false });
  const [{ invoice_id }] = await postings(order, 1);
  await pay(order, 500);
  await postings(order, 2);
  const [parcel] = (await shown(order)).fulfillments;
  await post(order, `fulfillments/${parcel.id}/cancel`, {});
  expect(await foreseen(order, 'cancel', { reason: 'All of it' })).toEqual([
    200,
    [`Accounting then credits what order ${order.number} no longer charges by itself.`],
  ]);
  await cancel(order, 0);
  await pay(order, 690);
  await postings(order, 3);
  expect(await invoices('type=invoice')).toMatchObject([{ id: invoice_id, status: 'paid', totals: { settled_amount: 2380 } }]);
  expect(await notes()).toMatchObject([{ status: 'paid', credits_id: invoice_id, totals: { gross_amount: 1190, tax_amount: 190 } }]);
  expect(await balances()).toEqual({ '1150': 1190, '2200': -190, '4000': -1000 });
});

it('a refund settles the credit note that was made by hand, and credits nothing twice', async () => {
  const { sellFree, pay, cancel, refundLine, refund, credit, postings, invoices, notes, balances } = await open('paid');
  const order = await sellFree([
    [1999, 2],
    [535, 1, 'reduced'],
  ]);
  await pay(order);
  await postings(order, 1);
  const [invoice] = await invoices('type=invoice');
  // one of two units is credited by hand before the shop refunds it
  const byHand = await credit(invoice, [{ line_id: invoice.lines[0].id, quantity: '1' }]);
  expect(byHand).toMatchObject({ status: 'issued', totals: { gross_amount: 1999 } });
  await cancel(order, 0);
  await refundLine(order, 0);
  const [, settled] = await postings(order, 2);
  expect(settled).toMatchObject({ invoice_id: byHand.id });
  expect(await notes()).toMatchObject([{ id: byHand.id, status: 'paid', totals: { balance_amount: 0 } }]);
  expect(await balances()).toMatchObject({ '1150': 2534 });
  // a part of the other line by hand after a reduction of the price by the shop, which is not a whole unit
  await refund(order, { amount: 300 });
  await postings(order, 3);
  const rest = await credit(invoice);
  expect(rest.totals.gross_amount).toBe(2534 - 300);
  await cancel(order, 0);
  await cancel(order, 1);
  await refund(order, { amount: 2234 });
  await postings(order, 4);
  expect(await notes()).toHaveLength(3);
  for (const note of await notes()) expect(note).toMatchObject({ status: 'paid', totals: { balance_amount: 0 } });
  expect(await balances()).toEqual({});
});

it('a refund of an amount is covered by a credit note for one line, although the shop divides it among all', async () => {
  const { sell, pay, cancel, refund, refundLine, credit, postings, invoices, notes, balances } = await open('paid');
  const order = await sell([
    [2260, 1],
    [1070, 2, 'reduced'],
  ]);
  await pay(order);
  await postings(order, 1);
  const [invoice] = await invoices('type=invoice');
  const paid = order.totals.total_amount;
  const byHand = await credit(invoice, [{ line_id: invoice.lines[0].id, quantity: '0.5' }]);
  expect(byHand.totals.gross_amount).toBe(1130);
  const { refunds } = await refund(order, { amount: 1130 });
  expect(refunds[0].parts.map(({ reduction_amount }: Record<string, number>) => reduction_amount > 0)).toEqual([true, true, true]);
  const [, settled] = await postings(order, 2);
  expect(settled).toMatchObject({ invoice_id: byHand.id });
  expect(await notes()).toMatchObject([{ id: byHand.id, status: 'paid', totals: { balance_amount: 0 } }]);
  expect(await balances()).toMatchObject({ '1150': paid - 1130 });
  // a refund of units names its line, so a credit note for another line does not cover it
  const other = await credit(invoice, [{ line_id: invoice.lines[0].id, quantity: '0.25' }]);
  await cancel(order, 1);
  await refundLine(order, 1);
  const [, , named] = await postings(order, 3);
  const all = await notes();
  expect(all).toMatchObject([{ status: 'paid' }, { id: other.id, status: 'issued' }, { id: named.invoice_id, status: 'paid' }]);
  expect(all[2].taxes).toMatchObject([{ code: 'S7' }]);
  // the rest, of which a part was credited by hand
  await cancel(order, 0);
  await cancel(order, 1);
  const { totals } = await refund(order, { amount: paid - 1130 - all[2].totals.gross_amount });
  expect(totals).toMatchObject({ refund_due_amount: 0, refunded_amount: paid });
  await postings(order, 4);
  expect((await notes()).map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
  expect(await balances()).toEqual({});
});

it('a payment that a credit note by hand has made excess is refunded without another credit note', async () => {
  const { sellFree, pay, post, refund, credit, postings, invoices, notes, balances } = await open('fulfilled');
  const order = await sellFree([[1000, 1]]);
  await post(order, 'fulfill', { notify: false });
  await postings(order, 1);
  const [invoice] = await invoices('type=invoice');
  const byHand = await credit(invoice, [{ line_id: invoice.lines[0].id, quantity: '0.3' }]);
  await pay(order);
  await postings(order, 2);
  expect(await balances()).toMatchObject({ '1150': 700 });
  await refund(order, { amount: 300 });
  await postings(order, 3);
  expect(await notes()).toMatchObject([{ id: byHand.id, status: 'paid' }]);
  expect(await balances()).toMatchObject({ '1150': 700 });
});

it('a refund whose credit note was used for another invoice is not credited again, and says so', async () => {
  const { sellFree, pay, cancel, refundLine, credit, postings, invoices, notes, books, project_id, owner } = await open('paid');
  const order = await sellFree([[1000, 1]]);
  await pay(order);
  await postings(order, 1);
  const [invoice] = await invoices('type=invoice');
  const note = await credit(invoice);
  const [{ id: tax_id }] = (await books.get(`${BOOKS}/tax-rates?project_id=${project_id}`)).body.data;
  const lines = [{ description: 'Repair', unit_amount: 1000, tax_id }];
  const draft = (await books.post(`${BOOKS}/invoices`, { project_id, customer_id: invoice.customer_id, lines })).body;
  await books.post(`${BOOKS}/invoices/${draft.id}/issue`);
  const applied = await books.post(`${BOOKS}/invoices/${draft.id}/credits`, { credit_note_id: note.id });
  expect(applied.status).toBe(200);
  await cancel(order, 0);
  await refundLine(order, 0);
  const [, failed] = await postings(order, 2, ['done', 'failed']);
  expect(failed).toMatchObject({ event_type: 'order.refunded', error: { code: 'resource_conflict' } });
  expect((failed.error as { message: string }).message).toContain('used for other invoices');
  expect(await notes()).toHaveLength(1);
  // once a member has posted it, a retry has nothing left to do
  const retried = await owner.post(`${ORG_BOOKS}/order-postings/${failed.id as string}/retry`, {});
  expect([retried.status, retried.body.status]).toEqual([200, 'done']);
});

it('a void invoice is left alone by what happens to its order', async () => {
  const { sellFree, pay, cancel, foreseen, refundLine, post, shown, postings, notes, books, balances } = await open('fulfilled');
  const order = await sellFree([[1000, 2]]);
  await post(order, 'fulfill', { notify: false });
  const [{ invoice_id }] = await postings(order, 1);
  expect((await books.post(`${BOOKS}/invoices/${invoice_id as string}/void`, { reason: 'Wrong' })).status).toBe(200);
  await pay(order);
  const [parcel] = (await shown(order)).fulfillments;
  await post(order, `fulfillments/${parcel.id}/cancel`, {});
  await cancel(order, 0);
  expect(await foreseen(order, 'refunds', { amount: 1, provider: 'bank', reference: 'ref-void' })).toEqual([200, undefined]);
  await refundLine(order, 0);
  const [, refunded] = await postings(order, 2);
  expect(refunded).toMatchObject({ event_type: 'order.refunded', invoice_id: null });
  expect(await notes()).toEqual([]);
  expect(await balances()).toEqual({});
});

it('a refund that waits is posted when the order is shipped, whatever the settings are by then', async () => {
  const { sellFree, pay, refund, foreseen, post, postings, notes, owner, project_id, invoices, balances } = await open('fulfilled');
  const order = await sellFree([[1000, 2]]);
  await pay(order);
  expect(await foreseen(order, 'refunds', { amount: 100, provider: 'bank', reference: 'ref-early' })).toEqual([
    200,
    [`Accounting credits the refund of order ${order.number} by itself once it has issued the invoice.`],
  ]);
  await refund(order, { amount: 100 });
  const [waiting] = await postings(order, 1, 'waiting');
  const retried = await owner.post(`${ORG_BOOKS}/order-postings/${waiting.id as string}/retry`, {});
  expect([retried.status, retried.body.error.message]).toEqual([409, expect.stringContaining('when the order is shipped')]);
  await owner.patch(`${ORG_BOOKS}/settings/${project_id}`, { order_invoicing: 'paid' });
  await post(order, 'fulfill', { notify: false });
  await postings(order, 2);
  expect(await invoices('type=invoice')).toMatchObject([{ status: 'paid', totals: { gross_amount: 2000 } }]);
  expect(await notes()).toMatchObject([{ status: 'paid', totals: { gross_amount: 100 } }]);
  expect(await balances()).toMatchObject({ '1150': 1900 });
});

it('an invoice takes the name and address of its order, and the day of the last parcel', async () => {
  const { sell, pay, post, postings, books, invoices } = await open('fulfilled');
  const { status } = await books.post(`${BOOKS}/customers`, { name: 'Ada (private)', email: 'ADA@example.com', address: 'Old Road 1' });
  expect(status).toBe(201);
  const at = (name: string | null, line1: string, city: string) => ({ name, line1, postal_code: '10115', city, country: 'DE' });
  const first = await sell([[1000, 2]], { name: 'Ada Lovelace', shipping_address: at(null, 'Ship Lane 2', 'Berlin') });
  const second = await sell([[1001, 1]], {
    name: 'Ada Lovelace',
    shipping_address: at('Front desk', 'Ship Lane 3', 'Berlin'),
    billing_address: at('Analytical Engines GmbH', 'Bill Street 4', 'Hamburg'),
  });
  const third = await sell([[1002, 1]]);
  const fourth = await sell([[1003, 1]], { name: 'Ada Lovelace', shipping_address: at('Countess Ltd', 'Ship Lane 5', 'Berlin') });
  const fifth = await sell([[1004, 1]], {
    name: 'Ada Lovelace',
    shipping_address: at('Her nephew', 'Ship Lane 6', 'Berlin'),
    billing_address: at(null, 'Bill Street 7', 'Hamburg'),
  });
  for (const order of [first, second, third, fourth, fifth]) {
    await pay(order);
    await post(order, 'fulfill', { notify: false });
    await postings(order, 1);
  }
  const today = new Date().toISOString().slice(0, 10);
  const all = await invoices('type=invoice');
  expect(all.map((one: Record<string, unknown>) => [one.customer_snapshot, one.supply_on])).toMatchObject([
    [{ name: 'Ada Lovelace', address: 'Ship Lane 2\n10115 Berlin\nDE' }, today],
    [{ name: 'Analytical Engines GmbH', address: 'Bill Street 4\n10115 Hamburg\nDE' }, today],
    [{ name: 'Ada (private)', address: 'Old Road 1' }, today],
    [{ name: 'Countess Ltd', address: 'Ship Lane 5\n10115 Berlin\nDE' }, today],
    [{ name: 'Ada Lovelace', address: 'Bill Street 7\n10115 Hamburg\nDE' }, today],
  ]);
  expect(new Set(all.map(({ customer_id }: { customer_id: string }) => customer_id)).size).toBe(1);
});

it('an invoice that is made before the goods are sent names no day of supply', async () => {
  const { sell, pay, postings, invoices } = await open('paid');
  await postings(await sell([[1000, 1]]).then(async (order) => (await pay(order), order)), 1);
  expect(await invoices('type=invoice')).toMatchObject([{ supply_on: null }]);
});
