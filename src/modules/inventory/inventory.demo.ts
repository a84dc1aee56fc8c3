import type { Ctx, ModuleDemo } from '../../kit/index.js';
import { ItemsService } from './items/items.service.js';
import { MovementsService } from './movements/movements.service.js';
import { ReservationsService } from './reservations/reservations.service.js';
import type { CreateInventoryItemDto } from './resources/item.dto.js';
import type { RecordStockMovementDto } from './resources/movement.dto.js';
import { InventorySetup } from './setup/inventory-setup.service.js';
import { TransfersService } from './transfers/transfers.service.js';

/** The services that create the demo data. */
interface InventorySeeding {
  items: ItemsService;
  movements: MovementsService;
  reservations: ReservationsService;
  transfers: TransfersService;
}

/** The ids of the locations by code. */
type DemoLocations = Readonly<Record<'MAIN' | 'SHOP' | 'QUARANTINE', string>>;

type Received = Pick<RecordStockMovementDto, 'quantity' | 'cost_amount' | 'lot' | 'unit'>;

/** Items with their receipts. The first three are enough to try everything except lots and serial numbers. */
const ITEMS: readonly (readonly [CreateInventoryItemDto, ...Received[]])[] = [
  [
    { sku: 'CHAIR-01', name: 'Office chair', barcode: '4006381333931', reorder_point: '10', reorder_quantity: '40' },
    { quantity: '60', cost_amount: 299_400 },
  ],
  [
    { sku: 'DESK-160', name: 'Desk, 160 x 80 cm', reorder_point: '5', reorder_quantity: '10' },
    { quantity: '4', cost_amount: 99_600 },
  ],
  [
    { sku: 'PAPER-A4', name: 'Paper A4', units: [{ code: 'box', factor: '5' }], valuation_method: 'fifo' },
    { quantity: '20', unit: 'box', cost_amount: 34_990 },
    { quantity: '12', unit: 'box', cost_amount: 22_490 },
  ],
  [
    { sku: 'COFFEE-1KG', name: 'Coffee beans', unit: 'kg', quantity_scale: 3, tracking: 'lot', valuation_method: 'fifo' },
    { quantity: '12.5', cost_amount: 17_500, lot: { code: 'L-2601', expires_on: '2098-03-31' } },
    { quantity: '20', cost_amount: 29_000, lot: { code: 'L-2602', expires_on: '2098-09-30' } },
    { quantity: '1.25', cost_amount: 1_750, lot: { code: 'L-2409', expires_on: '2025-03-31' } },
  ],
  [
    { sku: 'SCANNER-X', name: 'Barcode scanner', tracking: 'serial' },
    { quantity: '1', cost_amount: 18_900, lot: { code: 'SN-1001' } },
    { quantity: '1', cost_amount: 18_900, lot: { code: 'SN-1002' } },
  ],
  [
    { sku: 'LAMP-LED', name: 'Desk lamp' },
    { quantity: '35', cost_amount: 87_150 },
  ],
  [
    { sku: 'CABLE-HDMI', name: 'HDMI cable', unit: 'm', quantity_scale: 2 },
    { quantity: '150', cost_amount: 22_500 },
  ],
  [
    { sku: 'MUG-BLUE', name: 'Mug, blue' },
    { quantity: '96', cost_amount: 33_600 },
  ],
  [
    { sku: 'PEN-BLACK', name: 'Pen, black', units: [{ code: 'box', factor: '50' }] },
    { quantity: '8', unit: 'box', cost_amount: 12_000 },
  ],
  [{ sku: 'LABEL-ROLL', name: 'Label roll', active: false }],
];

/** Adds a shop to the locations that a project has from the start. */
export async function setUpInventoryDemo(setup: InventorySetup, ctx: Ctx, project_id: string): Promise<DemoLocations> {
  await setup.createLocation(ctx, { project_id, code: 'SHOP', name: 'Shop', position: 2 });
  return demoLocations(setup, ctx, project_id);
}

async function demoLocations(setup: InventorySetup, ctx: Ctx, project_id: string): Promise<DemoLocations> {
  const locations = await setup.locations(ctx, project_id);
  return Object.fromEntries(locations.map(({ code, id }) => [code, id])) as Record<keyof DemoLocations, string>;
}

/** Creates items with stock, of which one is low, a reservation, an issue and an open transfer; all items unless a number is given. */
export async function seedInventory(
  { items, movements, reservations, transfers }: InventorySeeding,
  ctx: Ctx,
  project_id: string,
  { MAIN, SHOP }: DemoLocations,
  count = ITEMS.length,
): Promise<void> {
  const ids: string[] = [];
  for (const [item, ...received] of ITEMS.slice(0, count)) {
    const { id } = await items.create(ctx, { ...item, project_id });
    ids.push(id);
    const entry = { kind: 'receipt', item_id: id, location_id: MAIN, reason: 'purchase', reference: 'PO-2001' } as const;
    if (received.length > 0) await movements.batch(ctx, { items: received.map((one) => ({ ...entry, ...one })), atomic: true });
  }
  const [chairs, desks, paper] = ids;
  await reservations.create(ctx, { item_id: chairs, quantity: '6', reference: 'SO-1001' });
  await movements.record(ctx, { kind: 'issue', item_id: paper, location_id: MAIN, quantity: '30', reason: 'sale', reference: 'SO-1000' });
  await movements.record(ctx, {
    kind: 'count',
    item_id: desks,
    location_id: MAIN,
    quantity: '3',
    reason: 'stocktake',
    expected_on_hand: '4',
  });
  const lines = [
    { item_id: chairs, quantity: '12' },
    { item_id: paper, quantity: '10' },
  ];
  await transfers.transfer(ctx, {
    from_location_id: MAIN,
    to_location_id: SHOP,
    lines,
    in_transit: true,
    reference: 'Restock of the shop',
  });
}

const FEW = 3;

/** The stock of the project OPS, and a little of ENG for its key. */
export const INVENTORY_DEMO: ModuleDemo = {
  async seed(demo) {
    const services = {
      items: demo.get(ItemsService),
      movements: demo.get(MovementsService),
      reservations: demo.get(ReservationsService),
      transfers: demo.get(TransfersService),
    };
    for (const { id, key } of demo.projects) {
      if (demo.isNew) await setUpInventoryDemo(demo.get(InventorySetup), demo.as('mei', 'live'), id);
      const locations = await demoLocations(demo.get(InventorySetup), demo.asSystem(), id);
      for (const mode of demo.modes) await seedInventory(services, demo.as('mei', mode), id, locations, key === 'OPS' ? undefined : FEW);
    }
  },
};
