import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import { has, run } from './programs.js';

/** A file of the corpus. */
export interface CorpusFile {
  name: string;
  path: string;
}

const RESAVED = { updateFieldAppearances: false, addDefaultPage: false };

/** Variants that need no program. */
const OWN: Readonly<Record<string, (pdf: Buffer) => Promise<Buffer | null>>> = {
  'with streams of objects': async (pdf) => Buffer.from(await (await opened(pdf)).save({ ...RESAVED, useObjectStreams: true })),
  'turned by 90': (pdf) => turned(pdf, 90),
  'turned by 180': (pdf) => turned(pdf, 180),
  'turned by 270': (pdf) => turned(pdf, 270),
  'encrypted with AES-256': (pdf) => encrypted(pdf, 'AES-256'),
  'encrypted with RC4': (pdf) => encrypted(pdf, 'RC4-128'),
};

/** Variants of the bytes, in which also signed files keep their contents. */
const DAMAGED: Readonly<Record<string, (pdf: Buffer) => Buffer>> = {
  'behind other bytes': (pdf) => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdf]),
  'with a wrong startxref': (pdf) => Buffer.concat([pdf.subarray(0, pdf.lastIndexOf('startxref')), Buffer.from('startxref\n77\n%%EOF\n')]),
};

const BY_QPDF: Readonly<Record<string, readonly string[]>> = {
  linearized: ['--linearize'],
  'with streams of objects by qpdf': ['--object-streams=generate'],
  'linearized with streams of objects': ['--linearize', '--object-streams=generate'],
  uncompressed: ['--qdf', '--object-streams=disable'],
  'turned by qpdf': ['--rotate=+90'],
  'encrypted by qpdf': ['--encrypt', '', 'owner', '256', '--'],
  'encrypted for forms only': ['--encrypt', '', 'owner', '128', '--use-aes=y', '--modify=form', '--'],
};

const ALL = [OWN, DAMAGED, BY_QPDF].flatMap(Object.keys);

/** A variant that needs no program, by its name. */
export async function ownVariant(variant: string, pdf: Buffer): Promise<Buffer> {
  const changed = await (OWN[variant] ?? DAMAGED[variant])(pdf);
  if (!changed) throw new Error(`The file has no variant ${variant}.`);
  return changed;
}

/** `path` without its ending is where the variants are written. `share`: one of `of` variants, from the one with this number. */
export async function variantsOf(name: string, path: string, [share, of] = [0, 1]): Promise<CorpusFile[]> {
  const pdf = readFileSync(path);
  const isWanted = (variant: string) => ALL.indexOf(variant) % of === share % of;
  const files: CorpusFile[] = [{ name, path }];
  const add = (variant: string, bytes: Buffer) => {
    const file = path.replace(/\.pdf$/, `.${variant.replaceAll(' ', '-')}.pdf`);
    writeFileSync(file, bytes);
    files.push({ name: `${name}, ${variant}`, path: file });
  };
  for (const [variant, change] of Object.entries(OWN)) {
    if (!isWanted(variant)) continue;
    const changed = await change(pdf);
    if (changed) add(variant, changed);
  }
  for (const [variant, change] of Object.entries(DAMAGED)) if (isWanted(variant)) add(variant, change(pdf));
  if (!has('qpdf')) return files;
  for (const [variant, options] of Object.entries(BY_QPDF)) {
    if (!isWanted(variant)) continue;
    const file = path.replace(/\.pdf$/, `.${variant.replaceAll(' ', '-')}.pdf`);
    const { status, stderr } = run('qpdf', [path, ...options, file]);
    // 3: with warnings
    if (status !== 0 && status !== 3) throw new Error(`qpdf made no ${variant} of ${name}: ${stderr}`);
    files.push({ name: `${name}, ${variant}`, path: file });
  }
  return files;
}

function opened(pdf: Buffer): Promise<PDFDocument> {
  return PDFDocument.load(pdf, { updateMetadata: false });
}

async function turned(pdf: Buffer, angle: number): Promise<Buffer> {
  const document = await opened(pdf);
  for (const page of document.getPages()) page.node.set(PDFName.of('Rotate'), PDFNumber.of((page.getRotation().angle + angle) % 360));
  return Buffer.from(await document.save({ ...RESAVED, useObjectStreams: false }));
}

/** None of an archive (PDF/A), which must not be encrypted. */
async function encrypted(pdf: Buffer, algorithm: 'AES-256' | 'RC4-128'): Promise<Buffer | null> {
  if (pdf.includes('pdfaid')) return null;
  const document = await opened(pdf);
  document.encrypt({ ownerPassword: 'owner', allowWeakCryptography: true, algorithm, permissions: { modifying: true } });
  return Buffer.from(await document.save(RESAVED));
}
