// What other modules, the demo and tests may use of this one.
export { CartsService } from './carts/carts.service.js';
export { DiscountsService } from './discounts/discounts.service.js';
export { PaymentsService } from './payments/payments.service.js';
export { RefundsService } from './payments/refunds.service.js';
export { ProductsService } from './products/products.service.js';
export { StorefrontSetup } from './setup/storefront-setup.service.js';
export { CancellationsService } from './shipping/cancellations.service.js';
export { ShippingService } from './shipping/shipping.service.js';
