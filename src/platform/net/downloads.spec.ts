import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { GuardedDownloads } from './downloads.js';
import { TargetNames } from './target-names.js';
import { TargetRules } from './target-rules.js';

const MOST = 1_000;
const routes: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/file': (response) => response.end('content'),
  '/to-name': (response) => response.writeHead(307, { location: `http://private.example:${port}/file` }).end(),
  '/to-file': (response) => response.writeHead(303, { location: '/file' }).end(),
  '/to-scheme': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/slow-head': () => undefined,
  '/slow-body': (response) => response.write('x'),
  '/announced': (response) => response.writeHead(200, { 'content-length': MOST + 1 }).end(Buffer.alloc(MOST + 1)),
  '/unannounced': (response) => response.end(Buffer.alloc(MOST + 1)),
  '/exact': (response) => response.end(Buffer.alloc(MOST)),
};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.headers.host}${request.url}`);
  routes[request.url as string](response, request);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const rules = new TargetRules({ allowHttp: true, allowLoopback: false, allowedRanges: ['127.0.0.1'] });
const names = new TargetNames(rules, (name) => Promise.resolve(name === 'public.example' ? ['127.0.0.1'] : ['127.0.0.1', '10.0.0.1']));
const downloads = new GuardedDownloads(rules, names, 500);

afterAll(async () => {
  await downloads.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
});

const get = (path: string, host = 'public.example') => downloads.get(`http://${host}:${port}${path}`, { param: 'url', most: MOST });
const refusal = (path: string, host?: string) => get(path, host).then(String, ({ message }: Error) => message);

test('a file is downloaded from a checked address, also behind a redirect', async () => {
  expect((await get('/file')).toString()).toBe('content');
  expect((await get('/to-file')).toString()).toBe('content');
  expect(await get('/exact')).toHaveLength(MOST);
});

test('a target that a webhook may not have is not asked, neither first nor after a redirect', async () => {
  asked.length = 0;
  expect(await refusal('/file', 'private.example')).toBe('url is not allowed: 10.0.0.1 is not a public address (private)');
  expect(await refusal('/to-name')).toBe('url is not allowed: 10.0.0.1 is not a public address (private)');
  expect(await refusal('/to-scheme')).toBe('url is not allowed: must begin with https:// or http://');
  expect(asked.filter((one) => one.endsWith('/file'))).toEqual([]);
});

test('size and time are limited', async () => {
  const limit = `url has more than ${MOST / 2 ** 20} MiB`;
  expect(await refusal('/announced')).toBe(limit);
  expect(await refusal('/unannounced')).toBe(limit);
  for (const path of ['/slow-head', '/slow-body']) expect(await refusal(path)).toBe('url was not downloaded within 0.5 s');
});
