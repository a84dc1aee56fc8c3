import { expect, test } from '@jest/globals';
import { type PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { poppler } from '../../testing/poppler.js';
import { flattenForm } from '../forms/flatten-form.js';
import { formFile } from '../forms/form.fixture.js';
import { openFile } from '../pictures/pdfium.js';
import { executedFile } from '../sealing/executed-file.js';
import { seal } from '../sealing/seal.js';
import { keyFile } from '../sealing/seal-key.fixture.js';
import { formToFill } from '../forms/filled-form.js';
import { stampPdf } from '../stamping/stamp-pdf.js';
import { trial } from '../trial/trial.js';
import { openForUpdate, updated } from '../updates/file-update.js';
import { permitsOnlyFilling, restrictionOf } from './restrictions.js';
import { signaturesOf } from './signatures.js';

const tools = poppler();
const key = keyFile();
const options = { ...key, reason: 'Checked', location: '', name: 'Agency', signingTime: new Date('2026-02-11T10:00:00Z') };
const signed = await seal(await formFile({ turn: 90 }), options);

async function signatures(pdf: Buffer) {
  return signaturesOf(await PDFDocument.load(pdf, { updateMetadata: false }), pdf);
}

const SIGNATURE = { signer: 'Seal of the test', signed_at: '2026-02-11T10:00:00.000Z', kind: 'signature' };

test('what a signature covers is checked, and how far it covers the file', async () => {
  expect(await signatures(signed)).toEqual([{ ...SIGNATURE, is_intact: true, covers_file: true }]);
  const later = Buffer.concat([signed, Buffer.from('\n')]);
  expect(await signatures(later)).toMatchObject([{ is_intact: true, covers_file: true }]);
  const document = await openForUpdate(signed);
  document.catalog.set(PDFName.of('Lang'), PDFHexString.fromText('en'));
  expect(await signatures(await updated(document))).toEqual([{ ...SIGNATURE, is_intact: true, covers_file: false }]);
  const changed = Buffer.from(signed);
  changed.write('Q form', changed.indexOf('A form') < 0 ? 20 : changed.indexOf('A form'), 'latin1');
  expect(await signatures(changed)).toEqual([{ ...SIGNATURE, is_intact: false, covers_file: true }]);
});

test('a signature that leaves out more than itself is not intact', async () => {
  const at = signed.lastIndexOf('/ByteRange');
  const [, length, behind, rest] = (/\[(\d+) (\d+) (\d+) (\d+)/.exec(signed.toString('latin1', at)) as RegExpExecArray)
    .slice(1)
    .map(Number);
  const moved = Buffer.from(signed);
  const range = `/ByteRange [0 ${length} ${behind + 20} ${rest - 20}`;
  moved.write(range, at, 'latin1');
  expect(await signatures(moved)).toMatchObject([{ is_intact: false, covers_file: false }]);
});

test('a signed file gets signatures as annotations and the certificate as an attachment, and its own signature stays valid', async () => {
  expect(await trial(signed, key)).toMatchObject({ earlier_signatures: [{ is_intact: true, covers_file: true }] });
  expect(await flattenForm(signed, new Set(), 'en')).toBe(signed);
  const cleared = await flattenForm(signed, new Set(['person.name']), 'en');
  const stamp = { page: 1, x: 0.1, y: 0.7, w: 0.3, h: 0.1, text: 'Grace Hopper', isSignature: true, png: null };
  const certificate = Buffer.from(await (await PDFDocument.create()).save());
  const execution = { stamps: [stamp], language: 'en', certificate: () => certificate };
  const sealed = await executedFile(await openForUpdate(cleared), execution, { ...options, signingTime: new Date('2026-03-01T10:00:00Z') });
  expect(sealed.subarray(0, signed.length).equals(signed)).toBe(true);
  const found = await signatures(sealed);
  expect(found.map(({ is_intact, covers_file }) => [is_intact, covers_file])).toEqual([
    [true, false],
    [true, true],
  ]);
  const document = await PDFDocument.load(sealed, { updateMetadata: false });
  const [page] = document.getPages();
  expect([document.getPageCount(), page.node.Contents()?.toString()]).toEqual([
    1,
    (await PDFDocument.load(signed)).getPage(0).node.Contents()?.toString(),
  ]);
  const types = (page.node.Annots() as PDFArray)
    .asArray()
    .map((one) => document.context.lookup(one, PDFDict).lookup(PDFName.of('Subtype')));
  expect(types.map(String).filter((type) => type !== '/Widget')).toEqual(['/Stamp', '/FileAttachment']);
  if (tools) expect(tools.signatures(sealed).match(/Signature is Valid/g)).toHaveLength(2);
  // where the stamp is, the page is white before it
  const inked = await Promise.all([signed, sealed].map((pdf) => darkAt(pdf, stamp)));
  expect([inked[0], inked[1] > 20]).toEqual([0, true]);
});

async function darkAt(pdf: Buffer, { x, y, w, h }: { x: number; y: number; w: number; h: number }): Promise<number> {
  const file = await openFile(pdf);
  if ('problem' in file) throw new Error(file.problem);
  const { width, height, data } = file.draw(1, 500) as NonNullable<ReturnType<typeof file.draw>>;
  file.close();
  let dark = 0;
  for (let row = Math.round(y * height); row < (y + h) * height; row++)
    for (let column = Math.round(x * width); column < (x + w) * width; column++) if (data[(row * width + column) * 3] < 100) dark++;
  return dark;
}

test.each([
  [{ Action: 'All' }, /locks all/],
  [{ Action: 'Exclude', Fields: [PDFHexString.fromText('note')] }, /locks all/],
  [{ Action: 'Include', Fields: [PDFHexString.fromText('person')] }, null],
  [{ Action: 'Include', Fields: [], P: 1 }, /permits no changes/],
])('locks of a signature are respected: %j', async (lock, reason) => {
  const document = await openForUpdate(signed);
  const field = document.getForm().getField('Seal').acroField.dict;
  field.set(PDFName.of('Lock'), document.context.obj(lock));
  const locked = await updated(document);
  const restriction = restrictionOf(await PDFDocument.load(locked, { updateMetadata: false }));
  expect(restriction).toEqual(reason === null ? null : expect.stringMatching(reason));
  if (reason === null) await expect(flattenForm(locked, new Set(['person.name']), 'en')).rejects.toThrow('locks a form field');
});

test('a signature that permits only to fill in keeps values inside of form fields', async () => {
  const document = await openForUpdate(signed);
  const field = document.getForm().getField('Seal').acroField.dict;
  field.set(PDFName.of('Lock'), document.context.obj({ Action: 'Include', Fields: [], P: 2 }));
  const locked = await updated(document);
  expect(permitsOnlyFilling(await PDFDocument.load(locked, { updateMetadata: false }))).toBe(true);
  const outside = { page: 1, x: 0.7, y: 0.9, w: 0.2, h: 0.05, text: 'Ada', isSignature: false, png: null };
  await expect(stampPdf(locked, [outside], 'en', formToFill)).rejects.toThrow('permits only to fill in its form fields');
});
