import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import forge from 'node-forge';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { faultOf, serverFaultOf, type SmtpError } from './smtp-faults.js';

const servers: SMTPServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** What a server uses whose operator forgot to renew its certificate. */
const EXPIRED = expiredCertificate();
const ONLY_1_3 = { tls: { rejectUnauthorized: false, minVersion: 'TLSv1.3' } };

function expiredCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date('2020-01-01T00:00:00Z');
  certificate.validity.notAfter = new Date('2021-01-01T00:00:00Z');
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'localhost' }]);
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }]);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(privateKey), cert: forge.pki.certificateToPem(certificate) };
}

const refusal = (responseCode: number, message = 'no') => Object.assign(new Error(message), { responseCode });

/** What a mail to a server with these options leads to, as its sender sees it. */
async function attempt(options: SMTPServerOptions, url = 'smtp://', more: object = {}): Promise<SmtpError> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], closeTimeout: 100, ...options });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  servers.push(server);
  return sendTo((server.server.address() as AddressInfo).port, url, more);
}

async function sendTo(port: number, url = 'smtp://', more: object = {}): Promise<SmtpError> {
  const transport = createTransport({ url: `${url}127.0.0.1:${port}`, pool: true, maxRequeues: 0, ...more } as never);
  try {
    await transport.sendMail({ from: 'suite@example.com', to: 'ada@example.com', subject: 'Hello', text: 'Text' });
  } catch (error) {
    return error as SmtpError;
  } finally {
    transport.close();
  }
  throw new Error('The mail was accepted');
}

const kindsOf = (error: SmtpError) => [faultOf(error), serverFaultOf(error)];

test.each<[string, SMTPServerOptions, string, string]>([
  ['a wrong password', { onAuth: (_auth, _session, done) => done(refusal(535)) }, 'server', 'authentication'],
  ['a password that is not asked for at first', { onAuth: (_auth, _session, done) => done(refusal(454)) }, 'server', 'authentication'],
  ['a greeting with 554', { onConnect: (_session, done) => done(refusal(554)) }, 'server', 'refusal'],
  ['too many connections', { onConnect: (_session, done) => done(refusal(421)) }, 'server', 'refusal'],
  ['a sender that may not send', { onMailFrom: (_address, _session, done) => done(refusal(550)) }, 'server', 'refusal'],
  ['a server without TLS where it is needed', { secure: true }, 'server', 'connection'],
  ['a sign-in without TLS', { onAuth: (_auth, _session, done) => done(refusal(538, '5.7.11 Encryption required')) }, 'server', 'tls'],
  [
    'a sender without TLS',
    { onMailFrom: (_address, _session, done) => done(refusal(530, '5.7.0 Must issue a STARTTLS command first')) },
    'server',
    'tls',
  ],
])('%s is a fault of the server, not of the mail', async (_name, options, kind, fault) => {
  const url = options.onAuth ? 'smtp://user:wrong@' : 'smtp://';
  const error = await attempt(options, url, { greetingTimeout: 300 });
  expect(kindsOf(error)).toEqual([kind, fault]);
});

/** As servers write it. */
test.each<[number, string, string]>([
  [554, '5.7.1 <ada@example.com>: Relay access denied', 'refusal'],
  [454, '4.7.1 <ada@example.com>: Relay access denied', 'refusal'],
  [550, 'relay not permitted', 'refusal'],
  [550, '5.7.54 SMTP; Unable to relay recipient in non-accepted domain', 'refusal'],
  [550, '5.7.1 Unable to relay for ada@example.com', 'refusal'],
  [
    550,
    '5.7.64 TenantAttribution; Relay Access Denied [mx.example.eop-EUR01.prod.protection.outlook.com 2026-11-28T08:00:00.000Z 08DE]',
    'refusal',
  ],
  [550, '5.7.1 <ada@example.com>... Relaying denied. Proper authentication required.', 'refusal'],
  [550, '5.7.1 Mail relay denied [203.0.113.7]. For more information, visit https://support.example/a/answer/6140680', 'refusal'],
  [550, '5.7.1 Invalid credentials for relay [203.0.113.7]. The IP address you have registered does not match.', 'refusal'],
  [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'refusal'],
  [503, 'This mail server requires authentication when attempting to send to a non-local e-mail address.', 'refusal'],
  [530, 'SMTP authentication is required.', 'authentication'],
  [550, 'must be authenticated', 'refusal'],
  [550, 'SMTP AUTH is required for this sender', 'refusal'],
  [550, '5.7.1 Client was not authenticated', 'refusal'],
  [501, '5.7.1 You must authenticate first', 'refusal'],
  [550, 'Please authenticate to send mail', 'refusal'],
  [550, '5.7.1 Relaying to <ada@example.com> denied (authentication required)', 'refusal'],
  [550, '5.7.1 Cannot send (authentication required)', 'refusal'],
  [550, 'Relaying to <ada@example.com> prohibited by administrator', 'refusal'],
  [550, 'not relaying to example', 'refusal'],
  [550, 'Sorry, this server does not allow relaying', 'refusal'],
  [550, '5.7.1 No authentication. You must authenticate to relay', 'refusal'],
  [550, '5.7.1 Mail from unauthenticated clients is not taken: please log in first', 'refusal'],
  [554, '5.7.1 <unknown[203.0.113.7]>: Client host rejected: Access denied', 'refusal'],
  [553, '5.7.1 <suite@example.com>: Sender address rejected: not owned by user suite', 'refusal'],
])('%s %s: the server takes this recipient from nobody whom it does not know', async (code, message, fault) => {
  expect(kindsOf(await attempt({ onRcptTo: (_address, _session, done) => done(refusal(code, message)) }))).toEqual(['denied', fault]);
});

test.each([
  '5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table',
  '<relay@example.com>: user unknown',
  '5.1.1 relay.denied@example.com: no such user',
  '5.1.1 "relay access denied"@example.com: no such user',
  '5.1.1 The mailbox relay-not-permitted@example.com does not exist at relay.example.com',
  '5.4.1 Recipient address rejected: Access denied. [relay.example.com]',
  '5.2.1 The relay mx1 says that the mailbox is disabled',
  '5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
  '5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized',
  '5.7.124 RESOLVER.RST.SenderNotInAllowedSendersList; the sender is not authenticated',
  '5.7.26 This mail has no authentication: authentication required: SPF DKIM',
  'Authentication required by DMARC policy of the domain',
  '5.1.1 User unknown (no such person)',
  '5.2.1 The mailbox is inactive: its user must log in first',
])('%s: the recipient is refused, whatever is called a relay', async (message) => {
  expect(faultOf(await attempt({ onRcptTo: (_address, _session, done) => done(refusal(550, message)) }))).toBe('refused');
});

test.each<[number, string, string]>([
  [550, 'DKIM authentication required by recipient policy', 'refused'],
  [550, '5.7.1 Unauthenticated mail is not accepted, authentication required', 'refused'],
  [554, '5.7.1 The next server said: Relay access denied', 'refused'],
  [550, '5.7.60 SMTP; Client does not have permissions to send as this sender', 'denied'],
  [530, '5.7.0 Authentication required', 'denied'],
])('%s %s after the message is %s: the server took the recipient from us before', async (code, message, kind) => {
  const onData: SMTPServerOptions['onData'] = (stream, _session, done) => stream.resume().on('end', () => done(refusal(code, message)));
  const error = await attempt({ onData });
  expect(faultOf(error)).toBe(kind);
});

describe('TLS that fails is a fault of the server', () => {
  const TLS = { disabledCommands: [] };
  test.each<[string, SMTPServerOptions, string, object]>([
    ['a certificate that is not trusted', { secure: true }, 'smtps://', {}],
    ['such a certificate, after STARTTLS', TLS, 'smtp://', { requireTLS: true }],
    ['an expired certificate', { ...TLS, ...EXPIRED }, 'smtp://', { tls: { ca: EXPIRED.cert } }],
    ['an expired certificate, at once', { secure: true, ...EXPIRED }, 'smtps://', { tls: { ca: EXPIRED.cert } }],
    ['a server without STARTTLS where it is needed', {}, 'smtp://', { requireTLS: true }],
    ['a server without TLS where it is spoken at once', {}, 'smtps://', {}],
    ['a server that has only TLS of the past', { ...TLS, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }, 'smtp://', ONLY_1_3],
  ])('%s', async (_name, options, url, more) => {
    expect(kindsOf(await attempt(options, url, more))).toEqual(['server', 'tls']);
  });

  test.each<[string, string | null]>([
    ['refuses STARTTLS', '454 4.7.0 TLS not available due to local problem\r\n'],
    ['refuses STARTTLS for good', '554 5.7.3 Unable to initialize security subsystem\r\n'],
    ['ends the connection instead of starting TLS', null],
    ['answers in plain text instead of starting TLS', '220 Go ahead\r\n250 what is this?\r\n'],
  ])('a server that %s', async (_name, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 mx.example ESMTP\r\n');
      socket.on('data', (data) => {
        if (data.toString().startsWith('EHLO')) socket.write('250-mx.example\r\n250 STARTTLS\r\n');
        else if (answer === null) socket.destroy();
        else socket.write(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const error = await sendTo((server.address() as AddressInfo).port);
    server.close();
    // a lost connection is never final, either
    expect(kindsOf(error)).toEqual(answer === null ? ['uncertain', 'connection'] : ['server', 'tls']);
  });
});

test('a user without a password is a fault of our settings', async () => {
  expect(kindsOf(await attempt({ authOptional: false }, 'smtp://user@'))).toEqual(['server', 'authentication']);
});

test('a server that cannot be reached is a fault of the server', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(kindsOf(await sendTo(port))).toEqual(['server', 'connection']);
});

test.each<[string, SMTPServerOptions, string]>([
  ['an unknown recipient', { onRcptTo: (_address, _session, done) => done(refusal(550)) }, 'refused'],
  ['a recipient that is put off', { onRcptTo: (_address, _session, done) => done(refusal(451)) }, 'deferred'],
  ['a message that is too large', { onData: (stream, _session, done) => stream.resume().on('end', () => done(refusal(552))) }, 'refused'],
  ['a full disk', { onData: (stream, _session, done) => stream.resume().on('end', () => done(refusal(452))) }, 'deferred'],
  ['a message that is too large, told before it is sent', { onMailFrom: (_address, _session, done) => done(refusal(552)) }, 'deferred'],
])('%s is about this mail', async (_name, options, kind) => {
  expect(faultOf(await attempt(options))).toBe(kind);
});

test('a connection that breaks while the message is transferred leaves open whether it was accepted', async () => {
  const error = await attempt({
    onData(stream) {
      stream.resume();
      for (const { _socket: socket } of (this as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections)
        socket.destroy();
    },
  });
  expect(faultOf(error)).toBe('uncertain');
  const silent = await attempt({ onData: (stream) => void stream.resume() }, 'smtp://', { socketTimeout: 300 });
  expect(faultOf(silent)).toBe('uncertain');
});
