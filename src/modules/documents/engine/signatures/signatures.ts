import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import type { EarlierSignature } from '../../model/core/placed-fields.js';
import { inherited, itemsOf, textOf } from '../updates/pdf-objects.js';
import { verified, type SignerCertificate, type TimeStampOfSignature, type Verified } from './verification.js';

const name = (text: string) => PDFName.of(text);
const LONGEST_NAME = 200;
/** Each covers up to the whole file. */
export const MOST_SIGNATURES = 100;

/** The value of a signature field. */
export interface SignatureValue {
  field: PDFDict;
  value: PDFDict;
}

/** The fields that are signed; each value once. */
export function signedFieldsOf({ context }: PDFDocument): SignatureValue[] {
  const found = new Map<PDFDict, SignatureValue>();
  for (const [, field] of context.enumerateIndirectObjects()) {
    if (!(field instanceof PDFDict)) continue;
    const value = field.lookup(name('V'));
    if (value instanceof PDFDict && inherited(field, 'FT') === name('Sig')) found.set(value, { field, value });
  }
  return [...found.values()];
}

/** Whether a change of the pages would break signatures. */
export function isSigned(document: PDFDocument): boolean {
  const permissions = document.catalog.lookup(name('Perms'));
  const isCertified = permissions instanceof PDFDict && permissions.lookup(name('DocMDP')) instanceof PDFDict;
  return isCertified || signedFieldsOf(document).length > 0;
}

/** A signature with all that it says of itself. */
export interface ReadSignature extends EarlierSignature {
  /** Where what it covers ends: later bytes were added after it. */
  end: number;
  /** Null if the file does not contain it. */
  certificate: SignerCertificate | null;
  time_stamp: TimeStampOfSignature | null;
}

/** The signatures of a file, in the order in which they were added. */
export async function signaturesOf(document: PDFDocument, pdf: Buffer): Promise<EarlierSignature[]> {
  return (await readSignatures(document, pdf)).map(({ signer, signed_at, kind, is_intact, covers_file }) => {
    return { signer, signed_at, kind, is_intact, covers_file };
  });
}

/** The same with their certificates and time stamps. */
export async function readSignatures(document: PDFDocument, pdf: Buffer): Promise<ReadSignature[]> {
  const found = await Promise.all(
    signedFieldsOf(document).map(async ({ value }) => {
      const range = rangeOf(value.lookup(name('ByteRange')));
      const signature = value.lookup(name('Contents'));
      const bytes = signature instanceof PDFHexString || signature instanceof PDFString ? Buffer.from(signature.asBytes()) : null;
      const isWhole = range !== null && bytes !== null && isComplete(range, pdf, bytes);
      const method = textOf(value.lookup(name('SubFilter'))) ?? '';
      const read = bytes ? await verified(method, bytes, isWhole ? coveredBy(range, pdf) : null, certificateOf(value)) : NOTHING;
      return entryOf(value, method, read, isWhole, range, pdf);
    }),
  );
  return found.sort((one, other) => one.end - other.end);
}

const NOTHING: Verified = { isIntact: false, signer: null, signedAt: null, certificate: null, timeStamp: null };

function entryOf(
  value: PDFDict,
  method: string,
  { isIntact, signer, signedAt, certificate, timeStamp }: Verified,
  isWhole: boolean,
  range: readonly number[] | null,
  pdf: Buffer,
): ReadSignature {
  const stated = value.lookup(name('M'));
  const end = range ? range[2] + range[3] : 0;
  return {
    signer: storable(signer ?? textOf(value.lookup(name('Name'))) ?? ''),
    signed_at: (signedAt ?? dateOf(stated))?.toISOString() ?? null,
    kind: method === 'ETSI.RFC3161' ? 'time_stamp' : 'signature',
    is_intact: isWhole && isIntact,
    covers_file: isWhole && pdf.subarray(end).every((byte) => byte === 10 || byte === 13 || byte === 32),
    end,
    certificate,
    time_stamp: timeStamp,
  };
}

/** Where what is signed begins and how long it is, before and behind the signature itself. */
function rangeOf(value: PDFObject | undefined): [number, number, number, number] | null {
  const numbers = value instanceof PDFArray ? itemsOf(value) : [];
  if (numbers.length !== 4 || !numbers.every((one) => one instanceof PDFNumber)) return null;
  return numbers.map((one) => one.asNumber()) as [number, number, number, number];
}

/** Whether everything is covered but the signature: a larger gap could contain anything. */
function isComplete([start, length, behind, rest]: readonly number[], pdf: Buffer, signature: Buffer): boolean {
  if (start !== 0 || length <= 0 || behind <= length || rest <= 0 || behind + rest > pdf.length) return false;
  const gap = pdf.toString('latin1', length, behind).replace(/\s+/g, '');
  return gap.startsWith('<') && gap.endsWith('>') && Buffer.from(gap.slice(1, -1), 'hex').equals(signature);
}

function coveredBy([, length, behind, rest]: readonly number[], pdf: Buffer): Buffer {
  return Buffer.concat([pdf.subarray(0, length), pdf.subarray(behind, behind + rest)]);
}

/** Of signatures without a certificate of their own (adbe.x509.rsa_sha1). */
function certificateOf(value: PDFDict): Buffer | null {
  const entry = value.lookup(name('Cert'));
  const [first] = entry instanceof PDFArray ? itemsOf(entry) : [entry];
  return first instanceof PDFString || first instanceof PDFHexString ? Buffer.from(first.asBytes()) : null;
}

function dateOf(value: PDFObject | undefined): Date | null {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return null;
  try {
    return value.decodeDate();
  } catch {
    return null;
  }
}

/** PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '').trim().slice(0, LONGEST_NAME).toWellFormed();
}
