import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { ApiDocument } from '../harness/api-document.js';
import { sharedApp } from '../harness/hosted-app.js';

const app = await sharedApp();
const host = app.inside<typeof import('../harness/http-server.js')>('test/harness/http-server.ts');
const space = await app.workspace();
const session = (await space.signIn()).headers;
const { routes } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const route = routes.find(({ plane, method, path }) => plane === 'keyed' && method === 'POST' && !path.includes('{'))!;
const key = (await space.key({ module: route.module! })).client.headers;

interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes and reads until the server closes the connection. */
async function raw(text: string): Promise<RawResponse> {
  const { hostname, port } = new URL(app.url);
  const response = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  const [head, body] = response.split('\r\n\r\n');
  const [line, ...headers] = head.split('\r\n');
  const pairs = headers.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 1).trim()]);
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(pairs) as Record<string, string>, body };
}

const lines = (...text: string[]) => `${text.join('\r\n')}\r\n\r\n`;
const POST = `POST ${route.path} HTTP/1.1`;
const CLOSED = ['Connection: close', 'Content-Length: 0'];
const LARGE_BYTES = 8 * 1024 * 1024;
const LARGE = `Content-Length: ${LARGE_BYTES}`;

function expectEnvelope({ status, headers, body }: RawResponse, expected: [number, string]): void {
  const { error } = JSON.parse(body) as { error: { code: string; request_id: string; doc_url: string } };
  expect([status, error.code]).toEqual(expected);
  expect(headers).toMatchObject({
    'request-id': error.request_id,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  expect(error.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(error.doc_url).toBe(`${app.url}/docs/errors#${error.code}`);
}

describe('what the HTTP server itself rejects', () => {
  test.each<[string, string, [number, string]]>([
    ['too many headers', lines(POST, 'Host: x', `X-Long: ${'x'.repeat(20_000)}`), [431, 'headers_too_large']],
    ['a path that is too long', lines(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: x'), [431, 'headers_too_large']],
    ['two framings', lines(POST, 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked'), [400, 'malformed_request']],
    ['two lengths', lines(POST, 'Host: x', 'Content-Length: 2', 'Content-Length: 3'), [400, 'malformed_request']],
    ['a length that is no number', lines(POST, 'Host: x', 'Content-Length: -1'), [400, 'malformed_request']],
    ['a chunk without a size', `${lines(POST, 'Host: x', 'Transfer-Encoding: chunked')}zz\r\n`, [400, 'malformed_request']],
    [
      'long chunk extensions',
      `${lines(POST, 'Host: x', 'Transfer-Encoding: chunked')}2;${'a'.repeat(20_000)}\r\n`,
      [413, 'payload_too_large'],
    ],
    ['an unknown method', lines('BREW /pot HTTP/1.1', 'Host: x'), [400, 'malformed_request']],
    ['another protocol', lines('hello'), [400, 'malformed_request']],
    ['a path that is not ASCII', lines('GET /docs/\u00e9 HTTP/1.1', 'Host: x'), [400, 'malformed_request']],
    ['a control character in a header', lines(POST, 'Host: x', 'X-A: a\u0001b'), [400, 'malformed_request']],
    ['an unknown expectation', lines(POST, 'Host: x', 'Expect: miracles', 'Content-Length: 0'), [417, 'expectation_failed']],
    ['a tunnel', lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'), [405, 'method_not_allowed']],
    ['no Host header', lines(POST, 'Connection: close', 'Content-Length: 0'), [400, 'malformed_request']],
    ['two Host headers', lines(POST, 'Host: x', 'host: x', ...CLOSED), [400, 'malformed_request']],
    ['two hosts in one', lines(POST, 'Host: x, y', ...CLOSED), [400, 'malformed_request']],
    ['a Host that is an address', lines(POST, 'Host: http://x/', ...CLOSED), [400, 'malformed_request']],
    ['two Authorization headers', lines(POST, 'Host: x', 'Authorization: a', 'authorization: b', ...CLOSED), [400, 'malformed_request']],
    ['two media types', lines(POST, 'Host: x', 'Content-Type: a/b', 'Content-Type: c/d', ...CLOSED), [400, 'malformed_request']],
  ])('%s: with the error envelope and a request id', async (_, text, expected) => expectEnvelope(await raw(text), expected));

  test.each([
    [['Host: x', 'Host: y'], 'The request has several Host headers; send exactly one.'],
    [['Host: x', 'Content-Length: 3'], 'The request is not valid HTTP/1.1: Duplicate Content-Length.'],
    [['Host: x', 'X-A: a\u0001b'], 'The request is not valid HTTP/1.1: Invalid header value char.'],
  ])('says what is wrong with %j', async (headers, message) => {
    const { body } = await raw(lines('GET /docs HTTP/1.1', ...headers, 'Connection: close', 'Content-Length: 0'));
    expect((JSON.parse(body) as { error: { message: string } }).error.message).toContain(message);
  });

  test('a tool call with two Host headers, also with a key that is known', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_guide', arguments: {} } });
    const head = [...Object.entries(key).map((header) => header.join(': ')), 'Content-Type: application/json', 'Connection: close'];
    const size = `Content-Length: ${call.length}`;
    const accept = 'Accept: application/json, text/event-stream';
    const request = (...hosts: string[]) => lines('POST /api/v1/ext/mcp HTTP/1.1', ...hosts, ...head, accept, size) + call;
    expect((await raw(request('Host: localhost'))).status).toBe(200);
    for (const hosts of [['Host: localhost', 'Host: localhost'], []])
      expectEnvelope(await raw(request(...hosts)), [400, 'malformed_request']);
  });

  test.each<[string, string, [number, string]]>([
    ['an unknown expectation', lines(POST, 'Host: x', 'Expect: miracles', LARGE), [417, 'expectation_failed']],
    ['a path that cannot be decoded', lines('POST /%zz HTTP/1.1', 'Host: x', 'Connection: close', LARGE), [404, 'not_found']],
  ])('%s, after its large body was read', async (_, head, expected) => expectEnvelope(await raw(head + 'x'.repeat(LARGE_BYTES)), expected));

  test('a body that is never completed, after 30 seconds', async () => {
    const before = await host.serverTimeouts();
    expect(before).toEqual({ requestTimeout: 30_000, headersTimeout: 15_000 });
    await host.setServerTimeouts({ requestTimeout: 400, headersTimeout: 300 });
    try {
      const body = raw(`${lines(POST, 'Host: x', ...Object.entries(key).map((header) => header.join(': ')), 'Content-Length: 10')}{"a"`);
      const head = raw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      expectEnvelope(await body, [408, 'request_timeout']);
      expectEnvelope(await head, [408, 'request_timeout']);
    } finally {
      await host.setServerTimeouts(before);
    }
  });
});

describe('every JSON response', () => {
  test('has Cache-Control and X-Content-Type-Options', async () => {
    const documents = await Promise.all(
      ['/openapi.json', '/openapi.org.json', '/openapi.public.json'].map((path) => ApiDocument.at(app.url + path)),
    );
    const calls = documents
      .flatMap(({ operations }) => operations)
      .map(({ method, path }) => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, randomUUID()) }))
      .filter(({ method, path }) => !(method === 'DELETE' && path === '/api/v1/org/session'));
    const others = ['/health', '/health/live', '/nowhere', '/%zz', '/api/v1/ext/nowhere', '/api/v1/ext/mcp'];
    const all = [...calls, ...others.map((path) => ({ method: 'GET', path })), { method: 'POST', path: '/api/v1/ext/mcp' }];
    expect(all.length).toBeGreaterThan(200);
    const seen = { json: 0 };
    for (const { method, path } of all) {
      for (const headers of [path.startsWith('/api/v1/org/') ? session : key, {}]) {
        const response = await fetch(app.url + path, { method, headers });
        const type = response.headers.get('content-type') ?? '';
        const found = [response.headers.get('x-content-type-options'), response.headers.get('request-id')?.slice(0, 4)];
        expect([method, path, ...found]).toEqual([method, path, 'nosniff', 'req_']);
        if (type.startsWith('application/json')) {
          seen.json++;
          expect([method, path, response.headers.get('cache-control')]).toEqual([
            method,
            path,
            expect.stringMatching(/^no-store(, no-transform)?$/),
          ]);
        }
        await response.arrayBuffer();
      }
    }
    expect(seen.json).toBeGreaterThan(all.length);
  });

  test('of a tool, too', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_guide', arguments: {} } };
    for (const padding of ['', ' '.repeat(70_000)]) {
      const response = await fetch(`${app.url}/api/v1/ext/mcp`, {
        method: 'POST',
        headers: { ...key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(call) + padding,
      });
      const headers = ['cache-control', 'x-content-type-options'].map((name) => response.headers.get(name));
      expect([response.status, ...headers]).toEqual([200, 'no-store', 'nosniff']);
    }
  });
});

describe('the documentation', () => {
  test.each(['/docs', '/docs/', '/docs/index.html', '/docs/errors', '/docs/webhooks'])(
    '%s has a policy that lets nothing else in',
    async (path) => {
      const response = await fetch(app.url + path);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(response.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
    },
  );

  test.each([
    '/openapi.json',
    '/openapi.org.json',
    '/openapi.public.json',
    '/docs',
    '/docs/errors',
    '/docs/webhooks',
    '/docs/swagger/swagger-ui-init.js',
    '/docs/swagger/swagger-ui.css',
  ])('%s is sent once to who has it, and counts against the limit of the documentation', async (path) => {
    const first = await fetch(app.url + path);
    const etag = first.headers.get('etag') as string;
    expect([first.status, etag, first.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{27}"$/), 'no-cache']);
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(first.headers.get('ratelimit-policy')).toContain('documentation');
    for (const tags of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await fetch(app.url + path, { headers: { 'if-none-match': tags } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    expect((await fetch(app.url + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});
