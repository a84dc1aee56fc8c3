import { createSign, generateKeyPairSync, hash, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BitString, fromBER, Integer, Null, OctetString, Utf8String } from 'asn1js';
import { AlgorithmIdentifier, AttributeTypeAndValue, BasicConstraints, Certificate, Extension, PublicKeyInfo } from 'pkijs';
import { ConfigError, type Settings } from '../../../../kit/index.js';
import type { Bytes } from './fetch-bytes.js';
import { readKeyFile, writeKeyFile, type KeyFile } from './key-file.js';

const RSA_BITS = 2048;
const YEARS = 10;
/** A verifier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60 * 60_000;
const NO_PASSPHRASE = '';
const NAME = 'Work suite document seal, self-signed';

const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
/** The first two bits: digitalSignature and nonRepudiation. */
const SIGNS = Buffer.from([0b1100_0000]);
const UNUSED_BITS = 6;
const X509_V3 = 2;

/** Reads the operator's PKCS #12 file and checks that documents can be sealed with it. */
export function readSeal(file: string, passphrase = NO_PASSPHRASE): { p12: Buffer; passphrase: string; expires: Date } {
  const p12 = readFileSync(file);
  const opened = open(p12, passphrase, file);
  // seals are RSA signatures: another type of key is rejected here and not at the first document
  if (!opened) throw new ConfigError(`SEAL_P12_FILE ${file} must contain an RSA key and its certificate.`);
  return { p12, passphrase, expires: new Date(new X509Certificate(opened.certificates[0]).validTo) };
}

/** The self-signed PKCS #12 file in DATA_DIR, created at the first call; all processes that share the folder get the same. */
export function storedSeal(settings: Settings): { p12: Buffer; passphrase: string } {
  return { p12: settings.dataFile('seal.p12', selfSignedSeal), passphrase: NO_PASSPHRASE };
}

export function selfSignedSeal(): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  // more rounds would only protect the passphrase, and there is none
  return writeKeyFile({ privateKey, certificates: [selfSigned(privateKey, publicKey)] }, NO_PASSPHRASE, { rounds: 1 });
}

/** DER. */
function selfSigned(privateKey: string, publicKey: Bytes): Bytes {
  const algorithm = new AlgorithmIdentifier({ algorithmId: SHA256_WITH_RSA, algorithmParams: new Null() });
  const keyInfo = new PublicKeyInfo({ schema: fromBER(publicKey).result });
  const certificate = new Certificate({
    version: X509_V3,
    // RFC 5280 requires a positive serial number
    serialNumber: new Integer({ valueHex: Buffer.concat([Buffer.from([1]), randomBytes(15)]) }),
    signature: algorithm,
    signatureAlgorithm: algorithm,
    subjectPublicKeyInfo: keyInfo,
    extensions: [
      extension(BASIC_CONSTRAINTS, new BasicConstraints({ cA: false }).toSchema(), { critical: true }),
      extension(KEY_USAGE, new BitString({ valueHex: SIGNS, unusedBits: UNUSED_BITS }), { critical: true }),
      extension(
        SUBJECT_KEY_IDENTIFIER,
        new OctetString({ valueHex: hash('sha1', keyInfo.subjectPublicKey.valueBlock.valueHexView, 'buffer') }),
      ),
    ],
  });
  for (const name of [certificate.subject, certificate.issuer])
    name.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: NAME }) }));
  const now = new Date();
  certificate.notBefore.value = new Date(now.getTime() - CLOCK_SKEW_MS);
  certificate.notAfter.value = new Date(now);
  certificate.notAfter.value.setFullYear(now.getFullYear() + YEARS);
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER());
  certificate.signatureValue = new BitString({ valueHex: createSign('sha256').update(certificate.tbsView).sign(privateKey) });
  return Buffer.from(certificate.toSchema().toBER());
}

function extension(extnID: string, value: { toBER(): ArrayBuffer }, { critical = false } = {}): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() });
}

function open(p12: Buffer, passphrase: string, file: string): KeyFile | null {
  try {
    return readKeyFile(p12, passphrase);
  } catch (error) {
    throw new ConfigError(`SEAL_P12_FILE ${file} cannot be opened with SEAL_P12_PASSPHRASE: ${(error as Error).message.split('\n')[0]}`);
  }
}
