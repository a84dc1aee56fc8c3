// What other modules, the demo and tests may use of this one.
export { InventoryErrors } from './model/inventory.errors.js';
export { InventoryItem } from './model/item.entity.js';
export { StockLocation } from './model/location.entity.js';
export { StockReservation } from './model/reservation.entity.js';
export { InventoryModule } from './inventory.module.js';
export { ItemsService } from './items/items.service.js';
export { StockAvailability } from './levels/stock-availability.js';
export { MovementsService } from './movements/movements.service.js';
export { StockMovements } from './movements/stock-movements.js';
export { StockReservations, type ReserveRequest } from './reservations/stock-reservations.js';
export { ReservationsService } from './reservations/reservations.service.js';
export { InventorySetup } from './setup/inventory-setup.service.js';
export { TransfersService } from './transfers/transfers.service.js';
