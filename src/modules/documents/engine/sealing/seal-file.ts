import { generateKeyPairSync, privateEncrypt, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import forge from 'node-forge';
import { ConfigError, type Settings } from '../../../../kit/index.js';

const RSA_BITS = 2048;
/** The prefix of the DigestInfo in an RSA signature over a SHA-256 digest; RFC 8017, 9.2. */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const YEARS = 10;
/** A verifier's clock may be behind ours. */
const CLOCK_SKEW_MS = 60 * 60_000;
const NO_PASSPHRASE = '';

/** Reads the operator's PKCS #12 file and checks that documents can be sealed with it. */
export function readSeal(file: string, passphrase = NO_PASSPHRASE): { p12: Buffer; passphrase: string; expires: Date } {
  const p12 = readFileSync(file);
  return { p12, passphrase, expires: certificateOf(p12, passphrase, file).validity.notAfter };
}

/** The self-signed PKCS #12 file in DATA_DIR, created at the first call; all processes that share the folder get the same. */
export function storedSeal(settings: Settings): { p12: Buffer; passphrase: string } {
  return { p12: settings.dataFile('seal.p12', selfSignedSeal), passphrase: NO_PASSPHRASE };
}

export function selfSignedSeal(): Buffer {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(keys.privateKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
  // RFC 5280 requires a positive serial number
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - CLOCK_SKEW_MS);
  certificate.validity.notAfter = new Date();
  certificate.validity.notAfter.setFullYear(certificate.validity.notAfter.getFullYear() + YEARS);
  const subject = [{ name: 'commonName', value: 'Work suite document seal, self-signed' }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(nativeSigner(keys.privateKey), forge.md.sha256.create());
  // more rounds would only protect the passphrase, and there is none
  const asn1 = forge.pkcs12.toPkcs12Asn1(privateKey, [certificate], NO_PASSPHRASE, { algorithm: 'aes256', count: 1 });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
}

/** Signs like forge's own keys, but with native code: the exponentiation in JavaScript takes half a second. */
function nativeSigner(pem: string): forge.pki.rsa.PrivateKey {
  const sign = (digest: forge.md.MessageDigest) =>
    privateEncrypt(pem, Buffer.concat([SHA256_DIGEST_INFO, Buffer.from(digest.digest().getBytes(), 'binary')])).toString('binary');
  return { sign } as forge.pki.rsa.PrivateKey;
}

/** The certificate of the file's key. Seals are RSA signatures, so another type of key is rejected here and not at the first document. */
function certificateOf(p12: Buffer, passphrase: string, file: string): forge.pki.Certificate {
  const { keys, certificates } = open(p12, passphrase, file);
  const [key] = keys;
  const certificate = certificates.find(({ publicKey }) => key?.n && (publicKey as forge.pki.rsa.PublicKey).n?.equals(key.n));
  if (!certificate) throw new ConfigError(`SEAL_P12_FILE ${file} must contain an RSA key and its certificate.`);
  return certificate;
}

function open(p12: Buffer, passphrase: string, file: string): { keys: forge.pki.rsa.PrivateKey[]; certificates: forge.pki.Certificate[] } {
  try {
    const opened = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), false, passphrase);
    const { pkcs8ShroudedKeyBag: keyBag, certBag } = forge.pki.oids;
    return {
      keys: (opened.getBags({ bagType: keyBag })[keyBag] ?? []).flatMap(({ key }) => (key ? [key as forge.pki.rsa.PrivateKey] : [])),
      certificates: (opened.getBags({ bagType: certBag })[certBag] ?? []).flatMap(({ cert }) => (cert ? [cert] : [])),
    };
  } catch (error) {
    throw new ConfigError(`SEAL_P12_FILE ${file} cannot be opened with SEAL_P12_PASSPHRASE: ${(error as Error).message.split('\n')[0]}`);
  }
}
