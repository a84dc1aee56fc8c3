import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, move, openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, at, post, item, receive, record, events } = await openStock(app);

describe('refused', () => {
  it('repeats of a SKU and of external ids, by the existing id', async () => {
    const [sku, external_id] = ['Twice', 'erp-1'];
    const id = await item({ sku, external_id });
    const repeat = { project_id: space.eng.id, name: 'x' };
    expect((await post('items', { ...repeat, sku: sku.toUpperCase() })).body.error).toMatchObject({
      code: 'duplicate',
      param: 'sku',
      existing_id: id,
    });
    expect((await post('items', { ...repeat, sku: 'other', external_id })).body.error).toMatchObject({
      param: 'external_id',
      existing_id: id,
    });
    const receipt = { kind: 'receipt', item_id: id, location_id: at.MAIN, quantity: '1', external_id: 'wms-1' };
    const [{ id: first }, again] = [await move(api, receipt), await record(receipt)];
    expect(again.body.error).toMatchObject({ code: 'duplicate', param: 'external_id', existing_id: first });
    const twice = { ...receipt, external_id: 'wms-2' };
    const { body } = await post('movements/batch', { items: [twice, twice] });
    expect(body.results.map((one: { error: { code: string } | null }) => one.error?.code)).toEqual([undefined, 'duplicate']);
  });

  it('a barcode that another item of the project has', async () => {
    const [one, other] = [await item({ barcode: '4006381333931' }), await item({ barcode: '5012345678900' })];
    const refusal = { code: 'duplicate', param: 'barcode', existing_id: one };
    const repeat = { project_id: space.eng.id, sku: 'barcode-1', name: 'x', barcode: '4006381333931' };
    expect((await post('items', repeat)).body.error).toMatchObject(refusal);
    expect((await api.patch(`${EXT}/items/${other}`, { barcode: '4006381333931' })).body.error).toMatchObject(refusal);
    expect((await post('items', { ...repeat, project_id: space.ops.id })).status).toBe(201);
    // scanners and spreadsheets send what cannot be seen
    const copied = await post('items', { ...repeat, sku: '\tbarcode-2 ', barcode: '\u00a0 5012345678917\r\n' });
    expect(copied.body).toMatchObject({ sku: 'barcode-2', barcode: '5012345678917' });
    expect((await post('items', { ...repeat, barcode: ' 4006381333931 ' })).body.error).toMatchObject(refusal);
    expect((await post('items', { ...repeat, sku: ' Barcode-2', barcode: null })).body.error).toMatchObject({
      code: 'duplicate',
      param: 'sku',
    });
    expect(errorOf(await post('items', { ...repeat, sku: '\u00a0' }))).toEqual([400, 'validation_failed', 'sku']);
    const { client: testing } = await space.key({ module: 'inventory', mode: 'test' });
    expect((await testing.post(`${EXT}/items`, repeat)).status).toBe(201);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => post('items', { ...repeat, sku: `barcode-at-once-${n}`, barcode: '96385074' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    // an item from before the rule keeps its barcode, which is unique again once it was changed
    await app.sql.query('UPDATE inventory_items SET barcode = $1, barcode_repeats = true WHERE id = $2', ['4006381333931', other]);
    expect((await api.patch(`${EXT}/items/${other}`, { name: 'Renamed', barcode: '4006381333931' })).status).toBe(200);
    expect((await api.patch(`${EXT}/items/${one}`, { barcode: null })).status).toBe(200);
    expect((await api.patch(`${EXT}/items/${other}`, { barcode: '1' })).status).toBe(200);
    expect((await api.patch(`${EXT}/items/${one}`, { barcode: '1' })).body.error).toMatchObject({ param: 'barcode', existing_id: other });
  });

  it('changes of what an item is counted by, once it has moved', async () => {
    const id = await item({ reorder_point: '5' });
    const patch = (body: object) => api.patch(`${EXT}/items/${id}`, body);
    expect(errorOf(await patch({ tracking: 'serial', quantity_scale: 2 }))).toEqual([400, 'validation_failed', 'quantity_scale']);
    expect(errorOf(await patch({ reorder_point: '2.5' }))).toEqual([400, 'validation_failed', 'reorder_point']);
    expect(errorOf(await patch({ units: [{ code: 'pcs', factor: '2' }] }))).toEqual([400, 'validation_failed', 'units.0.code']);
    expect((await patch({ quantity_scale: 2 })).status).toBe(200);
    await receive(id, '8.25');
    for (const change of [{ tracking: 'lot' }, { unit: 'kg' }, { quantity_scale: 3 }, { valuation_method: 'fifo' }])
      expect(errorOf(await patch(change))).toEqual([409, 'item_in_use', Object.keys(change)[0]]);
    // the stock falls to the reorder point twice
    for (const quantity of ['-4', '-0.25', '4', '-3']) await move(api, { kind: 'adjust', item_id: id, location_id: at.MAIN, quantity });
    const context = (available: string) => expect.objectContaining({ context: { available, reorder_point: '5' } });
    expect(await events('stock.low', id)).toEqual([context('4.25'), context('5')]);
    expect((await api.get(`${EXT}/items?low=true&q=sku`)).body.data).toContainEqual(expect.objectContaining({ id, low: true }));
    expect((await patch({ active: false })).status).toBe(200);
    expect(errorOf(await record({ kind: 'receipt', item_id: id, quantity: '1' }))).toEqual([400, 'validation_failed', 'item_id']);
    expect(errorOf(await post('reservations', { item_id: id, quantity: '1', reference: 'x' }))).toEqual([
      400,
      'validation_failed',
      'item_id',
    ]);
  });
});
