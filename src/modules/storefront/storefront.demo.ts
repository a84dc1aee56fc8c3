import { Store, type Ctx, type ModuleDemo } from '../../kit/index.js';
import { InventoryItem } from '../inventory/inventory.public.js';
import { CartsService } from './carts/carts.service.js';
import { DiscountsService } from './discounts/discounts.service.js';
import { Category } from './model/category.entity.js';
import { Channel } from './model/channel.entity.js';
import type { Order } from './model/order.entity.js';
import { ShippingMethod } from './model/shipping-method.entity.js';
import { PaymentsService } from './payments/payments.service.js';
import { RefundsService } from './payments/refunds.service.js';
import type { CreateProductDto } from './products/product-requests.dto.js';
import type { CreateProductVariantDto } from './products/product-variant.dto.js';
import { ProductsService } from './products/products.service.js';
import { StorefrontSetup } from './setup/storefront-setup.service.js';
import { CancellationsService } from './shipping/cancellations.service.js';
import { ShippingService } from './shipping/shipping.service.js';

/** The services that create the demo data. */
interface StorefrontSeeding {
  products: ProductsService;
  discounts: DiscountsService;
  carts: CartsService;
  payments: PaymentsService;
  refunds: RefundsService;
  shipping: ShippingService;
  cancellations: CancellationsService;
}

/** The configuration that the demo's products and orders need. */
interface DemoShop {
  channelId: string;
  shippingMethodId: string;
  /** By name. */
  categories: Readonly<Record<'Furniture' | 'Office' | 'Fan shop', string>>;
}

type Sample = Omit<CreateProductDto, 'project_id' | 'variants' | 'category_ids'> & {
  category: keyof DemoShop['categories'];
  /** `item` is the SKU of an item of the inventory. */
  variants: (CreateProductVariantDto & { item?: string })[];
};

/** Samples for every project. */
const FIRST: readonly Sample[] = [
  {
    title: 'Office chair',
    description: 'Black, with armrests.',
    category: 'Furniture',
    option_names: ['Pack'],
    variants: [
      { sku: 'CHAIR-1', option_values: ['Single'], price_amount: 12_900, item: 'CHAIR-01' },
      { sku: 'CHAIR-4', option_values: ['Set of 4'], price_amount: 47_900, item: 'CHAIR-01', inventory_quantity: '4' },
    ],
  },
  {
    title: 'Handbook of good meetings',
    category: 'Office',
    tax_class: 'reduced',
    option_names: ['Format'],
    variants: [
      { sku: 'BOOK-PAPER', option_values: ['Paperback'], price_amount: 2_990 },
      { sku: 'BOOK-EPUB', option_values: ['E-book'], price_amount: 1_990 },
    ],
  },
];
const MORE: readonly Sample[] = [
  {
    title: 'Desk lamp',
    category: 'Office',
    option_names: ['Pack'],
    variants: [
      { sku: 'LAMP-1', option_values: ['Single'], price_amount: 4_990, item: 'LAMP-LED' },
      { sku: 'LAMP-2', option_values: ['Pair'], price_amount: 8_990, item: 'LAMP-LED', inventory_quantity: '2' },
    ],
  },
  {
    title: 'Mug',
    category: 'Fan shop',
    option_names: ['Pack'],
    variants: [
      { sku: 'MUG-1', option_values: ['Single'], price_amount: 990, item: 'MUG-BLUE' },
      { sku: 'MUG-6', option_values: ['Box of 6'], price_amount: 4_990, item: 'MUG-BLUE', inventory_quantity: '6' },
    ],
  },
  {
    title: 'Pen',
    category: 'Office',
    option_names: ['Pack'],
    variants: [
      { sku: 'PEN-10', option_values: ['10'], price_amount: 790, item: 'PEN-BLACK', inventory_quantity: '10' },
      { sku: 'PEN-50', option_values: ['50'], price_amount: 2_990, item: 'PEN-BLACK', inventory_quantity: '50' },
    ],
  },
  {
    title: 'T-shirt with logo',
    description: 'Printed to order.',
    category: 'Fan shop',
    option_names: ['Size'],
    variants: ['S', 'M', 'L', 'XL'].map((size) => ({ sku: `SHIRT-${size}`, option_values: [size], price_amount: 2_490 })),
  },
];

/** Sets up a shop that sells in euros, with three rates of German tax, whose codes are those of the accounting. */
export async function setUpStorefrontDemo(setup: StorefrontSetup, ctx: Ctx, project_id: string): Promise<DemoShop> {
  const channel = await setup.createChannel(ctx, {
    project_id,
    name: 'Web shop',
    currency: 'EUR',
    country: 'DE',
    payment_window_minutes: 20_160,
  });
  const taxes = { standard: ['19', 'VAT19'], reduced: ['7', 'VAT7'], zero: ['0', 'ZERO'] } as const;
  for (const [tax_class, [rate, code]] of Object.entries(taxes))
    await setup.createTaxRate(ctx, { project_id, country: 'DE', tax_class, rate, code });
  const method = await setup.createShippingMethod(ctx, {
    project_id,
    name: 'Parcel',
    currency: 'EUR',
    price_amount: 490,
    countries: ['DE'],
  });
  await setup.createShippingMethod(ctx, { project_id, name: 'Pickup', currency: 'EUR', price_amount: 0 });
  const category = async (name: string) => (await setup.createCategory(ctx, { project_id, name })).id;
  const categories = { Furniture: await category('Furniture'), Office: await category('Office'), 'Fan shop': await category('Fan shop') };
  return { channelId: channel.id, shippingMethodId: method.id, categories };
}

/** What the set-up has made. */
async function shopOf(store: Store, ctx: Ctx, project_id: string): Promise<DemoShop> {
  const [channel] = await store.list(ctx, Channel, { project_id, name: 'Web shop' });
  const [method] = await store.list(ctx, ShippingMethod, { project_id, name: 'Parcel' });
  const categories = await store.list(ctx, Category, { project_id });
  const byName = Object.fromEntries(categories.map(({ name, id }) => [name, id])) as DemoShop['categories'];
  return { channelId: channel.id, shippingMethodId: method.id, categories: byName };
}

/** Creates products and orders in all states; `itemOf` finds items of the inventory by SKU. */
export async function seedStorefront(
  services: StorefrontSeeding,
  ctx: Ctx,
  project_id: string,
  shop: DemoShop,
  itemOf: (sku: string) => Promise<string | null>,
  isComplete: boolean,
): Promise<void> {
  const variants: Record<string, string> = {};
  for (const { category, variants: given, ...sample } of isComplete ? [...FIRST, ...MORE] : FIRST) {
    const own = await Promise.all(
      given.map(async ({ item, ...variant }) => ({ ...variant, inventory_item_id: item === undefined ? null : await itemOf(item) })),
    );
    const product = { ...sample, project_id, status: 'active' as const, category_ids: [shop.categories[category]], variants: own };
    for (const { id, sku } of (await services.products.create(ctx, product)).variants ?? []) variants[sku] = id;
  }
  await services.discounts.create(ctx, { project_id, code: 'WELCOME10', kind: 'percentage', value: '10', per_email_limit: 1 });
  await services.discounts.create(ctx, {
    project_id,
    code: 'FREESHIP',
    kind: 'free_shipping',
    min_subtotal_amount: 5_000,
    currency: 'EUR',
  });
  await new OrderSeeds(services, ctx, project_id, shop, variants).seed(isComplete);
}

/** The demo's orders. References of payments are unique in a project and mode. */
class OrderSeeds {
  private payments = 0;

  constructor(
    private readonly services: StorefrontSeeding,
    private readonly ctx: Ctx,
    private readonly projectId: string,
    private readonly shop: DemoShop,
    private readonly variants: Readonly<Record<string, string>>,
  ) {}

  async seed(isComplete: boolean): Promise<void> {
    const { shipping, cancellations, refunds } = this.services;
    await this.order('Ingrid Halvorsen', { 'CHAIR-1': 2, 'BOOK-PAPER': 1 }, { place: false, discount_code: 'WELCOME10' });
    const paid = await this.order('Tomás Ferreira', { 'CHAIR-4': 1, 'BOOK-EPUB': 2 });
    await this.pay(paid);
    if (!isComplete) return;
    await this.order('Beatrix Kleinhans', { 'MUG-6': 2, 'SHIRT-M': 3 });
    const parted = await this.order('Samuel Adeyemi', { 'LAMP-2': 1, 'PEN-50': 2 }, { discount_code: 'FREESHIP' });
    await this.pay(parted);
    await shipping.fulfill(this.ctx, parted.id, { lines: [{ line_id: this.line(parted, 0), quantity: 1 }], notify: false });
    const done = await this.order('Yuki Watanabe', { 'LAMP-1': 2, 'SHIRT-S': 1 });
    await this.pay(done);
    const tracking = { carrier: 'DHL', number: '00340434161094021501' };
    await shipping.fulfill(this.ctx, done.id, { tracking, notify: false });
    const returned = await this.order('Clara Dupont', { 'MUG-1': 4 }, { discount_code: 'WELCOME10' });
    await this.pay(returned);
    await shipping.fulfill(this.ctx, returned.id, { notify: false });
    const lines = [{ line_id: this.line(returned, 0), quantity: 1, restock: true }];
    await refunds.record(this.ctx, returned.id, { lines, provider: 'bank', reference: 'RE-1', reason: 'Returned' });
    const cancelled = await this.order('Milan Novák', { 'PEN-10': 3 });
    await cancellations.cancel(this.ctx, cancelled.id, { reason: 'Ordered by mistake' });
    const failing = await this.order('Priya Raman', { 'CHAIR-1': 1, 'SHIRT-XL': 2 });
    await this.pay(failing, 'failed');
  }

  private order(name: string, quantities: Readonly<Record<string, number>>, values: { place?: boolean; discount_code?: string } = {}) {
    const first = name.split(' ')[0].normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return this.services.carts.create(this.ctx, {
      project_id: this.projectId,
      channel_id: this.shop.channelId,
      // a reserved domain, so that the demo never sends mail to a real person
      email: `${first}@customer.example`,
      name,
      lines: Object.entries(quantities).map(([sku, quantity]) => ({ variant_id: this.variants[sku], quantity })),
      shipping_method_id: this.shop.shippingMethodId,
      shipping_address: { name, line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      place: true,
      ...values,
    });
  }

  private async pay(order: Order, status: 'succeeded' | 'failed' = 'succeeded'): Promise<void> {
    const reference = `PAY-${++this.payments}`;
    await this.services.payments.record(this.ctx, order.id, { amount: order.total_amount, status, provider: 'bank', reference });
  }

  private line(order: Order, index: number): string {
    return order.lines?.[index].id as string;
  }
}

/** The shop of the project OPS, and a little of ENG for its key. It sells what the inventory has. */
export const STOREFRONT_DEMO: ModuleDemo = {
  async seed(demo) {
    const services = {
      products: demo.get(ProductsService),
      discounts: demo.get(DiscountsService),
      carts: demo.get(CartsService),
      payments: demo.get(PaymentsService),
      refunds: demo.get(RefundsService),
      shipping: demo.get(ShippingService),
      cancellations: demo.get(CancellationsService),
    };
    for (const { id, key } of demo.projects) {
      if (demo.isNew) await setUpStorefrontDemo(demo.get(StorefrontSetup), demo.as('mei', 'live'), id);
      const shop = await shopOf(demo.get(Store), demo.asSystem(), id);
      for (const mode of demo.modes) {
        const ctx = demo.as('mei', mode);
        const itemOf = async (sku: string) => (await demo.get(Store).list(ctx, InventoryItem, { project_id: id, sku }))[0]?.id ?? null;
        await seedStorefront(services, ctx, id, shop, itemOf, key === 'OPS');
      }
    }
  },
  fits: {
    update_order: { state: 'draft' },
    place_order: { state: 'draft' },
    request_order_payment: { state: 'open', payment_state: 'unpaid' },
    refund_order: { payment_state: 'paid' },
    cancel_fulfillment: { fulfillment_state: ['partially_fulfilled', 'fulfilled'], payment_state: 'paid' },
  },
  sends: {
    place_order: { expected_total_amount: 'totals.total_amount' },
    put_product_variant: { sku: 'variants.0.sku', option_values: 'variants.0.option_values' },
  },
};
