import forge from 'node-forge';
import type { Bytes } from './fetch-bytes.js';

const { asn1, pkcs12, pki, util } = forge;

/** What a PKCS #12 file contains. */
export interface KeyFile {
  /** An RSA key as PEM. */
  privateKey: string;
  /** DER; that of the key, followed by the issuing ones. */
  certificates: Bytes[];
}

/**
 * Reads a PKCS #12 file; null if it has no RSA key with its certificate. Throws if it cannot be opened. Only these files are read with
 * node-forge: programs such as macOS and `openssl pkcs12 -legacy` encrypt them with RC2, which neither Node nor pkijs supports.
 */
export function readKeyFile(p12: Buffer, passphrase: string): KeyFile | null {
  const file = open(p12, passphrase);
  const bags = (type: string) => file.getBags({ bagType: type })[type] ?? [];
  const keys = [...bags(pki.oids.pkcs8ShroudedKeyBag), ...bags(pki.oids.keyBag)];
  // null for a key that is not RSA
  const key = keys.map((bag) => bag.key as forge.pki.rsa.PrivateKey | null).find((one) => one !== null);
  const certificates = bags(pki.oids.certBag).flatMap(({ cert }) => (cert ? [cert] : []));
  const own = certificates.find(({ publicKey }) => key?.n && (publicKey as forge.pki.rsa.PublicKey).n?.equals(key.n));
  if (!key || !own) return null;
  const others = certificates.filter((certificate) => certificate !== own);
  return {
    privateKey: pki.privateKeyToPem(key),
    certificates: [own, ...others].map((certificate) => bytesOf(pki.certificateToAsn1(certificate))),
  };
}

export function writeKeyFile({ privateKey, certificates }: KeyFile, passphrase: string, { rounds }: { rounds: number }): Buffer {
  const chain = certificates.map((der) => pki.certificateFromAsn1(asn1.fromDer(der.toString('binary'))));
  return bytesOf(pkcs12.toPkcs12Asn1(pki.privateKeyFromPem(privateKey), chain, passphrase, { algorithm: 'aes256', count: rounds }));
}

function open(p12: Buffer, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  const file = asn1.fromDer(p12.toString('binary'));
  try {
    return pkcs12.pkcs12FromAsn1(file, false, passphrase);
  } catch (error) {
    const utf8 = util.encodeUtf8(passphrase);
    if (utf8 === passphrase) throw error;
    // PBES2 encrypts by the passphrase as UTF-8, which node-forge does not encode; its MAC is by UTF-16, and so left out
    const [version, contents] = file.value as forge.asn1.Asn1[];
    return pkcs12.pkcs12FromAsn1({ ...file, value: [version, contents] }, false, utf8);
  }
}

function bytesOf(value: forge.asn1.Asn1): Bytes {
  return Buffer.from(asn1.toDer(value).getBytes(), 'binary');
}
