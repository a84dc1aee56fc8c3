import { expect, test } from '@jest/globals';
import { PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib';
import { pageCount } from '../reading/pdf-text.js';
import { openForUpdate, updated } from './file-update.js';

async function fileWith(useObjectStreams: boolean): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([300, 300]);
  return Buffer.from(await document.save({ useObjectStreams }));
}

test.each([true, false])('an update is written in the form of the file (streams of objects: %s)', async (hasStreams) => {
  const file = await fileWith(hasStreams);
  const document = await openForUpdate(file);
  document.catalog.set(PDFName.of('Lang'), PDFHexString.fromText('de'));
  const changed = await updated(document);
  expect(changed.subarray(0, file.length).equals(file)).toBe(true);
  const update = changed.toString('latin1', file.length);
  expect([/\bxref\b/.test(update), update.includes('/XRef')]).toEqual([!hasStreams, hasStreams]);
  expect((await PDFDocument.load(changed)).catalog.lookup(PDFName.of('Lang'))?.toString()).toContain('FEFF');
  expect(await pageCount(changed)).toBe(1);
});

test('changes of what an object contains are written, and no other objects', async () => {
  const source = await PDFDocument.create();
  const [page, other] = [source.addPage([300, 300]), source.addPage([300, 300])];
  page.node.set(PDFName.of('PieceInfo'), source.context.obj({ App: { Private: { count: 1 } } }));
  const document = await openForUpdate(await source.save({ useObjectStreams: false }));
  const info = document.getPage(0).node.lookup(PDFName.of('PieceInfo')) as unknown as { lookup(name: PDFName): typeof info };
  const inner = info.lookup(PDFName.of('App')).lookup(PDFName.of('Private')) as unknown as {
    set(name: PDFName, value: PDFHexString): void;
  };
  inner.set(PDFName.of('count'), PDFHexString.fromText('2'));
  const update = (await updated(document)).toString('latin1').split('%%EOF')[1];
  expect(update).toContain(`${page.ref.objectNumber} 0 obj`);
  expect(update).not.toContain(`${other.ref.objectNumber} 0 obj`);
});

test('new objects do not become those that the file refers to, but does not have', async () => {
  const source = await PDFDocument.create();
  const { node } = source.addPage([300, 300]);
  const { context } = source;
  const after = (count: number) => PDFRef.of(context.largestObjectNumber + count);
  context.trailerInfo.Info = after(1);
  node.set(PDFName.of('PieceInfo'), after(3));
  const expected = [2, 4, 5].map((count) => after(count).objectNumber);
  const document = await openForUpdate(await source.save({ useObjectStreams: false, updateFieldAppearances: false }));
  expect(expected.map(() => document.context.register(document.context.obj({})).objectNumber)).toEqual(expected);
});

test('a table that announces two billion objects is read no further than it goes', async () => {
  const document = await PDFDocument.create();
  document.addPage([300, 300]);
  const table = { Type: 'XRef', Size: 2_000_000_000, W: [1, 4, 1], Index: [0, 2_000_000_000], Root: document.context.trailerInfo.Root };
  document.context.register(PDFRawStream.of(document.context.obj(table), new Uint8Array(12)));
  const opened = await openForUpdate(await document.save({ useObjectStreams: false }));
  expect(opened.getPageCount()).toBe(1);
});
