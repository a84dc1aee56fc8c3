import { upload, type TakenValues } from '../../../../test/contract/taken-values.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { EXT_INVENTORY, openStock, ORG_INVENTORY } from './inventory-fixture.js';

export async function takenValues(app: TestApp): Promise<TakenValues> {
  const stock = await openStock(app);
  const movement = async (values: object = {}) => ({
    kind: 'receipt',
    item_id: await stock.item(),
    location_id: stock.at.MAIN,
    quantity: '1',
    ...values,
  });
  const recorded = async () => (await stock.post('movements', await movement())).body.id as string;
  return {
    requests: {
      create_item: {
        table: 'inventory_items',
        value: { external_id: 'new' },
        ready: async () => ({
          id: await stock.item(),
          send: () => stock.post('items', { project_id: stock.space.eng.id, sku: 'NEW', name: 'Chair', external_id: 'new' }),
        }),
      },
      'create_item with a SKU': {
        table: 'inventory_items',
        value: { sku: 'taken' },
        ready: async () => ({
          id: await stock.item(),
          send: () => stock.post('items', { project_id: stock.space.eng.id, sku: 'TAKEN', name: 'Chair' }),
        }),
      },
      update_item: {
        table: 'inventory_items',
        value: { external_id: 'changed' },
        ready: async () => {
          const [id, changed] = [await stock.item(), await stock.item()];
          return { id, send: () => stock.api.patch(`${EXT_INVENTORY}/items/${changed}`, { external_id: 'changed' }) };
        },
      },
      record_stock_movement: {
        table: 'stock_movements',
        value: { external_id: 'new' },
        ready: async () => {
          const body = await movement({ external_id: 'new' });
          return { id: await recorded(), send: () => stock.post('movements', body) };
        },
      },
    },
    imports: {
      items: {
        table: 'inventory_items',
        value: { external_id: 'row-2' },
        ready: async () => ({
          id: await stock.item(),
          send: () =>
            upload(stock.owner, `${ORG_INVENTORY}/imports/items`, stock.space.eng.id, [
              'sku,name,external_id',
              'ROW-1,First,row-1',
              'ROW-2,Second,row-2',
            ]),
        }),
      },
      counts: {
        table: 'stock_movements',
        value: { external_id: 'count-2' },
        ready: async () => {
          await stock.item({ sku: 'COUNTED' });
          const rows = ['sku,location,quantity,external_id', 'COUNTED,MAIN,1,count-1', 'COUNTED,MAIN,2,count-2'];
          return { id: await recorded(), send: () => upload(stock.owner, `${ORG_INVENTORY}/imports/counts`, stock.space.eng.id, rows) };
        },
      },
    },
  };
}
