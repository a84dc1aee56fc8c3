import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { makeOrder, makeProduct, makeShop } from './storefront-fixture.js';
import type { IdPool } from '../../../../test/contract/arbitraries.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { takenValues } from './taken-values.js';
import { mailSamples } from './mail-samples.js';

export const contract: ModuleContract = {
  mails: mailSamples,
  operations: `
    list_products get_product create_product update_product list_orders get_order fulfill_order cancel_order list_product_categories
    list_shipping_methods
  `,
  destructive: ['cancel_fulfillment', 'cancel_order'],
  withoutUndo: ['delete_org_product_category', 'delete_org_sales_channel', 'delete_org_shipping_method', 'delete_org_storefront_tax_rate'],
  openWorld: ['fulfill_order', 'request_order_payment'],
  emailFields: [
    'PATCH /api/v1/ext/storefront/orders/{id} email (email)',
    'PATCH /api/v1/org/storefront/orders/{id} email (email)',
    'POST /api/v1/ext/storefront/orders email (email)',
    'POST /api/v1/org/storefront/orders email (email)',
  ],
  rarelySucceed: {
    import_products: 'The body is a CSV file.',
    cancel_fulfillment: 'The parcel must be one of this very order.',
    refund_order: 'Only what was paid before, and few calls pay.',
    create_product: 'Its options, prices and items must fit together.',
    put_product_variant: 'As create_product.',
    place_order: 'Only drafts that have all that is needed.',
    cancel_order: 'Only what was placed and not shipped.',
  },
  prepare,
  takenValues,
};

/** Creates what API keys cannot, the configuration, and orders in each mode. */
async function prepare(_app: TestApp, workspace: Workspace, pool: IdPool): Promise<void> {
  const shop = await makeShop(await workspace.signIn(), workspace.eng.id);
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'storefront', mode });
    const { variants } = await makeProduct(client, shop.projectId, 'chair');
    pool.harvest(variants.map(({ id }) => ({ object: 'product_variant', id })));
    for (let count = 0; count < 5; count++) await makeOrder(client, shop, [{ variant_id: variants[0].id, quantity: 1 }]);
  }
}
