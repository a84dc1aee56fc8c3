import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { brokenStream } from '../../../../test/faults/broken-stream.js';
import { callListener } from './inner-call.js';
import { mcpCallOf, type HttpResponse } from '../../request/server-request.js';
import { callInProcess } from './tool-call.js';

// @nestjs/throttler is CommonJS and requires Nest, which is ESM; jest rejects that as a cycle unless Nest has been evaluated before
await import('@nestjs/core');

let app: FastifyInstance;
let responses: number[];

const outer = {
  socket: { remoteAddress: '203.0.113.7' },
  headers: { authorization: 'Bearer key', 'x-forwarded-for': '198.51.100.1', cookie: 'session=1', 'content-length': '999' },
} as unknown as IncomingMessage;

const GET = { method: 'GET', headers: {}, body: undefined };

function call(method: string, url: string, body?: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return callInProcess(app.routing, outer, { method, url, headers, body, toolName: 'a_tool' });
}
const json = (response: HttpResponse): unknown => JSON.parse(String(response.body));

beforeAll(async () => {
  app = fastify();
  app.addHook('onResponse', async (_request, reply) => void responses.push(reply.statusCode));
  app.get('/who', async (request) => ({
    ip: request.ip,
    headers: request.headers,
    tool: mcpCallOf(request.raw)?.toolName,
    isOuter: mcpCallOf(request.raw)?.outer === outer,
  }));
  app.post('/echo', async (request, reply) => reply.code(201).header('x-a', ['1', '2']).send({ got: request.body }));
  app.get('/stream', async (_request, reply) => reply.type('text/plain').send(Readable.from(['one ', 'two'])));
  app.get('/broken-stream', async (_request, reply) => reply.send(brokenStream()));
  app.get('/raw', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.write('ra');
    reply.raw.end('w');
  });
  app.get('/gone', async (_request, reply) => reply.code(204).send());
  app.get('/binary', async (_request, reply) => reply.type('application/pdf').send(Buffer.from([0, 255])));
  app.get('/protocol', async ({ protocol }) => protocol);
  app.get('/protocol-inside', async ({ raw }) => (await callListener(app.routing, raw, { ...GET, url: '/protocol' })).body);
  app.get('/fails', async () => Promise.reject(new Error('failed')));
  await app.ready();
});
beforeEach(() => {
  responses = [];
});
afterAll(() => app.close());

it.each([
  [false, 'http'],
  [true, 'https'],
])('knows the protocol of the client, also of a call inside of a call (encrypted: %s)', async (encrypted, protocol) => {
  const client = { socket: { encrypted }, headers: {} } as unknown as IncomingMessage;
  for (const url of ['/protocol', '/protocol-inside'])
    expect(String((await callListener(app.routing, client, { ...GET, url })).body)).toBe(protocol);
});

describe('callInProcess', () => {
  it('passes the address and the key of the caller, and marks the request as internal', async () => {
    expect(json(await call('GET', '/who', undefined, { 'if-match': '"1"' }))).toEqual({
      ip: '203.0.113.7',
      headers: { accept: 'application/json', authorization: 'Bearer key', 'x-forwarded-for': '198.51.100.1', 'if-match': '"1"' },
      tool: 'a_tool',
      isOuter: true,
    });
  });

  it('does not let an argument replace the key', async () => {
    expect(json(await call('GET', '/who', undefined, { authorization: 'Bearer other' }))).toMatchObject({
      headers: { authorization: 'Bearer key' },
    });
  });

  it('marks no request that came over a socket', async () => {
    const headers = { 'x-mcp-tool': 'a_tool' };
    expect((await app.inject({ url: '/who', headers })).json()).not.toHaveProperty('tool');
  });

  it('carries a body of any size both ways', async () => {
    const text = 'é'.repeat(200_000);
    const response = await call('POST', '/echo', JSON.stringify({ text }), { 'content-type': 'application/json' });
    expect(response.status).toBe(201);
    expect(response.headers['x-a']).toEqual(['1', '2']);
    expect(json(response)).toEqual({ got: { text } });
  });

  it('rejects what the parser of the route rejects', async () => {
    expect((await call('POST', '/echo', '{', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await call('POST', '/echo', 'x', { 'content-type': 'text/x' })).status).toBe(415);
    expect((await call('GET', '/nowhere')).status).toBe(404);
    expect((await call('GET', '/fails')).status).toBe(500);
  });

  it('collects streams, raw and binary responses', async () => {
    expect(String((await call('GET', '/stream')).body)).toBe('one two');
    expect(await call('GET', '/raw')).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('raw') });
    expect((await call('GET', '/binary')).body).toEqual(Buffer.from([0, 255]));
    expect(await call('GET', '/gone')).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  it('ends when the stream of a response breaks', async () => {
    const outcome = await call('GET', '/broken-stream').then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    expect(outcome === 500 || outcome instanceof Error).toBe(true);
  });

  it('runs the hooks after a response once', async () => {
    await call('GET', '/who');
    await new Promise(setImmediate);
    expect(responses).toEqual([200]);
  });
});
