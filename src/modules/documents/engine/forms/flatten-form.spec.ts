import { expect, test } from '@jest/globals';
import { PDFArray, PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { openFile, type PdfiumFile } from '../pictures/pdfium.js';
import { flattenForm } from './flatten-form.js';
import { formFile, type FormOptions } from './form.fixture.js';
import { formFieldsOf } from './form-fields.js';

const NONE: ReadonlySet<string> = new Set();
const FORMS: Readonly<Record<string, FormOptions>> = {
  plain: {},
  'without appearances': { isBare: true },
  'whose appearances are out of date': { needsAppearances: true, useObjectStreams: true },
  'on a turned page': { turn: 90, crop: [20, 50, 360, 440], useObjectStreams: true },
  'without appearances on a turned page': { turn: 270, crop: [20, 50, 360, 440], isBare: true },
  'with tags and actions': { isTagged: true, hasActions: true },
};

async function open(pdf: Uint8Array): Promise<PdfiumFile> {
  const file = await openFile(pdf);
  if ('problem' in file) throw new Error(file.problem);
  return file;
}

/** The page in pixels of about 8 points, so that typefaces do not matter. */
async function seen(pdf: Uint8Array): Promise<Buffer> {
  const file = await open(pdf);
  const { width, height, data } = file.draw(1, 400) as NonNullable<ReturnType<PdfiumFile['draw']>>;
  file.close();
  return sharp(data, { raw: { width, height, channels: 3 } })
    .greyscale()
    .blur(6)
    .resize(50, 60, { fit: 'fill' })
    .raw()
    .toBuffer();
}

/** Which pixels are dark. */
async function outlines(pdf: Uint8Array): Promise<number[]> {
  const file = await open(pdf);
  const { data } = file.draw(1, 400) as NonNullable<ReturnType<PdfiumFile['draw']>>;
  file.close();
  return Array.from({ length: data.length / 3 }, (_, at) => at).filter((at) => data[at * 3] < 160);
}

async function textOn(pdf: Uint8Array): Promise<string> {
  const file = await open(pdf);
  const texts = file.texts(1).map(({ text }) => text.trim());
  file.close();
  return texts.join(' ').replace(/\s+/g, ' ');
}

test.each(Object.entries(FORMS))(
  'a form %s is drawn on the page as it was shown, and nothing of it can be changed any more',
  async (_, options) => {
    const pdf = await formFile(options);
    const flat = await flattenForm(pdf, NONE, 'en');
    expect(flat.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const [before, after] = [await seen(pdf), await seen(flat)];
    expect(Math.max(...before.map((value, index) => Math.abs(value - after[index])))).toBeLessThan(80);
    const text = await textOn(flat);
    for (const value of ['A form', 'Ada Lovelace', 'First line', 'Second line', 'France', 'Green']) expect(text).toContain(value);
    for (const cell of '98765') expect(text).toContain(cell);
    for (const gone of ['Concealed', 'Germany']) expect(text).not.toContain(gone);
    const document = await PDFDocument.load(flat, { updateMetadata: false });
    expect([document.catalog.has(PDFName.of('AcroForm')), formFieldsOf(document)]).toEqual([false, []]);
    // a page is drawn on once
    expect(await flattenForm(flat, NONE, 'en')).toBe(flat);
  },
);

test.each([{}, { turn: 90, crop: [20, 50, 360, 440] }] satisfies FormOptions[])(
  'fields that the parties fill in keep their backgrounds and frames (%j)',
  async (options) => {
    // the same form without any value
    const empty = await PDFDocument.load(await formFile({ ...options, isEmpty: true }));
    const names = ['person.name', 'note', 'code', 'box true', 'box false', 'choice', 'country'];
    const [before, after] = [
      await outlines(await empty.save()),
      await outlines(await flattenForm(await formFile(options), new Set(names), 'en')),
    ];
    expect(before.length).toBeGreaterThan(1_000);
    const [one, other] = [new Set(before), new Set(after)];
    const differing = [...before.filter((at) => !other.has(at)), ...after.filter((at) => !one.has(at))];
    expect(differing.length).toBeLessThan(before.length / 20);
  },
);

test('fields that the parties fill in leave their places empty', async () => {
  const text = await textOn(await flattenForm(await formFile(), new Set(['person.name', 'country']), 'en'));
  expect(text).toContain('First line');
  for (const gone of ['Ada', 'France']) expect(text).not.toContain(gone);
});

test('actions that could change what is shown are removed, and others stay', async () => {
  const document = await PDFDocument.load(await flattenForm(await formFile({ hasActions: true }), NONE, 'en'));
  const { catalog, context } = document;
  const { node } = document.getPage(0);
  expect(catalog.has(PDFName.of('OpenAction'))).toBe(false);
  expect(catalog.lookup(PDFName.of('Names'), PDFDict).has(PDFName.of('JavaScript'))).toBe(false);
  expect(node.lookup(PDFName.of('AA'), PDFDict).keys().map(String)).toEqual(['/C']);
  const links = (node.Annots() as PDFArray).asArray().map((link) => context.lookup(link, PDFDict).lookup(PDFName.of('A'))?.toString());
  expect(links).toEqual([undefined, expect.stringContaining('/URI')]);
});

test('the tags of fields become those of what is drawn', async () => {
  const document = await PDFDocument.load(await flattenForm(await formFile({ isTagged: true }), NONE, 'en'));
  const { context, catalog } = document;
  const root = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const page = document.getPage(0).node;
  const contents = root
    .lookup(PDFName.of('K'), PDFArray)
    .asArray()
    .map((element) => {
      const content = context.lookup(element, PDFDict).lookup(PDFName.of('K'), PDFArray).lookup(0, PDFDict);
      return [content.lookup(PDFName.of('Type'))?.toString(), Number(content.lookup(PDFName.of('MCID'))?.toString())];
    });
  expect(contents).toEqual(contents.map((_, index) => ['/MCR', index]));
  expect(contents.length).toBeGreaterThan(8);
  expect(page.has(PDFName.of('StructParents'))).toBe(true);
});
