import { expect, test } from '@jest/globals';
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, type PDFPage, type PDFRawStream } from '@cantoo/pdf-lib';
import { poppler } from '../../testing/poppler.js';
import { openFile, type Pixels } from '../pictures/pdfium.js';
import { readZones } from '../reading/pdf-text.js';
import { UNBALANCED } from '../trial/odd-files.fixture.js';
import { balanceOf } from './page-contents.js';
import { stampPdf } from './stamp-pdf.js';

const tools = poppler();

(tools ? test : test.skip)('a long text wraps in its box without breaking a word', async () => {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  const text = 'The tenant returns the keys of the flat, the cellar and the letter box at the latest on the day on which the lease ends.';
  const place = { page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.08, png: null, isSignature: false };
  const stamped = await stampPdf(await document.save(), [{ ...place, text }], 'en');
  const lines = (tools as NonNullable<typeof tools>).text(stamped).trim().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(text);
});

test('a text on several lines keeps them, and begins at the top of its box', async () => {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  const box = { page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.2 };
  const stamp = { ...box, text: 'Main St 1\n\nTown', png: null, isSignature: false, isMultiline: true };
  const read = await openFile(await stampPdf(await document.save(), [stamp], 'en'));
  if ('problem' in read) throw new Error(read.problem);
  const texts = read.texts(1);
  read.close();
  expect(texts.map(({ text }) => text)).toEqual(['Main St 1', 'Town']);
  expect(texts[0].y).toBeLessThan(0.22);
  // an empty line is between them
  expect(texts[1].y - texts[0].y).toBeGreaterThan(2 * texts[0].h);
});

test('each character of a text stands in its cell, unless there are too few cells', async () => {
  const document = await PDFDocument.create();
  document.addPage([400, 400]);
  const box = { page: 1, x: 0.1, w: 0.8, h: 0.05, png: null, isSignature: false, frame: 1, cells: 8 };
  const stamps = [
    { ...box, y: 0.2, text: 'A1  i9' },
    { ...box, y: 0.6, text: 'nine cells' },
  ];
  const read = await openFile(await stampPdf(await document.save(), stamps, 'en'));
  if ('problem' in read) throw new Error(read.problem);
  const texts = read.texts(1).filter(({ text }) => text.trim() !== '');
  read.close();
  const letters = texts.filter(({ y }) => y < 0.4).flatMap(({ text, x, w }) => [[text, Math.floor((x + w / 2 - 0.1) / 0.1)]]);
  expect(letters).toEqual([
    ['A', 0],
    ['1', 1],
    ['i', 4],
    ['9', 5],
  ]);
  expect(texts.at(-1)?.text).toBe('nine cells');
});

test('a word whose letters join is made smaller, not broken, and what is read from the right takes no cells', async () => {
  const document = await PDFDocument.create();
  document.addPage([400, 400]);
  const box = { page: 1, x: 0.05, h: 0.1, png: null, isSignature: false };
  const stamps = [
    { ...box, y: 0.05, w: 0.06, text: 'فأسقيناكموه' },
    { ...box, y: 0.5, w: 0.9, text: 'שלום', frame: 1, cells: 8 },
  ];
  const read = await openFile(await stampPdf(await document.save(), stamps, 'en'));
  if ('problem' in read) throw new Error(read.problem);
  const texts = read.texts(1);
  read.close();
  expect(texts.map(({ text, w }) => [text, w < 0.1])).toEqual([
    ['فأسقيناكموه', true],
    ['שלום', true],
  ]);
});

test('a text in a form field keeps clear of its frame', async () => {
  const document = await PDFDocument.create();
  document.addPage([400, 400]);
  const box = { page: 1, x: 0.25, y: 0.25, w: 0.5, h: 0.5, png: null, isSignature: false };
  // letters with a stem at their left and right sides
  const stamp = { ...box, text: 'HEH', isMultiline: true };
  const look = { size: 12, align: 'right', isTop: true, color: '#000000' } as const;
  const pdf = await document.save();
  for (const frame of [0, 1, 3]) {
    const inset = (frame + 2) / 400;
    const [left, right] = [
      await inked(pdf, await stampPdf(pdf, [{ ...stamp, frame }], 'en')),
      await inked(pdf, await stampPdf(pdf, [{ ...stamp, frame, look }], 'en')),
    ];
    expect(left.left - 0.25).toBeGreaterThanOrEqual(inset - 0.001);
    expect(left.left - 0.25).toBeLessThan(inset + 0.006);
    expect(left.top - 0.25).toBeGreaterThanOrEqual(inset - 0.001);
    expect(0.75 - right.right).toBeGreaterThanOrEqual(inset - 0.001);
    expect(0.75 - right.right).toBeLessThan(inset + 0.008);
  }
});

/** A file of one page that two others repeat: contents, resources and boxes of all pages are the same objects. */
async function file(contents: string, change: (page: PDFPage) => void = () => undefined): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const pages = [1, 2].map(() => document.addPage([600, 800]));
  const { context } = document;
  const shared = context.register(context.obj([context.register(context.stream(contents))]));
  const resources = context.register(context.obj({}));
  for (const page of pages) {
    page.node.set(PDFName.of('Contents'), shared);
    page.node.set(PDFName.of('Resources'), resources);
    change(page);
  }
  return document.save();
}

const PLACE = { page: 1, x: 0.5, y: 0.25, w: 0.4, h: 0.05, text: 'Wanted', png: null, isSignature: true };

/** What a reader finds at the place of the stamp on both pages. */
async function found(pdf: Uint8Array): Promise<string[][]> {
  const stamped = await stampPdf(pdf, [PLACE], 'en');
  const read = await readZones(
    stamped,
    [1, 2].map((page) => ({ ...PLACE, page, separator: null })),
  );
  return 'problem' in read ? [[read.problem]] : read.contents.map((content) => content?.lines ?? []);
}

test.each(Object.entries(UNBALANCED))('stands in its place on its page only, whatever the page leaves behind: %s', async (_, contents) => {
  expect(await found(await file(contents))).toEqual([['Wanted'], []]);
});

test.each([
  ['beyond the page', [-500, -500, 700, 400], { left: 0, bottom: 0, width: 600, height: 400 }],
  ['inside of it', [100, 100, 300, 500], { left: 100, bottom: 100, width: 200, height: 400 }],
  ['outside of it', [700, 900, 900, 1000], { left: 0, bottom: 0, width: 600, height: 800 }],
  ['without an area', [5, 5, 5, 5], { left: 0, bottom: 0, width: 600, height: 800 }],
])('is placed on what readers show of a page: a CropBox %s', async (_, box, { left, bottom, width, height }) => {
  const pdf = await file('', ({ node, doc: { context } }) => node.set(PDFName.of('CropBox'), context.obj(box)));
  const stamped = await PDFDocument.load(await stampPdf(pdf, [PLACE], 'en'));
  const contents = stamped.getPage(0).node.Contents() as PDFArray;
  const drawing = decodePDFRawStream(contents.lookup(contents.size() - 1) as PDFRawStream).decode();
  expect(Buffer.from(drawing).toString()).toContain(`1 0 0 1 ${left} ${bottom} cm`);
  const resources = stamped.getPage(0).node.Resources() as PDFDict;
  const [overlay] = resources.lookup(PDFName.of('XObject'), PDFDict).values();
  expect((stamped.context.lookup(overlay) as PDFRawStream).dict.lookup(PDFName.of('BBox'), PDFArray).asRectangle()).toMatchObject({
    width,
    height,
  });
  expect((await found(pdf))[0]).toEqual(['Wanted']);
});

/** The part of a picture that a viewer draws darker than without the stamp, in fractions of the page. */
async function inked(pdf: Uint8Array, stamped: Uint8Array) {
  const [before, after] = await Promise.all([pdf, stamped].map((bytes) => pixelsOf(bytes)));
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  const ink = [...after.data.keys()].filter((index) => after.data[index] !== before.data[index]).map((index) => Math.floor(index / 3));
  const [xs, ys] = [
    ink.map((index) => (index % after.width) / after.width),
    ink.map((index) => Math.floor(index / after.width) / after.height),
  ];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const file = await openFile(bytes);
  if ('problem' in file) throw new Error(file.problem);
  const pixels = file.draw(1, 400);
  file.close();
  if (pixels === null) throw new Error('not drawn');
  return pixels;
}

test.each([0, 90, 180, 270, -90, 450])('stands upright where the sender put it on a page that is turned by %i degrees', async (angle) => {
  const pdf = await file('0.9 g 60 60 200 300 re f', ({ node, doc: { context } }) => {
    node.set(PDFName.of('Rotate'), context.obj(angle));
    node.set(PDFName.of('MediaBox'), context.obj([-50, 20, 550, 820]));
    node.set(PDFName.of('CropBox'), context.obj([0, 100, 500, 800]));
  });
  const { left, top, right, bottom } = await inked(pdf, await stampPdf(pdf, [PLACE], 'en'));
  expect(left).toBeGreaterThanOrEqual(PLACE.x - 0.01);
  expect(right).toBeLessThanOrEqual(PLACE.x + PLACE.w + 0.01);
  expect(top).toBeGreaterThanOrEqual(PLACE.y - 0.01);
  expect(bottom).toBeLessThanOrEqual(PLACE.y + PLACE.h + 0.01);
  // a word is wider than high
  expect(right - left).toBeGreaterThan(bottom - top);
  expect((await found(pdf))[0]).toEqual(['Wanted']);
});

test('what is shown of a page stays as it is: a surplus Q has no effect', () => {
  expect(balanceOf(Buffer.from('Q 2 0 0 2 0 0 cm Q 0 0 9 9 re f'))).toEqual({
    repaired: Buffer.from('  2 0 0 2 0 0 cm   0 0 9 9 re f'),
    closing: '',
  });
  expect(balanceOf(Buffer.from('q BT /A BMC q Q 0 0 m'))).toEqual({ repaired: null, closing: 'ET n EMC Q' });
});

(tools ? test : test.skip).each([
  ['longer', '99'],
  ['shorter', '05'],
])('stands where viewers show it although a content stream says to be %s than it is', async (_, said) => {
  const document = await PDFDocument.create();
  const { node, doc } = document.addPage([600, 800]);
  node.set(PDFName.of('Contents'), doc.context.register(doc.context.stream('0.9 g 50 50 100 100 re f')));
  const sound = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
  const pdf = Buffer.from(sound.replace(/\/Length 24\b/, `/Length ${said}`), 'latin1');
  expect(pdf.includes(`/Length ${said}`)).toBe(true);
  expect((tools as NonNullable<typeof tools>).text(await stampPdf(pdf, [PLACE], 'en')).split('\n')[0]).toBe('Wanted');
});
