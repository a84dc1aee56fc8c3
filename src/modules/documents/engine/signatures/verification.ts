import { createVerify, hash, X509Certificate } from 'node:crypto';
import { fromBER, OctetString } from 'asn1js';
import { Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, TSTInfo } from 'pkijs';

const SIGNING_TIME = '1.2.840.113549.1.9.5';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

export interface Verified {
  /** Null if the method is not known. */
  isIntact: boolean | null;
  signer: string | null;
  signedAt: Date | null;
}

/** Verifies a signature over `covered`; null if what it covers is not known. `method` is its SubFilter (ISO 32000-1, 12.8.3). */
export async function verified(method: string, signature: Buffer, covered: Buffer | null, certificate: Buffer | null): Promise<Verified> {
  try {
    if (method === 'adbe.x509.rsa_sha1') return raw(signature, covered, certificate);
    const { offset, result } = fromBER(new Uint8Array(signature));
    if (offset < 0) return { isIntact: false, signer: null, signedAt: null };
    const signed = new SignedData({ schema: new ContentInfo({ schema: result }).content });
    const facts = { signer: signerOf(signed), signedAt: signedAt(signed, method) };
    return { isIntact: covered === null ? false : await isIntact(signed, method, covered), ...facts };
  } catch {
    return { isIntact: null, signer: null, signedAt: null };
  }
}

/** Null if an algorithm is not known. */
async function isIntact(signed: SignedData, method: string, covered: Buffer): Promise<boolean | null> {
  try {
    if (method === 'adbe.pkcs7.sha1') {
      const digest = Buffer.from(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
      return digest.equals(hash('sha1', covered, 'buffer')) && (await signed.verify({ signer: 0, checkChain: false }));
    }
    return await signed.verify({ signer: 0, data: new Uint8Array(covered).buffer, checkChain: false });
  } catch (error) {
    // pkijs reports a wrong hash by an error
    return /digest|hash|imprint/i.test((error as Error).message) ? false : null;
  }
}

/** A bare RSA signature. */
function raw(signature: Buffer, covered: Buffer | null, certificate: Buffer | null): Verified {
  if (certificate === null) return { isIntact: null, signer: null, signedAt: null };
  const { result } = fromBER(new Uint8Array(signature));
  const value = result instanceof OctetString ? Buffer.from(result.valueBlock.valueHexView) : signature;
  const { publicKey } = new X509Certificate(certificate);
  const isValid = covered !== null && createVerify('RSA-SHA1').update(covered).verify(publicKey, value);
  return { isIntact: isValid, signer: nameIn(Certificate.fromBER(new Uint8Array(certificate))), signedAt: null };
}

function signerOf(signed: SignedData): string | null {
  const { sid } = signed.signerInfos[0];
  const certificates = (signed.certificates ?? []).filter((one) => one instanceof Certificate);
  const own = certificates.find(
    ({ issuer, serialNumber }) =>
      sid instanceof IssuerAndSerialNumber && issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber),
  );
  const certificate = own ?? certificates[0];
  return certificate ? nameIn(certificate) : null;
}

function nameIn({ subject }: Certificate): string | null {
  const names = [COMMON_NAME, ORGANIZATION].map((type) => subject.typesAndValues.find((one) => one.type === type));
  const found = names.find((one) => one !== undefined);
  return found ? String(found.value.valueBlock.value) : null;
}

/** Of a time stamp as the authority states it, of a signature as the signer does. */
function signedAt(signed: SignedData, method: string): Date | null {
  if (method === 'ETSI.RFC3161') return TSTInfo.fromBER(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0)).genTime;
  const attribute = signed.signerInfos[0].signedAttrs?.attributes.find(({ type }) => type === SIGNING_TIME);
  const value = attribute?.values[0] as { toDate?: () => Date } | undefined;
  return value?.toDate?.() ?? null;
}
