import type { Client } from '../../../../test/harness/client.js';
import { EXT_INVENTORY, locationsOf, makeItem, move } from '../../inventory/testing/inventory-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const EXT_STOREFRONT = '/api/v1/ext/storefront';
export const ORG_STOREFRONT = '/api/v1/org/storefront';

/** The configuration of a project that sells in euros, with prices that include 19 or 7 percent of tax. */
export interface Shop {
  projectId: string;
  channelId: string;
  categoryId: string;
  /** To Germany and Austria. */
  shippingMethodId: string;
}

async function created(client: Client, path: string, values: object): Promise<{ id: string }> {
  const { status, body, text } = await client.post(path, values);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as { id: string };
}

/** Sets up a shop; `values` change the channel. */
export async function makeShop(owner: Client, projectId: string, values: object = {}): Promise<Shop> {
  const project_id = projectId;
  const channel = await created(owner, `${ORG_STOREFRONT}/channels`, {
    project_id,
    name: 'Web shop',
    currency: 'EUR',
    country: 'DE',
    ...values,
  });
  const category = await created(owner, `${ORG_STOREFRONT}/categories`, { project_id, name: 'Chairs' });
  const method = await created(owner, `${ORG_STOREFRONT}/shipping-methods`, {
    project_id,
    name: 'Parcel',
    currency: 'EUR',
    price_amount: 490,
    countries: ['DE', 'AT'],
  });
  for (const [country, tax_class, rate, code] of [
    ['DE', 'standard', '19', 'S19'],
    ['DE', 'reduced', '7', 'S7'],
    ['AT', 'standard', '20', 'A20'],
    ['AT', 'reduced', '10', 'A10'],
  ])
    await created(owner, `${ORG_STOREFRONT}/tax-rates`, { project_id, country, tax_class, rate, code });
  return { projectId, channelId: channel.id, categoryId: category.id, shippingMethodId: method.id };
}

/** A workspace with a shop in its default project, and clients of the owner and of keys for both modules. */
export async function openShop(space: Workspace, { mode = 'live', channel = {} }: { mode?: 'live' | 'test'; channel?: object } = {}) {
  const owner = await space.signIn();
  const shop = await makeShop(owner, space.eng.id, channel);
  const { client } = await space.key({ module: 'storefront', mode });
  const { client: inventory } = await space.key({ module: 'inventory', mode });
  return { owner, shop, client, inventory };
}

export interface MadeProduct {
  id: string;
  variants: { id: string; sku: string }[];
}

/** An active product with one variant that is not kept in stock, unless `variants` are given. */
export async function makeProduct(client: Client, projectId: string, sku: string, values: object = {}): Promise<MadeProduct> {
  const variants = [{ sku, price_amount: 1000, currency: 'EUR' }];
  return (await created(client, `${EXT_STOREFRONT}/products`, {
    project_id: projectId,
    title: `Product ${sku}`,
    status: 'active',
    variants,
    ...values,
  })) as MadeProduct;
}

/** An item with so many pieces at MAIN, and a product that sells it. */
export async function makeStocked(
  { client, inventory }: { client: Client; inventory: Client },
  projectId: string,
  sku: string,
  { quantity = '10', price = 1000, ...values }: { quantity?: string; price?: number; tax_class?: string } = {},
): Promise<{ itemId: string; variantId: string; productId: string }> {
  const { id: itemId } = await makeItem(inventory, { project_id: projectId, sku });
  const { MAIN } = await locationsOf(inventory, projectId);
  if (quantity !== '0') await move(inventory, { kind: 'receipt', item_id: itemId, location_id: MAIN, quantity, cost_amount: 100 });
  const variants = [{ sku, price_amount: price, currency: 'EUR', inventory_item_id: itemId }];
  const product = await makeProduct(client, projectId, sku, { variants, ...values });
  return { itemId, variantId: product.variants[0].id, productId: product.id };
}

export interface OrderBody {
  id: string;
  number: string | null;
  state: string;
  payment_state: string;
  fulfillment_state: string;
  version: number;
  lines: ({ id: string } & Record<string, number>)[];
  totals: Record<string, number>;
  fulfillments: { id: string; state: string }[];
}

/** Creates an order, placed by default. */
export async function makeOrder(client: Client, shop: Shop, lines: object[], values: object = {}): Promise<OrderBody> {
  return (await created(client, `${EXT_STOREFRONT}/orders`, {
    project_id: shop.projectId,
    channel_id: shop.channelId,
    email: 'ada@example.com',
    shipping_method_id: shop.shippingMethodId,
    lines,
    place: true,
    ...values,
  })) as OrderBody;
}

export const ORDERS = `${EXT_STOREFRONT}/orders`;

/** A workspace with a shop, and what can be done with its stock and orders; `channel` changes the channel. */
export async function openStore(app: TestApp, channel: object = {}) {
  const space = await app.workspace();
  const opened = await openShop(space, { channel });
  const { owner, shop, client, inventory } = opened;
  let used = 0;
  const fresh = (prefix: string) => `${prefix}-${++used}`;
  const act = async (order: { id: string }, action: string, body: object = {}, by: Client = client) => {
    const { status, body: answer, text } = await by.post(`${ORDERS}/${order.id}/${action}`, body);
    if (status !== 200) throw new Error(`${action}: ${text}`);
    return answer as OrderBody;
  };
  return {
    space,
    ...opened,
    /** A name that no other call returns. */
    fresh,
    act,
    stocked: (quantity: string, price = 1000, values = {}) =>
      makeStocked({ client, inventory }, shop.projectId, fresh('sku'), { quantity, price, ...values }),
    pay: (order: { id: string }, amount: number, values: object = {}) =>
      act(order, 'payments', { amount, provider: 'bank', reference: fresh('pay'), ...values }),
    refund: (order: { id: string }, values: object) => act(order, 'refunds', { provider: 'bank', reference: fresh('ref'), ...values }),
    /** On hand and reserved. */
    stockOf: async (itemId: string): Promise<[string, string]> => {
      const { body } = await inventory.get(`${EXT_INVENTORY}/items/${itemId}`);
      return [body.on_hand, body.reserved];
    },
    discount: async (values: object) =>
      (await created(owner, `${ORG_STOREFRONT}/discounts`, { project_id: shop.projectId, code: fresh('CODE'), ...values })) as {
        id: string;
        code: string;
      },
  };
}
