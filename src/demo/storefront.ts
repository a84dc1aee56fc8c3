import { Store } from '../kit/index.js';
import { InventoryItem } from '../modules/inventory/inventory.public.js';
import {
  CancellationsService,
  CartsService,
  DiscountsService,
  PaymentsService,
  ProductsService,
  RefundsService,
  seedStorefront,
  setUpStorefrontDemo,
  ShippingService,
  StorefrontSetup,
} from '../modules/storefront/storefront.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

/** Seeds the shop of the project OPS, and a little of ENG for its key. It sells what the inventory has. */
export const seedStorefrontDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const seller = members.find(({ email }) => email === PEOPLE.mei.email) ?? members[0];
  const services = {
    products: app.get(ProductsService),
    discounts: app.get(DiscountsService),
    carts: app.get(CartsService),
    payments: app.get(PaymentsService),
    refunds: app.get(RefundsService),
    shipping: app.get(ShippingService),
    cancellations: app.get(CancellationsService),
  };
  for (const { id, key } of projects) {
    const shop = await setUpStorefrontDemo(app.get(StorefrontSetup), ctx.as(seller, 'live'), id);
    for (const mode of ['live', 'test'] as const) {
      const as = ctx.as(seller, mode);
      const itemOf = async (sku: string) => (await app.get(Store).list(as, InventoryItem, { project_id: id, sku }))[0]?.id ?? null;
      await seedStorefront(services, as, id, shop, itemOf, key === 'OPS');
    }
  }
  ctx.asSystem();
};
