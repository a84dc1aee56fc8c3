import { expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, locationsOf, makeItem, move, openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, at, item, receive, stock } = await openStock(app);

it("last year's receipt entered today: earlier costs are unchanged, totals agree to the cent", async () => {
  for (const valuation_method of ['average', 'fifo']) {
    const id = await item({ valuation_method });
    await receive(id, '3', { cost_amount: 1000 });
    const issued = await move(api, { kind: 'issue', item_id: id, location_id: at.MAIN, quantity: '1' });
    await receive(id, '7', { cost_amount: 5000, occurred_at: '2020-01-01T00:00:00Z' });
    const rest = await move(api, { kind: 'issue', item_id: id, location_id: at.MAIN, quantity: '9' });
    expect([issued.cost_amount, rest.cost_amount]).toEqual([-333, -5667]);
    expect(await stock(id)).toMatchObject({ on_hand: '0', value_amount: 0 });
    const { data } = (await api.get(`${EXT}/movements?item_id=${id}`)).body;
    expect(data.map(({ cost_amount }: { cost_amount: number }) => cost_amount)).toEqual([-5667, 5000, -333, 1000]);
  }
});

it('values are those of a time of recording, and their sum', async () => {
  const owner = await space.signIn();
  const { id: project_id } = (await owner.post('/api/v1/org/projects', { key: 'V1', name: 'Values' })).body;
  const { MAIN: location_id } = await locationsOf(api, project_id);
  const [first, second] = [await makeItem(api, { project_id, sku: 'V-1' }), await makeItem(api, { project_id, sku: 'V-2' })];
  const entry = { kind: 'receipt', location_id, quantity: '3' };
  const { created_at } = await move(api, { ...entry, item_id: first.id, cost_amount: 1000 });
  await move(api, { ...entry, item_id: second.id, cost_amount: 50, occurred_at: '2020-01-01T00:00:00Z' });
  await move(api, { kind: 'issue', location_id, item_id: first.id, quantity: '1' });
  const valuation = async (query = '') => (await api.get(`${EXT}/reports/valuation?project_id=${project_id}${query}`)).body;
  expect(await valuation()).toMatchObject({
    value_amount: 717,
    currency: 'EUR',
    items: [
      { sku: 'V-1', quantity: '2', value_amount: 667 },
      { sku: 'V-2', quantity: '3', value_amount: 50 },
    ],
    has_more: false,
  });
  expect(await valuation(`&as_of=${created_at as string}`)).toMatchObject({
    value_amount: 1000,
    items: [{ sku: 'V-1', value_amount: 1000 }],
  });
  expect(await valuation('&limit=1')).toMatchObject({ value_amount: 717, has_more: true, next_after: 'V-1' });
  expect(await valuation('&limit=1&after=V-1')).toMatchObject({ items: [{ sku: 'V-2' }], has_more: false, next_after: null });
  const most = await makeItem(api, { project_id, sku: 'V-3' });
  await move(api, { ...entry, item_id: most.id, cost_amount: Number.MAX_SAFE_INTEGER });
  expect((await valuation()).error).toMatchObject({ code: 'validation_failed', param: 'project_id' });
});
