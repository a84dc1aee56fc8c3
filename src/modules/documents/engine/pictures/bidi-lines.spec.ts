import { expect, test } from '@jest/globals';
import { documentContent } from '../content/content.factory.js';
import { renderPdf } from '../pdf/render-pdf.js';
import { readingOrder, textOf, type Glyph } from './bidi-lines.js';
import { openFile, type PdfiumFile } from './pdfium.js';

const LINES: Readonly<Record<string, string[]>> = {
  ar: [
    'السلام عليكم ورحمة الله وبركاته',
    'لا إله إلا الله، الأول والآخر',
    'المبلغ 1,234.50 EUR مستحق في 2026-03-31 (ثلاثون يوما)',
    'شركة Nordwind GmbH في برلين',
    'رقم ١٢٣٤٥ والنسبة ١٥٪',
  ],
  fa: ['قرارداد خرید کالا در Tehran', 'قیمت ۱۲۳۴ تومان (با مالیات)'],
  ur: ['یہ معاہدہ کراچی میں ہوا', 'رقم 5,000 PKR ہے'],
  he: ['שלום עולם', 'סכום של 1,234.50 EUR (כולל מע"מ) עד 31.3.2026', 'מחיר: ₪ 99.90'],
  // with points
  yi: ['בְּרֵאשִׁית בָּרָא אֱלֹהִים'],
  en: ['Total due: 1,234.50 EUR - شركة النور', 'Name: שלום (Shalom) 42'],
};

test.each(Object.entries(LINES))('the text of a generated document is read as it was written (%s)', async (language, lines) => {
  const pdf = renderPdf({
    content: documentContent({
      template: lines.join('\n\n'),
      language,
      document: { number: 'A-1', title: 'T', created_on: '', finalized_on: null },
    }),
    subject: 'Letter',
    created_at: new Date(0),
  });
  const file = (await openFile(pdf)) as PdfiumFile;
  try {
    const texts = file.texts(1).map(({ text }) => text.normalize('NFD'));
    expect(texts).toEqual(expect.arrayContaining(['A-1', ...lines.map((line) => line.normalize('NFD'))]));
    // a place of a field is found by its text
    expect(file.find([{ text: lines[0], page: null }], 9)[0]).toHaveLength(1);
  } finally {
    file.close();
  }
});

/** Characters as they stand from left to right, each ten points wide; a mark stands over the character before it. */
function drawn(visual: string): Glyph[] {
  let right = 0;
  return Array.from(visual, (text) => {
    if (!/\p{M}/u.test(text)) right += 10;
    return { text, left: right - 10, right };
  });
}

const read = (visual: string, isPageRightToLeft: boolean) => readingOrder(drawn(visual), 12, isPageRightToLeft).map(textOf).join('');

test.each([
  ['31-03-2026 يف', 'في 2026-03-31'],
  ['ןילרבב Nordwind GmbH תרבח', 'חברת Nordwind GmbH בברלין'],
  // brackets as drawn, and mirrored as PDFium does
  ['(מ"עמ ללוכ) 1,234.50', '1,234.50 (כולל מע"מ)'],
  [')מ"עמ ללוכ( 1,234.50', '1,234.50 (כולל מע"מ)'],
  // letters in the forms that old fonts name, and a mark over its letter
  ['ﻡﻼﺴﻟﺍ', 'السلام'],
  ['ﺮِﺤﺑ', 'بحرِ'],
])('%s is read from the right', (visual, logical) => {
  expect(read(visual, true)).toBe(logical);
});

test('a word from the right in a line from the left stays in its place', () => {
  expect(read('Name: םולש (Shalom) 42', false)).toBe('Name: שלום (Shalom) 42');
});

test('the letter that a font draws in two parts is read once, double letters twice', () => {
  const glyphs: Glyph[] = [
    { text: 'ي', left: 2, right: 6 },
    { text: 'ي', left: 0, right: 10 },
    { text: 'ل', left: 10, right: 20 },
    { text: 'ل', left: 19, right: 29 },
  ];
  expect(readingOrder(glyphs, 12, true).map(textOf).join('')).toBe('للي');
});
