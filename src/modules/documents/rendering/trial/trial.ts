import { EncryptedPDFError, PDFDict, PDFDocument, PDFName, PDFNumber, PDFArray, type PDFPage } from '@cantoo/pdf-lib';
import { appendPages } from '../certificate/append-pages.js';
import { certificatePages, type CertificateInput } from '../certificate/certificate.js';
import { pageCount } from '../reading/pdf-text.js';
import { TooLong, withinLimits } from '../reading/reading-limits.js';
import { seal, type SealOptions } from '../sealing/seal.js';
import { stampPdf, type Stamp } from '../stamping/stamp-pdf.js';

/** Of DocMDP (ISO 32000-1, 12.8.2.2): the file must not change at all. */
const NO_CHANGES = 1;
const HEADER_BYTES = 1024;
const PLACE = { x: 0.1, y: 0.1, w: 0.3, h: 0.05, text: 'Trial', png: null };
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

/**
 * Why an uploaded file cannot become an executed one; null if it can. Stamps all pages, appends one and seals the result, as the last
 * signature does: a file that fails then has been signed by others in vain.
 */
export async function trialProblem(pdf: Uint8Array, key: Pick<SealOptions, 'p12' | 'passphrase'>): Promise<string | null> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (!bytes.subarray(0, HEADER_BYTES).includes('%PDF-')) return 'is not a PDF that can be read';
  // a complete file ends with the position of its table of objects
  if (bytes.lastIndexOf('startxref') <= bytes.lastIndexOf('endobj')) return 'is not complete: its end is missing';
  try {
    return await withinLimits(() => problemIn(bytes, key));
  } catch (error) {
    if (error instanceof TooLong) return error.message;
    if (error instanceof EncryptedPDFError) return 'is encrypted, so it cannot be signed; save it without a password and restrictions';
    return 'has damaged pages, annotations or tags, so it cannot be signed; print it to a new PDF';
  }
}

async function problemIn(pdf: Buffer, key: Pick<SealOptions, 'p12' | 'passphrase'>): Promise<string | null> {
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  if (isCertified(document)) return 'is certified by its author, who forbids every change, so it cannot be signed';
  const pages = document.getPages();
  const count = await pageCount(pdf);
  if (count === 0) return 'has no pages';
  if (pages.some((page) => page.getRotation().angle % 360 !== 0)) return 'has rotated pages, which cannot be filled in';
  if (pages.some(isEmpty)) return 'has a page without an area';
  const stamps = pages.map((_, index): Stamp => ({ ...PLACE, page: index + 1, isSignature: index % 2 === 0 }));
  const stamped = await stampPdf(pdf, stamps, 'en');
  const appended = await appendPages(stamped, (pagesBefore) => certificatePages({ ...CERTIFICATE, pagesBefore }));
  const sealed = await seal(appended, { ...key, p12: Buffer.from(key.p12), reason: '', location: '', name: '', signingTime: new Date(0) });
  // readers that repair a file can see other pages than those that were stamped
  const found = [pages.length, (await pageCount(sealed)) - 1];
  return found.every((number) => number === count) ? null : 'has pages that readers count differently; print it to a new PDF';
}

function isEmpty(page: PDFPage): boolean {
  const { width, height } = page.getCropBox();
  return !(width > 0 && height > 0);
}

/** Whether an author's signature forbids all changes. */
function isCertified({ catalog }: PDFDocument): boolean {
  const permissions = catalog.lookupMaybe(PDFName.of('Perms'), PDFDict);
  const signature = permissions?.lookupMaybe(PDFName.of('DocMDP'), PDFDict);
  const references = signature?.lookupMaybe(PDFName.of('Reference'), PDFArray);
  for (let index = 0; index < (references?.size() ?? 0); index++) {
    const parameters = references?.lookupMaybe(index, PDFDict)?.lookupMaybe(PDFName.of('TransformParams'), PDFDict);
    if (parameters?.lookupMaybe(PDFName.of('P'), PDFNumber)?.asNumber() === NO_CHANGES) return true;
  }
  return false;
}
