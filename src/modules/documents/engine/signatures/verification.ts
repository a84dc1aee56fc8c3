import { createVerify, hash, X509Certificate } from 'node:crypto';
import { fromBER, OctetString } from 'asn1js';
import { Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, TSTInfo } from 'pkijs';

const SIGNING_TIME = '1.2.840.113549.1.9.5';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** RFC 3161, appendix A. */
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const LONGEST_SUBJECT = 500;

/** Of whom it says what, as the certificate states it. */
export interface SignerCertificate {
  /** Such as "CN=Nordwind GmbH, C=DE". */
  subject: string;
  issuer: string;
  /** RFC 3339. */
  valid_from: string;
  valid_until: string;
}

/** The time stamp (RFC 3161) over a signature that is embedded in it. */
export interface TimeStampOfSignature {
  /** RFC 3339; null if the token cannot be read. */
  stamped_at: string | null;
  authority: string | null;
  /** Whether it is over this signature and its own signature is right; null if its method is not known. */
  is_intact: boolean | null;
}

export interface Verified {
  /** Null if the method is not known. */
  isIntact: boolean | null;
  signer: string | null;
  signedAt: Date | null;
  certificate: SignerCertificate | null;
  timeStamp: TimeStampOfSignature | null;
}

const UNKNOWN = { signer: null, signedAt: null, certificate: null, timeStamp: null };

/** Verifies a signature over `covered`; null if what it covers is not known. `method` is its SubFilter (ISO 32000-1, 12.8.3). */
export async function verified(method: string, signature: Buffer, covered: Buffer | null, certificate: Buffer | null): Promise<Verified> {
  try {
    if (method === 'adbe.x509.rsa_sha1') return raw(signature, covered, certificate);
    const { offset, result } = fromBER(new Uint8Array(signature));
    if (offset < 0) return { isIntact: false, ...UNKNOWN };
    const signed = new SignedData({ schema: new ContentInfo({ schema: result }).content });
    const own = certificateOf(signed);
    return {
      isIntact: covered === null ? false : await isIntact(signed, method, covered),
      signer: own && nameIn(own),
      signedAt: signedAt(signed, method),
      certificate: own && factsOf(own),
      timeStamp: await timeStampIn(signed),
    };
  } catch {
    return { isIntact: null, ...UNKNOWN };
  }
}

/** Null if an algorithm is not known. */
async function isIntact(signed: SignedData, method: string, covered: Buffer): Promise<boolean | null> {
  try {
    if (method === 'adbe.pkcs7.sha1') {
      const digest = Buffer.from(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
      return digest.equals(hash('sha1', covered, 'buffer')) && (await signed.verify({ signer: 0, checkChain: false }));
    }
    const data = new Uint8Array(covered).buffer;
    // of a time stamp over something else pkijs says only that it cannot be verified
    if (method === 'ETSI.RFC3161' && !(await stampIn(signed).verify({ data }))) return false;
    return await signed.verify({ signer: 0, data, checkChain: false });
  } catch (error) {
    // pkijs reports a wrong hash by an error
    return /digest|hash|imprint/i.test((error as Error).message) ? false : null;
  }
}

/** A bare RSA signature. */
function raw(signature: Buffer, covered: Buffer | null, certificate: Buffer | null): Verified {
  if (certificate === null) return { isIntact: null, ...UNKNOWN };
  const { result } = fromBER(new Uint8Array(signature));
  const value = result instanceof OctetString ? Buffer.from(result.valueBlock.valueHexView) : signature;
  const { publicKey } = new X509Certificate(certificate);
  const isValid = covered !== null && createVerify('RSA-SHA1').update(covered).verify(publicKey, value);
  const read = Certificate.fromBER(new Uint8Array(certificate));
  return { ...UNKNOWN, isIntact: isValid, signer: nameIn(read), certificate: factsOf(read) };
}

/** Of the signer; the first one if none fits. */
function certificateOf(signed: SignedData): Certificate | null {
  const { sid } = signed.signerInfos[0];
  const certificates = (signed.certificates ?? []).filter((one) => one instanceof Certificate);
  const own = certificates.find(
    ({ issuer, serialNumber }) =>
      sid instanceof IssuerAndSerialNumber && issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber),
  );
  return own ?? certificates.at(0) ?? null;
}

/** Null for a certificate that Node cannot read. */
function factsOf(certificate: Certificate): SignerCertificate | null {
  try {
    const { subject, issuer, validFrom, validTo } = new X509Certificate(Buffer.from(certificate.toSchema().toBER()));
    return {
      subject: onOneLine(subject),
      issuer: onOneLine(issuer),
      valid_from: new Date(validFrom).toISOString(),
      valid_until: new Date(validTo).toISOString(),
    };
  } catch {
    return null;
  }
}

/** Node writes each part of a name on a line, and gives none for an empty name. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').reverse().join(', ').replaceAll('\u0000', '').slice(0, LONGEST_SUBJECT).toWellFormed();
}

/** Null for a signature without one. */
async function timeStampIn({ signerInfos: [signer] }: SignedData): Promise<TimeStampOfSignature | null> {
  const attribute = signer.unsignedAttrs?.attributes.find(({ type }) => type === TIME_STAMP_TOKEN);
  if (!attribute) return null;
  try {
    const token = new SignedData({ schema: new ContentInfo({ schema: attribute.values[0] }).content });
    const certificate = certificateOf(token);
    return {
      stamped_at: stampIn(token).genTime.toISOString(),
      authority: certificate && nameIn(certificate),
      is_intact: await isIntact(token, 'ETSI.RFC3161', Buffer.from(signer.signature.valueBlock.valueHexView)),
    };
  } catch {
    return { stamped_at: null, authority: null, is_intact: null };
  }
}

function nameIn({ subject }: Certificate): string | null {
  const names = [COMMON_NAME, ORGANIZATION].map((type) => subject.typesAndValues.find((one) => one.type === type));
  const found = names.find((one) => one !== undefined);
  return found ? String(found.value.valueBlock.value) : null;
}

/** Of a time stamp as the authority states it, of a signature as the signer does. */
function signedAt(signed: SignedData, method: string): Date | null {
  if (method === 'ETSI.RFC3161') return stampIn(signed).genTime;
  const attribute = signed.signerInfos[0].signedAttrs?.attributes.find(({ type }) => type === SIGNING_TIME);
  const value = attribute?.values[0] as { toDate?: () => Date } | undefined;
  return value?.toDate?.() ?? null;
}

/** What a time-stamp token says. */
function stampIn({ encapContentInfo }: SignedData): TSTInfo {
  return TSTInfo.fromBER(encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
}
