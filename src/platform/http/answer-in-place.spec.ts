import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { brokenStream } from '../../../test/faults/broken-stream.js';
import { answerInPlace } from './answer-in-place.js';
import { compressResponses } from './compression/compress-responses.js';
import { mcpCallOf, ServerRequest, type McpCall } from '../request/server-request.js';
import { callInPlace, type CallRequest } from './tool-call.js';

let app: FastifyInstance;
let server: Server;
let url: string;
let logged: { status: number; routeStatus: number | undefined }[];
let respond: NonNullable<McpCall['respond']>;

/** The endpoint's response tells what it was made of. */
const report: typeof respond = ({ status, headers, body, result }) => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-kept': String(headers['x-kept']) },
  body: JSON.stringify({ status, type: headers['content-type'], body: body.toString(), result }),
});

async function post(call: Partial<CallRequest>, headers: Record<string, string> = {}) {
  const request = { method: 'GET', headers: {}, body: undefined, toolName: 'a_tool', ...call };
  return fetch(url, { method: 'POST', body: JSON.stringify(request), headers: { authorization: 'Bearer key', ...headers } });
}
const reported = async (call: Partial<CallRequest>): Promise<unknown> => (await post(call)).json();

beforeAll(async () => {
  app = fastify();
  app.decorateRequest('state', null as never);
  app.addHook('onRequest', async (request) => {
    request.state = {} as never;
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    mcpCallOf(request.raw)!.result = payload;
    return payload;
  });
  answerInPlace(app);
  compressResponses(app);
  app.addHook('onResponse', async (request, { statusCode }) => {
    logged.push({ status: statusCode, routeStatus: request.state.routeStatus ?? undefined });
  });
  app.get('/who', async ({ headers, raw }, reply) => {
    void reply.headers({ 'x-kept': 'yes', 'x-dropped': 'yes', etag: '"1"' });
    return { headers, tool: mcpCallOf(raw)?.toolName };
  });
  app.post('/echo', async ({ body }, reply) => reply.code(201).send({ got: body }));
  app.delete('/gone', async (_request, reply) => reply.code(204).send());
  app.get('/stream', async (_request, reply) => reply.type('text/plain').send(Readable.from(['one ', 'two'])));
  app.get('/broken-stream', async (_request, reply) => reply.send(brokenStream()));
  app.get('/long', async () => ({ text: 'x'.repeat(5_000) }));
  app.get('/fails', async () => Promise.reject(new Error('failed')));
  await app.ready();
  server = createServer({ IncomingMessage: ServerRequest }, (request, response) => {
    request.takeBody((body) => callInPlace(app.routing, request, response, JSON.parse(body.toString()) as CallRequest, respond));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
beforeEach(() => {
  logged = [];
  respond = report;
});
afterAll(async () => {
  server.close();
  await app.close();
});

describe('a tool call in place', () => {
  it('passes the headers of the caller and of the call, and no others', async () => {
    const response = await post({ url: '/who', headers: { 'if-match': '"1"', authorization: 'Bearer other' } }, { cookie: 'session=1' });
    const { result } = (await response.json()) as { result: { headers: Record<string, string>; tool: string } };
    expect(result.tool).toBe('a_tool');
    expect(Object.keys(result.headers).sort()).toEqual(['accept', 'accept-encoding', 'authorization', 'host', 'if-match', 'user-agent']);
    expect(result.headers).toMatchObject({ authorization: 'Bearer key', accept: 'application/json' });
  });

  it('has the headers of the response of the endpoint only', async () => {
    const { headers } = await post({ url: '/who' });
    expect(headers.get('x-kept')).toBe('yes');
    expect([headers.get('x-dropped'), headers.get('etag')]).toEqual([null, null]);
  });

  it('carries a body of any size both ways, and keeps the status of the route for the log', async () => {
    const body = JSON.stringify({ text: 'é'.repeat(200_000) });
    const call = { method: 'POST', url: '/echo', body, headers: { 'content-type': 'application/json' } };
    expect(await reported(call)).toMatchObject({ status: 201, body: JSON.stringify({ got: JSON.parse(body) }) });
    expect(logged).toEqual([{ status: 200, routeStatus: 201 }]);
  });

  it.each([
    ['a body that is not JSON', { method: 'POST', url: '/echo', body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['an unknown type', { method: 'POST', url: '/echo', body: 'x', headers: { 'content-type': 'text/x' } }, 415],
    ['an unknown path', { url: '/nowhere' }, 404],
    ['a failure', { url: '/fails' }, 500],
    ['a stream that breaks', { url: '/broken-stream' }, 500],
  ])('responds to %s', async (_, call, status) => {
    const response = await post(call);
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status })]);
    expect(logged).toEqual([{ status: 200, routeStatus: status }]);
  });

  it('collects a stream, and takes an empty response', async () => {
    expect(await reported({ url: '/stream' })).toMatchObject({ status: 200, type: 'text/plain', body: 'one two' });
    expect(await reported({ method: 'DELETE', url: '/gone' })).toMatchObject({ status: 204, body: '' });
  });

  it('is compressed for a client that accepts it', async () => {
    const response = await post({ url: '/long' }, { 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.json()).toMatchObject({ status: 200 });
  });

  it('that the endpoint cannot respond to is an error of its own request only', async () => {
    respond = () => {
      throw new Error('a fault');
    };
    expect((await post({ url: '/who' })).status).toBe(500);
    respond = report;
    expect((await post({ url: '/who' })).status).toBe(200);
  });
});
