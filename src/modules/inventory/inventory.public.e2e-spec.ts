import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { openStock } from './testing/inventory-fixture.js';

const app = await sharedApp();
const { space, at, item, receive, stock } = await openStock(app);

describe('other modules, in their transactions', () => {
  const face = app.inside<typeof import('./testing/stock-calls.js')>('src/modules/inventory/testing/stock-calls.ts');
  const request = (lines: { item_id: string; quantity: string }[], over = {}) => ({
    project_id: space.eng.id,
    lines,
    location_ids: [at.SHOP, at.MAIN],
    split: true,
    reference: 'SO-1',
    expires_at: null,
    ...over,
  });

  it('reserve all lines at one location, or split them in the order of locations, or none', async () => {
    const [a, b] = [await item(), await item()];
    for (const id of [a, b]) await receive(id, '5');
    await receive(a, '2', { location_id: at.SHOP });
    const both = (quantity: string) => [
      { item_id: a, quantity },
      { item_id: b, quantity: '1' },
    ];
    await expect(face.reserve(space.ctx(), request(both('2')), 'the order failed')).rejects.toThrow('the order failed');
    expect(await stock(a)).toMatchObject({ reserved: '0' });
    // the shop lacks the other item
    expect(await face.reserve(space.ctx(), request(both('2')))).toMatchObject([
      { line: 0, location_id: at.MAIN, quantity: 2 },
      { line: 1, location_id: at.MAIN, quantity: 1 },
    ]);
    expect(await face.reserve(space.ctx(), request(both('4')))).toMatchObject([
      { line: 0, location_id: at.SHOP, quantity: 2 },
      { line: 0, location_id: at.MAIN, quantity: 2 },
      { line: 1, location_id: at.MAIN, quantity: 1 },
    ]);
    const lacking = face.reserve(space.ctx(), request([...both('1'), ...both('3')]));
    await expect(lacking).rejects.toThrow(/4 requested, 1 available/);
    await expect(face.reserve(space.ctx(), request(both('1'), { project_id: space.ops.id }))).rejects.toThrow('item of the project');
    expect(await stock(a)).toMatchObject({ reserved: '6', available: '1' });
  });

  it('consume, shorten, issue, and take back at the cost and into the lots of the issue', async () => {
    const id = await item({ tracking: 'lot', valuation_method: 'fifo' });
    await receive(id, '2', { cost_amount: 201, lot: { code: 'A', expires_on: '2199-01-01' } });
    await receive(id, '4', { cost_amount: 1000, lot: { code: 'B', expires_on: '2199-02-01' } });
    const [kept] = await face.reserve(space.ctx(), request([{ item_id: id, quantity: '4' }]));
    await expect(face.consume(space.ctx(), [{ reservation_id: kept.id, quantity: '5' }])).rejects.toThrow('this much open');
    const [issued] = await face.consume(space.ctx(), [{ reservation_id: kept.id, quantity: '3' }]);
    expect(issued).toMatchObject({ kind: 'issue', change: -3, cost_amount: -451, lots: [{ code: 'A' }, { code: 'B' }] });
    expect(await face.shorten(space.ctx(), kept.id, '1')).toEqual({ status: 'released', quantity: 4 });
    const line = { item_id: id, location_id: at.MAIN };
    await expect(
      face.issue(space.ctx(), [
        { ...line, quantity: '2' },
        { ...line, quantity: '2' },
      ]),
    ).rejects.toThrow('4 requested, 3');
    expect(await face.issue(space.ctx(), [{ ...line, quantity: '1' }])).toMatchObject([{ cost_amount: -250 }]);
    const back = await face.takeBack(space.ctx(), [{ movement_id: issued.id, quantity: '3' }]);
    const { rows } = await app.sql.query('SELECT DISTINCT cost_source FROM stock_movements WHERE id = ANY ($1)', [
      back.map((one) => one.id),
    ]);
    expect(rows).toEqual([{ cost_source: 'issue' }]);
    expect(back.map(({ kind, change, lots }) => [kind, change, lots[0].code])).toEqual([
      ['receipt', 2, 'A'],
      ['receipt', 1, 'B'],
    ]);
    expect(back.reduce((sum, { cost_amount }) => sum + cost_amount, 0)).toBe(451);
    expect(await stock(id)).toMatchObject({ on_hand: '5', reserved: '0', value_amount: 951 });
    await expect(face.takeBack(space.ctx(), [{ movement_id: back[0].id, quantity: '1' }])).rejects.toThrow('must be an issue');
    await expect(face.takeBack(space.ctx(), [{ movement_id: issued.id, quantity: '1' }])).rejects.toThrow('0 is left');
  });

  it('take back an issue in parts: each lot once, to the cent, and never more than was issued', async () => {
    const id = await item({ tracking: 'serial' });
    for (const code of ['T1', 'T2', 'T3']) await receive(id, '1', { cost_amount: code === 'T1' ? 34 : 33, lot: { code } });
    const [issued] = await face.issue(space.ctx(), [{ item_id: id, location_id: at.MAIN, quantity: '3' }]);
    const takeBack = (quantity: string) => face.takeBack(space.ctx(), [{ movement_id: issued.id, quantity }]);
    const parts = [...(await takeBack('1')), ...(await takeBack('1')), ...(await takeBack('1'))];
    expect(parts.map(({ lots }) => lots[0].code)).toEqual(['T1', 'T2', 'T3']);
    expect(await stock(id)).toMatchObject({ on_hand: '3', value_amount: 100 });

    const plain = await item();
    await receive(plain, '10', { cost_amount: 1001 });
    const [sold] = await face.issue(space.ctx(), [{ item_id: plain, location_id: at.MAIN, quantity: '7' }]);
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => face.takeBack(space.ctx(), [{ movement_id: sold.id, quantity: '2' }])),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await face.takeBack(space.ctx(), [{ movement_id: sold.id, quantity: '1' }]);
    expect(await stock(plain)).toMatchObject({ on_hand: '10', value_amount: 1001 });
    await expect(
      app.sql.query(
        `INSERT INTO stock_movements SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'sequence', 99))).*
         FROM stock_movements m WHERE returned_issue_id = $1 LIMIT 1`,
        [sold.id],
      ),
    ).rejects.toThrow('so much can be taken back');
  });
});
