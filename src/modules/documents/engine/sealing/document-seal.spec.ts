import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { settingsOf } from '../../../../../test/harness/settings.js';
import { DomainModule } from '../../../../kit/index.js';
import { DocumentSeal } from './document-seal.js';
import { selfSignedSeal } from './seal-file.js';
import { SealSettings } from './seal-settings.js';

@DomainModule({
  name: 'sealed',
  title: 'Sealed',
  guide: '',
  scopes: {},
  settings: [SealSettings],
  entities: [],
  controllers: [],
  providers: [],
})
class SealedModule {}

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'work-suite-seal-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

function seal(env: Record<string, string> = {}): DocumentSeal {
  const settings = settingsOf([SealedModule], { DATA_DIR: dataDir, ...env });
  return new DocumentSeal(settings, settings.of(SealSettings));
}

/** A PKCS #12 file of an operator; `foreign`: with the certificate of another key. */
function fileWith(passphrase: string, { foreign = false } = {}): string {
  const [own, other] = [selfSignedSeal(), selfSignedSeal()].map((p12) =>
    forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), false, ''),
  );
  const bagOf = (from: forge.pkcs12.Pkcs12Pfx, bagType: string) => from.getBags({ bagType })[bagType]?.[0] as forge.pkcs12.Bag;
  const key = bagOf(own, forge.pki.oids.pkcs8ShroudedKeyBag).key as forge.pki.rsa.PrivateKey;
  const certificate = bagOf(foreign ? other : own, forge.pki.oids.certBag).cert as forge.pki.Certificate;
  const file = join(dataDir, 'given.p12');
  writeFileSync(
    file,
    Buffer.from(
      forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(key, [certificate], passphrase, { algorithm: 'aes256', count: 100 })).getBytes(),
      'binary',
    ),
  );
  return file;
}

describe('the seal', () => {
  test('without a file is made once, for its owner only, and signs for ten years', () => {
    const { p12, passphrase } = seal().key;
    expect(seal().key.p12.equals(p12)).toBe(true);
    expect(statSync(join(dataDir, 'seal.p12')).mode & 0o777).toBe(0o600);
    const opened = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), false, passphrase);
    const certificate = opened.getBags({ bagType: forge.pki.oids.certBag })[forge.pki.oids.certBag]?.[0].cert as forge.pki.Certificate;
    expect(certificate.getExtension('keyUsage')).toMatchObject({ digitalSignature: true, nonRepudiation: true, keyCertSign: false });
    expect(certificate.verify(certificate)).toBe(true);
    expect((certificate.publicKey as forge.pki.rsa.PublicKey).n.bitLength()).toBe(2048);
    const inTenYears = new Date();
    inTenYears.setFullYear(inTenYears.getFullYear() + 10);
    expect(Math.abs(certificate.validity.notAfter.getTime() - inTenYears.getTime())).toBeLessThan(60 * 60_000);
    expect(certificate.validity.notBefore.getTime()).toBeLessThan(Date.now());
  });

  test('is the operator’s if a file is set', () => {
    const file = fileWith('open sesame');
    const given = seal({ SEAL_P12_FILE: file, SEAL_P12_PASSPHRASE: 'open sesame', SEAL_TIME_STAMP_URLS: 'http://a.test, http://b.test' });
    expect(given.key).toEqual({ p12: readFileSync(file), passphrase: 'open sesame' });
    expect([given.timeStampUrls, seal().timeStampUrls]).toEqual([['http://a.test', 'http://b.test'], []]);
  });

  test('that cannot be used fails the start with the reason', () => {
    const file = fileWith('open sesame');
    expect(() => seal({ SEAL_P12_FILE: file, SEAL_P12_PASSPHRASE: 'wrong' })).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(/given\.p12 cannot be opened with SEAL_P12_PASSPHRASE: \S/),
      }),
    );
    expect(() => seal({ SEAL_P12_FILE: fileWith('', { foreign: true }) })).toThrow(
      /given\.p12 must contain an RSA key and its certificate\.$/,
    );
    writeFileSync(file, 'no PKCS #12');
    expect(() => seal({ SEAL_P12_FILE: file })).toThrow(expect.objectContaining({ name: 'ConfigError' }));
  });
});
