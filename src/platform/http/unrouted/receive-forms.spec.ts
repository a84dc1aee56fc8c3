import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import fastify from 'fastify';
import { eventually } from '../../../../test/harness/eventually.js';
import { receiveForms } from './receive-forms.js';

const errors: (string | undefined)[] = [];
const server = fastify();
server.setErrorHandler((error: { code?: string }, _request, reply) => {
  errors.push(error.code);
  void reply.code(400).send();
});
receiveForms(server);
server.post('/', (_request, reply) => reply.send('read'));
await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => server.close());

test.each(['multipart/form-data; boundary=x', 'message/rfc822'])('a client that disconnects while sending %s is no error', async (type) => {
  errors.length = 0;
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const received = once(server.server, 'request');
  socket.write(['POST / HTTP/1.1', 'Host: x', `Content-Type: ${type}`, 'Content-Length: 1000', '', 'x'].join('\r\n'));
  await received;
  socket.destroy();
  const found = await eventually(
    () => Promise.resolve(errors),
    ({ length }) => length > 0,
  );
  expect(found).toEqual(['FST_ERR_CTP_INVALID_CONTENT_LENGTH']);
});
