import { expect, it } from '@jest/globals';
import { errorOf, type Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { EXT_STOREFRONT, makeOrder, makeProduct, makeStocked, openStore, ORDERS, ORG_STOREFRONT } from './testing/storefront-fixture.js';

const app = await sharedApp();
const { space, owner, shop, client, fresh, act, stocked } = await openStore(app);

const test = {
  client: (await space.key({ module: 'storefront', mode: 'test' })).client,
  inventory: (await space.key({ module: 'inventory', mode: 'test' })).client,
};

it('ids of other projects, modes and modules are refused in every reference', async () => {
  const { variantId, itemId } = await stocked('5');
  const other = await makeStocked(test, shop.projectId, fresh('sku'), {});
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
    errorOf(await order(client, other.variantId)),
    errorOf(await order(test.client, variantId)),
    errorOf(await order(client, itemId)),
    errorOf(await order(client, variantId, { project_id: space.ops.id })),
    errorOf(await product({}, { inventory_item_id: other.itemId })),
    errorOf(await product({}, { inventory_item_id: itemId }, space.ops.id)),
    errorOf(await product({}, { inventory_item_id: variantId })),
    errorOf(await product({}, { currency: 'XXY' })),
    errorOf(await product({}, { price_amount: Number.MAX_SAFE_INTEGER + 1 })),
    errorOf(await product({}, { price_amount: -1 })),
    errorOf(await product({ category_ids: [shop.channelId] })),
    errorOf(await product({ category_ids: [shop.categoryId], project_id: space.ops.id })),
    errorOf(await product({ channel_ids: [shop.categoryId] })),
    errorOf(await owner.post(`${ORG_STOREFRONT}/channels`, { name: fresh('c'), currency: 'EUR', country: 'DE', location_ids: [itemId] })),
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

it('what products and orders have cannot be deleted', async () => {
  const { variants } = await makeProduct(client, shop.projectId, fresh('sku'), { category_ids: [shop.categoryId] });
  await makeOrder(client, shop, [{ variant_id: variants[0].id, quantity: 1 }]);
  const used = [`channels/${shop.channelId}`, `categories/${shop.categoryId}`, `shipping-methods/${shop.shippingMethodId}`];
  for (const path of used)
    expect([path, ...errorOf(await owner.delete(`${ORG_STOREFRONT}/${path}`))]).toEqual([path, 409, 'resource_conflict', undefined]);
  const made = (await owner.post(`${ORG_STOREFRONT}/categories`, { project_id: shop.projectId, name: 'Unused' })).body;
  expect(made).toMatchObject({ position: 2, active: true });
  expect(errorOf(await owner.post(`${ORG_STOREFRONT}/categories`, { project_id: shop.projectId, name: 'UNUSED' }))).toEqual([
    409,
    'duplicate',
    'name',
  ]);
  expect((await owner.delete(`${ORG_STOREFRONT}/categories/${made.id}`)).status).toBe(204);
  const rate = { project_id: shop.projectId, country: 'FR', rate: '100.01', code: 'F' };
  expect(errorOf(await owner.post(`${ORG_STOREFRONT}/tax-rates`, rate))).toEqual([400, 'validation_failed', 'rate']);
  expect(errorOf(await owner.post(`${ORG_STOREFRONT}/tax-rates`, { ...rate, country: 'DE', rate: '1' }))).toEqual([
    409,
    'duplicate',
    'tax_class',
  ]);
  expect(errorOf(await owner.post(`${ORG_STOREFRONT}/discounts`, { code: fresh('c'), kind: 'percentage', value: '101' }))).toEqual([
    400,
    'validation_failed',
    'value',
  ]);
});

it('a tax rate that orders, products or shipping methods need cannot be deleted or moved', async () => {
  const at = `${ORG_STOREFRONT}/tax-rates`;
  const { project_id, ...rest } = { project_id: shop.projectId, rate: '5', code: fresh('c').slice(0, 30) };
  const create = async (values: object) => (await owner.post(at, { project_id, ...rest, ...values })).body as { id: string };
  const conflict = [409, 'resource_conflict', undefined];
  const remove = async ({ id }: { id: string }) => (await owner.delete(`${at}/${id}`)).status;
  // of a country and class that nothing needs: a typing error, for example
  const unused = await create({ country: 'FR', tax_class: 'books' });
  expect((await owner.patch(`${at}/${unused.id}`, { country: 'LU', tax_class: 'maps' })).body).toMatchObject({ country: 'LU' });
  expect(await remove(unused)).toBe(204);
  // the channel sells to DE
  const books = await create({ country: 'DE', tax_class: 'books' });
  const { variants } = await makeProduct(client, shop.projectId, fresh('sku'), { tax_class: 'books' });
  expect(errorOf(await owner.delete(`${at}/${books.id}`))).toEqual(conflict);
  for (const change of [{ country: 'LU' }, { tax_class: 'maps' }])
    expect(errorOf(await owner.patch(`${at}/${books.id}`, change))).toEqual(conflict);
  expect((await owner.patch(`${at}/${books.id}`, { rate: '6', country: 'DE' })).status).toBe(200);
  // an order was sent to FR
  const french = await create({ country: 'FR', tax_class: 'books' });
  const order = { project_id, channel_id: shop.channelId, lines: [{ variant_id: variants[0].id, quantity: 1 }], email: 'a@example.com' };
  const placed = await client.post(ORDERS, { ...order, shipping_address: { country: 'FR' } });
  expect(placed.status).toBe(201);
  expect(errorOf(await owner.delete(`${at}/${french.id}`))).toEqual(conflict);
  const method = { project_id, name: fresh('m'), currency: 'EUR', price_amount: 1, countries: ['PL'], tax_class: 'freight' };
  const polish = await create({ country: 'PL', tax_class: 'freight' });
  const { id: methodId } = (await owner.post(`${ORG_STOREFRONT}/shipping-methods`, method)).body;
  expect(errorOf(await owner.delete(`${at}/${polish.id}`))).toEqual(conflict);
  expect((await owner.delete(`${ORG_STOREFRONT}/shipping-methods/${methodId}`)).status).toBe(204);
  expect(await remove(polish)).toBe(204);
});

it('a location that a channel sells from cannot be deleted', async () => {
  const locations = '/api/v1/org/inventory/locations';
  const made = (await owner.post(locations, { project_id: shop.projectId, code: fresh('l').slice(0, 30), name: 'Kiosk' })).body;
  const values = { project_id: shop.projectId, name: fresh('c'), currency: 'EUR', country: 'DE', location_ids: [made.id] };
  const { id } = (await owner.post(`${ORG_STOREFRONT}/channels`, values)).body;
  expect(errorOf(await owner.delete(`${locations}/${made.id}`))).toEqual([409, 'resource_conflict', undefined]);
  await owner.patch(`${ORG_STOREFRONT}/channels/${id}`, { location_ids: [] });
  expect((await owner.delete(`${locations}/${made.id}`)).status).toBe(204);
});

it('test orders have numbers, stock and mails of their own', async () => {
  const { variantId } = await makeStocked(test, shop.projectId, fresh('sku'), {});
  const order = await makeOrder(test.client, shop, [{ variant_id: variantId, quantity: 1 }]);
  expect(order.number).toMatch(/^TEST-O-\d+$/);
  await act(order, 'fulfill', {}, test.client);
  const { body } = await owner.get('/api/v1/org/developer/mail-outbox', { 'svc-mode': 'test' });
  const [mail] = body.data;
  expect([mail.subject, mail.status]).toEqual([`Your order ${order.number} is on its way`, 'suppressed']);
});
