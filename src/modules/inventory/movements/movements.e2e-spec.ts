import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { openStock } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { at, post, item, receive, record, stock, level, events } = await openStock(app);

it('an atomic batch takes 6 and 6 of 10: nothing is written', async () => {
  const id = await item();
  await receive(id, '10', { cost_amount: 1000 });
  const items = ['6', '6'].map((quantity) => ({ kind: 'issue', item_id: id, location_id: at.MAIN, quantity }));
  const refused = await post('movements/batch', { items, atomic: true });
  expect(errorOf(refused)).toEqual([409, 'insufficient_stock', 'items.0.quantity']);
  expect(refused.body.error.details).toEqual([
    expect.objectContaining({ item_id: id, location_id: at.MAIN, requested: '12', available: '10' }),
  ]);
  expect(await stock(id)).toMatchObject({ on_hand: '10', value_amount: 1000 });
  const separate = await post('movements/batch', { items });
  expect([separate.status, separate.body]).toMatchObject([
    200,
    {
      succeeded: 1,
      failed: 1,
      results: [
        { index: 0, status: 201, movement: { change: '-6', cost_amount: -600, on_hand_after: '4' }, error: null },
        { index: 1, status: 409, movement: null, error: { code: 'insufficient_stock', details: [{ requested: '6', available: '4' }] } },
      ],
    },
  ]);
  expect((await events('stock.moved', id)).at(-1)).toMatchObject({ object: { kind: 'issue' }, context: { level: { on_hand: '4' } } });
});

it('stock that enters says where its cost comes from', async () => {
  const id = await item();
  const enter = async (kind: string, quantity: string, values: object = {}) => {
    const { body } = await record({ kind, item_id: id, quantity, ...values });
    return [body.cost_amount, body.cost_source];
  };
  expect([
    await enter('receipt', '2'),
    await enter('receipt', '2', { cost_amount: 1000 }),
    await enter('count', '5'),
    await enter('adjust', '1'),
    await enter('receipt', '1', { cost_amount: 0 }),
    await enter('issue', '1'),
    await enter('count', '6'),
  ]).toEqual([
    [0, 'none'],
    [1000, 'sent'],
    [250, 'stock'],
    [250, 'stock'],
    [0, 'sent'],
    [-214, null],
    [0, null],
  ]);
  expect((await events('stock.moved', id))[0]).toMatchObject({ object: { cost_amount: 0, cost_source: 'none' } });
});

it('each of the movements of one item at once starts from the one before', async () => {
  const id = await item();
  await receive(id, '10', { cost_amount: 1000 });
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, n) =>
      // the first twelve take what is there, or fail
      n < 12
        ? record({ kind: 'issue', item_id: id, quantity: '2' })
        : record({ kind: 'receipt', item_id: id, quantity: '3', cost_amount: n }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(errorOf)).toEqual(refused.map(() => [409, 'insufficient_stock', 'quantity']));
  const { rows } = await app.sql.query(
    `SELECT sequence, change::float, on_hand_after::float, cost_amount::int, item_value_after::int
     FROM stock_movements WHERE item_id = $1 ORDER BY sequence`,
    [id],
  );
  expect(rows).toHaveLength(1 + answers.length - refused.length);
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1] ?? { on_hand_after: 0, item_value_after: 0 };
    expect(row).toMatchObject({
      sequence: index + 1,
      on_hand_after: before.on_hand_after + row.change,
      item_value_after: before.item_value_after + row.cost_amount,
    });
  }
  const last = rows.at(-1);
  expect(await stock(id)).toMatchObject({ on_hand: String(last.on_hand_after), value_amount: last.item_value_after });
  expect(await level(id)).toMatchObject({ on_hand: String(last.on_hand_after), version: rows.length });
  const shown = (await events('stock.moved', id)).map(({ object, context }) => [
    object.on_hand_after,
    (context.level as { on_hand: string }).on_hand,
  ]);
  expect(shown.map(([after]) => Number(after)).sort()).toEqual(rows.map(({ on_hand_after }) => on_hand_after).sort());
  for (const [after, level] of shown) expect(level).toBe(after);
});

it('twelve sent, nine received, one lost: two in transit', async () => {
  const id = await item();
  await receive(id, '20', { cost_amount: 1999 });
  const sent = await post('transfers', {
    from_location_id: at.MAIN,
    to_location_id: at.SHOP,
    lines: [{ item_id: id, quantity: '12' }],
    in_transit: true,
  });
  expect([sent.status, sent.body.number, sent.body.status]).toEqual([201, expect.stringMatching(/^TR-\d+$/), 'in_transit']);
  expect(await stock(id)).toMatchObject({ on_hand: '8', incoming: '12', value_amount: 1999 });
  const line = { line_id: sent.body.lines[0].id, received_quantity: '9', lost_quantity: '1' };
  for (const part of ['received_quantity', 'lost_quantity'])
    expect(errorOf(await post(`transfers/${sent.body.id}/receive`, { lines: [{ ...line, [part]: '0.5' }] }))).toEqual([
      400,
      'validation_failed',
      `lines.0.${part}`,
    ]);
  const lines = [line];
  const received = await post(`transfers/${sent.body.id}/receive`, { lines });
  expect(received.body).toMatchObject({
    status: 'partially_received',
    lines: [{ quantity: '12', received_quantity: '9', lost_quantity: '1' }],
  });
  expect(await level(id, at.SHOP)).toMatchObject({ on_hand: '9' });
  // a twentieth of 1999 is written off
  expect(await stock(id)).toMatchObject({ on_hand: '17', incoming: '2', value_amount: 1899 });
  expect(errorOf(await post(`transfers/${sent.body.id}/cancel`, {}))).toEqual([400, 'invalid_transition', undefined]);
  expect((await post(`transfers/${sent.body.id}/receive`, {})).body).toMatchObject({ status: 'received' });
  expect(await stock(id)).toMatchObject({ on_hand: '19', incoming: '0' });
  const changes = (await events('stock_transfer.status_changed', sent.body.id)).map(({ context }) => context);
  expect(changes).toEqual([
    { from: null, to: 'in_transit', trigger: 'transfer' },
    { from: 'in_transit', to: 'partially_received', trigger: 'receive' },
    { from: 'partially_received', to: 'received', trigger: 'receive' },
  ]);
});

describe('refused', () => {
  it.each([
    ['a negative receipt', { kind: 'receipt', quantity: '-1' }, 'quantity'],
    ['a negative count', { kind: 'count', quantity: '-1' }, 'quantity'],
    ['an adjustment of nothing', { kind: 'adjust', quantity: '0' }, 'quantity'],
    ['more places than the item has', { kind: 'receipt', quantity: '1.5' }, 'quantity'],
    ['an inexact conversion', { kind: 'receipt', quantity: '0.3', unit: 'box' }, 'quantity'],
    ['an unknown unit', { kind: 'receipt', quantity: '1', unit: 'ton' }, 'unit'],
    ['a lot of an item without lots', { kind: 'receipt', quantity: '1', lot: { code: 'L' } }, 'lot'],
    ['the cost of an issue', { kind: 'issue', quantity: '1', cost_amount: 5 }, 'cost_amount'],
    ['an unknown reason', { kind: 'issue', quantity: '1', reason: 'whim' }, 'reason'],
    ['the future', { kind: 'issue', quantity: '1', occurred_at: '2999-01-01T00:00:00Z' }, 'occurred_at'],
    [
      'a reservation of a receipt',
      { kind: 'receipt', quantity: '1', reservation_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c40' },
      'reservation_id',
    ],
    ['an unknown reservation', { kind: 'issue', quantity: '1', reservation_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c40' }, 'reservation_id'],
    ['a location of nowhere', { kind: 'issue', quantity: '1', location_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c40' }, 'location_id'],
    ['a value beyond 2^53', { kind: 'receipt', quantity: '1', cost_amount: Number.MAX_SAFE_INTEGER }, 'cost_amount'],
    ['a quantity beyond 12 digits', { kind: 'receipt', quantity: '999999999999' }, 'quantity'],
  ])('%s: the field is named', async (_, values, param) => {
    const id = await item({ units: [{ code: 'box', factor: '12' }] });
    await receive(id, '1', { unit: 'box', cost_amount: 100 });
    expect(errorOf(await record({ item_id: id, ...values }))).toEqual([400, 'validation_failed', param]);
    expect(await stock(id)).toMatchObject({ on_hand: '12', value_amount: 100 });
  });

  it('any change of a movement, by SQL', async () => {
    const id = await item();
    await receive(id, '1');
    for (const sql of ['UPDATE stock_movements SET quantity = 2', 'DELETE FROM stock_movements'])
      await expect(app.sql.query(`${sql} WHERE item_id = $1`, [id])).rejects.toThrow('never changed');
    for (const sql of ['TRUNCATE stock_movements', 'TRUNCATE inventory_items CASCADE'])
      await expect(app.sql.query(sql)).rejects.toThrow('never changed');
    for (const sql of ['reserved = -1', 'reserved = on_hand + 1', 'held = on_hand, reserved = 1', 'on_hand = -1'])
      await expect(app.sql.query(`UPDATE stock_levels SET ${sql} WHERE item_id = $1`, [id])).rejects.toThrow('check constraint');
  });
});
