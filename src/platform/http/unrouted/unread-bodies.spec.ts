import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify from 'fastify';
import { discardUnreadBodies } from './unread-bodies.js';

const MEBIBYTE = 1024 * 1024;

const server = fastify({ bodyLimit: MEBIBYTE });
discardUnreadBodies(server);
server.post('/', (_request, reply) => reply.send('read'));
server.post('/early', { onRequest: async (_request, reply) => reply.code(401).send('early') }, () => 'never');
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo;
afterAll(() => server.close());

/** The socket of a request whose client asks for the connection to be closed, and what it has received when it ends. */
async function open(path: string, ...headers: string[]): Promise<{ socket: Socket; response: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const response = once(socket, 'end').then(() => text);
  // whoever awaits it gets the error
  response.catch(() => undefined);
  socket.write(
    [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', 'Content-Type: application/json', ...headers, '\r\n'].join('\r\n'),
  );
  return { socket, response };
}

test.each([
  ['is too large', '/', [`Content-Length: ${16 * MEBIBYTE}`], '413'],
  ['is too large, of unknown length', '/', ['Transfer-Encoding: chunked'], '413'],
  ['nobody reads', '/early', [`Content-Length: ${16 * MEBIBYTE}`], '401'],
])('a client gets the response after it has sent a body that %s', async (_what, path, headers, status) => {
  const { socket, response } = await open(path, ...headers);
  const isChunked = headers[0].startsWith('Transfer');
  for (let sent = 0; sent < 16; sent++) {
    const piece = 'x'.repeat(MEBIBYTE);
    await new Promise((resolve, reject) =>
      socket.write(isChunked ? `${MEBIBYTE.toString(16)}\r\n${piece}\r\n` : piece, (error) => (error ? reject(error) : resolve(null))),
    );
  }
  if (isChunked) socket.write('0\r\n\r\n');
  expect((await response).split(' ')[1]).toBe(status);
});

test('a client that waits for the response before it sends its body gets it', async () => {
  const { response } = await open('/', `Content-Length: ${16 * MEBIBYTE}`);
  expect((await response).toLowerCase()).toMatch(/^http\/1.1 413 [\s\S]*\r\nconnection: close\r\n/);
});

test('more than 64 MiB are not awaited', async () => {
  const { socket, response } = await open('/', 'Transfer-Encoding: chunked');
  const chunk = Buffer.from(`${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}\r\n`);
  let sent = 0;
  const isOpen = () => new Promise<boolean>((resolve) => socket.write(chunk, (error) => resolve(!error)));
  socket.on('error', () => undefined);
  while (sent < 200 && (await isOpen())) sent++;
  expect(sent).toBeGreaterThanOrEqual(64);
  expect(sent).toBeLessThan(100);
  await response.catch(() => undefined);
});
