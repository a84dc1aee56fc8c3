import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { EXT_INVENTORY, locationsOf, makeItem, move } from './inventory-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { takenValues } from './taken-values.js';

export const contract: ModuleContract = {
  operations: `
    list_items get_item create_item update_item list_stock_levels record_stock_movement transfer_stock create_stock_reservation
    release_stock_reservation list_stock_movements list_stock_locations list_stock_reasons
  `,
  // release_reservations of a movement ends reservations
  destructive: ['cancel_stock_transfer', 'record_stock_movement', 'batch_stock_movements'],
  withoutUndo: ['delete_org_stock_location', 'delete_org_stock_reason'],
  rarelySucceed: {
    import_items: 'The body is a CSV file.',
    import_stock_counts: 'The body is a CSV file.',
    record_stock_movement: 'Item, location, lot and reservation must be of one project, and the quantity must be there.',
    create_stock_reservation: 'As record_stock_movement.',
    transfer_stock: 'As record_stock_movement, for each line.',
  },
  prepare,
  takenValues,
};

/** Items with much stock, reservations and open transfers in each mode, because arbitrary quantities exceed what there is. */
async function prepare(_app: TestApp, workspace: Workspace): Promise<void> {
  const project_id = workspace.eng.id;
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'inventory', mode, project_id });
    const { MAIN, QUARANTINE } = await locationsOf(client, project_id);
    for (let count = 0; count < 5; count++) {
      const { id: item_id } = await makeItem(client, { sku: `stock-${count}`, quantity_scale: 6 });
      await move(client, { kind: 'receipt', item_id, location_id: MAIN, quantity: '900000000000' });
      await client.post(`${EXT_INVENTORY}/reservations`, { item_id, quantity: '1', reference: `order-${count}` });
      const lines = [{ item_id, quantity: '2' }];
      await client.post(`${EXT_INVENTORY}/transfers`, { from_location_id: MAIN, to_location_id: QUARANTINE, lines, in_transit: true });
    }
  }
}
