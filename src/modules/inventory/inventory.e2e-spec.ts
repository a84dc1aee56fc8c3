import { expect, it } from '@jest/globals';
import { errorOf } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, locationsOf, makeItem, move, openStock } from './testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, at, post, item, receive, record } = await openStock(app);

it('ids of another project, mode and module are refused in every reference', async () => {
  const id = await item();
  await receive(id, '5');
  const test = (await space.key({ module: 'inventory', mode: 'test' })).client;
  const foreign = {
    'another project': await makeItem(api, { project_id: space.ops.id, sku: 'FOREIGN' }),
    'the other mode': await makeItem(test, { project_id: space.eng.id, sku: 'FOREIGN' }),
    'another module': space.eng,
  };
  const elsewhere = await locationsOf(api, space.ops.id);
  const faults: unknown[] = [];
  const expectParam = (what: string, answer: { status: number; body: never }, param: string) => {
    const [status, , named] = errorOf(answer);
    if (status !== 400 || named !== param) faults.push([what, param, status, named]);
  };
  for (const [what, { id: item_id }] of Object.entries(foreign)) {
    const lines = [{ item_id, quantity: '1' }];
    if (what !== 'another project') {
      expectParam(what, (await record({ kind: 'receipt', item_id, quantity: '1' })) as never, 'item_id');
      expectParam(what, (await post('reservations', { item_id, quantity: '1', reference: 'x' })) as never, 'item_id');
    } else expectParam(what, (await record({ kind: 'receipt', item_id, quantity: '1' })) as never, 'location_id');
    expectParam(what, (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines })) as never, 'lines.0.item_id');
  }
  const lines = [{ item_id: id, quantity: '1' }];
  const wrong = { item_id: id, location_id: elsewhere.MAIN, quantity: '1' };
  expectParam('location', (await record({ ...wrong, kind: 'issue' })) as never, 'location_id');
  expectParam('location', (await post('reservations', { ...wrong, reference: 'x' })) as never, 'location_id');
  expectParam(
    'to',
    (await post('transfers', { from_location_id: at.MAIN, to_location_id: elsewhere.MAIN, lines })) as never,
    'to_location_id',
  );
  expectParam('from', (await post('transfers', { from_location_id: id, to_location_id: at.MAIN, lines })) as never, 'from_location_id');
  expectParam('same', (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.MAIN, lines })) as never, 'to_location_id');
  const lot = [{ item_id: id, quantity: '1', lot_id: id }];
  expectParam(
    'lot',
    (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines: lot })) as never,
    'lines.0.lot_id',
  );
  expect(faults).toEqual([]);
});

it('test keys have stock and numbers of their own, which are erased as a whole', async () => {
  const own = await app.workspace();
  const { client } = await own.key({ module: 'inventory', mode: 'test' });
  const { client: live } = await own.key({ module: 'inventory', mode: 'live' });
  const { MAIN, QUARANTINE } = await locationsOf(client, own.eng.id);
  const { id } = await makeItem(client, { sku: 'T-1', tracking: 'lot', valuation_method: 'fifo' });
  await makeItem(live, { sku: 'T-1' });
  await move(client, { kind: 'receipt', item_id: id, location_id: MAIN, quantity: '5', lot: { code: 'L' }, cost_amount: 50 });
  await client.post(`${EXT}/reservations`, { item_id: id, quantity: '1', reference: 'x' });
  const lines = [{ item_id: id, quantity: '2' }];
  const sent = await client.post(`${EXT}/transfers`, { from_location_id: MAIN, to_location_id: QUARANTINE, lines, in_transit: true });
  expect(sent.body.number).toBe('TEST-TR-1');
  for (const path of ['movements', 'transfers', 'reservations', 'lots', 'stock-levels'])
    expect([path, (await live.get(`${EXT}/${path}`)).body.data]).toEqual([path, []]);
  const owner = await own.signIn();
  const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [own.organizationId]);
  await owner.post('/api/v1/org/developer/test-data/erase', { organization_name: rows[0].name });
  const left = async () => (await owner.get('/api/v1/org/developer/test-data')).body.total as number;
  await eventually(left, (total) => total === 0);
  expect([(await client.get(`${EXT}/items`)).body.data, (await live.get(`${EXT}/items`)).body.data]).toMatchObject([[], [{ sku: 'T-1' }]]);
});
