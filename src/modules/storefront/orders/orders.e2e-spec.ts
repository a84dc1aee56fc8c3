import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY, locationsOf, makeItem, move, ORG_INVENTORY } from '../../inventory/testing/inventory-fixture.js';
import {
  EXT_STOREFRONT,
  makeOrder,
  makeProduct,
  openStore,
  ORDERS,
  ORG_STOREFRONT,
  type OrderBody,
} from '../testing/storefront-fixture.js';

const app = await sharedApp();
const { owner, shop, client, inventory, fresh, act, stocked, pay, stockOf, discount } = await openStore(app);

it('three lines, 10 % off, 19 % and 7 % included: the lines add up to the totals', async () => {
  const [a, b, c] = [await stocked('9', 999), await stocked('9', 333, { tax_class: 'reduced' }), await stocked('9', 101)];
  const { code } = await discount({ kind: 'percentage', value: '10' });
  const lines = [a, b, c].map(({ variantId }, index) => ({ variant_id: variantId, quantity: index + 1 }));
  const order = await makeOrder(client, shop, lines, { discount_code: code.toLowerCase() });
  const { totals } = order;
  expect(totals).toMatchObject({ subtotal_amount: 999 + 666 + 303, discount_amount: 197, shipping_amount: 490, total_amount: 2261 });
  const sum = (name: string) => order.lines.reduce((all, line) => all + line[name], 0);
  expect(sum('discount_amount')).toBe(197);
  expect(sum('total_amount') + 490).toBe(totals.total_amount);
  const shown = (await client.get(`${ORDERS}/${order.id}`)).body;
  expect(shown.taxes.map(({ code: tax, rate }: { code: string; rate: string }) => [tax, rate])).toEqual([
    ['S19', '19'],
    ['S7', '7'],
  ]);
  const [standard, reduced] = shown.taxes;
  expect(standard.net_amount + standard.tax_amount + reduced.net_amount + reduced.tax_amount).toBe(totals.total_amount);
  expect(sum('tax_amount') + shown.shipping.tax_amount).toBe(totals.tax_amount);
  expect(shown).toEqual(order);
  expect(shown.channel_name).toBe('Web shop');
});

it('two carts place the last piece: one opens, the other stays a draft', async () => {
  const { variantId, itemId } = await stocked('1');
  const lines = [{ variant_id: variantId, quantity: 1 }];
  const carts = [await makeOrder(client, shop, lines, { place: false }), await makeOrder(client, shop, lines, { place: false })];
  const answers = await Promise.all(carts.map(({ id }) => client.post(`${ORDERS}/${id}/place`, {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const lost = answers.findIndex(({ status }) => status === 409);
  expect(answers[lost].body.error).toMatchObject({
    code: 'insufficient_stock',
    details: [{ item_id: itemId, requested: '1', available: '0' }],
  });
  expect((await client.get(`${ORDERS}/${carts[lost].id}`)).body).toMatchObject({ state: 'draft', number: null, version: 1 });
  expect(await stockOf(itemId)).toEqual(['1', '1']);
});

it('an order of two locations is sent from each of them', async () => {
  const project_id = shop.projectId;
  const made = await owner.post('/api/v1/org/inventory/locations', { project_id, code: fresh('L').toUpperCase(), name: fresh('Store') });
  const [{ variantId, itemId }, { MAIN }, store] = [await stocked('2'), await locationsOf(inventory, project_id), made.body.id as string];
  await move(inventory, { kind: 'receipt', item_id: itemId, location_id: store, quantity: '5', cost_amount: 1 });
  const { variants } = await makeProduct(client, project_id, fresh('sku'));
  const lines = [
    { variant_id: variantId, quantity: 6 },
    { variant_id: variants[0].id, quantity: 1 },
  ];
  const order = await makeOrder(client, shop, lines);
  const fulfill = (location_id: string) => client.post(`${ORDERS}/${order.id}/fulfill`, { location_id, notify: false });
  expect(errorOf(await fulfill(itemId))).toEqual([400, 'validation_failed', 'location_id']);
  const first = (await fulfill(MAIN)).body as OrderBody;
  expect(first).toMatchObject({ fulfillment_state: 'partially_fulfilled', fulfillments: [{ location_id: MAIN }] });
  expect(first.lines.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([2, 1]);
  expect(errorOf(await fulfill(MAIN))).toEqual([400, 'validation_failed', 'location_id']);
  expect((await fulfill(store)).body).toMatchObject({ fulfillment_state: 'fulfilled', fulfillments: [{}, { location_id: store }] });
  expect(await stockOf(itemId)).toEqual(['1', '0']);
});

it('a price rises before placing: totals_changed; later rises touch nothing', async () => {
  const { variantId, productId } = await stocked('5', 1000);
  const draft = await makeOrder(client, shop, [{ variant_id: variantId, quantity: 2 }], { place: false });
  const { variants } = (await client.get(`${EXT_STOREFRONT}/products/${productId}`)).body;
  const rise = (price_amount: number) =>
    client.put(`${EXT_STOREFRONT}/products/${productId}/variants/${variants[0].sku}`, { ...variants[0], price_amount });
  await rise(1100);
  const refused = await client.post(`${ORDERS}/${draft.id}/place`, { expected_total_amount: draft.totals.total_amount });
  expect(refused.body.error).toMatchObject({ code: 'totals_changed', totals: { total_amount: 2690 } });
  const placed = await act(draft, 'place', { expected_total_amount: 2690 });
  await rise(9900);
  expect((await client.get(`${ORDERS}/${draft.id}`)).body).toEqual(placed);
  const frozen = 'UPDATE storefront_order_lines SET unit_amount = 1, subtotal_amount = 2 WHERE order_id = $1';
  await expect(app.sql.query(frozen, [draft.id])).rejects.toThrow('keeps its lines');
  await expect(app.sql.query('DELETE FROM storefront_orders WHERE id = $1', [draft.id])).rejects.toThrow('keeps its lines');
  for (const [change, refused] of [
    [`number = 'O-0'`, 'keeps its lines'],
    [`taxes = '[]'`, 'keeps its lines'],
    ['paid_amount = 5', 'do not add up'],
  ])
    await expect(app.sql.query(`UPDATE storefront_orders SET ${change} WHERE id = $1`, [draft.id])).rejects.toThrow(refused);
  await expect(app.sql.query('TRUNCATE storefront_payments, storefront_refunds')).rejects.toThrow('append-only');
});

it('orders of the same items in other orders do not block each other', async () => {
  const [a, b] = [await stocked('40'), await stocked('40')];
  const lines = [a, b].map(({ variantId }) => ({ variant_id: variantId, quantity: 1 }));
  const orders = await Promise.all(Array.from({ length: 20 }, (_, n) => makeOrder(client, shop, n % 2 ? lines : lines.toReversed())));
  await Promise.all(
    orders.map((order, n) => (n % 4 ? act(order, 'cancel', { reason: 'Test' }) : act(order, 'fulfill', { notify: false }))),
  );
  expect([await stockOf(a.itemId), await stockOf(b.itemId)]).toEqual([
    ['35', '0'],
    ['35', '0'],
  ]);
});

it('a payment window ends: unpaid orders are cancelled, others stay', async () => {
  const { variantId, itemId } = await stocked('5');
  const { body: channel } = await owner.post(`${ORG_STOREFRONT}/channels`, {
    project_id: shop.projectId,
    name: 'Auctions',
    currency: 'EUR',
    country: 'DE',
    payment_window_minutes: 30,
  });
  const [unpaid, paid] = await Promise.all(
    [1, 2].map((quantity) => makeOrder(client, { ...shop, channelId: channel.id }, [{ variant_id: variantId, quantity }])),
  );
  await pay(paid, 1);
  await app.runScheduledJob('storefront.cancel_unpaid', new Date(Date.now() + 29 * 60_000));
  expect((await client.get(`${ORDERS}/${unpaid.id}`)).body.state).toBe('open');
  await app.runScheduledJob('storefront.cancel_unpaid', new Date(Date.now() + 31 * 60_000));
  expect((await client.get(`${ORDERS}/${unpaid.id}`)).body).toMatchObject({ state: 'cancelled', cancel_reason: 'Not paid in time' });
  expect((await client.get(`${ORDERS}/${paid.id}`)).body.state).toBe('open');
  expect(await stockOf(itemId)).toEqual(['5', '2']);
});

describe('refusals', () => {
  it('each names its code, field and details', async () => {
    const { variantId } = await stocked('5');
    const { variants } = await makeProduct(client, shop.projectId, fresh('sku'), { tax_class: 'unknown' });
    const { variants: dollars } = await makeProduct(client, shop.projectId, fresh('sku'), {
      variants: [{ sku: fresh('sku'), price_amount: 1, currency: 'USD' }],
    });
    const { variants: drafts } = await makeProduct(client, shop.projectId, fresh('sku'), { status: 'draft' });
    const { variants: dear } = await makeProduct(client, shop.projectId, fresh('sku'), {
      variants: [{ sku: fresh('sku'), price_amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' }],
    });
    const create = async (values: object, line: object = {}) =>
      errorOf(
        await client.post(ORDERS, {
          project_id: shop.projectId,
          channel_id: shop.channelId,
          lines: [{ variant_id: variantId, quantity: 1, ...line }],
          ...values,
        }),
      );
    const foreign = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
    expect([
      await create({}, { variant_id: dollars[0].id }),
      await create({}, { variant_id: variants[0].id }),
      await create({}, { variant_id: drafts[0].id }),
      await create({}, { variant_id: foreign }),
      await create({}, { quantity: -1 }),
      await create({}, { variant_id: dear[0].id, quantity: 2 }),
      await create({ channel_id: foreign }),
      await create({ discount_code: 'NONE' }),
      await create({ shipping_method_id: shop.shippingMethodId, shipping_address: { country: 'FR' } }),
      await create({ shipping_address: { country: 'FR' } }),
      await create({ shipping_address: { country: 'Germany' } }),
      await create({ place: true }),
      await create({ place: true, email: 'ada@example.com' }),
    ]).toEqual([
      [409, 'price_missing', 'lines.0.variant_id'],
      [409, 'tax_rate_missing', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.quantity'],
      [400, 'validation_failed', 'lines'],
      [400, 'validation_failed', 'channel_id'],
      [409, 'discount_refused', 'discount_code'],
      [400, 'validation_failed', 'shipping_method_id'],
      [409, 'tax_rate_missing', 'lines.0.variant_id'],
      [400, 'validation_failed', 'shipping_address.country'],
      [400, 'missing_fields', 'email'],
      [400, 'missing_fields', 'shipping_method_id'],
    ]);
  });

  it('of the inventory name fields of the request, or none if it has none', async () => {
    const project_id = shop.projectId;
    const [kept, retired] = [await stocked('5'), await stocked('5')];
    const lines = [kept, retired].map(({ variantId }) => ({ variant_id: variantId, quantity: 1 }));
    const draft = await makeOrder(client, shop, lines, { place: false });
    const parcel = await act(await makeOrder(client, shop, lines), 'fulfill');
    await inventory.patch(`${EXT_INVENTORY}/items/${retired.itemId}`, { active: false });
    const body = { project_id, channel_id: shop.channelId, email: 'ada@example.com', shipping_method_id: shop.shippingMethodId };
    const place = { ...body, lines, place: true };
    expect([
      errorOf(await client.post(ORDERS, place)),
      errorOf(await client.post(`${ORDERS}/${draft.id}/place`, {})),
      errorOf(await client.post(`${ORDERS}/${parcel.id}/fulfillments/${parcel.fulfillments[0].id}/cancel`)),
    ]).toEqual([
      [400, 'validation_failed', 'lines.1.variant_id'],
      [400, 'validation_failed', 'lines.1.variant_id'],
      [400, 'invalid_transition', undefined],
    ]);
    const depot = (await owner.post(`${ORG_INVENTORY}/locations`, { project_id, code: fresh('D').toUpperCase(), name: fresh('Depot') }))
      .body.id;
    const { body: channel } = await owner.post(`${ORG_STOREFRONT}/channels`, {
      project_id,
      name: fresh('channel'),
      currency: 'EUR',
      country: 'DE',
      location_ids: [depot],
    });
    await owner.patch(`${ORG_INVENTORY}/locations/${depot}`, { active: false });
    const elsewhere = { ...place, channel_id: channel.id, lines: lines.slice(0, 1) };
    expect(errorOf(await client.post(ORDERS, elsewhere))).toEqual([400, 'validation_failed', 'channel_id']);
  });

  it('of the inventory name fields of the request for goods with lots or serial numbers, too', async () => {
    const tracked = async (tracking: string, lot: object) => {
      const sku = fresh('sku');
      const { id } = await makeItem(inventory, { project_id: shop.projectId, sku, tracking });
      const { MAIN: location_id } = await locationsOf(inventory, shop.projectId);
      const receive = () => move(inventory, { kind: 'receipt', item_id: id, location_id, quantity: '1', cost_amount: 1, lot });
      await receive();
      const variants = [{ sku, price_amount: 100, currency: 'EUR', inventory_item_id: id }];
      const { variants: made } = await makeProduct(client, shop.projectId, sku, { variants });
      return { id, receive, order: await makeOrder(client, shop, [{ variant_id: made[0].id, quantity: 1 }]) };
    };
    const milk = await tracked('lot', { code: 'L-1', expires_on: '2199-01-01' });
    await app.sql.query('UPDATE stock_lots SET expired = true WHERE item_id = $1', [milk.id]);
    const expired = await client.post(`${ORDERS}/${milk.order.id}/fulfill`, {});
    expect(errorOf(expired)).toEqual([409, 'insufficient_stock', 'lines.0.quantity']);
    expect(expired.body.error.details).toMatchObject([{ item_id: milk.id, param: 'lines.0.quantity' }]);

    const phone = await tracked('serial', { code: 'S-1' });
    const paid = await pay(phone.order, phone.order.totals.total_amount);
    const shipped = await act(paid, 'fulfill');
    // the piece is received as if it were a new one
    await phone.receive();
    const lines = [{ line_id: shipped.lines[0].id, quantity: 1, restock: true }];
    expect([
      errorOf(await client.post(`${ORDERS}/${shipped.id}/refunds`, { provider: 'bank', reference: fresh('ref'), lines })),
      errorOf(await client.post(`${ORDERS}/${shipped.id}/fulfillments/${shipped.fulfillments[0].id}/cancel`)),
    ]).toEqual([
      [409, 'serial_in_stock', 'lines.0.restock'],
      [409, 'serial_in_stock', undefined],
    ]);
  });

  it('what is not possible in a state says so', async () => {
    const { variantId } = await stocked('5');
    const draft = await makeOrder(client, shop, [{ variant_id: variantId, quantity: 2 }], { place: false });
    const post = async (path: string, body: object = {}) => errorOf(await client.post(`${ORDERS}/${draft.id}/${path}`, body));
    const money = { amount: 1, provider: 'bank', reference: fresh('x') };
    const invalid = [400, 'invalid_transition', undefined];
    expect([
      await post('fulfill'),
      await post('cancel', { reason: 'x' }),
      await post('payments', money),
      await post('refunds', money),
    ]).toEqual([invalid, invalid, invalid, invalid]);
    const placed = await act(draft, 'place');
    expect(await post('place')).toEqual(invalid);
    const [line] = placed.lines;
    const patch = async (body: object) => errorOf(await client.patch(`${ORDERS}/${draft.id}`, body));
    expect(await patch({ lines: [{ variant_id: variantId, quantity: 1 }] })).toEqual([400, 'invalid_transition', 'lines']);
    expect(await patch({ shipping_address: { country: 'AT' } })).toEqual([400, 'invalid_transition', 'shipping_address.country']);
    // the country of the channel, whose tax it has
    const address = { shipping_address: { city: 'Berlin', country: 'DE' } };
    const addressed = await client.patch(`${ORDERS}/${draft.id}`, address);
    expect(addressed.body.shipping_address.city).toBe('Berlin');
    expect((await client.patch(`${ORDERS}/${draft.id}`, address)).body.version).toBe(addressed.body.version);
    expect(await patch({ shipping_address: { country: 'AT' } })).toEqual([400, 'invalid_transition', 'shipping_address.country']);
    expect((await client.patch(`${ORDERS}/${draft.id}`, { note: 'Ring twice', email: 'b@example.com' })).body.note).toBe('Ring twice');
    const shipped = await act(placed, 'fulfill', { lines: [{ line_id: line.id, quantity: 1 }], notify: false });
    expect(await post('cancel', { reason: 'x' })).toEqual([409, 'order_shipped', 'lines.0.quantity']);
    expect(await post('fulfill', { lines: [{ line_id: line.id, quantity: 2 }] })).toEqual([400, 'validation_failed', 'lines.0.quantity']);
    expect(await post('fulfill', { lines: [{ line_id: variantId, quantity: 1 }] })).toEqual([400, 'validation_failed', 'lines.0.line_id']);
    expect(await post('refunds', { ...money, amount: undefined, lines: [{ line_id: line.id, quantity: 2 }] })).toEqual([
      409,
      'refund_exceeds_payment',
      undefined,
    ]);
    expect(await post('refunds', money)).toEqual([409, 'refund_exceeds_payment', undefined]);
    const parcel = shipped.fulfillments[0].id;
    expect(await act(placed, `fulfillments/${parcel}/cancel`)).toMatchObject({
      fulfillment_state: 'unfulfilled',
      fulfillments: [{ state: 'cancelled' }],
    });
    expect(await post(`fulfillments/${parcel}/cancel`)).toEqual(invalid);
    expect(await act(placed, 'cancel', { reason: 'x' })).toMatchObject({
      state: 'cancelled',
      totals: { due_amount: 0, cancelled_amount: 2490 },
    });
    // money may arrive late
    expect((await pay(placed, 2490)).totals).toMatchObject({ refund_due_amount: 2490 });
  });
});
