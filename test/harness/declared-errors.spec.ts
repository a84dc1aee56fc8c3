import { afterAll, expect, test } from '@jest/globals';
import fastify from 'fastify';
import { noteUndeclaredErrors, requireDeclaredErrors } from './declared-errors.js';

const declared = { spec: { code: 'order_shipped' } };
const route = { method: 'POST', path: '/orders', endpoint: { errors: [declared] } };

const server = fastify();
server.decorateRequest('state', null as never);
server.addHook('onRequest', (request, _reply, done) => {
  request.state = { route, errorCode: request.url === '/' ? null : request.url.slice(1) } as never;
  done();
});
server.get('/*', (_request, reply) => reply.send('sent'));
const app = { getHttpAdapter: () => ({ getInstance: () => server }) } as never;
noteUndeclaredErrors(app);
afterAll(() => server.close());

test('an error that its route does not declare fails the test file, once', async () => {
  for (const url of ['/', '/order_shipped', '/rate_limited']) expect((await server.inject(url)).body).toBe('sent');
  expect(() => requireDeclaredErrors(app)).not.toThrow();
  await server.inject('/totals_changed');
  expect(() => requireDeclaredErrors(app)).toThrow('POST /orders: totals_changed');
  expect(() => requireDeclaredErrors(app)).not.toThrow();
});
