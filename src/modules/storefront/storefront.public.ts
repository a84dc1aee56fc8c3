// What other modules may use of this one: its main records, for @BeforeWrite.
export { Order } from './model/order.entity.js';
export { Product } from './model/product.entity.js';
export { StorefrontModule } from './storefront.module.js';
