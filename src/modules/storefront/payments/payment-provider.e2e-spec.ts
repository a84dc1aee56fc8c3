import { expect, test } from '@jest/globals';
import { Client } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp, startApp } from '../../../../test/harness/hosted-app.js';
import { makeOrder, openStore, ORDERS } from '../testing/storefront-fixture.js';

const FIXTURE = 'src/modules/storefront/testing/paydesk-app.ts';
type Store = Awaited<ReturnType<typeof openStore>>;

const app = await sharedApp();

async function placed({ client, shop, stocked }: Store) {
  const { variantId: variant_id } = await stocked('5', 1000);
  return makeOrder(client, shop, [{ variant_id, quantity: 2 }]);
}

test('without a provider of the suite, a buyer transfers what is due, and refunds are made by hand', async () => {
  const store = await openStore(app);
  const order = await placed(store);
  const { due_amount: amount } = order.totals;
  const { status, body } = await store.client.post(`${ORDERS}/${order.id}/payment-requests`, {});
  const how = { provider: 'manual', reference: order.number, url: null, expires_at: null };
  expect([status, body]).toEqual([200, { object: 'requested_payment', ...how, amount, currency: 'EUR' }]);
  await store.pay(order, 100, { provider: 'bank' });
  await store.pay(order, amount - 100, { provider: 'manual', reference: body.reference });
  const nothing = await store.client.post(`${ORDERS}/${order.id}/payment-requests`, {});
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'invalid_transition']);
  const shown = async () => (await store.client.get(`${ORDERS}/${order.id}`)).body;
  const [ofBank, manual] = (await shown()).payments;
  const refund = (payment: { id: string }, value: number) =>
    store.client.post(`${ORDERS}/${order.id}/payments/${payment.id}/refund`, { amount: value });
  const refused = await refund(ofBank, 100);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'refund_by_hand']);
  expect((await refund(manual, 200)).status).toBe(202);
  await app.runScheduledJob('storefront.refund_payments');
  const { refunds } = await eventually(shown, ({ pending_refund }) => pending_refund === null);
  expect(refunds).toMatchObject([{ provider: 'manual', amount: 200, status: 'succeeded' }]);
});

test('the provider of a module gives the page, reports the payment, and pays back once, also after a failure', async () => {
  const own = await startApp({}, { file: FIXTURE, name: 'createPaydeskApp' });
  try {
    await payAndPayBack(own);
  } finally {
    await own.close();
  }
});

async function payAndPayBack(own: typeof app) {
  const { refundsOf, breakDown } = own.inside<typeof import('../testing/paydesk-app.js')>(FIXTURE);
  const store = await openStore(own);
  const order = await placed(store);
  const path = `${ORDERS}/${order.id}`;
  const key = { 'idempotency-key': store.fresh('request') };
  const request = () => store.client.post(`${path}/payment-requests`, { return_url: 'https://shop.example' }, key);
  await breakDown(true);
  expect((await request()).body.error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('paydesk') });
  await breakDown(false);
  const { body: requested } = await request();
  const { reference } = requested;
  expect(requested).toMatchObject({ provider: 'paydesk', url: `https://paydesk.example/${reference}`, amount: order.totals.due_amount });
  expect((await request()).body).toEqual(requested);

  expect((await new Client(own.url).post('/api/v1/public/paydesk/reports', { reference })).status).toBe(204);
  const shown = async () => (await store.client.get(path)).body;
  const { payments, payment_state } = await shown();
  expect([payment_state, payments]).toMatchObject(['paid', [{ provider: 'paydesk', reference }]]);

  await breakDown(true);
  const refund = (body: object) => store.client.post(`${path}/payments/${payments[0].id}/refund`, body);
  const { status, body: asked } = await refund({ amount: 500, reason: 'Scratched' });
  expect([status, asked.pending_refund, asked.refunds]).toMatchObject([202, { payment_id: payments[0].id, amount: 500 }, []]);
  for (const other of [
    await refund({ amount: 500 }),
    await store.client.post(`${path}/refunds`, { amount: 1, provider: 'bank', reference: store.fresh('ref') }),
    await store.client.post(`${path}/cancel`, { reason: 'Late' }),
  ])
    expect([other.status, other.body.error.code]).toEqual([409, 'refund_pending']);
  await own.runScheduledJob('storefront.refund_payments').catch(() => undefined);
  expect((await shown()).pending_refund).toEqual(asked.pending_refund);

  await breakDown(false);
  const settled = async () => {
    await own.runScheduledJob('storefront.refund_payments', new Date(Date.now() + 3_600_000));
    return eventually(shown, ({ pending_refund }) => pending_refund === null);
  };
  const made = { provider: 'paydesk', reference: `back_${asked.pending_refund.id}`, status: 'succeeded', amount: 500, reason: 'Scratched' };
  expect(await settled()).toMatchObject({ payment_state: 'partially_refunded', refunds: [made] });
  expect(await refundsOf(reference)).toMatchObject([{ id: asked.pending_refund.id, amount: 500, currency: 'EUR', mode: 'live' }]);

  expect((await refund({ amount: 113 })).status).toBe(202);
  const { refunds, totals } = await settled();
  expect(refunds[1]).toMatchObject({ status: 'failed', amount: 113, reason: 'Paydesk refuses this amount.' });
  expect(totals.refunded_amount).toBe(500);
}
