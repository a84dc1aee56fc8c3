import { DomainModule, projectLookup } from '../../kit/index.js';
import { InventoryConfig } from './config/inventory-config.js';
import { CountImport } from './imports/count-import.service.js';
import { ItemImport } from './imports/item-import.service.js';
import { InventoryImportsController } from './imports/imports.controller.js';
import { INVENTORY_GUIDE } from './inventory.guide.js';
import { ItemsController } from './items/items.controller.js';
import { ItemsService } from './items/items.service.js';
import { LevelsController } from './levels/levels.controller.js';
import { StockAvailability } from './levels/stock-availability.js';
import { ExpireLots } from './lots/expire-lots.scheduled-job.js';
import { InventoryLookupsController } from './lookups/lookups.controller.js';
import { CostLayer } from './model/cost-layer.entity.js';
import { StockDifference } from './model/difference.entity.js';
import { InventorySettings } from './model/inventory-settings.entity.js';
import { InventoryErrors } from './model/inventory.errors.js';
import { InventoryItem } from './model/item.entity.js';
import { StockLocation } from './model/location.entity.js';
import { StockLotLevel } from './model/lot-level.entity.js';
import { StockLot } from './model/lot.entity.js';
import { StockMovement } from './model/movement.entity.js';
import { StockReason } from './model/reason.entity.js';
import { StockReservation } from './model/reservation.entity.js';
import { StockLevel } from './model/stock-level.entity.js';
import { StockTotal } from './model/stock-total.entity.js';
import { StockTransferLine } from './model/transfer-line.entity.js';
import { StockTransfer } from './model/transfer.entity.js';
import { MovementsController } from './movements/movements.controller.js';
import { MovementsService } from './movements/movements.service.js';
import { StockMovements } from './movements/stock-movements.js';
import { CompareStock } from './reports/compare-stock.scheduled-job.js';
import { OrgDifferencesController, ValuationController } from './reports/reports.controller.js';
import { Valuation } from './reports/valuation.service.js';
import { ExpireReservations } from './reservations/expire-reservations.scheduled-job.js';
import { ReservationsController } from './reservations/reservations.controller.js';
import { ReservationsService } from './reservations/reservations.service.js';
import { StockReservations } from './reservations/stock-reservations.js';
import { InventoryProjectSetup } from './setup/inventory-project-setup.js';
import { InventorySetup } from './setup/inventory-setup.service.js';
import { OrgInventorySetupController } from './setup/org-inventory-setup.controller.js';
import { TransferReader } from './transfers/transfer-reader.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { TransfersService } from './transfers/transfers.service.js';
import { InventoryEvents } from './resources/inventory.events.js';
import { INVENTORY_DEMO } from './inventory.demo.js';
import { INVENTORY_TRIGGERS } from './inventory.triggers.js';

/**
 * Items, their stock by location, and what it is worth.
 * - `model/` entities, errors, quantities. `resources/` bodies of requests, responses, events
 * - `valuation/` costs by average and by FIFO
 * - `book/` the only code that changes stock: it locks items, changes them in memory and writes them at the end
 * - `config/` the configuration of a project, cached in memory; `lookups/` its lists, `setup/` how it is changed
 * - `items/`, `levels/`, `movements/`, `reservations/`, `transfers/` one resource each; `lots/` their expiry
 * - `reports/` values and the nightly comparison; `imports/` CSV files
 */
@DomainModule({
  name: 'inventory',
  title: 'Inventory',
  guide: INVENTORY_GUIDE,
  agentWords: {
    search: {
      release_stock_reservation: 'cancel_hold cancel hold undo no_longer',
      stock_location: 'warehouse depot shelf shelves bin store',
      stock: 'quantity goods',
      stock_level:
        'do_we_have we_have in_stock left how_many how_much on_hand available remaining run_out running_out run_low low short ' +
        'enough unit left_in any',
      item: 'sku article part product do_we_have in_stock',
      record_stock_movement:
        'withdraw deposit receive arrived arrive delivery damaged damage write_off scrap loss lost lose broken broke break drop ' +
        'dropped smash smashed stolen steal theft spoil spoiled rotten missing take take_out remove ' +
        'use use_up consume supplier used used_up came_in goods found more',
      stock_movement: 'history in_and_out happened change',
      reservation: 'allocate allocation kept held',
      create_stock_reservation: 'reserve put_aside aside hold put_on_hold on_hold keep set_aside customer buyer',
      release: 'free free_up unreserve',
      transfer: 'move shipment relocate another',
      transfer_stock: 'move shift bring carry relocate another_warehouse between send ship unit box pallet',
      receive_stock_transfer: 'arrive arrived accept reached reach came_in delivered depot truck',
      stock_valuation: 'worth value cost money',
      stock_lot: 'batch expiry expire serial best_before',
      import_stock_count: 'stocktake stocktaking inventory count',
      stock_reason: 'why cause',
      list_stock_level: 'reorder restock replenish order_more in_the_warehouse run_out run_low',
    },
  },
  scopes: {
    'inventory:item:read': 'Read items and their stock over all locations',
    'inventory:item:write': 'Create and change items',
    'inventory:stock:read': 'Read stock by location, lots, movements, reservations, transfers and values',
    'inventory:stock:write': 'Record movements, transfer and reserve stock',
    'inventory:config:read': 'Read projects, locations and reasons',
  },
  permissions: {
    'inventory.stock.view': { title: 'See items, stock, movements, reservations and transfers', roles: ['admin', 'member'] },
    'inventory.stock.manage': {
      title: 'Create and change items, record movements, reserve and transfer stock, and import',
      roles: ['admin', 'member'],
    },
    'inventory.setup.manage': {
      title: 'Set up locations, reasons and the currency of stock, and see differences between stock and movements',
      roles: ['admin'],
    },
  },
  customFields: 'inventory:config:read',
  apiOnly: [
    {
      names: [
        ['Locations', 'create_org_stock_location'],
        ['reasons', 'create_org_stock_reason'],
      ],
      text: 'where stock is, and why it is corrected',
    },
    { names: [['Settings', 'update_org_inventory_settings']], text: 'what the inventory of a project does by itself' },
  ],
  entities: [
    InventoryItem,
    StockTotal,
    StockLevel,
    CostLayer,
    StockLot,
    StockLotLevel,
    StockMovement,
    StockReservation,
    StockTransfer,
    StockTransferLine,
    StockDifference,
    StockLocation,
    StockReason,
    InventorySettings,
  ],
  controllers: [
    projectLookup('/api/v1/ext/inventory/projects', 'list_inventory_projects', {
      scope: 'inventory:config:read',
      member: { permission: ['inventory.stock.view', 'inventory.setup.manage'] },
    }),
    ItemsController,
    LevelsController,
    MovementsController,
    ReservationsController,
    TransfersController,
    ValuationController,
    InventoryLookupsController,
    OrgInventorySetupController,
    OrgDifferencesController,
    InventoryImportsController,
  ],
  providers: [
    InventoryConfig,
    ItemsService,
    MovementsService,
    StockMovements,
    ReservationsService,
    StockReservations,
    StockAvailability,
    TransferReader,
    TransfersService,
    Valuation,
    ItemImport,
    CountImport,
    InventorySetup,
    InventoryProjectSetup,
  ],
  exports: [ItemsService, MovementsService, StockMovements, StockReservations, StockAvailability, ReservationsService, InventorySetup],
  scheduledJobs: [ExpireReservations, ExpireLots, CompareStock],
  errors: InventoryErrors,
  events: InventoryEvents,
  triggers: INVENTORY_TRIGGERS,
  undoneBy: { release_stock_reservation: { operation: 'create_stock_reservation' } },
  projectSetup: InventoryProjectSetup,
  demo: INVENTORY_DEMO,
})
export class InventoryModule {}
