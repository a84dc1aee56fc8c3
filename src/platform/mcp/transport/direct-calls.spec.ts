import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServerRequest } from '../../request/server-request.js';
import { serveDirectCalls, type DirectCallOptions } from './direct-calls.js';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'any' } });
const fault = () => {
  throw new Error('a fault');
};
const known = () => ({ scopes: new Set<string>(), cacheKey: '' });

let server: Server;
let logged: jest.SpiedFunction<(message: unknown) => void>;

beforeEach(() => {
  logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined) as never;
  // instead of Fastify: responds with the body that it reads
  server = createServer({ IncomingMessage: ServerRequest }, (request, response) => {
    void text(request).then((body) => response.end(`left: ${body}`));
  });
});
afterEach(() => {
  server.close();
  jest.restoreAllMocks();
});

async function post(options: Partial<DirectCallOptions>): Promise<string> {
  serveDirectCalls(server, {
    path: '/mcp',
    allowedOrigins: [],
    routing: fault,
    knownCaller: known,
    dispatcher: fault,
    ...options,
  } as never);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', connection: 'close' };
  return (await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: CALL, headers })).text();
}

test('an error while the caller is looked up leaves the request to Fastify', async () => {
  expect(await post({ knownCaller: fault })).toBe(`left: ${CALL}`);
  expect(logged).toHaveBeenCalledTimes(1);
});

test('an error before the call leaves the request to Fastify, with its body', async () => {
  expect(await post({ dispatcher: fault })).toBe(`left: ${CALL}`);
  expect(logged).toHaveBeenCalledTimes(1);
});

test('a call that the dispatcher does not plan is left to Fastify', async () => {
  expect(await post({ dispatcher: () => ({ planCall: () => null }) as never })).toBe(`left: ${CALL}`);
  expect(logged).not.toHaveBeenCalled();
});

test('a call that fails ends its own connection only', async () => {
  const call = { method: 'GET', url: '/', headers: {}, body: undefined, toolName: 'any' };
  await expect(post({ dispatcher: () => ({ planCall: () => ({ call }) }) as never })).rejects.toThrow('fetch failed');
  expect(server.listening).toBe(true);
  expect(logged).toHaveBeenCalledTimes(1);
});
