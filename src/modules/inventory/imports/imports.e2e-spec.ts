import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY as EXT, openStock, ORG_INVENTORY as ORG } from '../testing/inventory-fixture.js';

const app = await sharedApp();
const { space, api, item, stock } = await openStock(app);

describe('CSV imports', () => {
  const send = async (path: string, file: string, headers: Record<string, string> = {}) =>
    (await space.signIn()).send('post', `${ORG}/imports/${path}`, file, { 'content-type': 'text/csv', ...headers });

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
    const withoutIds = (body: object) => JSON.stringify(body).replace(/"id":"[^"]+"/g, '"id":"ID"');
    const byHeader = await send(`items?${query}`, file, { 'svc-dry-run': 'true' });
    expect(withoutIds(byHeader.body)).toBe(withoutIds(dry.body));
    const done = await send(`items?${query}`, file);
    const { would_emit, would_send, ...checked } = dry.body;
    expect(done.body).toEqual({ ...checked, dry_run: false });
    expect([(would_emit as { type: string }[]).map(({ type }) => type), would_send]).toEqual([['item.created', 'item.created'], []]);
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

  it('has columns for custom fields, read by their types and the locale', async () => {
    const owner = await space.signIn();
    for (const field of [
      { key: 'weight', type: 'decimal', filterable: true },
      { key: 'tags', type: 'choices', options: ['a', 'b', '[1]'] },
      { key: 'fragile', type: 'boolean' },
      { key: 'packed', type: 'date' },
    ])
      await owner.post('/api/v1/org/custom-fields', { resource: 'inventory_item', label: 'L', ...field });
    const file = [
      'sku;name;Custom fields.Weight;custom_fields.tags;custom_fields.fragile;custom_fields.packed',
      'CF-1;A;1,25;a, b;ja;24.12.2026',
      'CF-2;B;2,5;c;nein;',
      'CF-3;C;much;;;',
      'CF-5;E;3;[1];;',
    ].join('\n');
    const { body } = await send(`items?project_id=${space.eng.id}&locale=de`, file);
    expect(body).toMatchObject({ imported: 2, failed: 2, ignored_columns: [] });
    const misspelt = await send(`items?project_id=${space.eng.id}`, 'sku,name,Custom fields.colour\nCF-6,A,red');
    expect([misspelt.status, misspelt.body.error.param, misspelt.body.error.message]).toEqual([
      400,
      'body',
      'body has the column Custom fields.colour, for which there is no custom field; remove the column, or name one of ' +
        'custom_fields.weight, custom_fields.tags, custom_fields.fragile, custom_fields.packed',
    ]);
    const counted = await send(`counts?project_id=${space.eng.id}`, 'sku,location,quantity,custom_fields.weight\nCF-1,MAIN,1,2');
    expect(counted.body.error).toMatchObject({ param: 'body', message: expect.stringContaining('remove the column') });
    expect(body.errors.map(({ row, param }: Record<string, unknown>) => [row, param])).toEqual([
      [2, 'custom_fields.tags'],
      [3, 'custom_fields.weight'],
    ]);
    const list = `${EXT}/items?custom_fields.max_weight=2`;
    const [found] = (await api.get(list)).body.data;
    expect(found).toMatchObject({ sku: 'CF-1', custom_fields: { weight: '1.25', tags: ['a', 'b'], fragile: true, packed: '2026-12-24' } });
    // an export can be imported
    const { text } = await api.get(list, { accept: 'text/csv' });
    const again = await send(`items?project_id=${space.eng.id}`, text.replace('CF-1', 'CF-4'));
    expect(again.body).toMatchObject({ imported: 1, failed: 0 });
    const copied = (await api.get(`${list}&q=CF-4`)).body.data;
    expect(copied).toMatchObject([{ sku: 'CF-4', custom_fields: found.custom_fields }]);
  });

  it('a barcode of another item or row is refused', async () => {
    await item({ barcode: '4002' });
    const file = ['sku,name,barcode', 'BAR-1,A,4001', 'BAR-2,B,4001', 'BAR-3,C,4002', 'BAR-4,D,', 'BAR-5,E,'].join('\n');
    const { body } = await send(`items?project_id=${space.eng.id}`, file);
    expect(body).toMatchObject({ imported: 3, failed: 2 });
    expect(body.errors.map(({ row, code, param }: Record<string, unknown>) => [row, code, param])).toEqual([
      [2, 'duplicate', 'barcode'],
      [3, 'duplicate', 'barcode'],
    ]);
  });

  it('rows that repeat one of the same hundred or an earlier one are refused alone', async () => {
    const sku = (row: number) => `MANY-${row === 120 ? 119 : row === 150 ? 3 : row}`;
    const rows = Array.from({ length: 205 }, (_, index) => `${sku(index + 1)},Lamp`);
    const { body } = await send(`items?project_id=${space.eng.id}`, `sku,name\n${rows.join('\n')}\n`);
    expect(body).toMatchObject({ imported: 203, failed: 2 });
    expect(body.errors.map(({ row, message }: Record<string, unknown>) => [row, message])).toEqual([
      [120, 'sku MANY-119 exists already: row 119 of the file'],
      [150, 'sku MANY-3 exists already: row 3 of the file'],
    ]);
  });

  it('nothing of a row is dropped in silence', async () => {
    const query = `project_id=${space.eng.id}&dry_run=true`;
    const unquoted = await send(`items?${query}`, 'sku,name\nCSV-7,Lamp, blue\nCSV-8,Lamp,,\n');
    expect(unquoted.body).toMatchObject({ imported: 1, errors: [{ row: 1, code: 'validation_failed', param: null }] });
    expect(unquoted.body.errors[0].message).toContain('more cells than there are headings');
    expect((await send(`items?${query}`, 'sku,Name,name\nCSV-7,a,b\n')).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'body',
    });
    for (const text of ['null', '{}', '5', 'PK\u0003\u0004'])
      expect((await send(`items?${query}`, text)).body.error).toMatchObject({ code: 'validation_failed', param: 'body' });
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
