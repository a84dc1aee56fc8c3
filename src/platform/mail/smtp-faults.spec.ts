import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { faultOf, serverFaultOf, type SmtpError } from './smtp-faults.js';

const servers: SMTPServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

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
  ['no sign-in before a recipient', { onRcptTo: (_address, _session, done) => done(refusal(530)) }, 'server', 'authentication'],
  [
    'a server that relays nothing for us',
    { onRcptTo: (_address, _session, done) => done(refusal(554, '5.7.1 Relay access denied')) },
    'server',
    'refusal',
  ],
])('%s is a fault of the server, not of the mail', async (_name, options, kind, fault) => {
  const url = options.onAuth ? 'smtp://user:wrong@' : 'smtp://';
  const error = await attempt(options, url, { greetingTimeout: 300 });
  expect(kindsOf(error)).toEqual([kind, fault]);
});

test('a certificate that is not trusted is a fault of the server', async () => {
  expect(kindsOf(await attempt({ secure: true }, 'smtps://'))).toEqual(['server', 'tls']);
  expect(kindsOf(await attempt({ disabledCommands: [] }, 'smtp://', { requireTLS: true }))).toEqual(['server', 'tls']);
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
