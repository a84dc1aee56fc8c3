import { expect, test } from '@jest/globals';
import { degrees, PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import { formFieldsOf } from './form-fields.js';

async function read(change: (document: PDFDocument) => void) {
  const document = await PDFDocument.create();
  change(document);
  return formFieldsOf(await PDFDocument.load(await document.save({ updateFieldAppearances: false }), { updateMetadata: false }));
}

test('form fields are read with their values, options and rules', async () => {
  const fields = await read((document) => {
    const [page, second] = [document.addPage([400, 800]), document.addPage([400, 800])];
    const form = document.getForm();
    const text = form.createTextField('customer.name');
    text.setMaxLength(20);
    text.enableCombing();
    text.setText('Ada Łovelace');
    text.enableRequired();
    text.addToPage(page, { x: 40, y: 600, width: 200, height: 40, borderWidth: 0 });
    text.addToPage(second, { x: 40, y: 600, width: 100, height: 40, borderWidth: 0 });
    const box = form.createCheckBox('agreed');
    box.addToPage(page, { x: 40, y: 500, width: 20, height: 20, borderWidth: 0 });
    box.check();
    const choice = form.createRadioGroup('period');
    choice.addOptionToPage('Monthly', page, { x: 40, y: 400, width: 20, height: 20, borderWidth: 0 });
    choice.addOptionToPage('Yearly', page, { x: 80, y: 400, width: 20, height: 20, borderWidth: 0 });
    choice.select('Yearly');
    const list = form.createDropdown('country');
    list.addOptions(['Germany', 'France']);
    list.select('France');
    list.enableReadOnly();
    list.addToPage(page, { x: 40, y: 300, width: 100, height: 20, borderWidth: 0 });
    const secret = form.createTextField('pin');
    secret.enablePassword();
    secret.setText('1234');
    secret.addToPage(page, { x: 40, y: 200, width: 100, height: 20, borderWidth: 2 });
    // a beveled frame has two lines
    secret.acroField.getWidgets()[0].getBorderStyle()?.dict.set(PDFName.of('S'), PDFName.of('B'));
    const hidden = form.createTextField('hidden');
    hidden.addToPage(page, { x: 40, y: 100, width: 100, height: 20, hidden: true });
  });
  const plain = { options: [], option: null, required: false, read_only: false, multiline: false, max_length: null, frame: 0 };
  const name = { ...plain, name: 'customer.name', kind: 'text', value: 'Ada Łovelace', required: true, max_length: 20, cells: 20 };
  expect(fields).toEqual([
    { ...name, page: 1, x: 0.1, y: expect.closeTo(0.2), w: 0.5, h: expect.closeTo(0.05) },
    { ...plain, name: 'agreed', kind: 'checkbox', value: 'Yes', option: 'Yes', page: 1, x: 0.1, y: 0.35, ...square },
    { ...plain, ...period, option: 'Monthly', x: 0.1 },
    { ...plain, ...period, option: 'Yearly', x: 0.2 },
    expect.objectContaining({ name: 'country', kind: 'list', value: 'France', options: ['Germany', 'France'], read_only: true }),
    expect.objectContaining({ name: 'pin', kind: 'text', value: null, frame: 4 }),
    { ...name, page: 2, x: 0.1, y: expect.closeTo(0.2), w: expect.closeTo(0.25), h: expect.closeTo(0.05) },
  ]);
});

const square = { w: expect.closeTo(0.05), h: expect.closeTo(0.025) };
const period = {
  name: 'period',
  kind: 'choice',
  value: 'Yearly',
  options: ['Monthly', 'Yearly'],
  page: 1,
  y: expect.closeTo(0.475),
  ...square,
};

test.each([
  [0, [0.1, 0.3, 0.2, 0.1]],
  [90, [0.6, 0.1, 0.1, 0.2]],
  [180, [0.7, 0.6, 0.2, 0.1]],
  [270, [0.3, 0.7, 0.1, 0.2]],
])('a page turned by %i degrees shows a form field where a viewer does', async (turn, [x, y, w, h]) => {
  const [field] = await read((document) => {
    const page = document.addPage([1000, 1000]);
    page.setCropBox(100, 200, 500, 500);
    page.setRotation(degrees(turn));
    const text = document.getForm().createTextField('place');
    text.addToPage(page, { x: 150, y: 500, width: 100, height: 50, borderWidth: 0 });
  });
  expect([field.x, field.y, field.w, field.h]).toEqual([x, y, w, h].map((value) => expect.closeTo(value)));
});

test('a form that contains itself is read', async () => {
  const [field] = await read((document) => {
    const text = document.getForm().createTextField('loop');
    text.addToPage(document.addPage());
    text.acroField.dict.set(PDFName.of('Parent'), text.ref);
    text.acroField.dict.set(PDFName.of('Ff'), PDFNumber.of(1));
  });
  expect([field.kind, field.read_only]).toEqual(['text', true]);
});
