import { DomainModule, projectLookup } from '../../kit/index.js';
import { InventoryModule } from '../inventory/inventory.public.js';
import { CartPricing } from './carts/cart-pricing.js';
import { CartsService } from './carts/carts.service.js';
import { StockReserver } from './carts/stock-reserver.js';
import { OrderChanges } from './changes/order-changes.js';
import { StorefrontConfig } from './config/storefront-config.js';
import { DiscountsService } from './discounts/discounts.service.js';
import { OrgDiscountsController } from './discounts/org-discounts.controller.js';
import { ProductImportsController } from './imports/imports.controller.js';
import { ProductImport } from './imports/product-import.service.js';
import { StorefrontLookupsController } from './lookups/lookups.controller.js';
import { StorefrontLookups } from './lookups/lookups.service.js';
import { Category } from './model/category.entity.js';
import { Channel } from './model/channel.entity.js';
import { DiscountUse } from './model/discount-use.entity.js';
import { Discount } from './model/discount.entity.js';
import { Fulfillment } from './model/fulfillment.entity.js';
import { Payment, Refund } from './model/money.entity.js';
import { OrderLine } from './model/order-line.entity.js';
import { Order } from './model/order.entity.js';
import { ProductCategoryRow } from './model/product-category-row.entity.js';
import { Product } from './model/product.entity.js';
import { ShippingMethod } from './model/shipping-method.entity.js';
import { StorefrontErrors } from './model/storefront.errors.js';
import { TaxRate } from './model/tax-rate.entity.js';
import { Variant } from './model/variant.entity.js';
import { OrderEvents } from './order/orders.events.js';
import { OrdersController } from './orders/orders.controller.js';
import { OrderNames } from './orders/order-names.service.js';
import { OrdersService } from './orders/orders.service.js';
import { PaymentRequestsService } from './payments/payment-requests.service.js';
import { PaymentsService } from './payments/payments.service.js';
import { RefundsService } from './payments/refunds.service.js';
import { ProductAvailability } from './products/availability.service.js';
import { ProductsController } from './products/products.controller.js';
import { ProductEvents } from './products/products.events.js';
import { ProductsService } from './products/products.service.js';
import { OrgStorefrontSetupController } from './setup/org-storefront-setup.controller.js';
import { StorefrontSetup } from './setup/storefront-setup.service.js';
import { CancelUnpaid } from './shipping/cancel-unpaid.scheduled-job.js';
import { CancellationsService } from './shipping/cancellations.service.js';
import { Restocker } from './shipping/restocker.js';
import { ShipmentStock } from './shipping/shipment-stock.js';
import { ShippingService } from './shipping/shipping.service.js';
import { STOREFRONT_GUIDE } from './storefront.guide.js';
import { STOREFRONT_DEMO } from './storefront.demo.js';
import { STOREFRONT_TRIGGERS } from './storefront.triggers.js';
import { STOREFRONT_PERSONAL_DATA } from './orders/storefront.personal-data.js';

const IDLE_DRAFT_DAYS = 30;

/**
 * A catalogue, and orders with their payments and parcels.
 * - `model/` entities, errors, values. `pricing/` arithmetic of totals, taxes and refunds, without a database
 * - `config/` the configuration of a project, cached in memory; `lookups/` its lists, `setup/` how it is changed
 * - `products/` products with variants, `imports/` from files; `discounts/` codes
 * - `order/` bodies of requests about orders, responses and events
 * - `changes/` how a locked order is written, with its events
 * - `carts/` drafts and placing them; `payments/` payments and refunds; `shipping/` parcels and cancellations; `orders/` the routes
 */
@DomainModule({
  name: 'storefront',
  title: 'Storefront',
  guide: STOREFRONT_GUIDE,
  agentWords: {
    search: {
      fulfill: 'shipment ship shipped dispatch deliver delivery parcel package sent',
      cancel_fulfillment: 'parcel undo',
      list_order: 'sent shipped arrived parcel package',
      order: 'purchase sale basket cart buy bought sold',
      create_order: 'start basket cart sell',
      place_order: 'checkout check_out confirm finalise',
      record_order_payment: 'paid pay money received mark',
      request_order_payment: 'link page',
      refund: 'reimburse reimbursement money_back pay_back give_back return back',
      product: 'catalogue goods article price',
      list_product: 'size colour',
      update_product: 'take_off take_out hide unpublish discontinue delist stop_selling stop_offering',
      product_variant: 'colour size variant sku option new reprice cheaper cost',
      shipping_method: 'delivery cost postage carrier rate fee',
      product_category: 'kind group',
      sales_channel: 'shop marketplace',
      cancel_order: 'not_want no_longer change_mind change_his_mind withdraw',
    },
  },
  scopes: {
    'storefront:product:read': 'Read products and what of them is available',
    'storefront:product:write': 'Create and change products and their variants',
    'storefront:order:read': 'Read orders',
    'storefront:order:write': 'Create, place, ship and cancel orders, record payments and refunds',
    'storefront:config:read': 'Read projects, channels, categories and shipping methods',
  },
  permissions: {
    'storefront.product.manage': { title: 'See and change products and discount codes, and import products', roles: ['admin', 'member'] },
    'storefront.order.manage': { title: 'See and change orders, record payments and refunds, ship and cancel', roles: ['admin', 'member'] },
    'storefront.setup.manage': { title: 'Set up sales channels, categories, shipping methods and tax rates', roles: ['admin'] },
  },
  customFields: 'storefront:config:read',
  apiOnly: [
    {
      names: [
        ['Channels', 'create_org_sales_channel'],
        ['categories', 'create_org_product_category'],
      ],
      text: 'where products are sold, and how they are grouped',
    },
    {
      names: [
        ['Tax rates', 'create_org_storefront_tax_rate'],
        ['shipping methods', 'create_org_shipping_method'],
        ['discounts', 'create_org_discount'],
      ],
      text: 'what is added to and taken off an order',
    },
  ],
  entities: [
    Channel,
    Category,
    ShippingMethod,
    TaxRate,
    Discount,
    Product,
    Variant,
    Order,
    OrderLine,
    Payment,
    Refund,
    ProductCategoryRow,
    Fulfillment,
    DiscountUse,
  ],
  imports: [InventoryModule],
  personalData: STOREFRONT_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/storefront/projects', 'list_storefront_projects', {
      scope: 'storefront:config:read',
      member: { permission: ['storefront.product.manage', 'storefront.order.manage', 'storefront.setup.manage'] },
    }),
    ProductsController,
    OrdersController,
    StorefrontLookupsController,
    OrgStorefrontSetupController,
    OrgDiscountsController,
    ProductImportsController,
  ],
  providers: [
    StorefrontConfig,
    StorefrontLookups,
    StorefrontSetup,
    DiscountsService,
    ProductsService,
    ProductAvailability,
    ProductImport,
    CartPricing,
    StockReserver,
    CartsService,
    OrderChanges,
    OrderNames,
    OrdersService,
    PaymentsService,
    PaymentRequestsService,
    RefundsService,
    Restocker,
    ShipmentStock,
    ShippingService,
    CancellationsService,
  ],
  exports: [
    StorefrontSetup,
    DiscountsService,
    ProductsService,
    CartsService,
    OrdersService,
    PaymentsService,
    RefundsService,
    ShippingService,
    CancellationsService,
  ],
  scheduledJobs: [CancelUnpaid],
  retention: [{ table: 'storefront_orders', column: 'updated_at', keepDays: IDLE_DRAFT_DAYS, where: `state = 'draft'`, batch: 500 }],
  errors: StorefrontErrors,
  events: { ...ProductEvents, ...OrderEvents },
  triggers: STOREFRONT_TRIGGERS,
  restorable: [{ entity: Discount, deletedBy: 'delete_org_discount', shownBy: 'get_org_discount' }],
  demo: STOREFRONT_DEMO,
})
export class StorefrontModule {}
