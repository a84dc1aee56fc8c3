import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { BINDERS, sharedBindersApp } from '../../../test/harness/fixtures/fixture-apps.js';

/** The bytes of each scan, which are no UTF-8. */
const SCAN = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x00]);

const app = await sharedBindersApp();
const workspace = await app.workspace();
const { client: binders } = await workspace.key();

async function create(title: string): Promise<string> {
  return (await binders.post(BINDERS, { project_id: workspace.eng.id, title })).body.id as string;
}

describe('a file response', () => {
  test('is sent unchanged with its type, its name and the headers of every response', async () => {
    const response = await binders.get(`${BINDERS}/${await create('Übergabe')}/scan`);
    expect([response.status, Buffer.compare(response.body as Buffer, SCAN)]).toEqual([200, 0]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(SCAN.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'content-disposition': `inline; filename=Ubergabe.pdf; filename*=UTF-8''%C3%9Cbergabe.pdf`,
      'svc-mode': 'live',
      'request-id': expect.stringMatching(/^req_/),
      'ratelimit-limit': '1000000',
    });
  });

  test('does not change the errors of the route', async () => {
    const response = await binders.get(`${BINDERS}/0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60/scan`);
    expect([response.status, response.headers['content-type'], response.body.error.code]).toEqual([
      404,
      'application/json; charset=utf-8',
      'not_found',
    ]);
  });

  test('of a type that the route does not declare is an internal error, and nothing of it is sent', async () => {
    const response = await binders.get(`${BINDERS}/${await create('undeclared')}/scan`);
    expect([response.status, response.headers['content-type'], response.body.error.code]).toEqual([
      500,
      'application/json; charset=utf-8',
      'internal_error',
    ]);
  });

  test('is a blob to an agent, whose tool announces no output schema', async () => {
    const call = async (name: string, args: object, query = '') => {
      const params = { name, arguments: args };
      return (await binders.post(`/api/v1/ext/mcp${query}`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result;
    };
    const id = await create('Leases');
    expect((await call('get_binder_scan', { id })).content).toEqual([
      { type: 'resource', resource: { uri: `api://${BINDERS}/${id}/scan`, mimeType: 'application/pdf', blob: SCAN.toString('base64') } },
    ]);
    const described = async (name: string) => (await call('describe_tool', { name }, '?mode=search')).structuredContent;
    expect(await described('get_binder_scan')).not.toHaveProperty('outputSchema');
    expect(await described('get_binder_leaves')).toHaveProperty('outputSchema.properties.leaves');
  });

  test('is documented under its media type', async () => {
    const { body } = await binders.get('/openapi.json');
    const { description, content, headers } = body.paths[`${BINDERS}/{id}/scan`].get.responses['200'];
    expect([description, content]).toEqual([
      'Get a scan of a binder',
      { 'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf', description: 'All of its pages.' } } },
    ]);
    expect(headers).toHaveProperty('Content-Disposition');
  });
});

describe('a body that may be a bare list', () => {
  const put = async (body: unknown, id: string) => binders.put(`${BINDERS}/${id}/leaves`, body);

  test('is the same in both forms', async () => {
    const id = await create('forms');
    expect((await put([{ page: 1 }, { page: 2 }], id)).body).toMatchObject({ version: 2, leaves: [{ page: 1 }, { page: 2 }] });
    expect((await put({ leaves: [{ page: 3 }] }, id)).body).toMatchObject({ version: 3, leaves: [{ page: 3 }] });
    expect((await put([], id)).body).toMatchObject({ version: 4, leaves: [] });
  });

  test('is rejected with the same error as the object', async () => {
    const id = await create('rejected');
    const faults = [{ page: 0 }, { page: 1 }, {}];
    const [bare, whole] = [await put(faults, id), await put({ leaves: faults }, id)];
    expect([bare.status, bare.body.error.param, bare.body.error.details]).toEqual([400, 'leaves.2.page', whole.body.error.details]);
    expect(bare.body.error.details.map(({ param }: { param: string }) => param)).toEqual(['leaves.0.page', 'leaves.2.page']);
    expect(
      (
        await put(
          Array.from({ length: 6 }, () => ({ page: 1 })),
          id,
        )
      ).body.error,
    ).toMatchObject({ code: 'validation_failed', param: 'leaves' });
    expect((await put('"text"', id)).status).toBe(415);
  });

  test('is documented in both forms, and is an object in the MCP tool', async () => {
    const { body } = await binders.get('/openapi.json');
    const { schema, example } = body.paths[`${BINDERS}/{id}/leaves`].put.requestBody.content['application/json'];
    expect([schema.oneOf[0], schema.oneOf[1]]).toEqual([
      { $ref: '#/components/schemas/Leaves' },
      expect.objectContaining({ type: 'array', items: { $ref: '#/components/schemas/Leaf' }, maxItems: 5 }),
    ]);
    expect(example).toEqual({ leaves: [{ page: 1 }] });
    const { tools } = (await binders.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body.result as {
      tools: { name: string; inputSchema: { properties: object } }[];
    };
    expect(Object.keys(tools.find(({ name }) => name === 'replace_binder_leaves')?.inputSchema.properties ?? {}).sort()).toEqual([
      'dry_run',
      'id',
      'if_match',
      'leaves',
    ]);
  });
});

describe('a response in several formats', () => {
  test('has the format that the caller prefers, and sets Vary', async () => {
    const path = `${BINDERS}/${await create('forms')}/leaves`;
    await binders.put(path, [{ page: 7 }, { page: 8 }]);
    const [plain, csv] = [await binders.get(path), await binders.get(path, { accept: 'text/csv' })];
    expect([plain.headers['content-type'], plain.headers.vary, plain.body.leaves]).toEqual([
      'application/json; charset=utf-8',
      'Accept',
      [{ page: 7 }, { page: 8 }],
    ]);
    expect([csv.headers['content-type'], csv.headers.vary, csv.text]).toEqual(['text/csv; charset=utf-8', 'Accept', 'page\r\n7\r\n8']);
    expect(csv.headers['content-disposition']).toBe('attachment; filename=leaves.csv');
  });

  test('is documented in all of them', async () => {
    const { body } = await binders.get('/openapi.json');
    const { content } = body.paths[`${BINDERS}/{id}/leaves`].get.responses['200'];
    expect(content).toEqual({
      'application/json': expect.objectContaining({ schema: { $ref: '#/components/schemas/Binder' } }),
      'text/csv': { schema: { type: 'string', description: 'A row per leaf.' } },
    });
  });
});

test('a visitor has the address of the connection, whatever its headers claim', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'x'.repeat(600) };
  expect((await new Client(app.url).get('/binders-page/visitor', headers)).body).toEqual({
    address: '127.0.0.1',
    limitKey: '127.0.0.1',
    userAgent: 'x'.repeat(500),
    requestId: expect.stringMatching(/^req_/),
  });
});

describe('a module whose prefix is not its name', () => {
  test('is called by its name wherever a module is named: keys, tags, guides, narrowing', async () => {
    const named = { module: 'shelves', scopes: ['shelves:binder:read'] };
    const refused = await workspace.key(named).catch(({ occurrence }) => occurrence);
    expect(refused).toMatchObject({ param: 'module', allowed: expect.arrayContaining(['binders']) });
    expect(refused.allowed).not.toContain('shelves');
    const { body } = await binders.get('/openapi.json');
    expect(body.tags.find(({ name }: { name: string }) => name === 'binders')).toEqual({
      name: 'binders',
      description: 'Binders are for the tests of the platform.',
    });
    const tags = Object.values<Record<string, { tags: string[] }>>(body.paths).flatMap((item) =>
      Object.values(item).flatMap((op) => op.tags),
    );
    expect(tags).toContain('binders');
    expect(tags).not.toContain('shelves');
    const rpc = async (method: string, params: object, query = '') =>
      (await binders.post(`/api/v1/ext/mcp${query}`, { jsonrpc: '2.0', id: 1, method, params })).body.result;
    expect((await rpc('resources/list', {})).resources).toEqual([expect.objectContaining({ uri: 'guide://binders', title: 'Binders' })]);
    expect((await rpc('tools/call', { name: 'get_guide', arguments: { module: 'binders' } })).content[0].text).toBe(
      'Binders are for the tests of the platform.',
    );
    expect((await rpc('tools/list', {}, '?modules=binders')).tools.length).toBe((await rpc('tools/list', {})).tools.length);
  });
});

describe('a large response', () => {
  const send = (path: string, encoding: string, init: RequestInit = {}) =>
    fetch(app.url + path, { ...init, headers: { ...binders.headers, ...(init.headers as object), 'accept-encoding': encoding } });
  const encodingOf = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')];

  test('is a published file with the same weak ETag in every encoding', async () => {
    const tags = await Promise.all(['br', 'gzip', 'identity'].map(async (encoding) => (await send('/openapi.json', encoding)).headers));
    expect(tags.map((headers) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
    expect(tags.map((headers) => headers.get('vary'))).toEqual(Array(3).fill('Accept-Encoding'));
    expect(new Set(tags.map((headers) => headers.get('etag'))).size).toBe(1);
    const etag = tags[0].get('etag') as string;
    expect(etag).toMatch(/^W\//);
    const again = await send('/openapi.json', 'br', { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag'), again.headers.get('vary')]).toEqual([304, etag, 'Accept-Encoding']);
  });

  test('is sent as it is if it contains a secret or has no text', async () => {
    const scan = await send(`${BINDERS}/${await create('Scan')}/scan`, 'br');
    expect(encodingOf(scan)).toEqual([null, null]);
    const session = await workspace.signIn();
    expect((await session.get('/api/v1/org/session')).headers['cache-control']).toBe('no-store, no-transform');
  });
});
