// Runs in the worker threads of PdfTypesetter. Large packages are imported at the first call, because many processes make no PDF.
import type { CertificateInput } from '../certificate/certificate.js';
import type { PlacedField } from '../../model/core/placed-fields.js';
import type { Watermark } from '../content/printed-words.js';
import type { PdfInput } from '../pdf/render-pdf.js';
import type { PdfProblem, ZoneContents } from '../reading/pdf-text.js';
import type { ZoneToRead } from '../reading/zone-text.js';
import type { ValidationData } from '../sealing/revocation.js';
import type { SealOptions } from '../sealing/seal.js';
import { INCOMPLETE, lacksEnd } from '../reading/file-end.js';
import { FileFault, onFile } from '../reading/file-fault.js';
import type { BoxedText } from '../stamping/text-fit.js';
import type { Stamp } from '../stamping/stamp-pdf.js';
import type { ReadSignature } from '../signatures/signatures.js';
import type { TriedFile } from '../trial/trial.js';

/** A document as it is stored when it is finalized. */
export interface RenderedDocument {
  pdf: Uint8Array;
  html: string;
  /** Where the parties sign. */
  fields: PlacedField[];
}

/** A file of an executed document: the final pages, the certificate pages, or both, and a seal over them. */
export interface ExecutedInput {
  final?: StampInput;
  certificate?: CertificateInput;
  seal: SealOptions;
  /** Leaves room for a time stamp in the seal. */
  hasTimeStamp: boolean;
}

export type SealFile = Pick<SealOptions, 'p12' | 'passphrase'>;

/** An executed file, with what makes its seal valid in the long term. */
export interface StampedInput {
  sealed: Uint8Array;
  /** DER of the time-stamp token (RFC 3161). */
  token: Uint8Array;
  data: ValidationData;
}

/** A file to read, and the zones that matter. */
export interface ReadInput {
  bytes: Uint8Array;
  zones: readonly ZoneToRead[];
}

export async function pdf(input: PdfInput): Promise<Uint8Array> {
  const { renderPdf } = await import('../pdf/render-pdf.js');
  return renderPdf(input);
}

export async function rendition(input: PdfInput): Promise<RenderedDocument> {
  const [{ renderHtml }, { renderPdfWithFields }] = await Promise.all([
    import('../content/render-html.js'),
    import('../pdf/render-pdf.js'),
  ]);
  return { ...renderPdfWithFields(input), html: renderHtml(input.content, input.watermark as Watermark | undefined) };
}

export async function executed(input: ExecutedInput): Promise<Uint8Array | PdfProblem> {
  const { final, certificate, hasTimeStamp } = input;
  const [{ certificatePages }, { executedFile }, { seal }, { openForUpdate }] = await Promise.all([
    import('../certificate/certificate.js'),
    import('../sealing/executed-file.js'),
    import('../sealing/seal.js'),
    import('../updates/file-update.js'),
  ]);
  const made = (place?: Pick<CertificateInput, 'pagesBefore' | 'isAttached'>) =>
    certificatePages({ ...withBuffers(certificate as CertificateInput), ...place });
  return orProblem(async () => {
    const options = { ...input.seal, p12: Buffer.from(input.seal.p12) };
    if (!final) return seal(made(), options, { hasTimeStamp });
    const document = await onFile(() => openForUpdate(final.pdf));
    const { stamps, language } = final;
    const appended = certificate && ((pagesBefore: number, isAttached: boolean) => made({ pagesBefore, isAttached }));
    return executedFile(document, { stamps, language, certificate: appended, hasTimeStamp }, options);
  });
}

const SAMPLE: Stamp = { page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05, text: 'Signature', isSignature: true, png: null };
let preparing: Promise<unknown> | undefined;

/** Signs a page of its own, so that what signing needs is loaded: packages, fonts and the key. */
export async function prepare(key: SealFile): Promise<void> {
  await (preparing ??= signSample(key));
}

async function signSample({ p12, passphrase }: SealFile): Promise<void> {
  const [{ overlay }, { openForUpdate }, { executedFile }] = await Promise.all([
    import('../stamping/stamp-pdf.js'),
    import('../updates/file-update.js'),
    import('../sealing/executed-file.js'),
    import('../stamping/text-fit.js'),
    import('../certificate/certificate.js'),
  ]);
  const page = overlay([{ width: 595, height: 842, stamps: [SAMPLE] }], 'en');
  const options = { p12: Buffer.from(p12), passphrase, reason: '', location: '', name: '', signingTime: new Date(0) };
  await executedFile(await openForUpdate(page), { stamps: [SAMPLE], language: 'en' }, options);
}

/** Several files as one to read and print: without their signatures and seals, which do not cover it. */
export async function joined(files: readonly Uint8Array[]): Promise<Uint8Array | PdfProblem> {
  const { joinFiles } = await import('../updates/join-files.js');
  return orProblem(() => joinFiles(files));
}

export async function pageCount(bytes: Uint8Array): Promise<number | PdfProblem> {
  const { PDFDocument } = await import('@cantoo/pdf-lib');
  return orProblem(() => onFile(async () => (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount()));
}

/** A file and the stamps to print on it. */
export interface StampInput {
  pdf: Uint8Array;
  stamps: readonly Stamp[];
  /** BCP 47. */
  language: string;
}

export async function stamp({ pdf: file, stamps, language }: StampInput): Promise<Uint8Array | PdfProblem> {
  const [{ stampPdf }, { formToFill }] = await Promise.all([import('../stamping/stamp-pdf.js'), import('../forms/filled-form.js')]);
  return orProblem(() => stampPdf(file, stamps, language, formToFill));
}

/** A file whose form fields become part of its pages, and the names of those that the parties fill in. */
export interface FlattenInput {
  pdf: Uint8Array;
  cleared: readonly string[];
  /** BCP 47. */
  language: string;
}

export async function flatten({ pdf: file, cleared, language }: FlattenInput): Promise<Uint8Array | PdfProblem> {
  const { flattenForm } = await import('../forms/flatten-form.js');
  return orProblem(() => flattenForm(Buffer.from(file), new Set(cleared), language));
}

/** Between threads an error loses its class. */
async function orProblem<R>(work: () => Promise<R>): Promise<R | PdfProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileFault) return { problem: error.message };
    throw error;
  }
}

/** A file and the texts to print into boxes on it. */
export interface FitInput {
  pdf: Uint8Array;
  texts: readonly BoxedText[];
  /** BCP 47. */
  language: string;
}

/** None for a file that cannot be read: signing it fails, and says so. */
export async function unfitting({ pdf: file, texts, language }: FitInput): Promise<number[]> {
  const fit = await import('../stamping/text-fit.js');
  const found = await orProblem(() => fit.unfitting(file, texts, language));
  return 'problem' in found ? [] : found;
}

/** An uploaded file, and the key with which it would be sealed. */
export interface TrialInput {
  bytes: Uint8Array;
  key: SealFile;
}

export async function trial({ bytes, key }: TrialInput): Promise<TriedFile | PdfProblem> {
  const [tried, { limitBuffers }] = await Promise.all([import('../trial/trial.js'), import('../reading/reading-limits.js')]);
  limitBuffers();
  return tried.trial(bytes, key);
}

export async function stamped({ sealed, token, data }: StampedInput): Promise<Uint8Array> {
  const [{ withTimeStamp }, { addValidationStore }] = await Promise.all([
    import('../sealing/signature-in-file.js'),
    import('../sealing/validation-store.js'),
  ]);
  return addValidationStore(withTimeStamp(Buffer.from(sealed), token), data);
}

export async function zones({ bytes, zones: places }: ReadInput): Promise<ZoneContents | PdfProblem> {
  const [{ readZones }, { limitBuffers }] = await Promise.all([import('../reading/pdf-text.js'), import('../reading/reading-limits.js')]);
  limitBuffers();
  return readZones(bytes, places);
}

/** A file whose signatures are verified. */
export interface SignedInput {
  bytes: Uint8Array;
}

export async function signatures({ bytes }: SignedInput): Promise<ReadSignature[] | PdfProblem> {
  const [{ PDFDocument }, { MOST_SIGNATURES, readSignatures, signedFieldsOf }, { limitBuffers }] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('../signatures/signatures.js'),
    import('../reading/reading-limits.js'),
  ]);
  limitBuffers();
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // without objects, pdf-lib looks for one from every position
  if (!pdf.includes('endobj')) return { problem: 'cannot be read' };
  let document;
  try {
    document = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  } catch {
    return { problem: 'cannot be read' };
  }
  const { length: found } = signedFieldsOf(document);
  if (found > MOST_SIGNATURES) return { problem: 'has too many signatures' };
  // they may stand in what is missing
  if (found === 0 && lacksEnd(pdf)) return { problem: INCOMPLETE };
  // they may stand in a stream of objects, which is encrypted as a whole
  if (found === 0 && document.isEncrypted) return { problem: 'is encrypted' };
  return readSignatures(document, pdf);
}

/** Between threads a Buffer becomes a plain Uint8Array. */
function withBuffers(input: CertificateInput): CertificateInput {
  return {
    ...input,
    parties: input.parties.map((party) => ({
      ...party,
      signature: party.signature.kind === 'typed' ? party.signature : { ...party.signature, png: Buffer.from(party.signature.png) },
    })),
  };
}
