import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFixtureApp, FIXTURE_KEY, type FixtureApp } from '../../../../test/mcp/fixture-app.js';

const PATH = '/api/v1/ext/mcp';
const headers = { authorization: `Bearer ${FIXTURE_KEY}`, 'content-type': 'application/json' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = (name: string, args: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

let fixture: FixtureApp;
let origin: string;

beforeEach(async () => {
  fixture = createFixtureApp();
  origin = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => fixture.app.close());

const post = (body: unknown, more: Record<string, string> = {}) =>
  fetch(origin + PATH, { method: 'POST', headers: { ...headers, ...more }, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('the endpoint', () => {
  it('authenticates the key before it reads the body', async () => {
    expect((await post(list)).status).toBe(200);
    const rejected = await post('{', { authorization: 'Bearer wrong' });
    expect(rejected.status).toBe(401);
    expect(rejected.headers.get('www-authenticate')).toBe('Bearer');
    expect(await rejected.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('has no sessions, and no stream of GET where it cannot have one', async () => {
    for (const [method, more] of [
      ['GET', {}],
      ['GET', { accept: 'text/event-stream', 'mcp-protocol-version': '2026-07-28' }],
      // the fixture refuses each stream
      ['GET', { accept: 'application/json, text/event-stream' }],
      ['DELETE', {}],
      ['PUT', {}],
    ] as const) {
      const body = method === 'PUT' ? 'x' : undefined;
      const response = await fetch(origin + PATH, { method, headers: { ...headers, 'content-type': 'malformed', ...more }, body });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, POST');
    }
    const modern = { ...headers, accept: 'text/event-stream', 'mcp-protocol-version': '2026-07-28' };
    const { error } = (await (await fetch(origin + PATH, { headers: modern })).json()) as { error: { message: string } };
    expect(error.message).toBe(
      'GET opens the stream of revisions before 2026-07-28, with Accept: text/event-stream; since then, call subscriptions/listen.',
    );
  });

  it('rejects pages of other origins and other host names', async () => {
    expect((await post(list, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(list, { origin: 'null' })).status).toBe(403);
    expect((await post(list, { origin })).status).toBe(200);
    const rebound = await fixture.app.inject({ method: 'POST', url: PATH, headers: { ...headers, host: 'evil.example' }, payload: list });
    expect(rebound.statusCode).toBe(403);
  });

  it('accepts calls from pages of allowed origins: a preflight needs no key, responses and errors can be read', async () => {
    const preflight = (from: string) =>
      fetch(origin + PATH, {
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,mcp-param-region,x-evil',
        },
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      vary: 'Origin',
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': '7200',
    });
    const names = allowed.headers.get('access-control-allow-headers')?.split(', ');
    expect(names).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
        'x-mcp-tools',
        'mcp-param-region',
      ]),
    );
    expect(names).not.toContain('x-evil');
    const rejected = await preflight('https://evil.example');
    expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([403, null]);

    for (const [body, more, status] of [
      [list, {}, 200],
      [list, { authorization: 'Bearer wrong' }, 401],
      [list, { accept: 'text/html' }, 406],
    ] as const) {
      const response = await post(body, { origin, ...more });
      expect([response.status, response.headers.get('access-control-allow-origin'), response.headers.get('vary')]).toEqual([
        status,
        origin,
        'Origin',
      ]);
      expect(response.headers.get('access-control-expose-headers')).toContain('ratelimit-remaining');
    }
    expect((await post(list, { origin: 'https://evil.example' })).headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['text/html', 406],
    ['application/json, text/event-stream', 200],
    ['application/*;q=0.5', 200],
    ['*/*', 200],
  ])('responds to Accept: %s with %d', async (accept, status) => {
    expect((await post(list, { accept })).status).toBe(status);
  });

  it('accepts JSON only, of at most 1 MiB', async () => {
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(list, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await post(`\ufeff${JSON.stringify(list)}`)).status).toBe(200);
    expect((await post(' '.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('a call', () => {
  it('runs through the pipeline of its route once, with the key and address of the caller', async () => {
    const response = await post(call('list_notes', {}));
    expect(await response.json()).toMatchObject({ result: { structuredContent: { object: 'list' } } });
    expect(response.headers.get('ratelimit-remaining')).toBe('59');
    expect(fixture.log).toEqual([{ method: 'GET', path: '/api/v1/ext/notes', tool: 'list_notes', address: '127.0.0.1' }]);
  });

  it('cannot be faked by a client', async () => {
    await fetch(`${origin}/api/v1/ext/notes`, { headers: { ...headers, 'x-mcp-tools': 'list_notes', via: 'mcp' } });
    expect(fixture.log[0]?.tool).toBeUndefined();
  });

  it('creates, updates and deletes', async () => {
    const result = async (body: object) =>
      ((await (await post(body)).json()) as { result: { structuredContent?: { id: string; text: string } } }).result;
    const created = await result(call('create_note', { text: 'née', labels: '["a"]' }));
    const note_id = created.structuredContent?.id;
    expect(created.structuredContent?.text).toBe('née');
    expect(await result(call('update_note', { note_id, if_match: 9, text: 'x' }))).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'version_conflict' } },
    });
    expect((await result(call('update_note', { note_id, if_match: 1, text: 'x' }))).structuredContent?.text).toBe('x');
    expect((await result(call('delete_note', { note_id }))).structuredContent).toEqual({ deleted: true, id: note_id });
    expect(await result(call('get_note', { note_id }))).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'not_found' } },
    });
  });

  it('that no route handles is counted at the endpoint', async () => {
    await post(call('get_guide', { module: 'notes' }));
    await post(call('no_such_tool', {}));
    await post(list);
    expect(fixture.log.map(({ path, tool }) => [path, tool])).toEqual([
      [PATH, 'get_guide'],
      [PATH, '(unknown)'],
      [PATH, undefined],
    ]);
  });

  it('that cannot be read is counted at the endpoint', async () => {
    for (const [name, value] of [
      ['accept', 'text/html'],
      ['content-type', 'text/plain'],
      ['content-encoding', 'gzip'],
    ]) {
      expect((await post(list, { [name]: value })).ok).toBe(false);
    }
    const large = await post(' '.repeat(1024 * 1024 + 1), { origin });
    expect([large.status, large.headers.get('access-control-allow-origin')]).toEqual([413, origin]);
    expect(fixture.log.map(({ path }) => path)).toEqual([PATH, PATH, PATH, PATH]);
  });
});
