import { expect, test } from '@jest/globals';
import { PDFDict, PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { poppler } from '../../testing/poppler.js';
import { keyFile } from '../sealing/seal-key.fixture.js';
import { SEALABLE, UNSEALABLE } from './odd-files.fixture.js';
import { isWellFormed } from './well-formed.js';
import { trial, type TriedFile } from './trial.js';

const key = keyFile();
const tools = poppler();

test.each(Object.entries(SEALABLE))('a file can be sealed: %s', async (_, bytes) => {
  expect(await trial(await bytes(), key)).toMatchObject({ kept: null });
});

test('what fails for another reason is no fault of the file', async () => {
  const [file] = Object.values(SEALABLE);
  await expect(trial(await file(), { ...key, passphrase: 'wrong' })).rejects.toThrow('The seal file cannot be read');
});

test.each(UNSEALABLE)('a file cannot be sealed: %s', async (_, bytes, reason) => {
  expect(await trial(await bytes(), key)).toEqual({ problem: expect.stringMatching(reason) });
});

test.each(['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const)(
  'a file that is encrypted with %s loses only its encryption',
  async (algorithm) => {
    const file = (await trial(await encrypted({ algorithm, permissions: { fillingForms: true } }), key)) as TriedFile;
    const { catalog, context } = await PDFDocument.load(file.kept as Uint8Array, { updateMetadata: false });
    expect(context.trailerInfo.Encrypt).toBeUndefined();
    expect(file.form_fields).toMatchObject([{ name: 'name', value: 'Ada Łovelace' }]);
    expect(catalog.lookup(PDFName.of('Names'), PDFDict).has(PDFName.of('EmbeddedFiles'))).toBe(true);
  },
);

test.each([
  ['a password', { userPassword: 'secret' }, 'is protected by a password'],
  ['restrictions', { permissions: { printing: 'highResolution' } }, 'its author permits neither changes nor signatures'],
] as const)('a file with %s is refused', async (_, options, reason) => {
  expect(await trial(await encrypted(options), key)).toEqual({ problem: expect.stringContaining(reason) });
});

test.each([
  ['the header', (at: number) => at, true],
  ['the first byte', (at: number, before: number) => at + before, false],
])('what stands before the header is left out if positions are counted from %s', async (_, position, isLeftOut) => {
  const before = Buffer.from('HTTP/1.1 200 OK\r\n\r\n');
  const plain = await SEALABLE.plain();
  const table = plain.lastIndexOf('startxref');
  const at = Number(/\d+/.exec(plain.toString('latin1', table))?.[0]);
  const start = position(at, before.length);
  const shifted = plain
    .toString('latin1', 0, table)
    .replace(/(\d{10}) (?=\d{5} n)/g, (_, row: string) => `${String(Number(row) + start - at).padStart(10, '0')} `);
  const file = Buffer.concat([before, Buffer.from(`${shifted}startxref\n${start}\n%%EOF\n`, 'latin1')]);
  const { kept } = (await trial(file, key)) as TriedFile;
  expect(kept && Buffer.from(kept).indexOf('%PDF-')).toBe(isLeftOut ? 0 : null);
});

test.each([
  [
    'is its own predecessor',
    (pdf: string) => pdf.replace(/(trailer\s*<<)/, `$1 /Prev ${pdf.lastIndexOf('xref', pdf.lastIndexOf('startxref') - 1)}`),
  ],
  ['has a wrong position', (pdf: string) => pdf.replace(/0000000(\d{3}) 00000 n/, '0000009$1 00000 n')],
  ['stands elsewhere', (pdf: string) => pdf.replace(/startxref\s+\d+/, 'startxref\n77')],
  ['does not say how long a stream is', (pdf: string) => pdf.replace(/\/Length \d+/, '/Length 99999')],
])('a file whose table of objects %s is written anew, unless it is signed', async (_, damage) => {
  const damaged = async (name: string) => Buffer.from(damage((await SEALABLE[name]()).toString('latin1')), 'latin1');
  const { kept } = (await trial(await damaged('with a title'), key)) as TriedFile;
  const copy = Buffer.from(kept as Uint8Array);
  const document = await PDFDocument.load(copy, { updateMetadata: false });
  expect(isWellFormed(copy, document)).toBe(true);
  expect([document.getTitle(), document.getProducer()]).toEqual(['Lease', 'Łódź']);
  const info = tools?.info(copy);
  if (info) expect(info).toMatchObject({ Title: 'Lease', Producer: 'Łódź', Pages: '2' });
  expect(Object.keys(info ?? {}).filter((line) => line.endsWith('Error'))).toEqual([]);
  expect(await trial(await damaged('with an ordinary signature'), key)).toEqual({
    problem: expect.stringContaining('and it is signed, so it cannot be repaired'),
  });
});

test('what lies outside of the visible page is not among its lines', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([500, 700]);
  page.setCropBox(50, 50, 400, 600);
  page.drawText('JOB 4711 / proof', { x: 60, y: 20, size: 12 });
  page.drawText('Lease', { x: 60, y: 600, size: 12 });
  page.drawText('iiiiiiiiiii', { x: 430, y: 300, size: 12 });
  for (const [value, y] of [
    ['Kept', 500],
    ['Cut off', 670],
  ] as const) {
    const field = document.getForm().createTextField(value);
    field.setText(value);
    field.addToPage(page, { x: 60, y, width: 100, height: 20 });
  }
  const { page_texts } = (await trial(Buffer.from(await document.save({ useObjectStreams: false })), key)) as TriedFile;
  expect(page_texts).toEqual([['Lease', 'Kept', expect.stringMatching(/^i{7,9}$/)]]);
});

async function encrypted(options: Parameters<PDFDocument['encrypt']>[0]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const field = document.getForm().createTextField('name');
  field.addToPage(document.addPage());
  field.acroField.setValue(PDFHexString.fromText('Ada Łovelace'));
  await document.attach(Buffer.from('attached'), 'note.txt');
  await document.flush();
  document.encrypt({ ownerPassword: 'owner', allowWeakCryptography: true, ...options });
  return document.save({ updateFieldAppearances: false });
}
