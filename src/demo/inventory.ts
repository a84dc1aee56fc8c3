import {
  InventorySetup,
  ItemsService,
  MovementsService,
  ReservationsService,
  seedInventory,
  setUpInventoryDemo,
  TransfersService,
} from '../modules/inventory/inventory.public.js';
import { PEOPLE } from './people.js';
import type { ModuleSeeder } from './tasks.js';

const FEW = 3;

/** Seeds the stock of the project OPS, and a little of ENG for its key. */
export const seedInventoryDemo: ModuleSeeder = async (app, ctx, { projects, members }) => {
  const keeper = members.find(({ email }) => email === PEOPLE.mei.email) ?? members[0];
  const services = {
    items: app.get(ItemsService),
    movements: app.get(MovementsService),
    reservations: app.get(ReservationsService),
    transfers: app.get(TransfersService),
  };
  for (const { id, key } of projects) {
    const locations = await setUpInventoryDemo(app.get(InventorySetup), ctx.as(keeper, 'live'), id);
    for (const mode of ['live', 'test'] as const)
      await seedInventory(services, ctx.as(keeper, mode), id, locations, key === 'OPS' ? undefined : FEW);
  }
  ctx.asSystem();
};
