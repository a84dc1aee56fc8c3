import { EncryptedPDFError, type PDFDocument } from '@cantoo/pdf-lib';
import { certificatePages, type CertificateInput } from '../certificate/certificate.js';
import type { EarlierSignature, FormField } from '../../model/core/placed-fields.js';
import { formFieldsOf, MOST_FORM_FIELDS } from '../forms/form-fields.js';
import { flatten } from '../forms/flatten-form.js';
import { INCOMPLETE, lacksEnd } from '../reading/file-end.js';
import { FileFault, onFile } from '../reading/file-fault.js';
import { repaired, withoutEncryption } from '../pictures/copies.js';
import { pageCount, readPages, type PdfProblem } from '../reading/pdf-text.js';
import { contentOf, linesOfPage } from '../reading/zone-text.js';
import { TooLong, withinLimits } from '../reading/reading-limits.js';
import { executedFile } from '../sealing/executed-file.js';
import type { SealOptions } from '../sealing/seal.js';
import { isSigned, MOST_SIGNATURES, signaturesOf, signedFieldsOf } from '../signatures/signatures.js';
import { shownPage } from '../stamping/page-box.js';
import type { Stamp } from '../stamping/stamp-pdf.js';
import { openForUpdate, updated } from '../updates/file-update.js';
import { imageProblem } from './large-images.js';
import { missingFonts } from './missing-fonts.js';
import { isPageTreeSound } from './page-tree.js';
import { hasPrintedOnly, unfaithfulLayers } from './printed-parts.js';
import { isWellFormed } from './well-formed.js';
import { hasXfa, permitsOnlyFilling, restrictionOf } from '../signatures/restrictions.js';

const HEADER_BYTES = 1024;
/** Two corners, so that stamps that are moved, turned or resized do not fit. */
const PLACES = [
  { x: 0.05, y: 0.05, w: 0.3, h: 0.05, text: 'Qzvjtrial', png: null },
  { x: 0.65, y: 0.9, w: 0.3, h: 0.05, text: 'Xkwqtrial', png: null },
];
const STAMPED = new Set(PLACES.map(({ text }) => text));
/** More texts and characters than a stamp and the certificate have. */
const OF_STAMP = { text: 4, character: 40 };
const OF_CERTIFICATE = { text: 500, character: 5_000 };
const PRINT_IT = 'print it to a new PDF and upload that';
const MISCOUNTED = `has a damaged list of pages, so that readers count them differently; ${PRINT_IT}`;
const DAMAGED = 'has a damaged table of objects, or streams of another length than they say';
const LISTED = 5;
const SHA256 = '0'.repeat(64);
const DAY = '2026-01-01T00:00:00.000Z';
/** Takes one page. */
const CERTIFICATE: CertificateInput = {
  document: { id: '', number: null, title: 'Trial' },
  parties: [
    {
      name: 'Trial',
      email: '',
      label: '',
      signed_at: DAY,
      ip: '',
      user_agent: null,
      consent_text: '',
      signature: { kind: 'typed', text: 'Trial' },
      authentication: null,
      field_values: {},
      evidence_sha256: SHA256,
    },
  ],
  content_sha256: SHA256,
  content_bytes: 0,
  executed_at: DAY,
  language: 'en',
  hasTimeStamp: false,
};

/** By whether they are attached: every trial appends the same page, so it is made once. */
const certificates = new Map<boolean, Buffer>();

/** An uploaded file that can become an executed one. */
export interface TriedFile {
  /**
   * What is kept in place of it: without its encryption, without what stands before its header, or with tables and lengths that are not
   * damaged. Null if it is kept as it is.
   */
  kept: Uint8Array | null;
  /** The lines of each page, with the values of its form fields. */
  page_texts: string[][];
  form_fields: FormField[];
  earlier_signatures: EarlierSignature[];
}

/**
 * Tries whether an uploaded file can become an executed one. Stamps all pages, appends one and seals the result, as the last
 * signature does: a file that fails then has been signed by others for nothing. Throws what is no fault of the file.
 */
export async function trial(
  pdf: Uint8Array,
  key: Pick<SealOptions, 'p12' | 'passphrase'>,
  isRepaired = false,
): Promise<TriedFile | PdfProblem> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const header = bytes.subarray(0, HEADER_BYTES).indexOf('%PDF-');
  if (header < 0) return { problem: 'is not a PDF that can be read' };
  if (header > 0 && countsFromHeader(bytes, header)) {
    const kept = bytes.subarray(header);
    const file = await trial(kept, key, isRepaired);
    return 'problem' in file ? file : { ...file, kept: file.kept ?? kept };
  }
  if (lacksEnd(bytes)) return { problem: INCOMPLETE };
  try {
    const file = await withinLimits(() => tried(bytes, key));
    if (file !== null) return file;
    const copy = isRepaired ? { problem: `${DAMAGED}; ${PRINT_IT}` } : await repaired(bytes);
    if ('problem' in copy) return copy;
    const copied = await trial(copy, key, true);
    return 'problem' in copied ? copied : { ...copied, kept: copied.kept ?? copy };
  } catch (error) {
    if (error instanceof TooLong) return { problem: error.message };
    if (!(error instanceof FileFault)) throw error;
    if (error.cause instanceof EncryptedPDFError) return triedDecrypted(bytes, key);
    return { problem: `has damaged pages, annotations or tags, so it cannot be signed; ${PRINT_IT}` };
  }
}

/**
 * Whether positions in a file are counted from its header, and not from its first byte. Positions in an update are counted from the first
 * byte.
 */
function countsFromHeader(pdf: Buffer, header: number): boolean {
  const start = Number(/^startxref\s+(\d+)/.exec(pdf.toString('latin1', pdf.lastIndexOf('startxref')))?.[1] ?? NaN);
  const isTableAt = (at: number) => /^\s*(?:xref|\d+\s+\d+\s+obj)\b/.test(pdf.toString('latin1', at, at + 40));
  return isTableAt(start + header) || !isTableAt(start);
}

async function triedDecrypted(pdf: Uint8Array, key: Pick<SealOptions, 'p12' | 'passphrase'>): Promise<TriedFile | PdfProblem> {
  const decrypted = await withoutEncryption(pdf);
  if ('problem' in decrypted) return decrypted;
  const file = await trial(decrypted, key);
  if ('problem' in file) return file;
  // they cover its bytes as they were encrypted
  if (file.earlier_signatures.length > 0)
    return {
      problem: 'is encrypted and digitally signed, and removing the encryption would break its signatures; save it without encryption',
    };
  return { ...file, kept: decrypted };
}

/** Null for a file that must be repaired first. */
async function tried(pdf: Buffer, key: Pick<SealOptions, 'p12' | 'passphrase'>): Promise<TriedFile | PdfProblem | null> {
  const found = await onFile(() => read(pdf));
  if (found === null) return null;
  const { document, problem, pages, count, isFixed, isFilledOnly, ...file } = found;
  if (problem !== null) return { problem };
  // where form fields stand, nothing can be in its way
  const stamps = (isFilledOnly ? [] : pages).flatMap((page): Stamp[] =>
    PLACES.map((place, index) => ({ ...place, page, isSignature: index === 0 })),
  );
  const isFlattened = await flatten(document, new Set(), 'en');
  const sealed = await executedFile(
    // opened anew, as for the last signature: a flattened form that cannot be opened must fail here, and not after all have signed
    isFlattened ? await onFile(async () => openForUpdate(await updated(document))) : document,
    { stamps, language: 'en', certificate: (_, isAttached) => certificate(isAttached) },
    { ...key, p12: Buffer.from(key.p12), reason: '', location: '', name: '', signingTime: new Date(0) },
  );
  // annotations of a signed file do not depend on the contents of its pages
  const stamped = await stampedLines(sealed, isFixed ? [] : stamps, isFixed ? count : count + 1);
  if ('problem' in stamped) return stamped;
  // the values of form fields are whole before the file was flattened, and letters in cells after it
  const lines = isFlattened ? await linesIn(pdf) : stamped;
  return 'problem' in lines ? lines : { ...file, page_texts: lines.slice(0, count) };
}

/**
 * The lines of the pages if readers see all of them, with the stamps in their places. Only the lines leave it: the memory of a worker is
 * limited, and a large file is not read again while its texts with their places are still held.
 */
async function stampedLines(sealed: Buffer, stamps: readonly Stamp[], count: number): Promise<string[][] | PdfProblem> {
  const added = (unit: keyof typeof OF_STAMP) => OF_CERTIFICATE[unit] + stamps.length * OF_STAMP[unit];
  const pages = await readPages(sealed, { text: added('text'), character: added('character') });
  if ('problem' in pages) return pages;
  const isVisible = ({ page, text, ...place }: Stamp) =>
    page <= pages.length && contentOf(pages[page - 1], { page, ...place }).lines.some((line) => line.includes(text));
  if (!stamps.every(isVisible))
    return { problem: `has a page whose contents are damaged, so that signatures would not be in their places; ${PRINT_IT}` };
  // readers that repair a file can see other pages than those that were stamped
  if (pages.length !== count) return { problem: MISCOUNTED };
  return pages.map((page) => linesOfPage(page, STAMPED));
}

async function linesIn(pdf: Buffer): Promise<string[][] | PdfProblem> {
  const pages = await readPages(pdf);
  return 'problem' in pages ? pages : pages.map((page) => linesOfPage(page, new Set()));
}

function certificate(isAttached: boolean): Buffer {
  const made = certificates.get(isAttached) ?? certificatePages({ ...CERTIFICATE, isAttached });
  certificates.set(isAttached, made);
  return made;
}

interface Read extends TriedFile {
  document: PDFDocument;
  problem: string | null;
  pages: number[];
  count: number;
  /** Whether it is signed, so that its pages stay as they are. */
  isFixed: boolean;
  /** Whether nothing but its form fields may change. */
  isFilledOnly: boolean;
}

/** What can be seen before the trial; null for a file that must be repaired first. */
async function read(pdf: Buffer): Promise<Read | null> {
  const document = await openForUpdate(pdf);
  const pages = document.getPages();
  const count = await pageCount(pdf);
  const nothing = { isFixed: false, isFilledOnly: false, kept: null, page_texts: [], form_fields: [], earlier_signatures: [] };
  const found = (problem: string | null): Read => ({ document, problem, pages: pages.map((_, index) => index + 1), count, ...nothing });
  if (hasXfa(document)) return found(`has an XFA form, which few programs show; ${PRINT_IT}`);
  const restriction = restrictionOf(document);
  if (restriction !== null) return found(restriction);
  if (!isWellFormed(pdf, document)) return isSigned(document) ? found(`${DAMAGED}, and it is signed, so it cannot be repaired`) : null;
  if (count === 0) return found('has no pages');
  if (pages.length !== count || !isPageTreeSound(document)) return found(MISCOUNTED);
  const named = (wrong: (page: (typeof pages)[number]) => boolean) => pages.flatMap((page, index) => (wrong(page) ? [index + 1] : []));
  const askew = named((page) => page.getRotation().angle % 90 !== 0);
  if (askew.length > 0) return found(`has pages that are turned by no multiple of 90 degrees (${listed(askew)}); ${PRINT_IT}`);
  // readers ignore annotations of a wrong type, or stop there
  for (const { node } of pages) node.Annots();
  const empty = named((page) => shownPage(page) === null);
  if (empty.length > 0) return found(`has pages without an area (${listed(empty)}); ${PRINT_IT}`);
  const image = imageProblem(document);
  if (image !== null) return found(image);
  const missing = missingFonts(document);
  if (missing.length > 0)
    return found(`has text in fonts that it does not contain (${listed(missing)}), so that not all programs show it; embed all fonts`);
  const layers = unfaithfulLayers(document);
  if (layers.length > 0) return found(`has layers that are not printed as they are shown (${listed(layers)}); ${PRINT_IT}`);
  const isFixed = isSigned(document);
  const printedOnly = named(({ node }) => hasPrintedOnly(node, isFixed));
  if (printedOnly.length > 0) return found(`has annotations that are printed, but not shown (${listed(printedOnly)}); ${PRINT_IT}`);
  const form_fields = formFieldsOf(document);
  if (form_fields.length > MOST_FORM_FIELDS) return found(`has ${form_fields.length} form fields; at most ${MOST_FORM_FIELDS} are read`);
  const signatures = signedFieldsOf(document).length;
  if (signatures > MOST_SIGNATURES) return found(`has ${signatures} digital signatures; at most ${MOST_SIGNATURES} are verified`);
  const isFilledOnly = permitsOnlyFilling(document);
  const permits = isFilledOnly ? 'form_fields' : 'annotations';
  const earlier_signatures = (await signaturesOf(document, pdf)).map((signature) => ({ ...signature, permits }) as const);
  // who places fields learns from them what is permitted
  if (isFilledOnly && earlier_signatures.length === 0)
    return found('is certified by its author with a signature that has no form field; upload the file without its certification');
  return { ...found(null), form_fields, earlier_signatures, isFixed, isFilledOnly };
}

function listed(pages: readonly (number | string)[]): string {
  return `${pages.slice(0, LISTED).join(', ')}${pages.length > LISTED ? ', ...' : ''}`;
}
