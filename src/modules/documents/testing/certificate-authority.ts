import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainSkippedTests } from '../../../../test/harness/skipped-tests.js';

/** A certificate authority with a time-stamp authority, an OCSP responder and a CRL, all by OpenSSL, on 127.0.0.1. */
export interface CertificateAuthority {
  /** The time-stamp authority. */
  timeStampUrl: string;
  /** PKCS #12 without a passphrase of a certificate that names the OCSP responder, or the CRL only. */
  sealWith(proof: 'ocsp' | 'crl'): Buffer;
  revoke(proof: 'ocsp' | 'crl'): void;
  /** Paths that were requested. */
  requests: string[];
  /** Whether OpenSSL accepts a time stamp, over these data. */
  accepts(token: Buffer, data: Buffer): boolean;
  /** Makes the time-stamp authority answer like this; null for as usual. */
  answer(answer: { status: number; body?: Buffer } | null): void;
  close(): Promise<void>;
}

/** Null, with the reason printed, where OpenSSL is not installed. */
export async function certificateAuthority(): Promise<CertificateAuthority | null> {
  if (spawnSync('openssl', ['version'], { stdio: 'ignore' }).error) {
    explainSkippedTests('Tests of time stamps are skipped: there is no openssl.');
    return null;
  }
  const dir = mkdtempSync(join(tmpdir(), 'test-ca-'));
  const file = (name: string) => join(dir, name);
  const requests: string[] = [];
  let given: { status: number; body?: Buffer } | null = null;
  const openssl = (...args: string[]) => {
    const { status, stderr, stdout } = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url as string;
    requests.push(path);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    writeFileSync(file('request'), Buffer.concat(chunks));
    if (path === '/tsa' && given) return void response.writeHead(given.status).end(given.body);
    if (path === '/tsa') openssl('ts', '-reply', '-config', 'ca.cnf', '-section', 'tsa', '-queryfile', 'request', '-out', 'response');
    else if (path === '/ocsp')
      openssl(...'ocsp -index index.txt -CA ca.crt -rsigner ca.crt -rkey ca.key -reqin request -respout response -ndays 7'.split(' '));
    else if (path === '/crl') {
      openssl(...'ca -config ca.cnf -gencrl -out crl.pem'.split(' '));
      openssl(...'crl -in crl.pem -outform DER -out response'.split(' '));
    } else return void response.writeHead(404).end();
    response.end(readFileSync(file('response')));
  }

  writeFileSync(file('index.txt'), '');
  writeFileSync(file('index.txt.attr'), 'unique_subject = no\n');
  writeFileSync(file('serial'), '1000\n');
  writeFileSync(file('ca.cnf'), configuration(url));
  const subject = (name: string) => ['-subj', `/CN=${name}`];
  const newKey = '-newkey rsa:2048 -nodes -config ca.cnf'.split(' ');
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-extensions',
    'authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '30',
    ...subject('Test CA'),
  );
  for (const kind of ['ocsp', 'crl', 'stamping']) {
    openssl('req', '-new', ...newKey, '-keyout', `${kind}.key`, '-out', `${kind}.csr`, ...subject(`Test ${kind}`));
    openssl(...`ca -config ca.cnf -batch -notext -extensions ${kind} -days 20 -in ${kind}.csr -out ${kind}.crt`.split(' '));
  }
  for (const kind of ['ocsp', 'crl'])
    openssl(...`pkcs12 -export -inkey ${kind}.key -in ${kind}.crt -certfile ca.crt -out ${kind}.p12 -passout pass:`.split(' '));

  return {
    timeStampUrl: `${url}/tsa`,
    requests,
    sealWith: (proof) => readFileSync(file(`${proof}.p12`)),
    revoke: (proof) => void openssl(...`ca -config ca.cnf -revoke ${proof}.crt`.split(' ')),
    accepts(token, data) {
      writeFileSync(file('token'), token);
      writeFileSync(file('data'), data);
      const args = 'ts -verify -in token -token_in -data data -CAfile ca.crt'.split(' ');
      return spawnSync('openssl', args, { cwd: dir }).status === 0;
    },
    answer: (answer) => void (given = answer),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(dir, { recursive: true });
    },
  };
}

const configuration = (url: string) => `
[req]
distinguished_name = name
[name]
[ca]
default_ca = authority_files
[authority_files]
database = index.txt
serial = serial
new_certs_dir = .
certificate = ca.crt
private_key = ca.key
default_md = sha256
default_crl_days = 7
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign, digitalSignature
subjectKeyIdentifier = hash
[ocsp]
keyUsage = critical, digitalSignature, nonRepudiation
authorityInfoAccess = OCSP;URI:${url}/ocsp
crlDistributionPoints = URI:${url}/crl
[crl]
keyUsage = critical, digitalSignature, nonRepudiation
crlDistributionPoints = URI:${url}/crl
[stamping]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
crlDistributionPoints = URI:${url}/crl
[tsa]
serial = tsa-serial
signer_cert = stamping.crt
signer_key = stamping.key
certs = ca.crt
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ordering = yes
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;
