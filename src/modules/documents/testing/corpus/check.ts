import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { signaturesOf as ownSignaturesOf } from '../../engine/signatures/signatures.js';
import type { Executed } from './execution.js';
import { changesOutside, looksDifferent, shown, shownByPoppler } from './pictures.js';
import { archiveFaults, signaturesOf, syntaxFaults } from './programs.js';
import { lost, structureOf } from './structure.js';

/** Where the certificate is attached to a signed file. */
const ATTACHMENT = { x: 0.9, y: 0.9, w: 0.1, h: 0.1 };
/** Where readers disagree about a damaged file already: poppler draws nothing after a surplus `Q`. */
const DISAGREEMENTS: Readonly<Record<string, RegExp>> = { 'with more states ended than begun': /^poppler: page 1 differs/ };

/** What is wrong with an executed file. `dir` gets copies of the file at its stages. */
export async function faultsOf(name: string, sent: Executed, dir: string): Promise<string[]> {
  const faults = await allFaultsOf(sent, dir);
  return faults.filter((fault) => !DISAGREEMENTS[name]?.test(fault));
}

async function allFaultsOf({ stored, final, executed, places, earlierSignatures }: Executed, dir: string): Promise<string[]> {
  const faults: string[] = [];
  const paths = Object.fromEntries(
    Object.entries({ stored, final, executed }).map(([stage, bytes]) => {
      const path = join(dir, `${stage}.pdf`);
      writeFileSync(path, bytes);
      return [stage, path];
    }),
  );
  if (!executed.subarray(0, stored.length).equals(stored)) faults.push('the bytes of the file are changed');
  const [before, after] = [syntaxFaults(paths.stored), syntaxFaults(paths.executed)];
  if (before && after && after.count > before.count) faults.push(`qpdf: ${after.text}`);
  const signatures = signaturesOf(paths.executed);
  const intact = earlierSignatures.filter(({ is_intact }) => is_intact).length;
  if (signatures && (signatures.valid !== intact + 1 || !signatures.isLastTotal)) faults.push(`pdfsig: ${JSON.stringify(signatures)}`);
  const [sent, whole] = await Promise.all([stored, executed].map((pdf) => PDFDocument.load(pdf, { updateMetadata: false })));
  const own = await ownSignaturesOf(whole, executed);
  const last = own.at(-1);
  if (!last?.is_intact || !last.covers_file) faults.push(`the seal is not recognised: ${JSON.stringify(last)}`);
  faults.push(...lost(await structureOf(stored), await structureOf(executed)));
  if (isArchive(stored)) {
    const [known, found] = [archiveFaults(paths.stored), archiveFaults(paths.executed)];
    for (const fault of found ?? []) if (!known?.has(fault)) faults.push(`PDFBox preflight: ${fault}`);
  }
  const ours = await Promise.all([stored, final, executed].map(shown));
  const isAttached = whole.getPageCount() === sent.getPageCount() && !earlierSignatures.some(({ permits }) => permits === 'form_fields');
  const marks = isAttached ? [{ page: sent.getPageCount(), ...ATTACHMENT }] : [];
  faults.push(
    ...differences('PDFium', await looksDifferent(ours[0], ours[1])),
    ...differences('PDFium', changesOutside(ours[1], ours[2], [...places, ...marks])),
  );
  const theirs = [];
  for (const path of Object.values(paths)) theirs.push(await shownByPoppler(path));
  const [storedByPoppler, finalByPoppler, executedByPoppler] = theirs;
  if (storedByPoppler && finalByPoppler && executedByPoppler) {
    faults.push(...differences('poppler', await looksDifferent(storedByPoppler, finalByPoppler)));
    faults.push(...differences('poppler', changesOutside(finalByPoppler, executedByPoppler, [...places, ...marks])));
    faults.push(...differences('PDFium and poppler', await looksDifferent(ours[2], executedByPoppler)));
  }
  return faults;
}

/** PDF/A-1, which is what PDFBox checks. */
function isArchive(pdf: Buffer): boolean {
  return /pdfaid:part(>|=['"])1/.test(pdf.toString('latin1'));
}

function differences(by: string, found: readonly string[]): string[] {
  return found.map((one) => `${by}: ${one}`);
}
