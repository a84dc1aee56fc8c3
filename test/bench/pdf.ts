// npm run bench:pdf [-- --rounds 5]
// Compares PDF pages per second with pdfmake alone on the same text, and measures the delay of the event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pdfmake from 'pdfmake';
import type { DocumentContent } from '../../src/modules/documents/rendering/content/document-content.js';
import { loadFonts, SANS, SERIF } from '../../src/modules/documents/rendering/pdf/pdf-fonts.js';
import { PdfTypesetter } from '../../src/modules/documents/rendering/typesetting/pdf-typesetter.js';
import { renderPdf } from '../../src/modules/documents/rendering/pdf/render-pdf.js';
import { load, median } from './load.js';

const GOAL = 0.8;
const PAGES = [5, 50];
const CLAUSES_PER_PAGE = 4;
const SENTENCE =
  'The Supplier shall perform the services with reasonable skill and care, in accordance with good industry practice, ' +
  'the service description and all laws that apply to it. ';
const CREATED = new Date('2026-02-11T10:00:00Z');

const { values: asked } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
await loadFonts();
const typesetter = new PdfTypesetter();

try {
  for (const pages of PAGES) await compare(pages);
} finally {
  await typesetter.onApplicationShutdown();
}

async function compare(pageCount: number): Promise<void> {
  const clauses = Array.from({ length: pageCount * CLAUSES_PER_PAGE }, (_, index) => [
    `${index + 1}. Clause`,
    SENTENCE.repeat(3),
    SENTENCE.repeat(2),
  ]);
  const ours = input(clauses);
  const works: Record<string, () => Promise<Buffer>> = {
    'pdfmake alone': () => bare(clauses),
    ours: () => renderPdf(ours),
    'ours, in a thread': () => typesetter.pdf(ours),
  };
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  const delays: Record<string, number[]> = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  let pages = 0;
  for (let round = 0; round <= Number(asked.rounds); round++) {
    for (const [name, work] of Object.entries(works)) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await sleep(20);
      const since = performance.now();
      const pdf = await work();
      const took = performance.now() - since;
      // the monitor records the delay only in the next iteration of the event loop
      await sleep(20);
      delay.disable();
      pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
      // the first round is the warm-up
      if (round === 0) continue;
      rates[name].push((pages / took) * 1000);
      delays[name].push(delay.max / 1e6);
    }
  }
  console.log(`${pages} pages (load ${load()})`);
  for (const [name, all] of Object.entries(rates)) {
    const rate = median(all).toFixed(0).padStart(4);
    const time = ((pages / median(all)) * 1000).toFixed(0).padStart(5);
    console.log(`  ${name.padEnd(18)} ${rate} pages/s  ${time} ms  event loop delayed up to ${median(delays[name]).toFixed(0)} ms`);
  }
  console.log(`  ours / pdfmake alone: ${(median(rates.ours) / median(rates['pdfmake alone'])).toFixed(2)} (goal ${GOAL})`);
}

function input(clauses: string[][]): Parameters<typeof renderPdf>[0] {
  const template = clauses.map(([title, ...paragraphs]) => `## ${title}\n\n${paragraphs.join('\n\n')}`).join('\n\n');
  const content: DocumentContent = {
    template,
    schema: { type: 'object', properties: {} },
    values: {},
    document: { number: 'AGR-1', title: 'Agreement', created_on: '2026-02-11', finalized_on: null },
    language: 'en',
    finished: true,
  };
  return { content, subject: 'Bench', created_at: CREATED };
}

/** The same pages without the product's features: no template, Markdown, page-break rules or bookmarks. */
function bare(clauses: string[][]): Promise<Buffer> {
  const small = { font: SANS, fontSize: 7.5 };
  const margin: [number, number, number, number] = [0, 0, 0, 6];
  const content = clauses.flatMap(([title, ...paragraphs]) => [
    { text: title, font: SANS, bold: true, fontSize: 11.5, margin: [0, 14, 0, 5] as [number, number, number, number] },
    ...paragraphs.map((text) => ({ text, margin })),
  ]);
  return pdfmake
    .createPdf({
      version: '1.7',
      pageSize: 'A4',
      pageMargins: [68, 76, 68, 72],
      info: { creationDate: CREATED },
      defaultStyle: { font: SERIF, fontSize: 9.5, lineHeight: 1.32 },
      header: { text: 'Agreement AGR-1', ...small, margin: [68, 38, 68, 0] },
      footer: (page, all) => ({ text: `Page ${page} of ${all}`, ...small, margin: [68, 28, 68, 0] }),
      content,
    })
    .getBuffer();
}
