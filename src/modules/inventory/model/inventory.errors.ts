import { defineErrors, type ErrorDetail } from '../../../kit/index.js';

export { duplicateOf, invalid } from '../../../kit/index.js';

/** Errors specific to the inventory module. */
export const InventoryErrors = defineErrors({
  /** `details` has a `Shortage` for each item and location of the call that lacks stock. */
  insufficientStock: {
    code: 'insufficient_stock',
    type: 'conflict_error',
    status: 409,
    message: 'There is not enough stock; request at most what details shows as available.',
  },
  /**
   * The stock is there, but reserved. `details` names the newest reservations: `reservation_id`, `reference`, `quantity`. `available` is
   * the quantity that could be taken.
   */
  stockReserved: {
    code: 'stock_reserved',
    type: 'conflict_error',
    status: 409,
    message: 'The stock is reserved; release the reservations in details first, or send release_reservations: true with the movement.',
  },
  /** `on_hand` is the present quantity. */
  stockChanged: {
    code: 'stock_changed',
    type: 'conflict_error',
    status: 409,
    message: 'The quantity on hand is not expected_on_hand; read the stock again.',
    description: 'Read the stock again and repeat the count; on_hand is the present quantity.',
  },
  serialInStock: {
    code: 'serial_in_stock',
    type: 'conflict_error',
    status: 409,
    message: 'The serial number is in stock already, or in transit; a serial number is one piece.',
    description:
      'Send another serial number, since one is a single piece; or move the piece with a transfer from where list_stock_levels shows ' +
      'it.',
  },
  itemInUse: {
    code: 'item_in_use',
    type: 'conflict_error',
    status: 409,
    message: 'The item has moved, so this field is fixed; create another item instead.',
  },
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'This is not possible in the current status of the transfer.',
    description: 'Read the transfer again and do what its status permits; the message says which status this needs.',
  },
});

/** An item and location that lacks stock. Quantities are decimals in the item's unit, over all lines of the call. */
export interface Shortage extends ErrorDetail {
  item_id: string;
  location_id: string | null;
  requested: string;
  available: string;
}
