import { beforeAll, expect, it } from '@jest/globals';
import type { Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, locationsOf, makeItem, move, ORG_INVENTORY as ORG } from './testing/inventory-fixture.js';
import { canLeave, enter, leave, modelItem, put, take, valueOf, type ModelItem } from './testing/stock-model.js';
import type { Workspace } from '../../../test/harness/workspace.js';

const PLACES = ['MAIN', 'QUARANTINE'];
const STEPS = 220;

const app = await sharedApp();
let space: Workspace;
let api: Client;
let at: Record<string, string>;

beforeAll(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'inventory', mode: 'live', rate_limit_per_minute: 1_000_000 })).client;
  at = await locationsOf(api, space.eng.id);
});

/** Reproducible: a failure names the seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Of the project: figures that differ from what movements and reservations add up to. */
async function differences(): Promise<unknown[]> {
  await app.runScheduledJob('inventory.compare_stock');
  const { body } = await (await space.signIn()).get(`${ORG}/differences?resolved=false`);
  return body.data;
}

interface Subject {
  id: string;
  model: ModelItem;
  /** Open reservations at a place. */
  kept: { id: string; place: string; open: number }[];
  sent: {
    id: string;
    line: string;
    to: string;
    from: string;
    lots: { code: string; expires: string; quantity: number }[];
    open: number;
    whole: number;
  }[];
}

it.each([1, 2, 3])(
  'a random history leads to what an independent model says (seed %i)',
  async (seed) => {
    const next = random(seed);
    const subjects: Subject[] = [];
    for (const [index, tracking] of ['none', 'none', 'lot'].entries()) {
      const fifo = index !== 0;
      const values = { project_id: space.eng.id, sku: `M-${seed}-${index}`, tracking, valuation_method: fifo ? 'fifo' : 'average' };
      subjects.push({ id: (await makeItem(api, values)).id, model: modelItem(fifo, tracking === 'lot', PLACES), kept: [], sent: [] });
    }
    for (let step = 0; step < STEPS; step++) await runStep(subjects[next(subjects.length)], next, step);
    for (const { id, model } of subjects) {
      const item = (await api.get(`${EXT}/items/${id}`)).body;
      expect([item.value_amount, item.incoming]).toEqual([valueOf(model), String(model.transit)]);
      const { data: levels } = (await api.get(`${EXT}/stock-levels?item_id=${id}`)).body;
      for (const [name, { onHand, reserved }] of Object.entries(model.places)) {
        const level = levels.find(({ location_id }: { location_id: string }) => location_id === at[name]) ?? {
          on_hand: '0',
          reserved: '0',
        };
        expect([name, level.on_hand, level.reserved]).toEqual([name, String(onHand), String(reserved)]);
      }
      const { data: lots } = (await api.get(`${EXT}/lots?item_id=${id}&limit=100`)).body;
      for (const lot of lots)
        for (const name of PLACES) {
          const there = lot.quantities.find(({ location_id }: { location_id: string }) => location_id === at[name]);
          expect([lot.code, name, there?.quantity ?? '0']).toEqual([
            lot.code,
            name,
            String(model.places[name].lots.get(lot.code)?.quantity ?? 0),
          ]);
        }
    }
    expect(await differences()).toEqual([]);
  },
  60_000,
);

async function runStep(subject: Subject, next: (below: number) => number, step: number): Promise<void> {
  const { id, model, kept, sent } = subject;
  const place = PLACES[next(2)];
  const quantity = 1 + next(9);
  const body = { item_id: id, location_id: at[place], quantity: String(quantity) };
  const record = (values: object) => api.post(`${EXT}/movements`, { ...body, ...values });
  const action = next(10);
  if (action < 3) {
    const lot = model.tracked ? { code: `L${next(5)}`, expires: '' } : null;
    if (lot) lot.expires = `2199-01-0${1 + Number(lot.code[1])}`;
    const cost_amount = next(3) === 0 ? undefined : next(1000);
    const sentLot = lot ? { code: lot.code, expires_on: lot.expires } : undefined;
    expect((await record({ kind: action === 0 ? 'adjust' : 'receipt', cost_amount, lot: sentLot })).status).toBe(201);
    enter(model, place, quantity, cost_amount ?? null, lot);
  } else if (action < 5) {
    const answer = await record(action === 3 ? { kind: 'issue' } : { kind: 'adjust', quantity: `-${quantity}` });
    const verdict = canLeave(model, place, quantity);
    expect([step, answer.body.error?.code ?? 'ok']).toEqual([step, verdict]);
    if (verdict === 'ok') expect([step, answer.body.cost_amount]).toEqual([step, 0 - leave(model, place, quantity)]);
  } else if (action === 5 && !model.tracked) {
    const { onHand, reserved } = model.places[place];
    const answer = await record({ kind: 'count', expected_on_hand: String(onHand) });
    expect([step, answer.body.error?.code ?? 'ok']).toEqual([step, quantity < reserved ? 'stock_reserved' : 'ok']);
    if (quantity > onHand) enter(model, place, quantity - onHand, null, null);
    else if (quantity < onHand && quantity >= reserved) leave(model, place, onHand - quantity);
  } else if (action === 6) {
    const answer = await api.post(`${EXT}/reservations`, { ...body, reference: `R${step}` });
    const { onHand, reserved } = model.places[place];
    expect([step, answer.status]).toEqual([step, quantity > onHand - reserved ? 409 : 201]);
    if (answer.status === 201) {
      model.places[place].reserved += quantity;
      kept.push({ id: answer.body.id, place, open: quantity });
    }
  } else if (action === 7 && kept.length > 0) {
    const one = kept[next(kept.length)];
    const part = 1 + next(one.open);
    const consumed = next(2) === 0;
    if (consumed) {
      const values = { kind: 'issue', reservation_id: one.id, location_id: at[one.place], quantity: String(part) };
      expect([step, (await record(values)).body.cost_amount]).toEqual([step, 0 - leave(model, one.place, part)]);
    } else expect((await api.delete(`${EXT}/reservations/${one.id}`)).status).toBe(204);
    const ended = consumed ? part : one.open;
    model.places[one.place].reserved -= ended;
    one.open -= ended;
    if (one.open === 0) kept.splice(kept.indexOf(one), 1);
  } else if (action === 8) {
    const to = PLACES[1 - PLACES.indexOf(place)];
    const in_transit = next(2) === 0;
    const lines = [{ item_id: id, quantity: String(quantity) }];
    const answer = await api.post(`${EXT}/transfers`, { from_location_id: at[place], to_location_id: at[to], lines, in_transit });
    const verdict = canLeave(model, place, quantity);
    expect([step, answer.body.error?.code ?? 'ok']).toEqual([step, verdict]);
    if (verdict !== 'ok') return;
    const lots = take(model, place, quantity);
    if (!in_transit) return put(model, to, quantity, lots);
    model.transit += quantity;
    for (const [index, line] of (answer.body.lines as { id: string; quantity: string }[]).entries()) {
      const whole = Number(line.quantity);
      sent.push({ id: answer.body.id, line: line.id, to, from: place, lots: lots.slice(index, index + 1), open: whole, whole });
    }
  } else if (sent.length > 0) {
    const one = sent[next(sent.length)];
    const others = sent.filter(({ id: transfer }) => transfer === one.id);
    if (next(3) === 0 && others.every(({ open, whole }) => open === whole)) {
      const answer = await api.post(`${EXT}/transfers/${one.id}/cancel`, {});
      if (answer.status === 200) {
        for (const { from, whole, lots } of others) arriveInModel(model, from, whole, lots);
        for (const other of others) sent.splice(sent.indexOf(other), 1);
        return;
      }
    }
    const received = next(one.open + 1);
    const lost = received === one.open ? 0 : 1 + next(one.open - received);
    const lines = [{ line_id: one.line, received_quantity: String(received), lost_quantity: String(lost) }];
    expect([step, (await api.post(`${EXT}/transfers/${one.id}/receive`, { lines })).status]).toEqual([step, 200]);
    arriveInModel(model, one.to, received + lost, one.lots);
    if (lost > 0) loseInModel(model, one.to, lost, one.lots);
    one.open -= received + lost;
    if (one.open === 0) sent.splice(sent.indexOf(one), 1);
  }
}

function arriveInModel(model: ModelItem, place: string, quantity: number, lots: readonly { code: string; expires: string }[]): void {
  model.transit -= quantity;
  put(
    model,
    place,
    quantity,
    lots.map((lot) => ({ ...lot, quantity })),
  );
}

/** Of the lot that arrived, not of the one that expires first. */
function loseInModel(model: ModelItem, place: string, quantity: number, [lot]: readonly { code: string }[]): void {
  const tracked = model.tracked;
  model.tracked = false;
  leave(model, place, quantity);
  model.tracked = tracked;
  const there = lot && model.places[place].lots.get(lot.code);
  if (there) there.quantity -= quantity;
}

it('many writers at once: no stock is invented, and nobody fails but for lack of stock', async () => {
  const ids = [];
  for (const [index, values] of [{}, { valuation_method: 'fifo' }, { tracking: 'lot' }].entries())
    ids.push((await makeItem(api, { project_id: space.eng.id, sku: `C-${index}`, ...values })).id);
  const lot = (index: number) => (index === 2 ? { code: 'L1', expires_on: '2199-01-01' } : undefined);
  for (const [index, id] of ids.entries())
    await move(api, { kind: 'receipt', item_id: id, location_id: at.MAIN, quantity: '60', cost_amount: 6007, lot: lot(index) });
  const orders = [ids, [...ids].reverse(), [ids[1], ids[2], ids[0]]];
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, n) => {
      const order = orders[n % 3];
      const line = { item_id: order[0], location_id: at.MAIN, quantity: '1' };
      if (n % 5 === 0) return api.post(`${EXT}/reservations`, { ...line, reference: `W-${n}` });
      if (n % 5 === 1) return api.post(`${EXT}/movements`, { ...line, kind: 'issue' });
      const lines = order.map((item_id) => ({ item_id, quantity: '2' }));
      if (n % 5 === 2) return api.post(`${EXT}/transfers`, { from_location_id: at.MAIN, to_location_id: at.QUARANTINE, lines });
      const items = order.map((item_id) => ({ kind: 'issue', item_id, location_id: at.MAIN, quantity: '1' }));
      return api.post(`${EXT}/movements/batch`, { items, atomic: n % 5 === 3 });
    }),
  );
  expect(answers.filter(({ status }) => ![200, 201, 409].includes(status)).map(({ text }) => text)).toEqual([]);
  const codes = new Set(answers.flatMap(({ body }) => body.error?.code ?? []));
  expect([...codes].sort()).toEqual(['insufficient_stock', 'stock_reserved']);
  for (const id of ids) {
    const { rows } = await app.sql.query(
      `SELECT count(*)::int AS count, max(sequence) AS last, bool_and(on_hand_after >= 0) AS possible
       FROM stock_movements WHERE item_id = $1`,
      [id],
    );
    expect(rows[0]).toMatchObject({ last: rows[0].count, possible: true });
  }
  expect(await differences()).toEqual([]);
});

it('the nightly comparison reports every seeded difference until it is gone', async () => {
  const item = { project_id: space.eng.id, sku: 'D-1', tracking: 'lot', valuation_method: 'fifo' };
  const id = (await makeItem(api, item)).id;
  await move(api, { kind: 'receipt', item_id: id, location_id: at.MAIN, quantity: '5', cost_amount: 500, lot: { code: 'L' } });
  const shown = async () =>
    ((await differences()) as Record<string, string>[])
      .map(({ item_id, subject, stored, computed }) => [item_id === id, subject, stored, computed].join(' '))
      .sort();
  // nothing is repaired, and nothing refers to a row that is gone
  for (const [change, back, found] of [
    ['stock_levels SET on_hand = 6', 'stock_levels SET on_hand = 5', ['level_on_hand 6 5', 'level_sum 6 5']],
    ['stock_levels SET reserved = 1, held = 1', 'stock_levels SET reserved = 0, held = 0', ['level_held 1 0', 'level_reserved 1 0']],
    [
      'stock_totals SET reserved = 1, held = 2, incoming = 3, value_amount = 499',
      'stock_totals SET reserved = 0, held = 0, incoming = 0, value_amount = 500',
      ['item_held 2 0', 'item_incoming 3 0', 'item_reserved 1 0', 'item_value 499 500', 'layer_quantity 8 5', 'layer_value 499 500'],
    ],
    ['stock_totals SET on_hand = 4', 'stock_totals SET on_hand = 5', ['item_on_hand 4 5', 'layer_quantity 4 5']],
    ['stock_lots SET on_hand = 4, in_transit = 1', 'stock_lots SET on_hand = 5, in_transit = 0', ['lot_in_transit 1 0', 'lot_on_hand 4 5']],
    ['stock_lot_levels SET quantity = 4', 'stock_lot_levels SET quantity = 5', ['lot_quantity 4 5', 'lot_sum 4 5']],
  ] as const) {
    const write = (sql: string) => app.sql.query(`UPDATE ${sql} WHERE ${sql.startsWith('stock_totals') ? 'id' : 'item_id'} = $1`, [id]);
    await write(change);
    expect(await shown()).toEqual(found.map((one) => `true ${one}`));
    // a difference that is found again is not reported twice
    expect(await shown()).toHaveLength(found.length);
    await write(back);
    expect(await shown()).toEqual([]);
  }
  await app.sql.query('DELETE FROM stock_lots WHERE item_id = $1', [id]);
  await app.sql.query('DELETE FROM stock_levels WHERE item_id = $1', [id]);
  expect(await shown()).toEqual(['true level_sum 0 5', 'true lot_sum 0 5']);
});
