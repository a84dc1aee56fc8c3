import { expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { makeItem, move, openStock, ORG_INVENTORY as ORG } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, post, record, item } = await openStock(app);

it('the currency of a project and its first item cannot contradict each other', async () => {
  const owner = await space.signIn();
  const { id: project_id } = (await owner.post('/api/v1/org/projects', { key: 'C1', name: 'Currency' })).body;
  const change = (currency: string) => owner.patch(`${ORG}/settings/${project_id}`, { currency });
  const create = (sku: string) => post('items', { project_id, sku, name: 'x' });
  // each of them may come first
  const [changed, ...created] = await Promise.all([change('CHF'), create('A'), create('B'), create('C')]);
  expect([200, 409]).toContain(changed.status);
  const currency = changed.status === 200 ? 'CHF' : 'EUR';
  expect(created.map(({ status, body }) => [status, body.currency])).toEqual(created.map(() => [201, currency]));
  expect(errorOf(await change('USD'))).toEqual([409, 'resource_conflict', 'currency']);
});

it('members set up locations, reasons and the currency; what is in use is retired instead of deleted', async () => {
  const owner = await space.signIn();
  const project_id = space.ops.id;
  const currency = (value: string) => owner.patch(`${ORG}/settings/${space.eng.id}`, { currency: value });
  await item();
  expect(errorOf(await currency('CHF'))).toEqual([409, 'resource_conflict', 'currency']);
  expect(errorOf(await currency('ZZZ'))).toEqual([400, 'validation_failed', 'currency']);
  const made = await owner.post(`${ORG}/locations`, { project_id, code: 'yard', name: 'Yard', sellable: false });
  expect([made.status, made.body]).toMatchObject([201, { position: 3, active: true }]);
  expect(errorOf(await owner.post(`${ORG}/locations`, { project_id, code: 'YARD', name: 'x' }))).toEqual([409, 'duplicate', 'code']);
  const reason = await owner.post(`${ORG}/reasons`, { project_id, code: 'theft', name: 'Theft' });
  expect(reason.status).toBe(201);
  const id = (await makeItem(api, { project_id, sku: 'YARD-1' })).id;
  const receipt = { kind: 'receipt', item_id: id, location_id: made.body.id, quantity: '2', reason: 'theft' };
  await move(api, receipt);
  for (const path of [`locations/${made.body.id}`, `reasons/${reason.body.id}`])
    expect(errorOf(await owner.delete(`${ORG}/${path}`))).toEqual([409, 'resource_conflict', undefined]);
  expect(errorOf(await post('reservations', { item_id: id, quantity: '1', reference: 'x' }))).toEqual([
    409,
    'insufficient_stock',
    'quantity',
  ]);
  expect((await owner.patch(`${ORG}/locations/${made.body.id}`, { active: false })).status).toBe(200);
  expect(errorOf(await record(receipt))).toEqual([400, 'validation_failed', 'location_id']);
  expect((await record({ ...receipt, kind: 'issue' })).status).toBe(201);
  const member = await space.signIn((await space.member('member')).email);
  expect((await member.post(`${ORG}/reasons`, { project_id, code: 'x', name: 'x' })).status).toBe(403);
  expect((await member.get(`${ORG}/items?project_id=${project_id}`)).body.data).toMatchObject([{ sku: 'YARD-1' }]);
});
