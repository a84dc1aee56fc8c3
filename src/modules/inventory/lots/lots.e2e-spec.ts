import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, move, openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { api, at, post, item, receive, record, level, events } = await openStock(app);

describe('lots and serial numbers', () => {
  it('leave in the order of their dates; a named lot leaves alone', async () => {
    const id = await item({ tracking: 'lot', quantity_scale: 1 });
    for (const [code, expires_on] of [
      ['B', '2199-02-01'],
      ['A', '2199-01-01'],
      ['C', null],
    ])
      await receive(id, '2.5', { lot: { code, expires_on } });
    const issued = await move(api, { kind: 'issue', item_id: id, location_id: at.MAIN, quantity: '4' });
    expect(issued.lots).toMatchObject([
      { code: 'A', change: '-2.5' },
      { code: 'B', change: '-1.5' },
    ]);
    expect(errorOf(await record({ kind: 'issue', item_id: id, quantity: '2', lot: { code: 'B' } }))).toEqual([
      409,
      'insufficient_stock',
      'quantity',
    ]);
    expect(errorOf(await record({ kind: 'receipt', item_id: id, quantity: '1' }))).toEqual([400, 'validation_failed', 'lot']);
    expect(errorOf(await record({ kind: 'receipt', item_id: id, quantity: '1', lot: { code: 'C', expires_on: '2199-01-01' } }))).toEqual([
      400,
      'validation_failed',
      'lot.expires_on',
    ]);
    const { data } = (await api.get(`${EXT}/lots?item_id=${id}&expires_before=2199-03-01&location_id=${at.MAIN}`)).body;
    expect(data).toMatchObject([{ code: 'B', on_hand: '1', quantities: [{ location_id: at.MAIN, quantity: '1' }] }]);
    expect((await api.get(`${EXT}/movements?lot_id=${data[0].id}`)).body.data).toHaveLength(2);
  });

  it('a serial number is in one place, also in transit', async () => {
    const id = await item({ tracking: 'serial' });
    await receive(id, '1', { lot: { code: 'S1' } });
    const again = { kind: 'receipt', item_id: id, quantity: '1', lot: { code: 'S1' } };
    expect(errorOf(await record({ ...again, location_id: at.SHOP }))).toEqual([409, 'serial_in_stock', 'lot.code']);
    const { data: lots } = (await api.get(`${EXT}/lots?item_id=${id}`)).body;
    const lines = [{ item_id: id, quantity: '1', lot_id: lots[0].id }];
    const sent = await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines, in_transit: true });
    expect(errorOf(await record(again))).toEqual([409, 'serial_in_stock', 'lot.code']);
    expect((await post(`transfers/${sent.body.id}/cancel`, {})).body.status).toBe('cancelled');
    await move(api, { kind: 'issue', item_id: id, location_id: at.MAIN, quantity: '1' });
    expect((await record(again)).status).toBe(201);
    expect(errorOf(await record({ ...again, quantity: '2', lot: { code: 'S2' } }))).toEqual([400, 'validation_failed', 'quantity']);
    await expect(
      app.sql.query(
        `INSERT INTO stock_lot_levels (id, organization_id, project_id, mode, item_id, lot_id, location_id, serial, quantity)
         SELECT gen_random_uuid(), organization_id, project_id, mode, item_id, lot_id, $2, true, 1 FROM stock_lot_levels
         WHERE lot_id = $1 AND quantity > 0`,
        [lots[0].id, at.QUARANTINE],
      ),
    ).rejects.toThrow('stock_lot_levels_serial_key');
  });
});

it('an expired lot is held: not reserved or taken, but issued as scrap; what was reserved of it ends', async () => {
  const id = await item({ tracking: 'lot' });
  const soon = '2190-06-01';
  await receive(id, '4', { lot: { code: 'OLD', expires_on: soon } });
  await receive(id, '3', { lot: { code: 'NEW', expires_on: '2199-01-01' } });
  await receive(id, '1', { lot: { code: 'PAST', expires_on: '2020-01-01' } });
  expect(await level(id)).toMatchObject({ on_hand: '8', held: '1', available: '7' });
  const kept = (await post('reservations', { item_id: id, quantity: '5', reference: 'SO-5' })).body;
  await app.runScheduledJob('inventory.expire_lots', new Date(`${soon}T12:00:00Z`));
  expect(await level(id)).toMatchObject({ held: '1', reserved: '5' });
  await app.runScheduledJob('inventory.expire_lots', new Date('2190-06-02T12:00:00Z'));
  expect(await level(id)).toMatchObject({ on_hand: '8', held: '5', reserved: '3', available: '0' });
  expect((await events('stock_reservation.ended', id)).map(({ context }) => context)).toEqual([{ reason: 'shortened', quantity: '2' }]);
  expect(errorOf(await post('reservations', { item_id: id, quantity: '1', reference: 'x' }))).toEqual([
    409,
    'insufficient_stock',
    'quantity',
  ]);
  expect(errorOf(await record({ kind: 'issue', item_id: id, quantity: '4' }))).toEqual([409, 'insufficient_stock', 'quantity']);
  const scrap = { kind: 'issue', item_id: id, quantity: '4', reason: 'expiry', lot: { code: 'OLD' } };
  expect((await record(scrap)).body.lots).toMatchObject([{ code: 'OLD', change: '-4' }]);
  const issued = await record({ kind: 'issue', item_id: id, quantity: '3', reservation_id: kept.id });
  expect(issued.body.lots).toMatchObject([{ code: 'NEW', change: '-3' }]);
  expect(await level(id)).toMatchObject({ on_hand: '1', held: '1', reserved: '0' });
});
