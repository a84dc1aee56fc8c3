import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { createHmac } from 'node:crypto';
import { ECHO_PATH, ECHO_TARGET, installEchoReceiver } from './echo-receiver.js';

const SECRET = 'svc_whsec_of_the_demo';
let server: FastifyInstance;

beforeAll(() => {
  server = fastify();
  // raw bodies, as in the product
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const answers = { query: () => Promise.resolve([{ id: '1', secret: SECRET }]), open: (box: string) => box };
  installEchoReceiver({ getHttpAdapter: () => ({ getInstance: () => server }), get: () => answers } as unknown as NestFastifyApplication);
});
afterAll(() => server.close());

const deliver = (payload: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url: ECHO_TARGET, payload, headers: { 'content-type': 'application/json', ...headers } });
const received = async (query = '') => (await server.inject(`${ECHO_PATH}/received${query}`)).json<{ received: unknown[] }>().received;

test('shows deliveries and whether their signatures are valid', async () => {
  const body = JSON.stringify({ id: 'e', mode: 'test' });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
  for (const v1 of [signature, '00'])
    expect(
      (await deliver(body, { 'svc-signature': `t=${time},v1=${v1}`, 'svc-event-id': 'e', 'svc-event-type': 'task.created' })).statusCode,
    ).toBe(200);
  expect(await received()).toEqual([
    expect.objectContaining({ verified: false }),
    expect.objectContaining({ verified: true, event_id: 'e', type: 'task.created', mode: 'test' }),
  ]);
});

test.each(['', 'not JSON', '[1]', '"text"', 'null', '{"mode":1}'])('rejects the body %j with 400 and does not show it', async (body) => {
  const before = await received();
  expect((await deliver(body)).statusCode).toBe(400);
  expect(await received()).toEqual(before);
});

test('is an inbox for tests: filtered by type, mode and object, and cleared', async () => {
  const body = (type: string, id: string) => JSON.stringify({ id: `of ${id}`, mode: 'test', type, data: { object: { id } } });
  for (const [type, id] of [
    ['deal.won', 'd1'],
    ['deal.lost', 'd2'],
    ['task.created', 't1'],
  ] as const)
    await deliver(body(type, id), { 'svc-event-id': `of ${id}`, 'svc-event-type': type });
  const ids = async (query: string) => (await received(query)).map((echo) => (echo as { object_id: string }).object_id);
  expect(await ids('?type=deal.*')).toEqual(['d2', 'd1']);
  expect(await ids('?type=deal.won&mode=test')).toEqual(['d1']);
  expect(await ids('?object_id=t1&mode=live')).toEqual([]);
  expect(await ids('?mode=test&limit=1')).toEqual(['t1']);
  expect((await server.inject(`${ECHO_PATH}/received?typ=deal.won`)).statusCode).toBe(400);
  expect((await server.inject({ method: 'DELETE', url: `${ECHO_PATH}/received` })).statusCode).toBe(204);
  expect(await received()).toEqual([]);
});
