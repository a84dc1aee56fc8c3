import { createPrivateKey, hash } from 'node:crypto';
import { Constructed, ObjectIdentifier, OctetString, Sequence, type BaseBlock } from 'asn1js';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  id_ContentType_Data,
  id_ContentType_SignedData,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { Bytes } from './fetch-bytes.js';
import { readKeyFile } from './key-file.js';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const SIGNED_ATTRIBUTES = 0;
const CONTEXT_SPECIFIC = 3;
const DIRECTORY_NAME = 4;

/** The `CryptoKey` of pkijs, whose name Node's types do not have. */
type SigningKey = Parameters<SignedData['sign']>[0];

/** The seal key with its certificate, followed by the issuing certificates. */
export interface SealKey {
  privateKey: SigningKey;
  /** DER. */
  certificates: Bytes[];
}

/** Reads a PKCS#12 file. Errors never quote its contents. */
export function readSealKey(p12: Buffer, passphrase: string): SealKey {
  const file = opened(p12, passphrase);
  if (!file) throw new Error('The seal file contains no RSA key with its certificate.');
  const key = createPrivateKey(file.privateKey);
  return {
    privateKey: key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign']) as SigningKey,
    certificates: file.certificates,
  };
}

function opened(p12: Buffer, passphrase: string) {
  try {
    return readKeyFile(p12, passphrase);
  } catch (cause) {
    throw new Error('The seal file cannot be read. It must be PKCS#12 with an RSA key, and the passphrase must match.', { cause });
  }
}

/** The maximum size in bytes of what `cms` returns for a key. */
export function cmsLength({ certificates }: SealKey): number {
  return 2048 + certificates.reduce((sum, { length }) => sum + length, 0);
}

/**
 * A detached CMS signature (RFC 5652) as PAdES B-B requires it (ETSI EN 319 142-1). The signed attributes include
 * signing-certificate-v2 (RFC 5035), which binds the certificate. They exclude signing-time, because the PDF dictionary states
 * it. Common PDF signing packages omit the first and always add the second.
 */
export async function cms(content: Buffer, { privateKey, certificates }: SealKey): Promise<Buffer> {
  const chain = certificates.map((der) => Certificate.fromBER(der));
  const { issuer, serialNumber } = chain[0];
  // as GeneralNames
  const name = new Constructed({ idBlock: { tagClass: CONTEXT_SPECIFIC, tagNumber: DIRECTORY_NAME }, value: [issuer.toSchema()] });
  const issuerSerial = new Sequence({ value: [new Sequence({ value: [name] }), serialNumber] });
  const certId = new Sequence({ value: [octets(sha256(certificates[0])), issuerSerial] });
  const attributes = inDerOrder([
    attribute(CONTENT_TYPE, new ObjectIdentifier({ value: id_ContentType_Data })),
    attribute(MESSAGE_DIGEST, octets(sha256(content))),
    attribute(SIGNING_CERTIFICATE_V2, new Sequence({ value: [new Sequence({ value: [certId] })] })),
  ]);
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_ContentType_Data }),
    certificates: chain,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: SIGNED_ATTRIBUTES, attributes }),
      }),
    ],
  });
  await signed.sign(privateKey, 0, 'SHA-256', new Uint8Array(content).buffer);
  const info = new ContentInfo({ contentType: id_ContentType_SignedData, content: signed.toSchema(true) });
  return Buffer.from(info.toSchema().toBER());
}

/** DER sorts the members of a set by their bytes. The signature must cover exactly that encoding. */
function inDerOrder(members: Attribute[]): Attribute[] {
  const der = (member: Attribute) => Buffer.from(member.toSchema().toBER());
  return [...members].sort((a, b) => Buffer.compare(der(a), der(b)));
}

function attribute(type: string, value: BaseBlock): Attribute {
  return new Attribute({ type, values: [value] });
}

function octets(value: Buffer): OctetString {
  return new OctetString({ valueHex: value });
}

function sha256(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer');
}
