import forge from 'node-forge';

const { asn1, pki } = forge;

/** A new seal key with a certificate of its own. */
export function keyFile(): { p12: Buffer; passphrase: string } {
  const keys = pki.rsa.generateKeyPair(2048);
  const file = forge.pkcs12.toPkcs12Asn1(keys.privateKey, [selfSigned(keys)], 'geheim', { algorithm: 'aes256' });
  return { p12: Buffer.from(asn1.toDer(file).getBytes(), 'binary'), passphrase: 'geheim' };
}

export function selfSigned(keys: forge.pki.rsa.KeyPair): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = '00f1e2d3';
  certificate.validity.notBefore = new Date('2026-01-01T00:00:00Z');
  certificate.validity.notAfter = new Date('2036-01-01T00:00:00Z');
  certificate.setSubject([{ name: 'commonName', value: 'Seal of the test' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'Seal of the test' }]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return certificate;
}
