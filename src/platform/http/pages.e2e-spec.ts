import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { ownBindersApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { RequestLog } from '../request-log/request-log.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const TOKEN = 'Zm9vYmFyYmF6cXV4c2VjcmV0dG9rZW4';
const page = (token: string) => `/binders-page/s/${token}`;

/** More than the other tests need. */
const CALLS_PER_ADDRESS = 50;

const app = await ownBindersApp({
  env: { LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8', RATE_LIMIT_PER_PUBLIC_ADDRESS: `${CALLS_PER_ADDRESS}` },
});
const output = app.inside<typeof import('../../../test/harness/output.js')>('test/harness/output.ts');
const visitor = new Client(app.url);

describe('a page', () => {
  test('is served as it is, without a key', async () => {
    const { status, headers, text } = await visitor.get(page(TOKEN), BROWSER);
    expect([status, headers['content-type'], headers['x-content-type-options'], headers['cache-control'], text]).toEqual([
      200,
      'text/html; charset=utf-8',
      'nosniff',
      'no-store',
      '<!doctype html><title>Leases</title>',
    ]);
  });

  test('ignores the parameters that mail programs and campaigns append to a link', async () => {
    expect((await visitor.get(`${page(TOKEN)}?utm_source=mail&mc_eid=1`, BROWSER)).status).toBe(200);
  });

  test('that fails shows an error page to a browser, without injected markup or external resources', async () => {
    const { status, headers, text } = await visitor.get(page(`gone-${TOKEN}`), BROWSER);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>There is nothing here</h1><p>This link has &lt;expired&gt;.</p>');
    expect(text).toContain(`Reference: <code>${headers['request-id']}</code>`);
    expect(text).not.toContain(TOKEN);
    const [, nonce] = /<style nonce="([^"]+)">/.exec(text) as RegExpExecArray;
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining(`default-src 'none'; style-src 'self' 'nonce-${nonce}'`),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      vary: 'Accept',
    });
    expect((await visitor.get(page('gone'), BROWSER)).text).not.toContain(nonce);
  });

  test('that fails returns the envelope to a program, as every API route does to a browser', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const { status, headers, body } = await visitor.get(page('gone'), { accept });
      expect([status, headers['content-type'], body.error?.code]).toEqual([404, 'application/json; charset=utf-8', 'not_found']);
    }
    for (const path of ['/binders-page/nowhere', '/binders-page/%zz']) {
      const { status, headers, text } = await visitor.get(path, BROWSER);
      expect([status, headers['content-type'], text.includes('<h1>There is nothing here</h1>')]).toEqual([
        404,
        'text/html; charset=utf-8',
        true,
      ]);
    }
    expect((await visitor.get('/api/v1/ext/%zz', BROWSER)).headers['content-type']).toBe('application/json; charset=utf-8');
    for (const path of ['/api/v1/ext/shelves/binders/x/scan', '/api/v1/org/session', '/oauth/nowhere']) {
      const { headers, body } = await visitor.get(path, BROWSER);
      expect([headers['content-type'], typeof body.error?.code]).toEqual(['application/json; charset=utf-8', 'string']);
    }
  });
});

test('the stylesheet of all pages is kept by browsers under the name that pages give; any other name is checked again', async () => {
  const { text } = await visitor.get(page('gone'), BROWSER);
  const [, href] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) as RegExpExecArray;
  const { status, headers, text: style } = await visitor.get(href);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  const earlier = await visitor.get('/styles/page-0123456789abcdef.css');
  expect((await visitor.get('/styles/other-0123456789abcdef.css')).status).toBe(404);
  expect([earlier.status, earlier.text === style, earlier.headers['cache-control']]).toEqual([200, true, 'no-cache']);
  expect((await visitor.get('/styles/icons-0123456789abcdef.svg')).headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'no-cache',
  });
});

describe('the form of a page', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const notes = `${page(TOKEN)}/notes`;

  test('is accepted without a script, as text by name', async () => {
    const { status, headers } = await visitor.post(notes, 'note=first&note=J%C3%BCrgen+%26+%E2%82%AC&__proto__=x&other=1', FORM);
    expect([status, decodeURIComponent(headers['x-note']), headers['svc-ignored-fields']]).toEqual([201, 'Jürgen & €', '__proto__, other']);
    expect((await visitor.post(notes, { note: 'by a script' })).headers['x-note']).toBe('by%20a%20script');
  });

  test('is validated like JSON, and an error is a page', async () => {
    const rejected = await visitor.post(notes, 'note=', { ...FORM, ...BROWSER });
    expect([rejected.status, rejected.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(rejected.text).toContain('note must');
    expect((await visitor.post(notes, 'note=x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test("is taken by pages only, or another site could send one to the API in a visitor's name", async () => {
    expect((await visitor.post('/api/v1/public/binders/notes', 'note=x', FORM)).status).toBe(415);
    expect((await visitor.post('/api/v1/org/session', 'email=a%40example.com&password=x', FORM)).status).toBe(415);
  });
});

describe('a token in the path of a page', () => {
  test('appears neither in the request log nor in the process output, whatever the outcome', async () => {
    await output.holdOutput();
    let printed: string;
    try {
      const [served, gone, broken, query, rejected, none] = [
        await visitor.get(page(TOKEN), BROWSER),
        await visitor.get(page(`gone-${TOKEN}`)),
        await visitor.get(page(`broken-${TOKEN}`), BROWSER),
        await visitor.get(`${page(TOKEN)}?secret=${TOKEN}`),
        await visitor.post(`${page(TOKEN)}/notes`, { note: '' }),
        await visitor.get(`${page(TOKEN)}/more`),
      ];
      expect([served, gone, broken, query, rejected, none].map(({ status }) => status)).toEqual([200, 404, 500, 200, 400, 404]);
      expect(broken.text).not.toContain('on purpose');
      // a request is logged only after its response is sent
      await pause(50);
      await app.service<RequestLog>('RequestLog').flush();
    } finally {
      printed = await output.printedOutput();
    }
    // what failed is logged, so the silence about the token is no silence about everything
    expect(printed).toContain('broken on purpose');
    expect(printed).not.toContain(TOKEN);
    expect((await app.sql.query('SELECT 1 FROM request_logs r WHERE r::text LIKE $1', [`%${TOKEN}%`])).rows).toEqual([]);
  });

  test('cannot be guessed at will: calls are limited by address, whichever page they are for', async () => {
    const guess = (token: string, address: string) => visitor.get(page(token), { ...BROWSER, 'x-forwarded-for': address });
    const guesses = await Promise.all(Array.from({ length: CALLS_PER_ADDRESS }, (_, n) => guess(`gone-${n}`, '203.0.113.7')));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([404]));
    const rejected = await guess(TOKEN, '203.0.113.7');
    expect([rejected.status, (await guess(TOKEN, '203.0.113.8')).status]).toEqual([429, 200]);
    expect(rejected.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'retry-after': expect.stringMatching(/^\d+$/),
    });
    expect(rejected.text).toContain('<h1>Too many requests</h1>');
  });

  test('are counted apart from reading the documentation, all of which an agent can read in one go', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.10' };
    for (const path of ['/openapi.json', '/docs.md', '/llms.txt']) await visitor.get(path, headers);
    const { headers: read } = await visitor.get('/docs', headers);
    const most = 20 * CALLS_PER_ADDRESS;
    expect(read).toMatchObject({ 'ratelimit-policy': `"documentation";q=${most};w=60`, 'ratelimit-remaining': `${most - 4}` });
    const style = () => visitor.get('/docs.md', { ...headers, 'if-none-match': '*' });
    expect(new Set((await Promise.all(Array.from({ length: most - 4 }, style))).map(({ status }) => status))).toEqual(new Set([304]));
    const rejected = await visitor.get('/openapi.org.json', headers);
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'rate_limited']);
    const called = await visitor.get('/binders-page/visitor', headers);
    expect(called.headers['ratelimit-remaining']).toBe(`${CALLS_PER_ADDRESS - 1}`);
  });
});

test('a visitor has the address that the trusted proxies vouch for, and no other', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' };
  expect((await visitor.get('/binders-page/visitor', headers)).body.address).toBe('203.0.113.9');
});
