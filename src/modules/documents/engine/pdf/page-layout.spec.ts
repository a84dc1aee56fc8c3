import { expect, it } from '@jest/globals';
import { layoutOf } from '../../model/types/type-definition.js';
import { poppler } from '../../testing/poppler.js';
import { documentContent } from '../content/content.factory.js';
import { letterheadOf } from './letterhead.js';
import { frameData } from './page-frame.js';
import { renderPdf, renderPdfWithFields } from './render-pdf.js';

const tools = poppler();
const read = tools ? it : it.skip;
const FILE = { subject: 'Agreement', created_at: new Date('2026-02-11T10:00:00Z') };

it('places the fields of parties as fractions of the paper that the type has', () => {
  const layout = layoutOf({ paper: 'a5', landscape: true, margin_left_mm: 20, margin_right_mm: 10 });
  const content = documentContent({ template: '# T\n\n{{#signature customer supplier}}', layout });
  const { fields } = renderPdfWithFields({ content, ...FILE });
  const [width, height] = [595.28, 419.53];
  const [first, second] = fields.map(({ x, w, h }) => [x * width, w * width, h * height].map(Math.round));
  // a line is as wide as half of the text without the gap, but no wider than 205 points
  expect([first, second]).toEqual([
    [57, 205, 42],
    [57 + 205 + 24, 205, 42],
  ]);
});

it.each([
  ['#0057a8', '#0057a8', '#0057a8'],
  ['#ffd400', '#14181f', '#ffd400'],
  ['#ffffff', '#14181f', '#14181f'],
  [null, '#14181f', '#14181f'],
])('prints the name of an organization with the color %s in %s, above a line in %s', (color, ink, line) => {
  const letterhead = letterheadOf({ name: 'Acme', color, logo: null });
  const { frame } = frameData({ title: 'T', number: null, language: 'en', letterhead, ...FILE });
  expect(frame).toMatchObject({ brand: { ink, color: line } });
});

read.each(['en', 'ar'])('prints the decimal points of a column below each other (%s)', (language) => {
  const items = [10.5, 2, 0.125].map((hours) => ({ hours }));
  const content = documentContent({ template: '# T\n\n{{#table items}}', values: { items }, finished: true, language });
  const pdf = renderPdf({ content, ...FILE });
  const [longest, first, second] = ['10.5', '2', '0.125'].flatMap((number) => tools!.leftOf(pdf, number));
  // one digit stands before each of the other points
  expect(second).toBeCloseTo(first, 2);
  expect(first - longest).toBeGreaterThan(3);
});

read('begins a page at a page break, puts columns side by side, and names codes for those who cannot see them', () => {
  const codes = '{{#qr customer}}\n\n{{#barcode customer}}';
  const template = `# T\n\n{{#columns}}\n\nLeft\n\n{{#column}}\n\nRight\n\n{{/columns}}\n\n{{#page_break}}\n\n${codes}\n\nSecond`;
  const pdf = renderPdf({ content: documentContent({ template }), ...FILE });
  const pages = tools!.layout(pdf).split('\f');
  expect(pages[0]).toMatch(/Left +Right/);
  expect(pages[1]).toMatch(/Nordwind GmbH[\s\S]*Second/);
  for (const name of ['Nordwind GmbH', 'Code 128']) expect(pdf.toString('latin1')).toContain(`/Alt (${name})`);
});
