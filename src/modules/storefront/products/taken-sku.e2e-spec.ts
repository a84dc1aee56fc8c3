import { expect, test } from '@jest/globals';
import { race } from '../../../../test/contract/taken-values.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_STOREFRONT, makeProduct, openStore } from '../testing/storefront-fixture.js';

const app = await sharedApp();
const store = await openStore(app);

test('the SKU of a variant that another request takes at the same moment is refused with the id of its product', async () => {
  const { id, variants } = await makeProduct(store.client, store.shop.projectId, store.fresh('product'));
  const wanted = { title: 'Chair', variants: [{ sku: 'TAKEN', price_amount: 100, currency: 'EUR' }] };
  const send = () => store.client.post(`${EXT_STOREFRONT}/products`, { project_id: store.shop.projectId, ...wanted });
  const { status, body } = await race(app, 'storefront_variants', { sku: 'taken' }, { id: variants[0].id, send });
  expect([status, body.error]).toEqual([409, expect.objectContaining({ param: 'variants.0.sku', existing_id: id })]);
});
