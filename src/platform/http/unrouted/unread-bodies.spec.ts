import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify, { type FastifyError } from 'fastify';
import { DomainError } from '../../../kit/index.js';
import { receiveForms } from './receive-forms.js';
import { discardUnreadBodies } from './unread-bodies.js';

const MEBIBYTE = 1024 * 1024;
const PIECE = Buffer.alloc(MEBIBYTE, 'x');
const LENGTH = `Content-Length: ${16 * MEBIBYTE}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const CLOSE = 'Connection: close';

const server = fastify({ bodyLimit: MEBIBYTE });
discardUnreadBodies(server);
receiveForms(server);
// as the application's filter does
server.setErrorHandler((error: FastifyError | DomainError, _request, reply) =>
  reply.code(error instanceof DomainError ? error.spec.status : (error.statusCode ?? 500)).send(error.message),
);
server.post('/', (_request, reply) => reply.send('read'));
server.post('/early', { onRequest: async (_request, reply) => reply.code(401).send('early') }, () => 'never');
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo;
afterAll(() => server.close());

/** The socket of a request, and what it has received when it ends. */
async function open(path: string, ...headers: string[]): Promise<{ socket: Socket; response: Promise<string> }> {
  // as a client that reads the response once it has sent its body
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const response = once(socket, 'end').then(() => text);
  // whoever awaits it gets the error
  response.catch(() => undefined);
  socket.write([`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '\r\n'].join('\r\n'));
  return { socket, response };
}

function write(socket: Socket, text: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
}

const CHUNK = Buffer.from(`${MEBIBYTE.toString(16)}\r\n${PIECE.toString()}\r\n`);

test.each([
  ['is too large', '/', LENGTH, 'application/json', '413'],
  ['is too large, of unknown length', '/', CHUNKED, 'application/json', '413'],
  ['is a mail that is too large, of unknown length', '/', CHUNKED, 'message/rfc822', '413'],
  ['is a form that is too large, of unknown length', '/', CHUNKED, 'multipart/form-data; boundary=x', '413'],
  ['has an unknown type', '/', LENGTH, 'text/x-unknown', '415'],
  ['nobody reads', '/early', LENGTH, 'application/json', '401'],
])('a client gets the response after it has sent a body that %s', async (_what, path, length, type, status) => {
  const { socket, response } = await open(path, length, CLOSE, `Content-Type: ${type}`);
  for (let sent = 0; sent < 16; sent++) await write(socket, length === CHUNKED ? CHUNK : PIECE);
  if (length === CHUNKED) await write(socket, '0\r\n\r\n');
  expect((await response).split(' ')[1]).toBe(status);
});

test('a client that waits for the response before it sends its body gets it, and the connection is closed', async () => {
  const { response } = await open('/early', LENGTH);
  expect((await response).toLowerCase()).toMatch(/^http\/1.1 401 [\s\S]*\r\nconnection: close\r\n/);
});

test('a connection whose body was discarded takes the next request', async () => {
  const { socket, response } = await open('/early', LENGTH);
  for (let sent = 0; sent < 16; sent++) await write(socket, PIECE);
  await write(socket, ['POST /early HTTP/1.1', 'Host: x', CLOSE, 'Content-Length: 0', '\r\n'].join('\r\n'));
  expect((await response).match(/HTTP\/1.1 401 /g)).toHaveLength(2);
});

test.each([
  ['of a known length', '/', `Content-Length: ${80 * MEBIBYTE}`, 0],
  ['of unknown length', '/', CHUNKED, 66],
  ['of a known length that nobody reads', '/early', `Content-Length: ${80 * MEBIBYTE}`, 0],
])('more than 64 MiB %s are not awaited, and the connection stays open for them', async (_what, path, length, awaited) => {
  const { socket, response } = await open(path, length, 'Content-Type: application/json');
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await write(socket, length === CHUNKED ? CHUNK : PIECE);
  };
  await send(awaited);
  expect((await response).toLowerCase()).toMatch(/^http\/1.1 4(13|01) [\s\S]*\r\nconnection: close\r\n/);
  await send(80 - awaited);
  const closed = once(socket, 'close');
  socket.end();
  await closed;
});
