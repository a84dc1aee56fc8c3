import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, at, post, item, receive, record, level, events } = await openStock(app);

it('ten pieces, fifty simultaneous reservations: ten succeed', async () => {
  const id = await item();
  await receive(id, '10');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => post('reservations', { item_id: id, quantity: '1', reference: `SO-${n}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  const refused = answers.find(({ status }) => status === 409);
  expect(errorOf(refused as never)).toEqual([409, 'insufficient_stock', 'quantity']);
  expect(refused?.body.error.details).toEqual([
    expect.objectContaining({ item_id: id, location_id: null, requested: '1', available: '0', param: 'quantity' }),
  ]);
  expect(await level(id)).toMatchObject({ on_hand: '10', reserved: '10', available: '0' });
});

it('an item that gets a reorder point while it is being reserved becomes low', async () => {
  const id = await item();
  await receive(id, '10');
  const editor = await app.sql.connect();
  await editor.query('BEGIN');
  await editor.query('SELECT 1 FROM stock_totals WHERE id = $1 FOR UPDATE', [id]);
  await editor.query('UPDATE inventory_items SET reorder_point = 8, version = version + 1 WHERE id = $1', [id]);
  const reserved = post('reservations', { item_id: id, quantity: '3', reference: 'SO-1' });
  const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%stock_totals%'
    AND datname = current_database() AND application_name LIKE 'work-suite POST %/inventory/reservations'`;
  // by then the reservation has read the item without its reorder point
  await eventually(
    async () => (await app.sql.query(isWaiting)).rowCount,
    (waiting) => waiting === 1,
  );
  await editor.query('COMMIT');
  editor.release();
  expect((await reserved).status).toBe(201);
  expect((await api.get(`${EXT}/items/${id}`)).body).toMatchObject({ low: true, available: '7' });
  expect(await events('stock.low', id)).toHaveLength(1);
});

it('keys with and without a project pin change an item at once: it becomes low once', async () => {
  const id = await item({ reorder_point: '92' });
  await receive(id, '100');
  const { client: pinned } = await space.key({
    module: 'inventory',
    mode: 'live',
    project_id: space.eng.id,
    rate_limit_per_minute: 1_000_000,
  });
  const line = { item_id: id, location_id: at.MAIN, quantity: '1' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      n % 2
        ? pinned.post(`${EXT}/movements`, { kind: 'issue', ...line })
        : api.post(`${EXT}/reservations`, { ...line, reference: `SO-${n}` }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect((await api.get(`${EXT}/items/${id}`)).body).toMatchObject({ available: '92', low: true });
  expect(await events('stock.low', id)).toHaveLength(1);
});

it('a count finds 3 where 5 are reserved: refused by name; with the flag the newest are shortened', async () => {
  const id = await item();
  await receive(id, '6');
  const [first, second] = [
    (await post('reservations', { item_id: id, quantity: '3', reference: 'SO-1' })).body,
    (await post('reservations', { item_id: id, quantity: '2', reference: 'SO-2' })).body,
  ];
  const count = { kind: 'count', item_id: id, quantity: '3', reason: 'stocktake' };
  const refused = await record({ ...count, expected_on_hand: '6' });
  expect(errorOf(refused)).toEqual([409, 'stock_reserved', 'quantity']);
  expect(refused.body.error.details.map((one: { reference: string }) => one.reference)).toEqual(['SO-2', 'SO-1']);
  expect((await record({ ...count, expected_on_hand: '5' })).body.error).toMatchObject({ code: 'stock_changed', on_hand: '6' });
  const done = await record({ ...count, expected_on_hand: '6', release_reservations: true });
  expect([done.status, done.body.change, done.body.on_hand_after]).toEqual([201, '-3', '3']);
  expect(await level(id)).toMatchObject({ on_hand: '3', reserved: '3', available: '0' });
  const { data } = (await api.get(`${EXT}/reservations?item_id=${id}`)).body;
  expect(data.map(({ id: one, status, quantity }: Record<string, unknown>) => [one, status, quantity])).toEqual([
    [second.id, 'released', '2'],
    [first.id, 'active', '3'],
  ]);
  expect((await events('stock_reservation.ended', id)).map(({ context }) => context)).toEqual([{ reason: 'shortened', quantity: '2' }]);
});

describe('reservations', () => {
  it('are consumed by issues, released once, and expire', async () => {
    const id = await item();
    await receive(id, '10', { cost_amount: 1000 });
    const reserve = async (values: object) => (await post('reservations', { item_id: id, reference: 'SO-9', ...values })).body;
    const kept = await reserve({ quantity: '6' });
    const issue = (quantity: string, over = {}) => record({ kind: 'issue', item_id: id, quantity, ...over });
    expect(errorOf(await issue('5'))).toEqual([409, 'stock_reserved', 'quantity']);
    const lines = [{ item_id: id, quantity: '5' }];
    const sent = await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines });
    expect(errorOf(sent)).toEqual([409, 'stock_reserved', 'lines.0.quantity']);
    expect(sent.body.error.message).not.toContain('release_reservations');
    expect((await issue('4', { reservation_id: kept.id })).body).toMatchObject({ reservation_id: kept.id, on_hand_after: '6' });
    expect(errorOf(await issue('3', { reservation_id: kept.id }))).toEqual([400, 'validation_failed', 'quantity']);
    expect(await level(id)).toMatchObject({ on_hand: '6', reserved: '2', available: '4' });
    expect((await api.delete(`${EXT}/reservations/${kept.id}`)).status).toBe(204);
    expect((await api.delete(`${EXT}/reservations/${kept.id}`)).status).toBe(404);
    expect((await api.get(`${EXT}/reservations?reference=SO-9&item_id=${id}`)).body.data).toMatchObject([
      { status: 'released', quantity: '6', consumed_quantity: '4' },
    ]);
    expect(errorOf(await post('reservations', { item_id: id, quantity: '1', reference: 'x', expires_at: '2020-01-01T00:00:00Z' }))).toEqual(
      [400, 'validation_failed', 'expires_at'],
    );
    await reserve({ quantity: '1', expires_at: new Date(Date.now() + 60_000).toISOString() });
    await app.runScheduledJob('inventory.expire_reservations', new Date(Date.now() + 120_000));
    expect(await level(id)).toMatchObject({ reserved: '0' });
    expect((await events('stock_reservation.ended', id)).map(({ context }) => context)).toEqual([
      { reason: 'consumed', quantity: '4' },
      { reason: 'released', quantity: '2' },
      { reason: 'expired', quantity: '1' },
    ]);
  });

  it('are shortened from the newest on, however many there are, and in each movement of a batch', async () => {
    const id = await item();
    await receive(id, '10001');
    await app.sql.query(
      `INSERT INTO stock_reservations (id, organization_id, project_id, mode, item_id, location_id, quantity, status, reference, created_by,
         created_at)
       SELECT gen_random_uuid(), organization_id, project_id, mode, id, $2, 1, 'active', 'R-' || n, '{}', now() + n * interval '1 ms'
       FROM inventory_items, generate_series(1, 10001) AS n WHERE id = $1`,
      [id, at.MAIN],
    );
    await app.sql.query('UPDATE stock_levels SET reserved = 10001 WHERE item_id = $1', [id]);
    await app.sql.query('UPDATE stock_totals SET reserved = 10001 WHERE id = $1', [id]);
    const count = { kind: 'count', item_id: id, location_id: at.MAIN, release_reservations: true };
    const items = ['10000', '9998'].map((quantity) => ({ ...count, quantity }));
    expect((await post('movements/batch', { items, atomic: true })).body).toMatchObject({ succeeded: 2 });
    expect(await level(id)).toMatchObject({ on_hand: '9998', reserved: '9998' });
    const { data } = (await api.get(`${EXT}/reservations?item_id=${id}&status=released`)).body;
    expect(data.map(({ reference }: { reference: string }) => reference).sort()).toEqual(['R-10001', 'R-9999', 'R-10000'].sort());
  });
});
