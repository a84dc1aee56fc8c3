import { expect, test } from '@jest/globals';
import { race } from '../../../../test/contract/taken-values.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const stock = await openStock(app);

test('of several movements, only the one with a value that another request takes at the same moment is refused', async () => {
  const movement = { kind: 'receipt', item_id: await stock.item(), location_id: stock.at.MAIN, quantity: '1' };
  const { id } = (await stock.post('movements', movement)).body;
  const items = ['batch-1', 'batch-2'].map((external_id) => ({ ...movement, external_id }));
  const { body } = await race(
    app,
    'stock_movements',
    { external_id: 'batch-2' },
    { id, send: () => stock.post('movements/batch', { items }) },
  );
  expect(body.results).toMatchObject([{ status: 201 }, { status: 409, error: { code: 'duplicate', param: 'items.1.external_id' } }]);
  expect(body.results[1].error.message).toContain(id);
});
