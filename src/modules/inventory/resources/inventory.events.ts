import { defineEvents, event } from '../../../kit/index.js';
import { InventoryItemDto } from './item.dto.js';
import { StockMovementDto } from './movement.dto.js';
import { StockReservationDto } from './reservation.dto.js';
import { StockTransferDto } from './transfer.dto.js';

const permission = 'inventory.stock.view';
const OF_ITEM = { permission, scope: 'inventory:item:write', payload: InventoryItemDto };
const OF_STOCK = { permission, scope: 'inventory:stock:write' };

/** Stock figures of an item are in the events of its movements and reservations; they do not emit `item.updated`. */
export const InventoryEvents = defineEvents({
  itemCreated: event({ ...OF_ITEM, name: 'item.created', description: 'An item was created.' }),
  itemUpdated: event({ ...OF_ITEM, name: 'item.updated', description: 'An item was changed, but not its stock.' }),
  stockMoved: event({
    ...OF_STOCK,
    name: 'stock.moved',
    description: 'A movement was recorded; each part of a transfer is one.',
    payload: StockMovementDto,
    context: { level: 'The stock level of the item at the location afterwards, as list_stock_levels returns it.' },
  }),
  stockLow: event({
    ...OF_STOCK,
    name: 'stock.low',
    description: 'What is available of an item has fallen to its reorder point; once, until it has risen above it.',
    payload: InventoryItemDto,
    context: { available: 'What is available over all locations.', reorder_point: 'The reorder point.' },
  }),
  reservationCreated: event({
    ...OF_STOCK,
    name: 'stock_reservation.created',
    description: 'Stock was reserved.',
    payload: StockReservationDto,
  }),
  reservationEnded: event({
    ...OF_STOCK,
    name: 'stock_reservation.ended',
    description: 'A reservation, or a part of it, ended.',
    payload: StockReservationDto,
    context: {
      reason: 'consumed, released, expired, or shortened because the stock was needed or is gone.',
      quantity: 'The quantity that is no longer reserved.',
    },
  }),
  transferStatusChanged: event({
    ...OF_STOCK,
    name: 'stock_transfer.status_changed',
    description: 'A transfer was sent, received or cancelled.',
    payload: StockTransferDto,
    context: {
      from: 'Previous status; null for a new transfer.',
      to: 'New status.',
      trigger: 'The operation: transfer, receive or cancel.',
    },
  }),
  reorderDue: event({
    ...OF_ITEM,
    scope: undefined,
    name: 'stock.reorder_due',
    description: 'An item should be ordered again: at the same time as stock.low.',
    internal: true,
  }),
});
