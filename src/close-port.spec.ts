import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { closePort } from './close-port.js';

const CONNECTIONS = 50;

/** Sends a request over each connection. The connections are open, but not accepted: the thread of the server waits for it. */
const CLIENT = `
  const { connect } = require('node:net');
  const { text } = require('node:stream/consumers');
  const { parentPort, workerData: { port, open } } = require('node:worker_threads');
  const answers = Array.from({ length: ${CONNECTIONS} }, () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n');
      Atomics.add(open, 0, 1);
      Atomics.notify(open, 0);
    });
    return text(socket).catch((error) => error.message);
  });
  void Promise.all(answers).then((all) => parentPort.postMessage(all));
`;

test('connections that wait to be accepted are served when the port closes', async () => {
  const server = createServer((_request, response) => response.setHeader('Connection', 'close').end('served'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(CLIENT, { eval: true, workerData: { port, open } });
  const answered = once(client, 'message') as Promise<[string[]]>;
  for (let count = 0; count < CONNECTIONS; count = Atomics.load(open, 0)) Atomics.wait(open, 0, count);
  await closePort(server);
  const outcomes = (await answered)[0].map((answer) => answer.split('\r\n\r\n').at(-1));
  expect(outcomes).toEqual(Array(CONNECTIONS).fill('served'));
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});
