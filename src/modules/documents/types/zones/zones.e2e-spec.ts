import { beforeAll, describe, expect, it } from '@jest/globals';
import { degrees, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { eventually } from '../../../../../test/harness/eventually.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import type { Client } from '../../../../../test/harness/client.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import { makeType, type TypeInput } from '../../testing/document-types.js';

const TYPES = '/api/v1/ext/papers/types';
const SCHEMA = {
  type: 'object',
  properties: {
    customer: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
  },
} as const;

const app = await sharedApp();
let space: Workspace;
let live: Client;
let test: Client;

beforeAll(async () => {
  space = await app.workspace();
  live = (await space.key({ module: 'documents' })).client;
  test = (await space.key({ module: 'documents', mode: 'test' })).client;
});

const make = async (input: TypeInput = {}) => (await makeType(app, space.ctx(), { field_schema: SCHEMA, ...input })).id;
const zone = (given: object = {}) => ({ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05, field: 'customer', kind: 'text', ...given });
const stored = (given: object = {}) => zone({ pattern: null, anchor_text: null, ...given });
const replace = (client: Client, id: string, zones: unknown, headers = {}) => client.put(`${TYPES}/${id}/zones`, zones as object, headers);

describe('the zones of a type', () => {
  it('are empty at first, and are replaced as a whole, sent as an array or an object', async () => {
    const id = await make();
    const none = await live.get(`${TYPES}/${id}/zones`);
    expect([none.body, none.headers.etag]).toEqual([{ object: 'document_type_zones', type_id: id, version: 0, zones: [] }, '"0"']);
    const zones = [
      zone({ pattern: '^[A-Z]{2}$', anchor_text: 'Customer:' }),
      zone({ page: 2, field: 'items.price', kind: 'number', x: 0.7, w: 0.3 }),
    ];
    const first = await replace(live, id, zones);
    expect([first.status, first.headers.etag, first.body]).toEqual([
      200,
      '"1"',
      { object: 'document_type_zones', type_id: id, version: 1, zones: [stored(zones[0]), stored(zones[1])] },
    ]);
    const second = await replace(live, id, { zones: [zone({ page: 3 })] });
    expect(second.body).toMatchObject({ version: 2, zones: [{ page: 3 }] });
    const read = await live.get(`${TYPES}/${id}/zones`);
    expect([read.body, read.headers.etag]).toEqual([second.body, '"2"']);
    const [listed] = (await live.get(TYPES)).body.data.filter((type: { id: string }) => type.id === id);
    expect(listed.zones_version).toBe(2);
    expect((await replace(live, id, [])).body).toMatchObject({ version: 3, zones: [] });
  });

  it('honor If-Match, also when there are no zones, and only one of two concurrent replacements succeeds', async () => {
    const id = await make();
    const responses = await Promise.all([1, 2].map((page) => replace(live, id, [zone({ page })], { 'if-match': '"0"' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    const rejected = responses.find(({ status }) => status === 412);
    expect([rejected?.body.error.code, rejected?.headers.etag]).toEqual(['version_conflict', '"1"']);
    expect((await replace(live, id, [zone()], { 'if-match': '"1"' })).status).toBe(200);
  });

  it('are the live ones for a test key until it replaces them with its own', async () => {
    const id = await make();
    await replace(live, id, [zone({ page: 1 })]);
    const seen = await test.get(`${TYPES}/${id}/zones`);
    expect([seen.body.zones[0].page, seen.headers.etag]).toEqual([1, '"1"']);
    const own = await replace(test, id, [zone({ page: 9 })], { 'if-match': seen.headers.etag });
    // The version continues from that of the live zones, so that an ETag "1" read from the live zones no longer matches.
    expect([own.status, own.body.version]).toEqual([200, 2]);
    await replace(live, id, [zone({ page: 5 })]);
    expect((await live.get(`${TYPES}/${id}/zones`)).body.zones[0].page).toBe(5);
    expect((await test.get(`${TYPES}/${id}/zones`)).body.zones[0].page).toBe(9);
  });

  it('refer to the published version, or to the draft if there is none', async () => {
    const id = await make({ published: false });
    expect((await replace(live, id, [zone()])).status).toBe(200);
    expect((await replace(live, id, [zone({ field: 'gone' })])).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'zones.0.field',
    });
  });

  it('of another project are 404 for a key bound to a project', async () => {
    const id = await make({ project_id: space.ops.id });
    const pinned = (await space.key({ module: 'documents', project_id: space.eng.id })).client;
    expect((await replace(pinned, id, [zone()])).body.error.code).toBe('not_found');
    expect((await live.get(`${TYPES}/${id}/zones`)).body.zones).toEqual([]);
  });

  it('of a type shared by all projects can be read but not replaced with a key bound to a project', async () => {
    const [shared, own] = [await make(), await make({ project_id: space.eng.id })];
    const pinned = (await space.key({ module: 'documents', project_id: space.eng.id })).client;
    const rejected = await replace(pinned, shared, [zone()]);
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'project_scope_mismatch']);
    expect((await pinned.get(`${TYPES}/${shared}/zones`)).body).toMatchObject({ version: 0, zones: [] });
    expect((await replace(pinned, own, [zone()])).status).toBe(200);
  });

  it('can also be set in the organization API, by members who may set up types', async () => {
    const id = await make();
    const path = `/api/v1/org/papers/types/${id}/zones`;
    const member = await space.signIn((await space.member('member')).email);
    expect((await member.put(path, [zone()])).body.error.code).toBe('permission_denied');
    expect((await (await space.signIn()).put(path, [zone()])).body.version).toBe(1);
    expect((await member.get(path)).body.zones).toHaveLength(1);
  });
});

describe('an invalid zone changes nothing, and the error names it', () => {
  it.each<[param: string, given: object]>([
    ['zones.1.page', { page: 0 }],
    ['zones.1.x', { x: -0.1 }],
    ['zones.1.w', { x: 0.8, w: 0.21 }],
    ['zones.1.h', { y: 0.96 }],
    ['zones.1.w', { w: 0 }],
    ['zones.1.field', { field: 'customer.name' }],
    ['zones.1.field', { field: 'items.colour' }],
    ['zones.1.kind', { kind: 'photo' }],
    ['zones.1.pattern', { pattern: '(' }],
    ['zones.1.pattern', { pattern: '^(?=a)' }],
    ['zones.1.pattern', { pattern: 'x'.repeat(501) }],
  ])('%s of %j', async (param, given) => {
    const id = await make();
    const { status, body } = await replace(live, id, [zone(), zone(given)]);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', param]);
    expect((await live.get(`${TYPES}/${id}/zones`)).body).toMatchObject({ version: 0, zones: [] });
  });

  it('more than 500 zones, or too many patterns that are costly to check', async () => {
    const id = await make();
    expect((await replace(live, id, Array(501).fill(zone()))).body.error.param).toBe('zones');
    expect((await replace(live, id, Array(500).fill(zone({ pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$' })))).status).toBe(200);
    const costly = (index: number) => zone({ pattern: `${'[a-z]{1000}'.repeat(45)}${index}` });
    const { body } = await replace(
      live,
      id,
      Array.from({ length: 500 }, (_, index) => costly(index)),
    );
    expect(body.error).toMatchObject({
      code: 'validation_failed',
      param: expect.stringMatching(/^zones\.\d+\.pattern$/),
      message: expect.stringContaining('makes the patterns too large'),
    });
  });
});

describe('reading a filled-in form', () => {
  const FORM = {
    type: 'object',
    required: ['customer', 'starts_on'],
    properties: {
      customer: { type: 'string' },
      vat_id: { type: 'string' },
      fee: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
      starts_on: { type: 'string', format: 'date' },
      agreed: { type: 'boolean' },
      insured: { type: 'boolean' },
      renewed: { type: 'boolean' },
      discount: { type: 'number' },
      note: { type: 'string' },
      phone: { type: 'string', 'x-format': 'phone' },
      items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, qty: { type: 'number' } } } },
    },
  } as const;

  /** A page of 600 x 800 points: printed text, and two form fields of which one is a box. */
  async function filledIn(rotation = 0): Promise<Buffer> {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([600, 800]);
    page.setRotation(degrees(rotation));
    page.drawText('Customer: Acme GmbH', { x: 60, y: 700, size: 12 });
    page.drawText('VAT ID  DE 123456789 (checked)', { x: 60, y: 660, size: 12 });
    page.drawText('12.500,50 EUR', { x: 60, y: 620, size: 12 });
    page.drawText('1 March 2026', { x: 60, y: 580, size: 12 });
    page.drawText('call me', { x: 60, y: 540, size: 12 });
    page.drawText('[x]', { x: 60, y: 500, size: 12 });
    page.drawText('Discount: 1 234', { x: 60, y: 460, size: 12 });
    for (const [index, row] of [
      ['Chairs', '4'],
      ['Tables', 'two'],
    ].entries()) {
      page.drawText(row[0], { x: 60, y: 400 - 20 * index, size: 12 });
      page.drawText(row[1], { x: 300, y: 400 - 20 * index, size: 12 });
    }
    const box = pdf.getForm().createCheckBox('agreed');
    box.addToPage(page, { x: 60, y: 300, width: 12, height: 12 });
    box.check();
    const note = pdf.getForm().createTextField('note');
    note.setText('Please hurry');
    note.addToPage(page, { x: 60, y: 240, width: 200, height: 20 });
    return Buffer.from(await pdf.save());
  }
  /** A zone around text at this height in points, as printed above. */
  const at = (field: string, y: number, given: object = {}) => ({
    page: 1,
    x: 0.08,
    y: (800 - y - 16) / 800,
    w: 0.4,
    h: 20 / 800,
    field,
    kind: 'text',
    pattern: null,
    anchor_text: null,
    ...given,
  });
  const ZONES = [
    at('customer', 700, { anchor_text: 'Customer:' }),
    at('vat_id', 660, { pattern: 'DE ?(\\d{9})' }),
    at('fee', 620, { kind: 'number' }),
    at('starts_on', 580, { kind: 'date' }),
    at('phone', 540),
    at('insured', 500, { kind: 'checkbox' }),
    at('renewed', 200, { kind: 'checkbox' }),
    at('discount', 460, { kind: 'number', pattern: 'Discount: ([0-9.,]+)' }),
    at('items.name', 380, { y: (800 - 420) / 800, h: 50 / 800, w: 0.2 }),
    at('items.qty', 380, { y: (800 - 420) / 800, h: 50 / 800, x: 0.45, w: 0.2, kind: 'number' }),
    at('agreed', 300, { kind: 'checkbox' }),
    at('note', 244),
    at('note', 100, { page: 2 }),
  ];
  const send = (screen: Client, id: string, file: Buffer) =>
    screen.post(`/api/v1/org/papers/types/${id}/zones/extract`, file as never, { 'content-type': 'application/pdf' });

  it('returns values by zone, pattern and form field, and reports what could not be read', async () => {
    const screen = await space.signIn();
    const id = await make({ field_schema: FORM });
    expect((await replace(live, id, ZONES)).status).toBe(200);
    const { status, body } = await send(screen, id, await filledIn());
    expect([status, body.pages, body.zones_version]).toEqual([200, 1, 1]);
    expect(body.data_values).toEqual({
      customer: 'Acme GmbH',
      vat_id: '123456789',
      fee: 1_250_050,
      starts_on: '2026-03-01',
      items: [{ name: 'Chairs', qty: 4 }, { name: 'Tables' }],
      agreed: true,
      insured: true,
      note: 'Please hurry',
    });
    expect(body.missing_required_fields).toEqual([]);
    const problems = body.zones.filter(({ problem }: { problem: string | null }) => problem !== null);
    expect(problems).toMatchObject([
      { field: 'phone', text: 'call me', problem: expect.stringContaining('must be a phone number') },
      { field: 'renewed', text: null, problem: expect.stringContaining('has neither a form field nor text') },
      { field: 'discount', text: 'Discount: 1 234', problem: expect.stringContaining('is a longer number') },
      { field: 'items.qty', problem: 'row 2 is not a number' },
      { field: 'note', page: 2, text: null, problem: 'the file has only 1 pages' },
    ]);
  });

  it('rejects files that are not PDFs, types without zones, and other organizations', async () => {
    const screen = await space.signIn();
    const id = await make({ field_schema: FORM });
    expect((await send(screen, id, await filledIn())).body.error).toMatchObject({ code: 'validation_failed', param: 'zones' });
    await replace(live, id, [ZONES[0]]);
    for (const file of [Buffer.from('%PDF-1.7 nothing'), Buffer.from('hello'), (await filledIn()).subarray(0, 300)])
      expect((await send(screen, id, file)).body.error).toMatchObject({ code: 'validation_failed', param: 'file' });
    const otherOwner = await (await app.workspace()).signIn();
    expect((await send(otherOwner, id, await filledIn())).status).toBe(404);
  });

  it('rejects a file with too much text, and answers other requests while it reads', async () => {
    const screen = await space.signIn();
    const id = await make({ field_schema: FORM });
    const printed = async (lines: number, width: number) => {
      const pdf = await PDFDocument.create();
      const page = pdf.addPage([600, 800]);
      const font = page.doc.context.register(page.doc.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }));
      page.node.setFontDictionary(PDFName.of('F1'), font);
      const content = Array.from({ length: lines }, (_, line) => `1 0 0 1 9 ${line % 800} Tm (${'x'.repeat(width)}) Tj`).join('\n');
      page.node.set(PDFName.of('Contents'), page.doc.context.register(page.doc.context.flateStream(`BT /F1 0.01 Tf ${content} ET`)));
      return Buffer.from(await pdf.save());
    };
    const everywhere = { x: 0, y: 0, w: 1, h: 1 };
    await replace(live, id, [at('note', 0, everywhere)]);
    // one too many: pdf.js has read the whole page by then, and does not confirm that the rest is not needed
    const large = await printed(100_001, 4);
    const read = async () => {
      const ended = new AbortController();
      const reading = send(screen, id, large).finally(() => ended.abort());
      let answered = 0;
      while (!ended.signal.aborted && answered < 5) {
        await live.get(`${TYPES}/${id}/zones`);
        if (!ended.signal.aborted) answered++;
      }
      return { answered, error: (await reading).body.error };
    };
    // if it blocked the process, one could be answered before and one after it, however often it is read
    const { error } = await eventually(read, ({ answered }) => answered === 5);
    const expected = { code: 'validation_failed', param: 'file' };
    expect(error).toMatchObject({
      ...expected,
      message: expect.stringMatching(/has more than 100,000 texts on the pages with zones/),
    });
    expect((await send(screen, id, await printed(20, 60_000))).body.error).toMatchObject({
      ...expected,
      message: expect.stringMatching(/has more than 1,000,000 characters on the pages with zones/),
    });
    await replace(live, id, Array(500).fill(at('note', 0, { ...everywhere, pattern: `${'[a-z]{1000}'.repeat(45)}` })));
    expect((await send(screen, id, await printed(800, 10))).body.error).toMatchObject({
      ...expected,
      message: expect.stringMatching(/in its zones/),
    });
  });
});
