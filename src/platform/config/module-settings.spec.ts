import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { BaseUrl } from './base-url.js';
import { loadConfig } from './config.js';
import { ModuleSettings } from './module-settings.js';
import { selfSignedSeal } from './seal.js';
import { SecretBox } from './secret-box.js';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'work-suite-settings-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

function settings(env: Record<string, string> = {}): ModuleSettings {
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, ...env });
  return new ModuleSettings(config, new BaseUrl('http://localhost:1'), new SecretBox(config.encryptionKey.reveal()));
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
    const { p12, passphrase } = settings().seal;
    expect(settings().seal.p12.equals(p12)).toBe(true);
    expect(statSync(join(dataDir, 'seal.p12')).mode & 0o777).toBe(0o600);
    const opened = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), false, passphrase);
    const certificate = opened.getBags({ bagType: forge.pki.oids.certBag })[forge.pki.oids.certBag]?.[0].cert as forge.pki.Certificate;
    expect(certificate.getExtension('keyUsage')).toMatchObject({ digitalSignature: true, nonRepudiation: true, keyCertSign: false });
    expect(certificate.verify(certificate)).toBe(true);
    expect((certificate.publicKey as forge.pki.rsa.PublicKey).n.bitLength()).toBe(2048);
    expect(Math.round((certificate.validity.notAfter.getTime() - Date.now()) / 86_400_000 / 365.25)).toBe(10);
  });

  test('is the operator’s if a file is set', () => {
    const file = fileWith('open sesame');
    expect(settings({ SEAL_P12_FILE: file, SEAL_P12_PASSPHRASE: 'open sesame' }).seal).toEqual({
      p12: readFileSync(file),
      passphrase: 'open sesame',
      timeStampUrls: [],
    });
  });

  test('that cannot be used fails the start with the reason', () => {
    const file = fileWith('open sesame');
    expect(() => settings({ SEAL_P12_FILE: file, SEAL_P12_PASSPHRASE: 'wrong' })).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(/given\.p12 cannot be opened with SEAL_P12_PASSPHRASE: \S/),
      }),
    );
    expect(() => settings({ SEAL_P12_FILE: fileWith('', { foreign: true }) })).toThrow(
      /given\.p12 must contain an RSA key and its certificate\.$/,
    );
    writeFileSync(file, 'no PKCS #12');
    expect(() => settings({ SEAL_P12_FILE: file })).toThrow(expect.objectContaining({ name: 'ConfigError' }));
  });
});

describe('modules', () => {
  test('encrypt what only this installation can decrypt', () => {
    const one = settings();
    const sealed = one.encrypt('passcode 4711, ümlaut');
    expect(sealed).not.toBe(one.encrypt('passcode 4711, ümlaut'));
    expect(settings().decrypt(sealed)).toBe('passcode 4711, ümlaut');
    expect(() => settings({ ENCRYPTION_KEY: 'k'.repeat(32) }).decrypt(sealed)).toThrow();
    expect(() => one.decrypt('nonsense')).toThrow();
  });

  test('hash guessable text with a key', () => {
    expect(settings().mac('123456')).toBe(settings().mac('123456'));
    expect(settings().mac('123456')).not.toBe(settings().mac('123457'));
    expect(settings().mac('123456')).not.toBe(settings({ ENCRYPTION_KEY: 'k'.repeat(32) }).mac('123456'));
  });

  test('contain a model only if one is configured', () => {
    expect(settings().ai).toBeNull();
    expect(settings({ AI_API_KEY: 'sk' }).ai).toBeNull();
    expect(settings({ AI_BASE_URL: 'https://models.example.com/v1/', AI_API_KEY: 'sk' }).ai).toEqual({
      baseUrl: 'https://models.example.com/v1',
      apiKey: 'sk',
      model: 'gpt-4o-mini',
      timeoutMs: 60_000,
    });
    expect(settings({ AI_BASE_URL: 'http://localhost:11434/v1', AI_MODEL: 'llama', AI_TIMEOUT_MS: '500' }).ai).toEqual({
      baseUrl: 'http://localhost:11434/v1',
      apiKey: null,
      model: 'llama',
      timeoutMs: 500,
    });
  });
});
