import { degrees, PDFDict, PDFDocument, PDFHexString, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { formFile } from '../../engine/forms/form.fixture.js';
import { renderPdf } from '../../engine/pdf/render-pdf.js';
import { seal } from '../../engine/sealing/seal.js';
import { keyFile } from '../../engine/sealing/seal-key.fixture.js';
import { certifiedForm } from '../../engine/sealing/certified.fixture.js';
import { SEALABLE } from '../../engine/trial/odd-files.fixture.js';

const name = (text: string) => PDFName.of(text);
const CREATED = new Date('2026-02-11T10:00:00Z');

/** Files that are made without any program. */
export const BASE_FILES: Readonly<Record<string, () => Promise<Buffer>>> = {
  structure: structured,
  'mixed sizes': mixedSizes,
  scan: () => scan(0),
  'turned scan': () => scan(90),
  'standard fonts': standardFonts,
  typst: typeset,
  sealed: async () => seal(await mixedSizes(), { ...keyFile(), reason: '', location: '', name: 'Agency', signingTime: CREATED }),
  certified: () => certifiedForm(2),
  form: () => formFile(),
  'form without appearances': () => formFile({ isBare: true }),
  'form to be drawn anew': () => formFile({ needsAppearances: true, useObjectStreams: true }),
  'turned form': () => formFile({ turn: 90, crop: [20, 50, 360, 440] }),
  'tagged form with scripts': () => formFile({ isTagged: true, hasActions: true }),
};

/** Odd files, of which there are no variants. */
export const ODD_FILES = SEALABLE;

/** Outline, attachment, page labels, layers, comments, links, metadata. */
async function structured(): Promise<Buffer> {
  const document = await mixedSizesDocument();
  const { context, catalog } = document;
  const [first, second] = document.getPages();
  document.setTitle('Vertrag äöü');
  document.setLanguage('de');
  await document.attach(Buffer.from('attached text'), 'note.txt', { mimeType: 'text/plain' });
  await document.flush();
  const outlines = context.nextRef();
  const entries = ['Eins', 'Zwei'].map(() => context.nextRef());
  const [one, two] = entries;
  context.assign(one, context.obj({ Title: PDFHexString.fromText('Eins'), Parent: outlines, Next: two, Dest: [first.ref, 'Fit'] }));
  context.assign(two, context.obj({ Title: PDFHexString.fromText('Zwei'), Parent: outlines, Prev: one, Dest: [second.ref, 'Fit'] }));
  context.assign(outlines, context.obj({ Type: 'Outlines', First: one, Last: two, Count: 2 }));
  catalog.set(name('Outlines'), outlines);
  catalog.set(name('PageLabels'), context.obj({ Nums: [0, { S: 'r' }, 2, { S: 'D', St: 7 }] }));
  catalog.set(name('ViewerPreferences'), context.obj({ DisplayDocTitle: true }));
  const [shown, hidden] = ['Shown', 'Hidden'].map((Name) => context.register(context.obj({ Type: 'OCG', Name: PDFString.of(Name) })));
  const state = { ON: [shown], OFF: [hidden], Order: [shown, hidden] };
  catalog.set(name('OCProperties'), context.obj({ OCGs: [shown, hidden], D: state }));
  const resources = first.node.Resources() as PDFDict;
  resources.set(name('Properties'), context.obj({ L1: shown, L2: hidden }));
  const layers = '/OC /L1 BDC 0 1 0 rg 400 100 40 40 re f EMC /OC /L2 BDC 1 0 0 rg 450 100 40 40 re f EMC';
  first.node.addContentStream(context.register(context.stream(layers)));
  const quad = [60, 775, 200, 775, 60, 755, 200, 755];
  for (const annotation of [
    { Subtype: 'Text', Rect: [300, 400, 320, 420], Contents: PDFHexString.fromText('A comment') },
    { Subtype: 'Highlight', Rect: [60, 755, 200, 775], QuadPoints: quad, C: [1, 1, 0], F: 4 },
    { Subtype: 'Link', Rect: [60, 60, 160, 80], A: { S: 'URI', URI: PDFString.of('https://example.com') } },
    { Subtype: 'Link', Rect: [60, 90, 160, 110], Dest: [second.ref, 'Fit'] },
  ])
    first.node.addAnnot(context.register(context.obj({ Type: 'Annot', ...annotation })));
  const names = catalog.lookup(name('Names'), PDFDict);
  names.set(name('Dests'), context.obj({ Names: [PDFString.of('here'), [first.ref, 'Fit']] }));
  const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
    ><dc:format>application/pdf</dc:format></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  catalog.set(name('Metadata'), context.register(context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })));
  return bytesOf(document);
}

async function mixedSizes(): Promise<Buffer> {
  return bytesOf(await mixedSizesDocument());
}

/** Upright, on its side, long, cropped and turned. */
async function mixedSizesDocument(): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const sizes: [number, number][] = [
    [595, 842],
    [842, 595],
    [300, 900],
    [595, 842],
  ];
  for (const [index, size] of sizes.entries()) {
    const page = document.addPage(size);
    for (let line = 0; line < 12; line++)
      page.drawText(`Page ${index + 1} of a contract, line ${line + 1}`, { x: 70, y: size[1] - 140 - 18 * line, size: 11, font });
    page.drawCircle({ x: 150, y: 200, size: 40 });
  }
  const last = document.getPage(3);
  last.setCropBox(50, 100, 450, 700);
  last.setRotation(degrees(270));
  await document.flush();
  return document;
}

async function scan(turn: number): Promise<Buffer> {
  const lines = Array.from(
    { length: 20 },
    (_, index) => `<text x="60" y="${100 + 30 * index}" font-size="18">Scanned line ${index}</text>`,
  );
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842">${lines.join('')}</svg>`;
  const jpeg = await sharp(Buffer.from(page)).flatten({ background: '#f4f1ea' }).jpeg({ quality: 60 }).toBuffer();
  const document = await PDFDocument.create();
  const shown = document.addPage([595, 842]);
  shown.drawImage(await document.embedJpg(jpeg), { width: 595, height: 842 });
  shown.setRotation(degrees(turn));
  return bytesOf(document);
}

/** The fonts that every viewer brings along, by name only. */
async function standardFonts(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  let y = 700;
  for (const face of Object.values(StandardFonts)) {
    const text = face === StandardFonts.Symbol ? 'αβγ' : face === StandardFonts.ZapfDingbats ? '✓✔' : `${face}: Agreement 123`;
    page.drawText(text, { x: 70, y: (y -= 30), size: 16, font: await document.embedFont(face) });
  }
  return bytesOf(document);
}

/** With tags and embedded fonts, as PDF/A-3a. */
function typeset(): Promise<Buffer> {
  const content = {
    template: `# Agreement\n\n${'The parties agree on the terms of this agreement. '.repeat(12)}\n\n| A | B |\n|---|---|\n| 1 | 2 |`,
    schema: { type: 'object' as const, properties: {} },
    values: {},
    parties: [],
    document: { number: 'AGR-1', title: 'Agreement', created_on: '2026-02-11', finalized_on: null },
    language: 'en',
    timeZone: 'UTC',
    finished: true,
  };
  return Promise.resolve(renderPdf({ content, subject: 'Corpus', created_at: CREATED }));
}

async function bytesOf(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false, updateFieldAppearances: false }));
}
