import { expect, test } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import { poppler } from '../../testing/poppler.js';
import { stampPdf } from './stamp-pdf.js';
import { unfitting } from './text-fit.js';

const tools = poppler();
const JAPANESE = '東京都千代田区丸の内一丁目一番一号新丸の内ビルディング三十五階株式会社山田商事法務部契約管理課御中';
const COMPOUND = 'Rechtsschutzversicherungsgesellschaften sind in schmalen Kästchen schwierig unterzubringen';

async function page(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  return document.save();
}

test('texts that no readable type fits into their boxes are found', async () => {
  const box = (w: number, h: number, text: string) => ({ page: 1, x: 0, y: 0, w, h, text });
  const texts = [
    // has ample room
    box(0.3, 0.05, 'Ada Lovelace'),
    box(0.3, 0.05, 'X'.repeat(120)),
    box(0.1, 0.02, 'X'.repeat(120)),
    box(0.3, 0.05, JAPANESE),
    box(0.1, 0.3, COMPOUND),
    box(0.1, 0.02, COMPOUND),
    // a low box is filled, whatever the size
    box(0.2, 0.005, 'Ada'),
    box(0.05, 0.005, 'maximilian.mustermann@rechtsanwaltskanzlei.example'),
  ];
  expect(await unfitting(await page(), texts, 'de')).toEqual([2, 5, 7]);
});

(tools ? test : test.skip)('words that are wider than their box are broken, and no line leaves the box', async () => {
  const place = { page: 1, x: 0.1, w: 0.1, h: 0.3, png: null, isSignature: false };
  for (const [y, text] of [
    [0.1, COMPOUND],
    [0.5, JAPANESE],
  ] as const) {
    const stamped = await stampPdf(await page(), [{ ...place, y, text }], 'de');
    const lines = (tools as NonNullable<typeof tools>).text(stamped).trim().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    // at 7 pt or more, no more than 20 letters fit into 59.5 pt
    expect(Math.max(...lines.map((line) => line.trim().length))).toBeLessThanOrEqual(20);
  }
});

(tools ? test : test.skip)('a long typed signature wraps instead of shrinking', async () => {
  const place = { page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.05, png: null, isSignature: true };
  const name = 'Bö Łukasz von Hohenzollern-Sigmaringen-Brandenburg';
  const stamped = await stampPdf(await page(), [{ ...place, text: name }], 'de');
  const lines = (tools as NonNullable<typeof tools>).text(stamped).trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
});
