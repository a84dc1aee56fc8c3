import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { explainSkippedTests } from '../../../../../test/harness/skipped-tests.js';
import { readKeyFile } from './key-file.js';

const isInstalled = !spawnSync('openssl', ['version'], { stdio: 'ignore' }).error;
if (!isInstalled) explainSkippedTests('Tests of key files are skipped: there is no openssl.');
const judged = isInstalled ? describe : describe.skip;

judged('a PKCS #12 file', () => {
  let dir: string;
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
  };
  const request = 'req -x509 -nodes -days 30 -subj /CN=Seal';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'test-key-file-'));
    openssl(...`${request} -newkey rsa:2048 -keyout key.pem -out certificate.pem`.split(' '));
    openssl(...`${request} -newkey rsa:2048 -keyout other.pem -out issuer.pem`.split(' '));
    openssl(...`${request} -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout ec.pem -out ec-certificate.pem`.split(' '));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  function read(options: string, passphrase = 'geheim', [key, certificate] = ['key.pem', 'certificate.pem']) {
    const files = ['-inkey', key, '-in', certificate, '-certfile', 'issuer.pem', '-passout', `pass:${passphrase}`, '-out', 'file.p12'];
    openssl('pkcs12', '-export', ...options.split(' ').filter(Boolean), ...files);
    return readKeyFile(readFileSync(join(dir, 'file.p12')), passphrase);
  }

  test.each([
    ['OpenSSL 3: AES by PBES2', ''],
    ['OpenSSL 3 with a passphrase that is not ASCII', '', 'geheim-ä€'],
    ['OpenSSL 3 without a passphrase', '', ''],
    ['macOS and earlier OpenSSL: RC2 and Triple DES', '-legacy'],
    ['macOS with a passphrase that is not ASCII', '-legacy', 'geheim-ä€'],
    ['Windows: Triple DES', '-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1'],
    ['Windows: AES', '-keypbe AES-256-CBC -certpbe AES-256-CBC -macalg sha256'],
    ['a program that encrypts nothing', '-keypbe NONE -certpbe NONE'],
    ['a program that adds no MAC', '-nomac'],
  ])('of %s is read, the certificate of the key first', (_program, options, passphrase = 'geheim') => {
    const file = read(options, passphrase);
    const certificate = new X509Certificate(readFileSync(join(dir, 'certificate.pem')));
    expect(file?.certificates.map((der) => new X509Certificate(der).fingerprint256)).toEqual([
      certificate.fingerprint256,
      new X509Certificate(readFileSync(join(dir, 'issuer.pem'))).fingerprint256,
    ]);
    const spki = { type: 'spki', format: 'der' } as const;
    expect(createPublicKey(createPrivateKey(file?.privateKey as string)).export(spki)).toEqual(certificate.publicKey.export(spki));
  });

  test('with an EC key has no seal key', () => {
    expect(read('', 'geheim', ['ec.pem', 'ec-certificate.pem'])).toBeNull();
  });

  test('is not opened by another passphrase', () => {
    read('', 'geheim-ä');
    const file = readFileSync(join(dir, 'file.p12'));
    for (const wrong of ['geheim', 'geheim-ö', '']) expect(() => readKeyFile(file, wrong)).toThrow();
  });
});
