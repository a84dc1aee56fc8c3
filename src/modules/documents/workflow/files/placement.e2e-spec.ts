import { expect, test } from '@jest/globals';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';
import { party } from '../../testing/signing-fixture.js';

const [WIDTH, HEIGHT] = [600, 800];
const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);
const { code } = await workflow.type({
  field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
  signature_parties: [party('customer')],
});

/** Each text stands at 60, 400 on a page of its own, which is turned and cropped. */
async function pdfOf(...pages: { text: string; turn?: number; crop?: [number, number, number, number] }[]): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  for (const { text, turn = 0, crop } of pages) {
    const page = document.addPage([WIDTH, HEIGHT]);
    page.drawText(text, { x: 60, y: 400, size: 20 });
    page.setRotation(degrees(turn));
    if (crop) page.setCropBox(...crop);
  }
  return document;
}

async function draftOf(document: PDFDocument) {
  const file_base64 = Buffer.from(await document.save()).toString('base64');
  const { id } = await workflow.draft(code, { data_values: { customer: 'Ada', customer_email: 'ada@example.com' }, file_base64 });
  const path = `${DOCUMENTS}/${id}/file`;
  const place = (...fields: object[]) =>
    workflow.api.put(`${path}/fields`, { fields: fields.map((field, n) => ({ ...BASE, key: `f${n}`, ...field })) });
  const replace = async (other: PDFDocument) =>
    (await workflow.api.put(path, { content_base64: Buffer.from(await other.save()).toString('base64') })).body;
  return { place, replace };
}

const BASE = { party: 'customer', kind: 'signature' };
const SIZE = { w: 0.1, h: 0.05 };
const at = (text: string, over: object = {}) => ({ ...SIZE, anchor: { text, ...over } });
/** 20 points: the size of the letters is not that of their type. */
const NEAR = 20 / WIDTH;

test('a text of the file places a field on pages that are turned and cropped', async () => {
  const { place } = await draftOf(
    await pdfOf(
      { text: 'Upright' },
      { text: 'Right', turn: 90 },
      { text: 'Down', turn: 180 },
      { text: 'Left', turn: 270 },
      {
        text: 'Cropped',
        crop: [40, 100, 300, 400],
      },
    ),
  );
  const { body } = await place(at('Upright'), at('Right'), at('Down'), at('Left'), at('Cropped'));
  const expected = [
    { page: 1, x: 60 / WIDTH, y: 1 - 415 / HEIGHT },
    { page: 2, x: 400 / HEIGHT, y: 60 / WIDTH },
    // from the end of the text, whose width is that of its letters
    { page: 3, x: 1 - (60 + 50) / WIDTH, y: 400 / HEIGHT },
    { page: 4, x: 1 - 415 / HEIGHT, y: 1 - (60 + 33) / WIDTH },
    { page: 5, x: 20 / 300, y: (500 - 415) / 400 },
  ];
  for (const [index, { page, x, y }] of expected.entries()) {
    const found = body.fields[index];
    expect([index, found.page, Math.abs(found.x - x) < NEAR, Math.abs(found.y - y) < NEAR, found]).toEqual([
      index,
      page,
      true,
      true,
      expect.anything(),
    ]);
    expect(found).toMatchObject(SIZE);
  }
});

test('white space and ligatures do not count, and a text in several places needs its number', async () => {
  const document = await pdfOf({ text: 'Signature  of the\ntenant' }, { text: 'Sign here' }, { text: 'Sign here' });
  document.getPage(1).drawText('Sign here', { x: 60, y: 100, size: 20 });
  const { place, replace } = await draftOf(document);
  const one = await place(at('Signature of the tenant', { dx: 0.2, dy: -0.01 }));
  expect(one.body.fields).toMatchObject([
    { page: 1, anchor: { text: 'Signature of the tenant', occurrence: null, page: null, dx: 0.2, dy: -0.01 } },
  ]);
  const error = async (...fields: object[]) => {
    const { code: what, param, message } = (await place(...fields)).body.error;
    expect(['validation_failed', 'missing_fields']).toContain(what);
    return [param, message];
  };
  expect(await error(at('Sign  here'))).toEqual([
    'fields.0.anchor.occurrence',
    'fields.0.anchor.occurrence is required: the text stands in the file 3 times, on the pages 2, 3',
  ]);
  expect(await error(at('Sign here', { occurrence: 4 }))).toEqual(['fields.0.anchor.occurrence', expect.stringContaining('at most 3')]);
  expect(await error(at('Sign here', { page: 1 }))).toEqual(['fields.0.anchor.text', 'fields.0.anchor.text was not found on page 1']);
  expect(await error(at('Landlord'))).toEqual(['fields.0.anchor.text', 'fields.0.anchor.text was not found in the file']);
  expect(await error(at('Sign here', { page: 3, dx: -0.5 }))).toEqual(['fields.0.anchor.dx', expect.stringContaining('outside')]);
  expect(await error({ anchor: { text: 'Sign here', page: 3 }, w: 0.1 })).toEqual(['fields.0.h', 'fields.0.h is required with anchor']);
  expect(await error({ page: 1, x: 0.1, y: 0.1, w: 0.1 })).toEqual([
    'fields.0.h',
    expect.stringContaining('by anchor, w and h, or by form_field'),
  ]);
  expect(await error({ ...at('Sign here', { page: 3 }), form_field: 'name' })).toEqual(['fields.0.form_field', expect.anything()]);
  expect(await error({ ...at('Sign here', { page: 3 }), x: 0.9 })).toEqual([
    'fields.0.x',
    expect.stringContaining('must be left out with anchor'),
  ]);
  const { fields } = (await place(at('Sign here', { occurrence: 2 }), at('Sign here', { page: 3 }), { page: 1, x: 0, y: 0, ...SIZE })).body;
  expect(fields).toMatchObject([{ page: 2 }, { page: 3 }, { page: 1, anchor: null, form_field: null }]);
  expect(fields[0].y).toBeGreaterThan(0.8);
  // what was read may be sent back
  expect((await place(...fields)).body.fields).toEqual(fields);
  // in another file a field stands where its text does, and without the text nowhere
  const moved = await replace(
    await pdfOf({ text: 'Another' }, { text: 'page' }, { text: 'page' }, { text: 'Nothing' }, { text: 'Sign here', turn: 90 }),
  );
  expect(moved).toMatchObject({ fields: [{ key: 'f2', page: 1 }], dropped_fields: ['f0', 'f1'] });
  expect((await place(at('Sign here'))).body.fields).toMatchObject([{ page: 5 }]);
  const again = await replace(await pdfOf({ text: 'Sign here' }));
  expect(again).toMatchObject({ fields: [{ page: 1 }], dropped_fields: [] });
  expect(Math.abs(again.fields[0].x - 60 / WIDTH)).toBeLessThan(NEAR);
});

test('a form field gives its place, and its kind', async () => {
  const document = await pdfOf({ text: 'Form' }, { text: 'Turned', turn: 90 });
  const form = document.getForm();
  form.createTextField('customer.name').addToPage(document.getPage(0), { x: 60, y: 600, width: 120, height: 40, borderWidth: 0 });
  form.createTextField('place').addToPage(document.getPage(1), { x: 60, y: 600, width: 120, height: 40, borderWidth: 0 });
  const twice = form.createTextField('twice');
  for (const y of [100, 200]) twice.addToPage(document.getPage(0), { x: 60, y, width: 120, height: 40 });
  const lines = form.createTextField('note');
  lines.enableMultiline();
  lines.setText('First\rSecond\r\nThird');
  lines.addToPage(document.getPage(0), { x: 60, y: 500, width: 120, height: 60 });
  const { place } = await draftOf(document);
  const text = { kind: undefined, label: 'Name' };
  const { form_fields, fields: withLines } = (await place({ kind: undefined, form_field: 'note' })).body;
  expect(withLines).toMatchObject([{ kind: 'text', default: 'First\nSecond\nThird' }]);
  expect((await place(...withLines)).body.fields).toEqual(withLines);
  const multiline = form_fields.map(({ name, multiline }: Record<string, unknown>) => [name, multiline]);
  expect(Object.fromEntries(multiline)).toMatchObject({ note: true, place: false });
  const { fields } = (await place({ ...text, form_field: 'customer.name' }, { ...text, form_field: 'place' }, { form_field: 'place' }))
    .body;
  expect(fields.map(({ kind, page, form_field }: Record<string, unknown>) => [kind, page, form_field])).toEqual([
    ['text', 1, 'customer.name'],
    ['text', 2, 'place'],
    ['signature', 2, 'place'],
  ]);
  const near = (value: number) => expect.closeTo(value, 2) as unknown;
  expect(fields[0]).toMatchObject({ x: near(60 / WIDTH), y: near(160 / HEIGHT), w: near(120 / WIDTH), h: near(40 / HEIGHT) });
  expect(fields[1]).toMatchObject({ x: near(600 / HEIGHT), y: near(60 / WIDTH), w: near(40 / HEIGHT), h: near(120 / WIDTH) });
  const { error } = (await place({ form_field: 'name' })).body;
  expect(error).toMatchObject({ param: 'fields.0.form_field', allowed: ['customer.name', 'twice', 'note', 'place'] });
  expect((await place({ form_field: 'twice' })).body.error.message).toContain('stands in several places');
  expect((await place({ kind: undefined, ...at('Form') })).body.error).toMatchObject({ param: 'fields.0.kind' });
});

test('boxes, buttons and lists of a form are filled in as the form says', async () => {
  const document = await pdfOf({ text: 'Form' });
  const [form, page] = [document.getForm(), document.getPage(0)];
  form.createCheckBox('pets').addToPage(page, { x: 60, y: 700, width: 16, height: 16 });
  const pays = form.createRadioGroup('pays');
  pays.addOptionToPage('monthly', page, { x: 60, y: 600, width: 16, height: 16, borderWidth: 0 });
  pays.addOptionToPage('yearly', page, { x: 160, y: 600, width: 16, height: 16, borderWidth: 0 });
  pays.select('yearly');
  const country = form.createDropdown('country');
  country.addOptions(['Norway', 'Côte  d’Ivoire']);
  country.addToPage(page, { x: 60, y: 500, width: 120, height: 20 });
  const { place, replace } = await draftOf(document);
  const given = ['pets', 'pays', 'country'].map((form_field) => ({ kind: undefined, form_field }));
  const { fields } = (await place(...given)).body;
  expect(fields).toMatchObject([
    { kind: 'checkbox', label: 'pets', required: false, default: null },
    {
      kind: 'choice',
      default: 'yearly',
      options: [
        { value: 'monthly', place: { page: 1 } },
        { value: 'yearly', place: { page: 1 } },
      ],
    },
    { kind: 'list', options: [{ value: 'Norway' }, { value: 'Côte d’Ivoire' }] },
  ]);
  const [monthly, yearly] = fields[1].options;
  expect(yearly.place.x - monthly.place.x).toBeCloseTo(100 / WIDTH, 2);
  expect(fields[1]).toMatchObject({ x: monthly.place.x, w: expect.closeTo(116 / WIDTH, 2) as unknown });
  // what the caller says wins
  expect((await place({ ...given[1], default: null, label: 'Payment' })).body.fields).toMatchObject([{ label: 'Payment', default: null }]);
  expect((await replace(await pdfOf({ text: 'No form' }))).fields).toEqual([]);
});
