import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../../test/kit/client.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import { EXT_INVENTORY, locationsOf, move } from '../../../test/kit/inventory-fixture.js';
import {
  EXT_STOREFRONT,
  makeOrder,
  makeProduct,
  makeStocked,
  openShop,
  ORG_STOREFRONT,
  type MadeProduct,
  type OrderBody,
} from '../../../test/kit/storefront-fixture.js';

const ORDERS = `${EXT_STOREFRONT}/orders`;
const app = await sharedApp();
const space = await app.workspace();
const { owner, shop, client, inventory } = await openShop(space);
let used = 0;
const fresh = (prefix: string) => `${prefix}-${++used}`;

const stocked = (quantity: string, price = 1000, values = {}) =>
  makeStocked({ client, inventory }, shop.projectId, fresh('sku'), { quantity, price, ...values });
const act = async (order: { id: string }, action: string, body: object = {}, by: Client = client) => {
  const { status, body: answer, text } = await by.post(`${ORDERS}/${order.id}/${action}`, body);
  if (status !== 200) throw new Error(`${action}: ${text}`);
  return answer as OrderBody;
};
const pay = (order: { id: string }, amount: number, values: object = {}) =>
  act(order, 'payments', { amount, provider: 'bank', reference: fresh('pay'), ...values });
const refund = (order: { id: string }, values: object) => act(order, 'refunds', { provider: 'bank', reference: fresh('ref'), ...values });
const stockOf = async (itemId: string) => {
  const { body } = await inventory.get(`${EXT_INVENTORY}/items/${itemId}`);
  return [body.on_hand, body.reserved] as [string, string];
};
const discount = async (values: object) => {
  const { status, body, text } = await owner.post(`${ORG_STOREFRONT}/discounts`, {
    project_id: shop.projectId,
    code: fresh('CODE'),
    ...values,
  });
  if (status !== 201) throw new Error(text);
  return body as { id: string; code: string };
};
const refusal = ({ status, body }: { status: number; body: { error: { code: string; param?: string } } }) => [
  status,
  body.error.code,
  body.error.param,
];

describe('stories', () => {
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
    expect(refusal(await client.post(`${ORDERS}/${placed.id}/cancel`, { reason: 'All' }))).toEqual([
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
    expect(refusal(await client.post(`${ORDERS}/${placed.id}/refunds`, { amount: 1, provider: 'bank', reference: fresh('ref') }))).toEqual([
      409,
      'refund_exceeds_payment',
      undefined,
    ]);
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
    expect(refusal(await fulfill(itemId))).toEqual([400, 'validation_failed', 'location_id']);
    const first = (await fulfill(MAIN)).body as OrderBody;
    expect(first).toMatchObject({ fulfillment_state: 'partially_fulfilled', fulfillments: [{ location_id: MAIN }] });
    expect(first.lines.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([2, 1]);
    expect(refusal(await fulfill(MAIN))).toEqual([400, 'validation_failed', 'location_id']);
    expect((await fulfill(store)).body).toMatchObject({ fulfillment_state: 'fulfilled', fulfillments: [{}, { location_id: store }] });
    expect(await stockOf(itemId)).toEqual(['1', '0']);
  });

  it('a failed refund changes no amount and can be repeated', async () => {
    const { variants } = await makeProduct(client, shop.projectId, fresh('sku'));
    const order = await makeOrder(client, shop, [{ variant_id: variants[0].id, quantity: 1 }], { shipping_method_id: null });
    await pay(order, 1000);
    const body = { amount: 400, provider: 'bank', reference: fresh('ref') };
    const failed = await act(order, 'refunds', { ...body, status: 'failed' });
    expect(failed).toMatchObject({ payment_state: 'paid', totals: { paid_amount: 1000, refunded_amount: 0 } });
    const again = await client.post(`${ORDERS}/${order.id}/refunds`, body);
    expect(refusal(again)).toEqual([409, 'duplicate', 'reference']);
    expect(again.body.error.existing_id).toMatch(/-/);
    expect(await refund(order, { amount: 400 })).toMatchObject({ payment_state: 'partially_refunded', totals: { refunded_amount: 400 } });
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
});

describe('many at once', () => {
  it('twenty uses of a discount with the limit 5: five orders open', async () => {
    const { variantId } = await stocked('100');
    const { id, code } = await discount({ kind: 'percentage', value: '5', usage_limit: 5 });
    const bodies = Array.from({ length: 20 }, (_, index) => ({
      project_id: shop.projectId,
      channel_id: shop.channelId,
      shipping_method_id: shop.shippingMethodId,
      email: `buyer-${index}@example.com`,
      discount_code: code,
      lines: [{ variant_id: variantId, quantity: 1 }],
      place: true,
    }));
    const answers = await Promise.all(bodies.map((body) => client.post(ORDERS, body)));
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect([...refusal(answer), answer.body.error.reason]).toEqual([409, 'discount_refused', 'discount_code', 'used_up']);
    expect((await owner.get(`${ORG_STOREFRONT}/discounts/${id}`)).body.used_count).toBe(5);
    // cancelling gives the use back
    await act(opened[0].body as OrderBody, 'cancel', { reason: 'Test' });
    expect((await owner.get(`${ORG_STOREFRONT}/discounts/${id}`)).body.used_count).toBe(4);
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
      refusal(
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

  it('discounts are refused with a reason', async () => {
    const { variants } = await makeProduct(client, shop.projectId, fresh('sku'));
    const line = { variant_id: variants[0].id, quantity: 1 };
    const reason = async (values: object, order: object = {}) => {
      const { code } = await discount({ kind: 'percentage', value: '5', ...values });
      const body = {
        project_id: shop.projectId,
        channel_id: shop.channelId,
        lines: [line],
        discount_code: code,
        email: 'a@example.com',
        ...order,
      };
      await client.post(ORDERS, { ...body, place: true });
      return (await client.post(ORDERS, { ...body, place: true })).body.error?.reason;
    };
    expect([
      await reason({ active: false }),
      await reason({ starts_at: '2099-01-01T00:00:00Z' }),
      await reason({ ends_at: '2020-01-01T00:00:00Z' }),
      await reason({ kind: 'fixed_amount', value: '5', currency: 'USD' }),
      await reason({ min_subtotal_amount: 1001 }),
      await reason({ usage_limit: 1 }),
      await reason({ per_email_limit: 1 }, { email: 'A@example.com' }),
      await reason({}),
    ]).toEqual(['inactive', 'not_started', 'ended', 'other_currency', 'subtotal_too_small', 'used_up', 'used_up_by_email', undefined]);
  });

  it('ids of other projects, modes and modules are refused in every reference', async () => {
    const test = await openShopOfTest();
    const { variantId, itemId } = await stocked('5');
    const other = await makeStocked({ client: test.client, inventory: test.inventory }, shop.projectId, fresh('sku'), {});
    const order = (by: Client, variant_id: string, values: object = {}) =>
      by.post(ORDERS, { project_id: shop.projectId, channel_id: shop.channelId, lines: [{ variant_id, quantity: 1 }], ...values });
    const product = (values: object, variant: object = {}, project_id = shop.projectId) =>
      client.post(`${EXT_STOREFRONT}/products`, {
        project_id,
        title: 'X',
        variants: [{ sku: fresh('sku'), price_amount: 1, currency: 'EUR', ...variant }],
        ...values,
      });
    expect([
      refusal(await order(client, other.variantId)),
      refusal(await order(test.client, variantId)),
      refusal(await order(client, itemId)),
      refusal(await order(client, variantId, { project_id: space.ops.id })),
      refusal(await product({}, { inventory_item_id: other.itemId })),
      refusal(await product({}, { inventory_item_id: itemId }, space.ops.id)),
      refusal(await product({}, { inventory_item_id: variantId })),
      refusal(await product({}, { currency: 'XXY' })),
      refusal(await product({}, { price_amount: Number.MAX_SAFE_INTEGER + 1 })),
      refusal(await product({}, { price_amount: -1 })),
      refusal(await product({ category_ids: [shop.channelId] })),
      refusal(await product({ category_ids: [shop.categoryId], project_id: space.ops.id })),
      refusal(await product({ channel_ids: [shop.categoryId] })),
      refusal(await owner.post(`${ORG_STOREFRONT}/channels`, { name: fresh('c'), currency: 'EUR', country: 'DE', location_ids: [itemId] })),
    ]).toEqual([
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'lines.0.variant_id'],
      [400, 'validation_failed', 'variants.0.inventory_item_id'],
      [400, 'validation_failed', 'variants.0.inventory_item_id'],
      [400, 'validation_failed', 'variants.0.inventory_item_id'],
      [400, 'validation_failed', 'variants.0.currency'],
      [400, 'validation_failed', 'variants.0.price_amount'],
      [400, 'validation_failed', 'variants.0.price_amount'],
      [400, 'validation_failed', 'category_ids'],
      [400, 'validation_failed', 'category_ids'],
      [400, 'validation_failed', 'channel_ids'],
      [400, 'validation_failed', 'location_ids'],
    ]);
  });

  it('what is not possible in a state says so', async () => {
    const { variantId } = await stocked('5');
    const draft = await makeOrder(client, shop, [{ variant_id: variantId, quantity: 2 }], { place: false });
    const post = async (path: string, body: object = {}) => refusal(await client.post(`${ORDERS}/${draft.id}/${path}`, body));
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
    const patch = async (body: object) => refusal(await client.patch(`${ORDERS}/${draft.id}`, body));
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
      400,
      'validation_failed',
      'lines.0.quantity',
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

let ofTest: ReturnType<typeof openTest> | undefined;

async function openTest() {
  const [{ client: test }, { client: items }] = [
    await space.key({ module: 'storefront', mode: 'test' }),
    await space.key({ module: 'inventory', mode: 'test' }),
  ];
  return { client: test, inventory: items };
}

function openShopOfTest() {
  return (ofTest ??= openTest());
}

describe('catalogue and set-up', () => {
  it('a product finds its channel, currency and slug; availability counts what is sellable', async () => {
    const { itemId, productId } = await stocked('7');
    const [one, two] = [
      await makeProduct(client, shop.projectId, fresh('sku'), { title: 'Größe & Maß', category_ids: [shop.categoryId] }),
      await makeProduct(client, shop.projectId, fresh('sku'), {
        title: 'Größe & Maß',
        option_names: ['Pack'],
        variants: [
          { sku: fresh('sku'), price_amount: 5, option_values: ['3'], inventory_item_id: itemId, inventory_quantity: '3' },
          { sku: fresh('sku'), price_amount: 5, option_values: ['1'] },
        ],
      }),
    ];
    expect([one, two]).toMatchObject([
      { slug: 'grosse-mass' },
      { slug: 'grosse-mass-2', variants: [{ currency: 'EUR', inventory_quantity: '3' }, { inventory_item_id: null }] },
    ]);
    const listed = await client.get(`${EXT_STOREFRONT}/products?q=gross&expand=availability&channel_id=${shop.channelId}&sort=title`);
    expect(
      listed.body.data.map((product: { variants: { available: number | null }[] }) => product.variants.map(({ available }) => available)),
    ).toEqual([[null], [2, null]]);
    const ids = async (query: string) =>
      (await client.get(`${EXT_STOREFRONT}/products?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(`category_id=${shop.categoryId}`)).toEqual([one.id]);
    expect(await ids(`sku=${one.variants[0].sku.toUpperCase()}`)).toEqual([one.id]);
    const put = (path: string, body: object) => client.put(`${EXT_STOREFRONT}/products/${path}`, body);
    expect(refusal(await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1 }))).toEqual([
      400,
      'validation_failed',
      'option_values',
    ]);
    expect(refusal(await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1, option_values: ['1'] }))).toEqual([
      409,
      'duplicate',
      'option_values',
    ]);
    expect(refusal(await put(`${two.id}/variants/${one.variants[0].sku}`, { price_amount: 1, option_values: ['9'] }))).toEqual([
      409,
      'duplicate',
      'sku',
    ]);
    expect((await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1, option_values: ['9'] })).status).toBe(201);
    expect(refusal(await client.patch(`${EXT_STOREFRONT}/products/${two.id}`, { option_names: [] }))).toEqual([
      400,
      'validation_failed',
      'option_names',
    ]);
    const twice = [fresh('v'), fresh('v')].map((sku) => ({ sku, price_amount: 1 }));
    expect(refusal(await client.post(`${EXT_STOREFRONT}/products`, { title: 'X', project_id: shop.projectId, variants: twice }))).toEqual([
      400,
      'validation_failed',
      'variants.1.option_values',
    ]);
    expect((await client.get(`${EXT_STOREFRONT}/products/${productId}?expand=availability`)).body.variants[0].available).toBe(7);
  });

  it('the products of a category are listed in every order, page by page, also once they have changed', async () => {
    const project_id = shop.projectId;
    const category = async () => (await owner.post(`${ORG_STOREFRONT}/categories`, { project_id, name: fresh('Group') })).body.id as string;
    const [one, two] = [await category(), await category()];
    const make = (title: string, ...category_ids: string[]) => makeProduct(client, project_id, fresh('sku'), { title, category_ids });
    const [c, a, b] = [await make('C', one), await make('A', one, two), await make('B', one)];
    const titles = async (query: string): Promise<string> => {
      const { data, next_cursor } = (await client.get(`${EXT_STOREFRONT}/products?limit=2&${query}`)).body;
      const page = data.map(({ title }: { title: string }) => title).join('');
      return next_cursor ? `${page} ${await titles(`${query.replace(/&cursor=.*/, '')}&cursor=${encodeURIComponent(next_cursor)}`)}` : page;
    };
    const ofOne = (sort: string) => titles(`category_id=${one}&sort=${sort}`);
    expect([await ofOne('title'), await ofOne('created_at'), await ofOne('-updated_at')]).toEqual(['AB C', 'CA B', 'BA C']);
    expect(await titles(`category_id=${one},${two}&sort=-title`)).toBe('CB A');
    await client.patch(`${EXT_STOREFRONT}/products/${c.id}`, { title: '0' });
    await client.patch(`${EXT_STOREFRONT}/products/${a.id}`, { category_ids: [] });
    await client.patch(`${EXT_STOREFRONT}/products/${b.id}`, { category_ids: [two, one] });
    expect([await ofOne('title'), await titles(`category_id=${two}`)]).toEqual(['0B', 'B']);
    expect((await owner.delete(`${ORG_STOREFRONT}/categories/${two}`)).status).toBe(409);
    for (const { id } of [b, c]) await client.patch(`${EXT_STOREFRONT}/products/${id}`, { category_ids: [] });
    for (const id of [one, two]) expect((await owner.delete(`${ORG_STOREFRONT}/categories/${id}`)).status).toBe(204);
  });

  it('many products with one title at once all get a slug', async () => {
    const make = () => makeProduct(client, shop.projectId, fresh('sku'), { title: '椅子' });
    const made = await Promise.all(Array.from({ length: 8 }, make));
    const slugs = made.map((product) => (product as MadeProduct & { slug: string }).slug);
    expect(new Set(slugs).size).toBe(8);
    for (const slug of slugs) expect(slug).toMatch(/^product(-\w+)?$/);
  });

  it('a file of products is checked, imported once, and names the rows that it refuses', async () => {
    const { itemId } = await stocked('3');
    const { sku: item } = (await inventory.get(`${EXT_INVENTORY}/items/${itemId}`)).body;
    const stoolSku = fresh('stool');
    const file = [
      'External ID,title,sku,price_amount,category,inventory_sku,color',
      `${fresh('erp')},Stool,${stoolSku},1990,chairs,${item},red`,
      `${fresh('erp')},Bench,${fresh('bench')},-5,,,`,
      `${fresh('erp')},Sofa,${fresh('sofa')},99,Sofas,,`,
      `${fresh('erp')},Sofa,${fresh('sofa')},99,,unknown,`,
      `erp-twice,Lamp,${fresh('lamp')},99,,,`,
      `erp-twice,Lamp,${fresh('lamp')},99,,,`,
      `${fresh('erp')},Stool,${stoolSku},1990,,,`,
    ].join('\n');
    const send = async (dry_run: boolean) => {
      const path = `${ORG_STOREFRONT}/imports/products?project_id=${shop.projectId}&dry_run=${dry_run}`;
      return (await owner.send('post', path, file, { 'content-type': 'text/csv' })).body;
    };
    const errors = [
      { row: 2, code: 'validation_failed', param: 'price_amount' },
      { row: 3, code: 'validation_failed', param: 'category' },
      { row: 4, code: 'validation_failed', param: 'inventory_sku' },
      { row: 6, code: 'duplicate', param: 'external_id' },
      { row: 7, code: 'duplicate', param: 'sku', message: expect.stringMatching(/^sku stool-\d+ exists already/) },
    ];
    const expected = { object: 'product_import', rows: 7, imported: 2, failed: 5, ignored_columns: ['color'], errors };
    expect(await send(true)).toMatchObject({ ...expected, dry_run: true });
    expect(await send(false)).toMatchObject({ ...expected, dry_run: false });
    expect(await send(false)).toMatchObject({ imported: 0, failed: 7 });
    const [stool] = (await client.get(`${EXT_STOREFRONT}/products?q=stool`)).body.data;
    expect(stool).toMatchObject({ category_ids: [shop.categoryId], variants: [{ currency: 'EUR', inventory_item_id: itemId }] });
  });

  it('what products and orders have cannot be deleted', async () => {
    const used = [`channels/${shop.channelId}`, `categories/${shop.categoryId}`, `shipping-methods/${shop.shippingMethodId}`];
    for (const path of used)
      expect([path, ...refusal(await owner.delete(`${ORG_STOREFRONT}/${path}`))]).toEqual([path, 409, 'resource_conflict', undefined]);
    const made = (await owner.post(`${ORG_STOREFRONT}/categories`, { project_id: shop.projectId, name: 'Unused' })).body;
    expect(made).toMatchObject({ position: 2, active: true });
    expect(refusal(await owner.post(`${ORG_STOREFRONT}/categories`, { project_id: shop.projectId, name: 'UNUSED' }))).toEqual([
      409,
      'duplicate',
      'name',
    ]);
    expect((await owner.delete(`${ORG_STOREFRONT}/categories/${made.id}`)).status).toBe(204);
    const rate = { project_id: shop.projectId, country: 'FR', rate: '100.01', code: 'F' };
    expect(refusal(await owner.post(`${ORG_STOREFRONT}/tax-rates`, rate))).toEqual([400, 'validation_failed', 'rate']);
    expect(refusal(await owner.post(`${ORG_STOREFRONT}/tax-rates`, { ...rate, country: 'DE', rate: '1' }))).toEqual([
      409,
      'duplicate',
      'tax_class',
    ]);
    expect(refusal(await owner.post(`${ORG_STOREFRONT}/discounts`, { code: fresh('c'), kind: 'percentage', value: '101' }))).toEqual([
      400,
      'validation_failed',
      'value',
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

  it('test orders have numbers, stock and mails of their own', async () => {
    const test = await openShopOfTest();
    const { variantId } = await makeStocked(test, shop.projectId, fresh('sku'), {});
    const order = await makeOrder(test.client, shop, [{ variant_id: variantId, quantity: 1 }]);
    expect(order.number).toMatch(/^TEST-O-\d+$/);
    await act(order, 'fulfill', {}, test.client);
    const { body } = await owner.get('/api/v1/org/developer/mail-outbox', { 'svc-mode': 'test' });
    const [mail] = body.data;
    expect([mail.subject, mail.status]).toEqual([`Your order ${order.number} is on its way`, 'suppressed']);
  });
});

/** What a history must come to, by plain arithmetic on the units. */
describe('random histories', () => {
  const steps = fc.array(fc.record({ kind: fc.constantFrom('pay', 'ship', 'cancel', 'refund', 'amount'), part: fc.nat(99) }), {
    minLength: 4,
    maxLength: 9,
  });
  it('keep every sum: what was paid, refunded, shipped and cancelled', async () => {
    const runs = fc.sample(fc.record({ quantities: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }), steps }), {
      numRuns: 8,
      seed: 7,
    });
    for (const { quantities, steps: history } of runs) {
      const lines = await Promise.all(
        quantities.map(async (quantity, index) => ({
          variant_id: (await stocked(String(quantity), 101 + 32 * index)).variantId,
          quantity,
        })),
      );
      let order = await makeOrder(client, shop, lines);
      const seen = { paid: 0, refunded: 0 };
      for (const { kind, part } of history) {
        const open = order.lines.filter((line) => line.quantity - line.fulfilled_quantity - line.cancelled_quantity > 0);
        const [line] = open;
        const back = order.lines.find((one) => one.fulfilled_quantity + one.cancelled_quantity > one.refunded_quantity);
        const left = seen.paid - seen.refunded;
        if (kind === 'pay' && order.totals.due_amount > 0) {
          const amount = Math.max(1, Math.ceil((order.totals.due_amount * part) / 60));
          order = await pay(order, amount);
          seen.paid += amount;
        } else if (kind === 'ship' && line && order.state === 'open') {
          order = await act(order, 'fulfill', { lines: [{ line_id: line.id, quantity: 1 }], notify: false });
        } else if (kind === 'cancel' && line && order.state === 'open') {
          order = await act(order, 'cancel', { lines: [{ line_id: line.id, quantity: 1 }], reason: 'Test' });
        } else if (kind === 'refund' && back && left >= back.total_amount) {
          order = await refund(order, { lines: [{ line_id: back.id, quantity: 1 }] }).catch((error: Error) => {
            // refunds of amounts have taken all of the line
            expect(error.message).toContain('nothing to refund');
            return order;
          });
          seen.refunded = order.totals.refunded_amount;
        } else if (kind === 'amount' && left > 0) {
          const amount = Math.max(1, Math.floor((left * part) / 100));
          order = await refund(order, { amount });
          seen.refunded += amount;
        }
      }
      const shown = (await client.get(`${ORDERS}/${order.id}`)).body;
      expect(shown).toEqual(order);
      expect([shown.totals.paid_amount, shown.totals.refunded_amount]).toEqual([seen.paid, seen.refunded]);
      const parts = shown.refunds.flatMap(
        (one: { parts: { total_amount: number; tax_amount: number; line_id: string | null }[] }) => one.parts,
      );
      for (const line of shown.lines) {
        const own = parts.filter(({ line_id }: { line_id: string }) => line_id === line.id);
        const sum = (name: 'total_amount' | 'tax_amount') => own.reduce((all: number, one: Record<string, number>) => all + one[name], 0);
        expect(sum('total_amount')).toBeLessThanOrEqual(line.total_amount);
        expect(sum('tax_amount')).toBeLessThanOrEqual(line.tax_amount);
        if (sum('total_amount') === line.total_amount) expect(sum('tax_amount')).toBe(line.tax_amount);
      }
      const { total_amount, cancelled_amount, due_amount, refund_due_amount } = shown.totals;
      expect(due_amount === 0 || refund_due_amount === 0).toBe(true);
      if (shown.lines.every((line: { quantity: number; cancelled_quantity: number }) => line.quantity === line.cancelled_quantity))
        expect([shown.state, cancelled_amount]).toEqual(['cancelled', total_amount]);
    }
  });
});
