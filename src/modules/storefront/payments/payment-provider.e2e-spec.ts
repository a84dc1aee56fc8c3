import { expect, test } from '@jest/globals';
import { Client } from '../../../../test/harness/client.js';
import { sharedApp, startApp } from '../../../../test/harness/hosted-app.js';
import { makeOrder, openStore, ORDERS } from '../testing/storefront-fixture.js';

const FIXTURE = 'src/modules/storefront/testing/paydesk-app.ts';
type Store = Awaited<ReturnType<typeof openStore>>;

const app = await sharedApp();

async function placed({ client, shop, stocked }: Store) {
  const { variantId: variant_id } = await stocked('5', 1000);
  return makeOrder(client, shop, [{ variant_id, quantity: 2 }]);
}

test('without a provider of the suite, a buyer transfers what is due', async () => {
  const store = await openStore(app);
  const order = await placed(store);
  const { due_amount: amount } = order.totals;
  const { status, body } = await store.client.post(`${ORDERS}/${order.id}/payment-requests`, {});
  for (const return_url of ['javascript:alert(1)', '/thanks', 'shop.example'])
    expect((await store.client.post(`${ORDERS}/${order.id}/payment-requests`, { return_url })).body.error.param).toBe('return_url');
  const how = { provider: 'manual', reference: order.number, url: null, expires_at: null };
  expect([status, body]).toEqual([200, { object: 'requested_payment', ...how, amount, currency: 'EUR' }]);
  await store.pay(order, amount, { provider: 'manual', reference: body.reference });
  const nothing = await store.client.post(`${ORDERS}/${order.id}/payment-requests`, {});
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'invalid_transition']);
});

test('the provider of a module gives the page and reports the payment', async () => {
  const own = await startApp({}, { file: FIXTURE, name: 'createPaydeskApp' });
  try {
    await pay(own);
  } finally {
    await own.close();
  }
});

async function pay(own: typeof app) {
  const { breakDown } = own.inside<typeof import('../testing/paydesk-app.js')>(FIXTURE);
  const store = await openStore(own);
  const order = await placed(store);
  const path = `${ORDERS}/${order.id}`;
  const key = { 'idempotency-key': store.fresh('request') };
  const request = () => store.client.post(`${path}/payment-requests`, { return_url: 'https://shop.example' }, key);
  await breakDown(true);
  expect((await request()).body.error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('paydesk') });
  const tried = await store.client.post(`${path}/payment-requests`, {}, { 'svc-dry-run': 'true' });
  const wanted = { provider: 'paydesk', reference: order.number, url: null, amount: order.totals.due_amount, currency: 'EUR' };
  expect([tried.status, tried.body]).toMatchObject([200, { ...wanted, would_emit: [], would_send: [] }]);
  await breakDown(false);
  const { body: requested } = await request();
  const { reference } = requested;
  expect(requested).toMatchObject({ provider: 'paydesk', url: `https://paydesk.example/${reference}`, amount: order.totals.due_amount });
  expect((await request()).body).toEqual(requested);

  const report = () => new Client(own.url).post('/api/v1/public/paydesk/reports', { reference });
  expect((await report()).status).toBe(204);
  expect((await report()).body.error.code).toBe('duplicate');
  const { payments, payment_state } = (await store.client.get(path)).body;
  expect([payment_state, payments]).toMatchObject(['paid', [{ provider: 'paydesk', reference }]]);
}
