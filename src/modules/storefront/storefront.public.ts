// What other modules may use of this one: its main records, for @BeforeWrite, and what records payments, for a provider of payments.
export { Order } from './model/order.entity.js';
export { Product } from './model/product.entity.js';
export { PaymentsService } from './payments/payments.service.js';
export { StorefrontModule } from './storefront.module.js';
