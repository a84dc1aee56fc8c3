// npm run bench:pdf [-- --rounds 5]
// CPU per PDF against the goals, compared with Typst alone on the same text, and the delay of the event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { DocumentContent } from '../../src/modules/documents/engine/content/document-content.js';
import { PdfTypesetter } from '../../src/modules/documents/engine/typesetting/pdf-typesetter.js';
import { renderPdf } from '../../src/modules/documents/engine/pdf/render-pdf.js';
import { fontFiles } from '../../src/modules/documents/engine/typst/fonts.js';
import { load, median } from './load.js';

/** Milliseconds of CPU in the thread, by pages. */
const GOALS = [
  { clauses: 25, pages: 6, cpu: 60 },
  { clauses: 225, pages: 50, cpu: 400 },
];
const SENTENCE =
  'The Supplier shall perform the services with reasonable skill and care, in accordance with good industry practice, ' +
  'the service description and all laws that apply to it. ';
const CREATED = new Date('2026-02-11T10:00:00Z');

const { values: asked } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: fontFiles() }] });
const typesetter = new PdfTypesetter();

try {
  for (const goal of GOALS) await compare(goal);
} finally {
  await typesetter.onApplicationShutdown();
}

async function compare(goal: (typeof GOALS)[number]): Promise<void> {
  const clauses = Array.from({ length: goal.clauses }, (_, index) => [`${index + 1}. Clause`, SENTENCE.repeat(3), SENTENCE.repeat(2)]);
  const ours = input(clauses);
  const works: Record<string, () => Buffer | Promise<Buffer>> = {
    'Typst alone': () => bare(clauses),
    ours: () => renderPdf(ours),
    'ours, in a thread': () => typesetter.pdf(ours),
  };
  const cpu: Record<string, number[]> = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  const delays: Record<string, number[]> = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  let pages = 0;
  for (let round = 0; round <= Number(asked.rounds); round++) {
    for (const [name, work] of Object.entries(works)) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await sleep(20);
      const before = process.cpuUsage();
      const pdf = await work();
      const { user, system } = process.cpuUsage(before);
      // the monitor records the delay only in the next iteration of the event loop
      await sleep(20);
      delay.disable();
      pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
      // the first round is the warm-up
      if (round === 0) continue;
      cpu[name].push((user + system) / 1000);
      delays[name].push(delay.max / 1e6);
    }
  }
  console.log(`${pages} pages (load ${load()})`);
  for (const [name, all] of Object.entries(cpu))
    console.log(`  ${name.padEnd(18)} ${median(all).toFixed(0).padStart(4)} ms of CPU, loop delayed ${median(delays[name]).toFixed(0)} ms`);
  console.log(`  Typst alone / ours: ${(median(cpu['Typst alone']) / median(cpu.ours)).toFixed(2)}`);
  console.log(`  a PDF of ${goal.pages} pages in a thread: ${median(cpu['ours, in a thread']).toFixed(0)} ms of CPU (goal ${goal.cpu})`);
}

function input(clauses: string[][]): Parameters<typeof renderPdf>[0] {
  const template = clauses.map(([title, ...paragraphs]) => `## ${title}\n\n${paragraphs.join('\n\n')}`).join('\n\n');
  const content: DocumentContent = {
    template,
    schema: { type: 'object', properties: {} },
    values: {},
    parties: [],
    document: { number: 'AGR-1', title: 'Agreement', created_on: '2026-02-11', finalized_on: null },
    language: 'en',
    timeZone: 'UTC',
    finished: true,
  };
  return { content, subject: 'Bench', created_at: CREATED };
}

/** The same text as Typst markup, without the product's features: no template, Markdown, tags, header or footer. */
function bare(clauses: string[][]): Buffer {
  const text = clauses.map(([title, ...paragraphs]) => `== ${title}\n\n${paragraphs.join('\n\n')}`).join('\n\n');
  const source =
    '#set document(date: datetime(year: 2026, month: 2, day: 11))\n' +
    '#set page(paper: "a4", margin: (x: 74pt, top: 92pt, bottom: 80pt))\n' +
    `#set text(font: "Source Serif 4", size: 10pt)\n#set par(leading: 0.68em, spacing: 1em)\n${text}`;
  const pdf = compiler.pdf({ mainFileContent: source }, { pdfTags: false });
  compiler.evictCache(0);
  return pdf;
}
