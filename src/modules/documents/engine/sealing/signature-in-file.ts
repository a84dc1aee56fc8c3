import { Constructed, fromBER, ObjectIdentifier, Sequence, Set as AsnSet } from 'asn1js';
import { ContentInfo, SignedData } from 'pkijs';

import type { Bytes } from './fetch-bytes.js';

/** RFC 3161, appendix A. */
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const CONTEXT_SPECIFIC = 3;
const UNSIGNED_ATTRIBUTES = 1;
const BYTE_RANGE = /\/ByteRange \[\d+ (\d+) (\d+) \d+ *\]/g;

/** The signature of a sealed file. */
export interface SignatureInFile {
  /** DER of the CMS. */
  cms: Bytes;
  /** The signature itself, which a time stamp covers. */
  value: Bytes;
  /** DER. */
  certificates: Bytes[];
}

/** Reads the signature of a file that `seal` has made. */
export function signatureIn(pdf: Buffer): SignatureInFile {
  const { from, to } = signatureRange(pdf);
  const padded = Buffer.from(pdf.toString('latin1', from + 1, to - 1), 'hex');
  const { offset, result } = fromBER(padded);
  const signed = new SignedData({ schema: new ContentInfo({ schema: result }).content });
  return {
    cms: padded.subarray(0, offset),
    value: Buffer.from(signed.signerInfos[0].signature.valueBlock.valueHexView),
    certificates: (signed.certificates ?? []).map((certificate) => Buffer.from(certificate.toSchema().toBER())),
  };
}

/** Adds a time stamp over the signature as an unsigned attribute, so that the signature stays valid (PAdES B-T). */
export function withTimeStamp(pdf: Buffer, token: Uint8Array): Buffer {
  const { cms } = signatureIn(pdf);
  const info = fromBER(cms).result as Sequence;
  const [signedData] = (info.valueBlock.value[1] as Constructed).valueBlock.value as Sequence[];
  const [signer] = (signedData.valueBlock.value.at(-1) as AsnSet).valueBlock.value as Sequence[];
  const attribute = new Sequence({
    value: [new ObjectIdentifier({ value: TIME_STAMP_TOKEN }), new AsnSet({ value: [parsed(token)] })],
  });
  signer.valueBlock.value.push(
    new Constructed({ idBlock: { tagClass: CONTEXT_SPECIFIC, tagNumber: UNSIGNED_ATTRIBUTES }, value: [attribute] }),
  );
  const { from, to } = signatureRange(pdf);
  const hex = Buffer.from(info.toBER()).toString('hex');
  const room = to - from - 2;
  if (hex.length > room) throw new Error(`A time stamp of ${token.length} bytes does not fit into the signature.`);
  const stamped = Buffer.from(pdf);
  stamped.write(hex.padEnd(room, '0'), from + 1, 'latin1');
  return stamped;
}

/** The token's signature covers its bytes, so it must be encoded as it was. */
function parsed(token: Uint8Array): Sequence {
  const { result } = fromBER(new Uint8Array(token));
  if (!Buffer.from(result.toBER()).equals(token)) throw new Error('The time stamp has an encoding that cannot be kept.');
  return result as Sequence;
}

/** The last signature's hexadecimal string with its angle brackets. */
function signatureRange(pdf: Buffer): { from: number; to: number } {
  const range = [...pdf.toString('latin1').matchAll(BYTE_RANGE)].at(-1);
  if (!range) throw new Error('The file has no signature.');
  return { from: Number(range[1]), to: Number(range[2]) };
}
