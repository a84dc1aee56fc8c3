import { defineEvents, event } from '../../../kit/index.js';
import { ProductDto } from './product.dto.js';

const OF_PRODUCT = { permission: 'storefront.product.manage', scope: 'storefront:product:write', payload: ProductDto };

/** A change of a variant emits an event of its product. */
export const ProductEvents = defineEvents({
  productCreated: event({ ...OF_PRODUCT, name: 'product.created', description: 'A product was created.' }),
  productUpdated: event({ ...OF_PRODUCT, name: 'product.updated', description: 'A product or one of its variants was changed.' }),
});
