import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/kit/client.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import { EXT_INVENTORY as EXT, locationsOf, makeItem, move, ORG_INVENTORY as ORG } from '../../../test/kit/inventory-fixture.js';
import { eventually } from '../../../test/kit/eventually.js';
import type { Workspace } from '../../../test/kit/workspace.js';

const app = await sharedApp();
let space: Workspace;
let api: Client;
let at: Record<string, string>;
let number = 0;

beforeAll(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'inventory', mode: 'live', rate_limit_per_minute: 1_000_000 })).client;
  const owner = await space.signIn();
  await owner.post(`${ORG}/locations`, { project_id: space.eng.id, code: 'SHOP', name: 'Shop' });
  at = await locationsOf(api, space.eng.id);
});

const item = async (values: object = {}) => (await makeItem(api, { project_id: space.eng.id, sku: `SKU-${number++}`, ...values })).id;
const post = (path: string, body: object) => api.post(`${EXT}/${path}`, body);
const receive = (item_id: string, quantity: string, over: object = {}) =>
  move(api, { kind: 'receipt', item_id, location_id: at.MAIN, quantity, ...over });
const record = (values: object) => post('movements', { location_id: at.MAIN, ...values });
const stock = async (id: string) => (await api.get(`${EXT}/items/${id}`)).body;
const level = async (id: string, location = at.MAIN) =>
  (await api.get(`${EXT}/stock-levels?item_id=${id}&location_id=${location}`)).body.data[0];
const errorOf = ({ status, body }: { status: number; body: { error?: { code: string; param?: string } } }) => [
  status,
  body.error?.code,
  body.error?.param,
];
const events = async (type: string, id: string) =>
  (
    await app.sql.query<{ data: { object: Record<string, unknown>; context: Record<string, unknown> } }>(
      `SELECT body::jsonb -> 'data' AS data FROM outbox_events
       WHERE organization_id = $1 AND type = $2 AND $3 IN (body::jsonb #>> '{data,object,id}', body::jsonb #>> '{data,object,item_id}')
       ORDER BY sequence`,
      [space.organizationId, type, id],
    )
  ).rows.map(({ data }) => data);

describe('stories', () => {
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
});

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

it('values are those of a time of recording, and their sum', async () => {
  const owner = await space.signIn();
  const { id: project_id } = (await owner.post('/api/v1/org/projects', { key: `V${number++}`, name: 'Values' })).body;
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

describe('CSV imports', () => {
  const send = async (path: string, file: string) =>
    (await space.signIn()).send('post', `${ORG}/imports/${path}`, file, { 'content-type': 'text/csv' });

  it('of items: a dry run writes nothing, errors name row and column, a repeat imports nothing twice', async () => {
    const file = [
      'SKU;Name;External id;Tracking;Reorder point;Colour',
      'CSV-1;Lamp;csv-1;none;2;red',
      'CSV-2;Milk;csv-2;lot;;',
      'csv-1;Lamp again;csv-3;none;;',
      'CSV-4;;csv-4;none;;',
      'CSV-5;Half;csv-5;none;0.5;',
      'CSV-6;Lamp;csv-1;maybe;;',
    ].join('\n');
    const query = `project_id=${space.eng.id}`;
    const dry = await send(`items?${query}&dry_run=true`, file);
    expect(dry.body).toMatchObject({ dry_run: true, rows: 6, imported: 2, failed: 4, ignored_columns: ['Colour'] });
    const done = await send(`items?${query}`, file);
    expect(done.body).toEqual({ ...dry.body, dry_run: false });
    expect(done.body.errors.map(({ row, code, param }: Record<string, unknown>) => [row, code, param])).toEqual([
      [3, 'duplicate', 'sku'],
      [4, 'missing_fields', 'name'],
      [5, 'validation_failed', 'reorder_point'],
      [6, 'validation_failed', 'tracking'],
    ]);
    const again = await send(`items?${query}`, file);
    expect(again.body).toMatchObject({ imported: 0, failed: 6 });
    expect(again.body.errors[0]).toMatchObject({ row: 1, code: 'duplicate', param: 'external_id' });
    expect((await api.get(`${EXT}/items?external_id=csv-1,csv-2,csv-3`)).body.data).toHaveLength(2);
  });

  it('nothing of a row is dropped in silence', async () => {
    const query = `project_id=${space.eng.id}&dry_run=true`;
    const unquoted = await send(`items?${query}`, 'sku,name\nCSV-7,Lamp, blue\nCSV-8,Lamp,,\n');
    expect(unquoted.body).toMatchObject({ imported: 1, errors: [{ row: 1, code: 'validation_failed', param: null }] });
    expect(unquoted.body.errors[0].message).toContain('more cells than there are headings');
    expect((await send(`items?${query}`, 'sku,Name,name\nCSV-7,a,b\n')).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'file',
    });
  });

  it('a SKU is the same in capitals, in any script', async () => {
    const id = await item({ sku: 'ΣΟΦΟΣ' });
    const query = `project_id=${space.eng.id}`;
    const counted = await send(`counts?${query}`, 'sku,location,quantity\nΣΟΦΟΣ,MAIN,3\nσοφοσ,SHOP,4\n');
    expect([counted.body.imported, (await stock(id)).on_hand]).toEqual([2, '7']);
    const again = await send(`items?${query}`, 'sku,name\nσοφοσ,x\nΌΧΛΟΣ,x\nόχλοσ,x\n');
    expect(again.body.errors.map(({ row, code, param }: Record<string, unknown>) => [row, code, param])).toEqual([
      [1, 'duplicate', 'sku'],
      [3, 'duplicate', 'sku'],
    ]);
  });

  it('of counts', async () => {
    const id = await item({ sku: 'COUNTED', units: [{ code: 'box', factor: '6' }] });
    const file = [
      'sku,location,quantity,unit,external_id,cost_amount,reason,expires_on',
      'counted,main,2,box,c-1,1200,stocktake',
      'COUNTED,SHOP,7,,c-2,,',
      'COUNTED,SHOP,7,,c-2,,',
      'UNKNOWN,SHOP,1,,c-3,,',
      'COUNTED,NOWHERE,1,,c-4,,',
      'COUNTED,SHOP,1.5,,c-5,,',
      'COUNTED,SHOP,-1,,c-6,,whim',
      'COUNTED,SHOP,1,,c-7,,,2199-01-01',
    ].join('\n');
    const query = `project_id=${space.eng.id}`;
    const dry = await send(`counts?${query}&dry_run=true`, file);
    expect(dry.body).toMatchObject({ rows: 8, imported: 2, failed: 6 });
    expect(await stock(id)).toMatchObject({ on_hand: '0' });
    const done = await send(`counts?${query}`, file);
    expect(done.body.errors.map(({ row, code, param }: Record<string, unknown>) => [row, code, param])).toEqual([
      [3, 'duplicate', 'external_id'],
      [4, 'validation_failed', 'sku'],
      [5, 'validation_failed', 'location'],
      [6, 'validation_failed', 'quantity'],
      [7, 'validation_failed', 'reason'],
      [8, 'validation_failed', 'expires_on'],
    ]);
    expect(await stock(id)).toMatchObject({ on_hand: '19', value_amount: 1900 });
    expect((await send(`counts?${query}`, file)).body).toMatchObject({ imported: 0, failed: 8 });
    expect(await stock(id)).toMatchObject({ on_hand: '19', value_amount: 1900 });
  });
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

  it('ids of another project, mode and module, in every reference', async () => {
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
      expectParam(
        what,
        (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines })) as never,
        'lines.0.item_id',
      );
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
    expectParam(
      'same',
      (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.MAIN, lines })) as never,
      'to_location_id',
    );
    const lot = [{ item_id: id, quantity: '1', lot_id: id }];
    expectParam(
      'lot',
      (await post('transfers', { from_location_id: at.MAIN, to_location_id: at.SHOP, lines: lot })) as never,
      'lines.0.lot_id',
    );
    expect(faults).toEqual([]);
  });

  it('repeats of a SKU and of external ids, by the existing id', async () => {
    const [sku, external_id] = [`Twice-${number++}`, `erp-${number++}`];
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
    const receipt = { kind: 'receipt', item_id: id, location_id: at.MAIN, quantity: '1', external_id: `wms-${number++}` };
    const [{ id: first }, again] = [await move(api, receipt), await record(receipt)];
    expect(again.body.error).toMatchObject({ code: 'duplicate', param: 'external_id', existing_id: first });
    const twice = { ...receipt, external_id: `wms-${number++}` };
    const { body } = await post('movements/batch', { items: [twice, twice] });
    expect(body.results.map((one: { error: { code: string } | null }) => one.error?.code)).toEqual([undefined, 'duplicate']);
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

describe('other modules, in their transactions', () => {
  const face = app.inside<typeof import('../../../test/kit/stock-calls.js')>('test/kit/stock-calls.ts');
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
    await expect(face.reserve(space.organizationId, request(both('2')), 'the order failed')).rejects.toThrow('the order failed');
    expect(await stock(a)).toMatchObject({ reserved: '0' });
    // the shop lacks the other item
    expect(await face.reserve(space.organizationId, request(both('2')))).toMatchObject([
      { line: 0, location_id: at.MAIN, quantity: 2 },
      { line: 1, location_id: at.MAIN, quantity: 1 },
    ]);
    expect(await face.reserve(space.organizationId, request(both('4')))).toMatchObject([
      { line: 0, location_id: at.SHOP, quantity: 2 },
      { line: 0, location_id: at.MAIN, quantity: 2 },
      { line: 1, location_id: at.MAIN, quantity: 1 },
    ]);
    const lacking = face.reserve(space.organizationId, request([...both('1'), ...both('3')]));
    await expect(lacking).rejects.toThrow(/4 requested, 1 available/);
    await expect(face.reserve(space.organizationId, request(both('1'), { project_id: space.ops.id }))).rejects.toThrow(
      'item of the project',
    );
    expect(await stock(a)).toMatchObject({ reserved: '6', available: '1' });
  });

  it('consume, shorten, issue, and take back at the cost and into the lots of the issue', async () => {
    const id = await item({ tracking: 'lot', valuation_method: 'fifo' });
    await receive(id, '2', { cost_amount: 201, lot: { code: 'A', expires_on: '2199-01-01' } });
    await receive(id, '4', { cost_amount: 1000, lot: { code: 'B', expires_on: '2199-02-01' } });
    const [kept] = await face.reserve(space.organizationId, request([{ item_id: id, quantity: '4' }]));
    await expect(face.consume(space.organizationId, [{ reservation_id: kept.id, quantity: '5' }])).rejects.toThrow('this much open');
    const [issued] = await face.consume(space.organizationId, [{ reservation_id: kept.id, quantity: '3' }]);
    expect(issued).toMatchObject({ kind: 'issue', change: -3, cost_amount: -451, lots: [{ code: 'A' }, { code: 'B' }] });
    expect(await face.shorten(space.organizationId, kept.id, '1')).toEqual({ status: 'released', quantity: 4 });
    const line = { item_id: id, location_id: at.MAIN };
    await expect(
      face.issue(space.organizationId, [
        { ...line, quantity: '2' },
        { ...line, quantity: '2' },
      ]),
    ).rejects.toThrow('4 requested, 3');
    expect(await face.issue(space.organizationId, [{ ...line, quantity: '1' }])).toMatchObject([{ cost_amount: -250 }]);
    const back = await face.takeBack(space.organizationId, [{ movement_id: issued.id, quantity: '3' }]);
    expect(back.map(({ kind, change, lots }) => [kind, change, lots[0].code])).toEqual([
      ['receipt', 2, 'A'],
      ['receipt', 1, 'B'],
    ]);
    expect(back.reduce((sum, { cost_amount }) => sum + cost_amount, 0)).toBe(451);
    expect(await stock(id)).toMatchObject({ on_hand: '5', reserved: '0', value_amount: 951 });
    await expect(face.takeBack(space.organizationId, [{ movement_id: back[0].id, quantity: '1' }])).rejects.toThrow('must be an issue');
    await expect(face.takeBack(space.organizationId, [{ movement_id: issued.id, quantity: '1' }])).rejects.toThrow('0 is left');
  });

  it('take back an issue in parts: each lot once, to the cent, and never more than was issued', async () => {
    const id = await item({ tracking: 'serial' });
    for (const code of ['T1', 'T2', 'T3']) await receive(id, '1', { cost_amount: code === 'T1' ? 34 : 33, lot: { code } });
    const [issued] = await face.issue(space.organizationId, [{ item_id: id, location_id: at.MAIN, quantity: '3' }]);
    const takeBack = (quantity: string) => face.takeBack(space.organizationId, [{ movement_id: issued.id, quantity }]);
    const parts = [...(await takeBack('1')), ...(await takeBack('1')), ...(await takeBack('1'))];
    expect(parts.map(({ lots }) => lots[0].code)).toEqual(['T1', 'T2', 'T3']);
    expect(await stock(id)).toMatchObject({ on_hand: '3', value_amount: 100 });

    const plain = await item();
    await receive(plain, '10', { cost_amount: 1001 });
    const [sold] = await face.issue(space.organizationId, [{ item_id: plain, location_id: at.MAIN, quantity: '7' }]);
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => face.takeBack(space.organizationId, [{ movement_id: sold.id, quantity: '2' }])),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await face.takeBack(space.organizationId, [{ movement_id: sold.id, quantity: '1' }]);
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
  await eventually(left, (total) => total === 0, 15_000);
  expect([(await client.get(`${EXT}/items`)).body.data, (await live.get(`${EXT}/items`)).body.data]).toMatchObject([[], [{ sku: 'T-1' }]]);
});

it('the currency of a project and its first item cannot contradict each other', async () => {
  const owner = await space.signIn();
  const { id: project_id } = (await owner.post('/api/v1/org/projects', { key: `C${number++}`, name: 'Currency' })).body;
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
  expect((await member.get(`${ORG}/items?project_id=${project_id}`)).body.data).toHaveLength(2);
});
