import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { closePort } from './close-port.js';

test('connections that wait to be accepted are served when the port closes', async () => {
  const server = createServer((_request, response) => response.setHeader('Connection', 'close').end('served'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: 50 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return text(socket).catch((error: Error) => error.message);
  });
  await closePort(server);
  const outcomes = (await Promise.all(answers)).map((answer) => answer.split('\r\n\r\n').at(-1));
  expect(outcomes).toEqual(Array(50).fill('served'));
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});
