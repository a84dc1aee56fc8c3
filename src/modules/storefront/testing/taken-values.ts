import { upload, type TakenValues } from '../../../../test/contract/taken-values.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { EXT_STOREFRONT, makeOrder, makeProduct, openStore, ORDERS, ORG_STOREFRONT } from './storefront-fixture.js';

export async function takenValues(app: TestApp): Promise<TakenValues> {
  const store = await openStore(app);
  const { variantId: variant_id } = await store.stocked('100');
  const newOrder = async () => (await makeOrder(store.client, store.shop, [{ variant_id, quantity: 1 }])).id;
  const newCart = async () => (await makeOrder(store.client, store.shop, [{ variant_id, quantity: 1 }], { place: false })).id;
  const newProduct = () => makeProduct(store.client, store.shop.projectId, store.fresh('product'));
  const productBody = (values: object, sku = store.fresh('sku')) => ({
    project_id: store.shop.projectId,
    title: 'Chair',
    variants: [{ sku, price_amount: 100, currency: 'EUR' }],
    ...values,
  });
  const pay = (order: string, reference: string) =>
    store.client.post(`${ORDERS}/${order}/payments`, { amount: 10, provider: 'bank', reference });
  return {
    requests: {
      create_order: {
        table: 'storefront_orders',
        value: { external_id: 'new' },
        ready: async () => {
          const body = { project_id: store.shop.projectId, channel_id: store.shop.channelId, lines: [{ variant_id, quantity: 1 }] };
          return { id: await newOrder(), send: () => store.client.post(ORDERS, { ...body, external_id: 'new' }) };
        },
      },
      update_order: {
        table: 'storefront_orders',
        value: { external_id: 'changed' },
        ready: async () => {
          const [id, changed] = [await newCart(), await newCart()];
          return { id, send: () => store.client.patch(`${ORDERS}/${changed}`, { external_id: 'changed' }) };
        },
      },
      record_order_payment: {
        table: 'storefront_payments',
        value: { reference: 'taken' },
        ready: async () => {
          const { body } = await pay(await newOrder(), 'other');
          const order = await newOrder();
          return { id: body.payments[0].id as string, send: () => pay(order, 'taken') };
        },
      },
      create_product: {
        table: 'storefront_products',
        value: { external_id: 'new' },
        ready: async () => ({
          id: (await newProduct()).id,
          send: () => store.client.post(`${EXT_STOREFRONT}/products`, productBody({ external_id: 'new' })),
        }),
      },
      'create_product with a slug': {
        table: 'storefront_products',
        value: { slug: 'taken' },
        ready: async () => ({
          id: (await newProduct()).id,
          send: () => store.client.post(`${EXT_STOREFRONT}/products`, productBody({ slug: 'taken' })),
        }),
      },
    },
    imports: {
      products: {
        table: 'storefront_products',
        value: { external_id: 'row-2' },
        ready: async () => ({
          id: (await newProduct()).id,
          send: () =>
            upload(store.owner, `${ORG_STOREFRONT}/imports/products`, store.shop.projectId, [
              'title,sku,price_amount,currency,external_id',
              'First,row-1,100,EUR,row-1',
              'Second,row-2,100,EUR,row-2',
            ]),
        }),
      },
    },
  };
}
