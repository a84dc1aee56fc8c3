// What other modules and tests may use of this one.
export { InventoryErrors } from './model/inventory.errors.js';
export { InventoryEvents } from './resources/inventory.events.js';
export { InventoryItem } from './model/item.entity.js';
export { StockLocation } from './model/location.entity.js';
export { StockReservation } from './model/reservation.entity.js';
export { InventoryModule } from './inventory.module.js';
export { StockAvailability } from './levels/stock-availability.js';
export { StockMovements } from './movements/stock-movements.js';
export { StockReservations, type ReserveRequest } from './reservations/stock-reservations.js';
