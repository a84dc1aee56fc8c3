import { createHash, createSign } from 'node:crypto';
import forge from 'node-forge';

const { asn1, pki } = forge;
const { Class, Type } = asn1;

/** Object identifiers that node-forge does not define. */
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/** The seal key with its certificate, followed by the issuing certificates. */
export interface SealKey {
  privateKey: string;
  certificates: forge.pki.Certificate[];
}

/** Reads a PKCS#12 file. Errors never quote its contents. */
export function readSealKey(p12: Buffer, passphrase: string): SealKey {
  const { certificates, key } = open(p12, passphrase);
  if (key === undefined || key === null) throw new Error('The seal file contains no RSA private key.');
  const { n, e } = key as forge.pki.rsa.PrivateKey;
  const isItsOwn = ({ publicKey }: forge.pki.Certificate) =>
    (publicKey as forge.pki.rsa.PublicKey).n.equals(n) && (publicKey as forge.pki.rsa.PublicKey).e.equals(e);
  const own = certificates.find(isItsOwn);
  if (!own) throw new Error('The seal file contains no certificate for its private key.');
  return { privateKey: pki.privateKeyToPem(key), certificates: [own, ...certificates.filter((certificate) => certificate !== own)] };
}

function open(p12: Buffer, passphrase: string): { certificates: forge.pki.Certificate[]; key: forge.pki.PrivateKey | undefined } {
  try {
    const file = forge.pkcs12.pkcs12FromAsn1(asn1.fromDer(p12.toString('binary')), passphrase);
    const bags = (type: string) => file.getBags({ bagType: type })[type] ?? [];
    const keys = [...bags(pki.oids.pkcs8ShroudedKeyBag), ...bags(pki.oids.keyBag)];
    return { certificates: bags(pki.oids.certBag).flatMap(({ cert }) => (cert ? [cert] : [])), key: keys[0]?.key };
  } catch (cause) {
    throw new Error('The seal file cannot be read. It must be PKCS#12 with an RSA key, and the passphrase must match.', {
      cause,
    });
  }
}

/** The maximum size in bytes of what `cms` returns for a key. */
export function cmsLength({ certificates }: SealKey): number {
  return 2048 + certificates.reduce((sum, certificate) => sum + der(pki.certificateToAsn1(certificate)).length, 0);
}

/**
 * A detached CMS signature (RFC 5652) as PAdES B-B requires it (ETSI EN 319 142-1). The signed attributes include
 * signing-certificate-v2 (RFC 5035), which binds the certificate. They exclude signing-time, because the PDF dictionary states
 * it. Common PDF signing packages omit the first and always add the second.
 */
export function cms(content: Buffer, { privateKey, certificates }: SealKey): Buffer {
  const [own] = certificates.map((certificate) => pki.certificateToAsn1(certificate));
  const attributes = inDerOrder([
    attribute(pki.oids.contentType, oid(pki.oids.data)),
    attribute(pki.oids.messageDigest, octets(sha256(content))),
    attribute(SIGNING_CERTIFICATE_V2, sequence(sequence(sequence(octets(sha256(der(own))), issuerAndSerial(own, true))))),
  ]);
  const signature = createSign('sha256')
    .update(der(set(...attributes)))
    .sign(privateKey);
  const signer = sequence(
    version(1),
    issuerAndSerial(own, false),
    algorithm(pki.oids.sha256),
    tagged(0, ...attributes),
    algorithm(pki.oids.rsaEncryption),
    octets(signature),
  );
  const certificateSet = tagged(0, ...certificates.map((certificate) => pki.certificateToAsn1(certificate)));
  const signedData = sequence(version(1), set(algorithm(pki.oids.sha256)), sequence(oid(pki.oids.data)), certificateSet, set(signer));
  return der(sequence(oid(pki.oids.signedData), tagged(0, signedData)));
}

/** Copied from the certificate without re-encoding, because verifiers compare bytes. */
function issuerAndSerial(certificate: forge.asn1.Asn1, asGeneralName: boolean): forge.asn1.Asn1 {
  const fields = (certificate.value as forge.asn1.Asn1[])[0].value as forge.asn1.Asn1[];
  const hasVersion = fields[0].tagClass === Class.CONTEXT_SPECIFIC;
  const [serial, , issuer] = fields.slice(hasVersion ? 1 : 0);
  return sequence(asGeneralName ? sequence(tagged(4, issuer)) : issuer, serial);
}

/** DER sorts the members of a set by their bytes. The signature must cover exactly that encoding. */
function inDerOrder(members: forge.asn1.Asn1[]): forge.asn1.Asn1[] {
  return [...members].sort((a, b) => Buffer.compare(der(a), der(b)));
}

function attribute(type: string, value: forge.asn1.Asn1): forge.asn1.Asn1 {
  return sequence(oid(type), set(value));
}

function algorithm(type: string): forge.asn1.Asn1 {
  return sequence(oid(type), asn1.create(Class.UNIVERSAL, Type.NULL, false, ''));
}

function sequence(...members: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, members);
}

function set(...members: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, members);
}

function tagged(tag: number, ...members: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.CONTEXT_SPECIFIC, tag, true, members);
}

function oid(value: string): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(value).getBytes());
}

function version(value: number): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(value).getBytes());
}

function octets(value: Buffer): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, value.toString('binary'));
}

function der(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'binary');
}

function sha256(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}
