import { expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { poppler } from '../../../../../test/kit/poppler.js';
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
