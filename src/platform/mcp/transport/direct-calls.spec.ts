import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
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
  server = createServer((request, response) => {
    void text(request).then((body) => response.end(`left: ${body}`));
  });
});
afterEach(() => {
  server.close();
  jest.restoreAllMocks();
});

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', connection: 'close' };

async function start(options: Partial<DirectCallOptions>): Promise<string> {
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
  return `http://127.0.0.1:${port}/mcp`;
}

async function post(options: Partial<DirectCallOptions>): Promise<string> {
  return (await fetch(await start(options), { method: 'POST', body: CALL, headers: HEADERS })).text();
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

test('a body that arrives in parts is read whole, and left to Fastify whole', async () => {
  const planned: unknown[] = [];
  const dispatcher = () => ({ planCall: ({ body }: { body: string }) => (planned.push(body), null) }) as never;
  const sent = request(await start({ dispatcher }), { method: 'POST', headers: { ...HEADERS, 'content-length': CALL.length } });
  sent.write(CALL.slice(0, 20));
  await sleep(20);
  sent.end(CALL.slice(20));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([await text(response), planned]).toEqual([`left: ${CALL}`, [CALL]]);
});

test('a call that fails ends its own connection only', async () => {
  await expect(post({ dispatcher: () => ({ planCall: () => async () => fault() }) as never })).rejects.toThrow('fetch failed');
  expect(server.listening).toBe(true);
  expect(logged).toHaveBeenCalledTimes(1);
});
