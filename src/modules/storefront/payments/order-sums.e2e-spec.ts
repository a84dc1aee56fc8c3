import { expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { StorefrontRefundDue1796001000000 } from '../../../../migrations/1796001000000-storefront-refund-due.js';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { makeOrder, makeProduct, openStore, ORDERS } from '../testing/storefront-fixture.js';

const app = await sharedApp();
const { shop, client, fresh, act, stocked, pay, refund, stockOf, discount } = await openStore(app);

it('pay three, ship two, cancel one: fulfilled, refund due; piecewise refunds add up to the payment', async () => {
  const { variantId, itemId } = await stocked('3', 334);
  const { code } = await discount({ kind: 'fixed_amount', value: '2', currency: 'EUR' });
  const placed = await makeOrder(client, shop, [{ variant_id: variantId, quantity: 3 }], { discount_code: code });
  const total = 3 * 334 - 2 + 490;
  const [line] = placed.lines;
  expect(await stockOf(itemId)).toEqual(['3', '3']);
  expect((await pay(placed, total)).payment_state).toBe('paid');
  const shipped = await act(placed, 'fulfill', { lines: [{ line_id: line.id, quantity: 2 }], notify: false });
  expect([shipped.state, shipped.fulfillment_state]).toEqual(['open', 'partially_fulfilled']);
  expect(await stockOf(itemId)).toEqual(['1', '1']);
  const cancelled = await act(placed, 'cancel', { lines: [{ line_id: line.id, quantity: 1 }], reason: 'Broken' });
  expect(cancelled).toMatchObject({ state: 'completed', fulfillment_state: 'fulfilled', payment_state: 'paid' });
  expect(errorOf(await client.post(`${ORDERS}/${placed.id}/cancel`, { reason: 'All' }))).toEqual([
    409,
    'order_shipped',
    'lines.0.quantity',
  ]);
  expect(cancelled.totals).toMatchObject({ cancelled_amount: 333, refund_due_amount: 333, due_amount: 0 });
  expect(await stockOf(itemId)).toEqual(['1', '0']);
  const first = await refund(placed, { lines: [{ line_id: line.id, quantity: 1 }] });
  expect(first).toMatchObject({ payment_state: 'partially_refunded', totals: { refunded_amount: 333, refund_due_amount: 0 } });
  const second = await refund(placed, { lines: [{ line_id: line.id, quantity: 1, restock: true }] });
  expect(second.totals).toMatchObject({ refunded_amount: 667, due_amount: 0, refund_due_amount: 0 });
  expect(await stockOf(itemId)).toEqual(['2', '0']);
  await refund(placed, { lines: [{ line_id: line.id, quantity: 1 }] });
  const last = await refund(placed, { amount: 490 });
  expect(last).toMatchObject({ payment_state: 'refunded', totals: { refunded_amount: total, due_amount: 0 } });
  const parts = (await client.get(`${ORDERS}/${placed.id}`)).body.refunds.flatMap((one: { parts: object[] }) => one.parts);
  const sum = (name: string) => parts.reduce((all: number, part: Record<string, number>) => all + part[name], 0);
  expect([sum('total_amount'), sum('tax_amount')]).toEqual([total, placed.totals.tax_amount]);
  expect(errorOf(await client.post(`${ORDERS}/${placed.id}/refunds`, { amount: 1, provider: 'bank', reference: fresh('ref') }))).toEqual([
    409,
    'refund_exceeds_payment',
    undefined,
  ]);
});

it('a failed refund changes no amount and can be repeated', async () => {
  const { variants } = await makeProduct(client, shop.projectId, fresh('sku'));
  const order = await makeOrder(client, shop, [{ variant_id: variants[0].id, quantity: 1 }], { shipping_method_id: null });
  await pay(order, 1000);
  const body = { amount: 400, provider: 'bank', reference: fresh('ref') };
  const failed = await act(order, 'refunds', { ...body, status: 'failed' });
  expect(failed).toMatchObject({ payment_state: 'paid', totals: { paid_amount: 1000, refunded_amount: 0 } });
  const again = await client.post(`${ORDERS}/${order.id}/refunds`, body);
  expect(errorOf(again)).toEqual([409, 'duplicate', 'reference']);
  expect(again.body.error.existing_id).toMatch(/-/);
  expect(await refund(order, { amount: 400 })).toMatchObject({ payment_state: 'partially_refunded', totals: { refunded_amount: 400 } });
});

it('the migration finds what was returned and what is due back, as it was recorded', async () => {
  const lines = [(await stocked('9', 999)).variantId, (await stocked('9', 2500)).variantId].map((variant_id) => ({
    variant_id,
    quantity: 3,
  }));
  const order = await makeOrder(client, shop, lines);
  await pay(order, order.totals.total_amount + 70);
  const [first, second] = order.lines.map(({ id }) => id);
  await act(order, 'fulfill', { lines: [{ line_id: first, quantity: 2 }], notify: false });
  await act(order, 'cancel', { lines: [{ line_id: second, quantity: 2 }], reason: 'Broken' });
  await refund(order, { lines: [{ line_id: second, quantity: 1 }] });
  await refund(order, { lines: [{ line_id: first, quantity: 1 }] });
  const read = `SELECT id, returned_quantity, refund_due_quantity, returned_amount, refund_due_amount
    FROM storefront_order_lines WHERE order_id = $1 ORDER BY position`;
  const database = await app.sql.connect();
  try {
    const shown = async () => (await database.query<Record<string, unknown>>(read, [order.id])).rows;
    const recorded = await shown();
    expect(recorded.map((line) => Object.values(line).slice(1).map(Number))).toEqual([
      [1, 0, 999, 0],
      [0, 1, 0, 2500],
    ]);
    await database.query('BEGIN');
    const runner = { query: (sql: string) => database.query(sql) } as unknown as QueryRunner;
    await new StorefrontRefundDue1796001000000().down(runner);
    await new StorefrontRefundDue1796001000000().up(runner);
    expect(await shown()).toEqual(recorded);
  } finally {
    await database.query('ROLLBACK');
    database.release();
  }
});
