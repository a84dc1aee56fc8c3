import { beforeEach, describe, expect, it } from '@jest/globals';
import { DispatcherHarness, fault, REST_NOTE, type Options } from '../../../../test/mcp/dispatcher-harness.js';
import { fixtureDocument, fixtureGuides } from '../../../../test/mcp/fixture-openapi.js';
import { McpDispatcher } from './dispatcher.js';
import { META, type Json } from '../protocol/protocol.js';
import { buildCatalog } from '../catalog/tool-catalog.js';

let harness: DispatcherHarness;
const post = (body: unknown, options?: Options) => harness.post(body, options);
const legacy = (method: string, params?: Json, options?: Options) => harness.legacy(method, params, options);
const modern = (method: string, params?: Json, options?: Options) => harness.modern(method, params, options);

beforeEach(() => {
  harness = new DispatcherHarness();
});

const toolNames = (result: Json | undefined): string[] => (result?.['tools'] as { name: string }[]).map(({ name }) => name);

describe('tools/list', () => {
  it('lists exactly what the scopes allow, in a fixed order', async () => {
    const { json } = await legacy('tools/list', undefined, { scopes: ['notes:note:read'] });
    expect(toolNames(json?.result)).toEqual(['list_notes', 'get_note', 'get_guide']);
    expect(toolNames((await legacy('tools/list')).json?.result)).toHaveLength(10);
    expect(toolNames((await legacy('tools/list', undefined, { scopes: [] })).json?.result)).toEqual([]);
  });

  it('accepts a request without a version header and returns its id', async () => {
    for (const id of [0, 'x"y', -5, 0, 7, '7', 8, 7]) expect((await post({ jsonrpc: '2.0', id, method: 'tools/list' })).json?.id).toBe(id);
  });

  it('has output schemas in the modern revision, and in older ones on request', async () => {
    const hasOutput = (result: Json | undefined): boolean => (result?.['tools'] as Json[]).some((tool) => 'outputSchema' in tool);
    expect(hasOutput((await legacy('tools/list')).json?.result)).toBe(false);
    expect(hasOutput((await legacy('tools/list', undefined, { query: { output_schemas: 'true' } })).json?.result)).toBe(true);
    expect(hasOutput((await modern('tools/list')).json?.result)).toBe(true);
  });

  it('returns cache hints and the server info in the modern revision', async () => {
    expect((await modern('tools/list')).json?.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [META.serverInfo]: { name: 'fixture', version: '1.0.0' } },
    });
    expect((await legacy('tools/list')).json?.result).not.toHaveProperty('resultType');
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list'])('rejects any cursor of %s, which has one page', async (method) => {
    const { json } = await legacy(method, { cursor: 'bogus' });
    expect(json).toMatchObject({ error: { code: -32602, message: expect.stringContaining('cursor') } });
    expect((await legacy(method, {})).json).toHaveProperty('result');
  });

  it('returns the same bytes again', async () => {
    expect(String((await modern('tools/list')).body)).toBe(String((await modern('tools/list')).body));
  });
});

describe('tool filters', () => {
  const listed = async (options: Options): Promise<string[]> => toolNames((await legacy('tools/list', undefined, options)).json?.result);

  it('filter by tools, modules and read_only, in the query or in headers', async () => {
    expect(await listed({ query: { tools: 'get_note,create_note' } })).toEqual(['create_note', 'get_note', 'get_guide']);
    expect(await listed({ headers: { 'x-mcp-tools': 'get_note' } })).toEqual(['get_note', 'get_guide']);
    expect(await listed({ query: { modules: 'notes', read_only: 'true' } })).toEqual(['list_notes', 'get_note', 'get_guide']);
    expect(await listed({ headers: { 'x-mcp-modules': 'labels', 'x-mcp-readonly': 'true' } })).toEqual([
      'list_labels',
      'export_labels',
      'get_guide',
    ]);
    expect(await listed({ query: { tools: 'get_note,list_notes' }, headers: { 'x-mcp-tools': 'get_note,create_note' } })).toEqual([
      'get_note',
      'get_guide',
    ]);
  });

  it('never add tools beyond the scopes', async () => {
    expect(await listed({ query: { tools: 'create_note' }, scopes: ['notes:note:read'] })).toEqual([]);
  });

  it('include the guide, which the instructions name', async () => {
    const query = { tools: 'get_note' };
    expect((await legacy('tools/call', { name: 'get_guide', arguments: { module: 'notes' } }, { query })).json?.result).not.toHaveProperty(
      'isError',
    );
    const instructions = async (options: Options) => (await legacy('initialize', {}, options)).json?.result['instructions'];
    expect(await instructions({ query })).toContain('get_guide');
    expect(await instructions({ scopes: [] })).not.toContain('get_guide');
    expect(await instructions({})).toContain('idempotency_key on every write whose input has that argument');
  });

  it('suggest in an error only tools that the filter accepts', async () => {
    const { allowed } = (await legacy('tools/list', undefined, { query: { tools: 'zzzzzzz' } })).json?.error as { allowed?: string[] };
    expect(allowed).toEqual(expect.arrayContaining(['get_note', 'get_guide']));
    expect(allowed).not.toContain('search_tools');
    expect((await legacy('tools/list', undefined, { query: { tools: 'search_tools' } })).status).toBe(400);
  });

  it('apply to calls too', async () => {
    const { json } = await legacy('tools/call', { name: 'delete_note', arguments: { note_id: '1' } }, { query: { read_only: 'true' } });
    expect(json?.error.code).toBe(-32602);
    expect(harness.calls).toEqual([]);
  });

  it.each([
    [{ modules: 'note' }, 'unknown module "note"; did you mean "notes"?'],
    [{ tools: 'create_notes' }, 'did you mean "create_note"?'],
    [{ read_only: 'yes' }, 'unknown value "yes"'],
    [{ readonly: 'true' }, 'did you mean "read_only"?'],
    [{ mode: 'serach' }, 'did you mean "search"?'],
  ])('reject %j', async (query, message) => {
    const { status, json } = await legacy('tools/list', undefined, { query });
    expect(status).toBe(400);
    expect(json?.error).toMatchObject({ code: 'validation_failed', message: expect.stringContaining(message), request_id: 'req_1' });
    expect(harness.admitted).toHaveLength(1);
  });
});

describe('tools/call', () => {
  it('sends the request of the operation and returns its response unchanged', async () => {
    const { status, headers, json } = await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1' } });
    expect(harness.calls).toMatchObject([
      { method: 'GET', url: '/api/v1/ext/notes/1', headers: {}, body: undefined, toolName: 'get_note' },
    ]);
    expect(status).toBe(200);
    expect(headers['ratelimit-remaining']).toBe(59);
    expect(headers).not.toHaveProperty('etag');
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { content: [{ type: 'text', text: REST_NOTE }], structuredContent: JSON.parse(REST_NOTE) },
    });
    expect(harness.admitted).toEqual([]);
  });

  it('adds the members of the modern revision', async () => {
    const { json } = await modern('tools/call', { name: 'get_note', arguments: { note_id: '1' } });
    expect(json?.result).toMatchObject({ resultType: 'complete', structuredContent: JSON.parse(REST_NOTE) });
  });

  it('returns the error envelope of the route as a tool error, also for a missing scope', async () => {
    const body = '{"error":{"type":"permission_error","code":"insufficient_scope"}}';
    harness.response = { ...harness.response, status: 403, body };
    const { status, json } = await legacy('tools/call', { name: 'delete_note', arguments: { note_id: '1' } }, { scopes: [] });
    expect(status).toBe(200);
    expect(json?.result).toEqual({ content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body), isError: true });
  });

  it('names the argument where the error of the route names its header', async () => {
    const error = (param: string) => JSON.stringify({ error: { code: 'validation_failed', param, message: 'not "param":"If-Match"' } });
    for (const [header, argument] of [
      ['If-Match', 'if_match'],
      ['Idempotency-Key', 'idempotency_key'],
      ['text', 'text'],
    ] as const) {
      harness.response = { ...harness.response, status: 400, body: error(header) };
      const { json } = await legacy('tools/call', { name: 'update_note', arguments: { note_id: '1', if_match: 'x' } });
      expect(json?.result).toEqual({
        content: [{ type: 'text', text: error(argument) }],
        structuredContent: JSON.parse(error(argument)),
        isError: true,
      });
    }
  });

  it('returns a challenge in the HTTP response, where OAuth clients expect it', async () => {
    harness.response = {
      status: 403,
      headers: { ...harness.response.headers, 'www-authenticate': 'Bearer error="insufficient_scope"' },
      body: '{"error":{}}',
    };
    const { status, headers, json } = await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1' } });
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('insufficient_scope');
    expect(json).toEqual({ error: {} });
  });

  it('says what was done if the response is empty, and returns text or a blob for one that is not JSON', async () => {
    const deleted = { content: [{ type: 'text', text: '{"deleted":true,"id":"1"}' }], structuredContent: { deleted: true, id: '1' } };
    harness.response = { status: 204, headers: {}, body: '' };
    expect((await legacy('tools/call', { name: 'delete_note', arguments: { note_id: '1' } })).json?.result).toEqual(deleted);
    // what no tool of the caller restores is deleted, and that is all
    harness.response = { status: 204, headers: { 'svc-restorable-until': '2026-12-29T08:00:00.000Z' }, body: '' };
    expect((await legacy('tools/call', { name: 'delete_note', arguments: { note_id: '1' } })).json?.result).toEqual(deleted);
    harness.response = { status: 200, headers: { 'content-type': 'text/csv' }, body: 'a\n' };
    expect((await legacy('tools/call', { name: 'export_labels' })).json?.result).toEqual({ content: [{ type: 'text', text: 'a\n' }] });
    harness.response = { status: 200, headers: { 'content-type': 'application/pdf' }, body: Buffer.from([255, 1]) };
    expect((await legacy('tools/call', { name: 'export_labels' })).json?.result).toEqual({
      content: [{ type: 'resource', resource: { uri: 'api:///api/v1/ext/labels/export', mimeType: 'application/pdf', blob: '/wE=' } }],
    });
  });

  it('rejects an unknown argument without calling the route, and counts and logs it', async () => {
    const { json } = await legacy('tools/call', { name: 'create_note', arguments: { txt: 'x' } });
    expect(json?.result['isError']).toBe(true);
    expect(fault(json?.result)).toMatchObject({
      code: 'validation_failed',
      message: 'unknown argument "txt"; did you mean "text"?',
      param: 'txt',
    });
    expect((json?.result['content'] as Json[])[0]?.['text']).toBe(JSON.stringify(json?.result['structuredContent']));
    expect(harness.calls).toEqual([]);
    expect(harness.admitted).toEqual([{ method: 'tools/call', toolName: 'create_note' }]);
  });

  it('rejects a name in fields that the result does not have', async () => {
    const { json } = await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1', fields: ['text', 'bogus'] } });
    expect(fault(json?.result)).toMatchObject({
      code: 'validation_failed',
      param: 'fields',
      allowed: expect.arrayContaining(['id', 'text']),
    });
    expect(fault(json?.result)['message']).toMatch(/^unknown field "bogus"; the fields are .*text/);
    expect(harness.calls).toEqual([]);
    for (const fields of [['text'], ['*'], 'id,text'])
      await legacy('tools/call', { name: 'get_note', arguments: { note_id: '1', fields } });
    expect(harness.calls).toHaveLength(3);
  });

  it('rejects a missing identifier and leaves every other value to the route', async () => {
    expect(fault((await legacy('tools/call', { name: 'get_note' })).json?.result)).toMatchObject({
      code: 'missing_fields',
      param: 'note_id',
    });
    await legacy('tools/call', { name: 'create_note', arguments: { labels: 'x' } });
    expect(harness.calls[0]?.body).toBe('{"labels":"x"}');
  });

  it('rejects an unknown tool with -32602 and suggests the nearest name', async () => {
    const { status, json } = await legacy('tools/call', { name: 'creat_note' });
    expect(status).toBe(200);
    expect(json?.error).toEqual({ code: -32602, message: 'Unknown tool: creat_note; did you mean "create_note"?' });
    expect(harness.admitted).toHaveLength(1);
  });

  it.each([[{}], [{ name: 3 }], [{ name: 'get_note', arguments: [] }]])('rejects malformed params with -32602: %j', async (params) => {
    expect((await legacy('tools/call', params)).json?.error.code).toBe(-32602);
  });
});

describe('guides', () => {
  it('are available as resources and by a tool, one per module with a visible tool', async () => {
    const scopes = ['notes:note:read'];
    const list = (await legacy('resources/list', undefined, { scopes })).json?.result['resources'] as Json[];
    expect(list.map(({ uri }) => uri)).toEqual(['guide://notes']);
    const read = await legacy('resources/read', { uri: 'guide://notes' }, { scopes });
    expect(read.json?.result).toEqual({ contents: [{ uri: 'guide://notes', mimeType: 'text/markdown', text: fixtureGuides[0]?.text }] });
    const called = await legacy('tools/call', { name: 'get_guide', arguments: { module: 'notes' } }, { scopes });
    expect((called.json?.result['content'] as Json[])[0]?.['text']).toBe(fixtureGuides[0]?.text);
    expect(harness.calls).toEqual([]);
    expect(harness.admitted).toHaveLength(3);
  });

  it('of other modules are not found', async () => {
    const scopes = ['notes:note:read'];
    expect((await legacy('resources/read', { uri: 'guide://labels' }, { scopes })).json?.error).toMatchObject({
      code: -32002,
      data: { uri: 'guide://labels' },
    });
    expect((await modern('resources/read', { uri: 'guide://labels' }, { scopes })).json?.error.code).toBe(-32602);
    const called = await legacy('tools/call', { name: 'get_guide', arguments: { module: 'labels' } }, { scopes });
    expect(fault(called.json?.result)).toMatchObject({ code: 'validation_failed', allowed: ['notes'] });
  });
});

describe('search mode', () => {
  const query = { mode: 'search' };
  const call = (name: string, args: Json, options: Options = {}) =>
    legacy('tools/call', { name, arguments: args }, { ...options, query: { ...query, ...options.query } });

  it('lists four tools instead', async () => {
    expect(toolNames((await legacy('tools/list', undefined, { query })).json?.result)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
      'get_guide',
    ]);
  });

  it('finds only tools that the caller sees', async () => {
    const found = async (scopes?: string[]): Promise<unknown[]> => {
      const { json } = await call('search_tools', { query: 'change notes' }, scopes && { scopes });
      return ((json?.result['structuredContent'] as Json)['data'] as Json[]).map(({ name }) => name);
    };
    expect((await found())[0]).toBe('update_note');
    expect(await found(['notes:note:read'])).toEqual(expect.not.arrayContaining(['update_note']));
  });

  it('answers a search that nothing matches with the tools to begin with', async () => {
    const { json } = await call('search_tools', { query: 'zebra', limit: 2 });
    expect(json?.result['structuredContent']).toMatchObject({ data: [{ name: 'list_notes' }, { name: 'list_labels' }] });
    expect(json?.result['structuredContent']).toMatchObject({ note: 'No tool matches; these give an overview.' });
    expect(json?.result['content']).toEqual([{ type: 'text', text: JSON.stringify(json?.result['structuredContent']) }]);
  });

  it('describes and calls tools', async () => {
    const described = await call('describe_tool', { name: 'get_note' });
    expect(described.json?.result['structuredContent']).toMatchObject({ name: 'get_note', inputSchema: { required: ['note_id'] } });
    const called = await call('call_tool', { name: 'get_note', arguments: { note_id: '1' } });
    expect(called.json?.result['structuredContent']).toEqual(JSON.parse(REST_NOTE));
    expect(harness.calls[0]?.toolName).toBe('get_note');
    expect(fault((await call('call_tool', { name: 'get_note', arguments: { id: '1' } })).json?.result)['param']).toBe('id');
  });

  it('returns guides', async () => {
    const described = (await call('describe_tool', { name: 'get_guide' })).json?.result;
    expect(described).toMatchObject({
      structuredContent: { object: 'tool', name: 'get_guide', inputSchema: { required: ['module'] } },
    });
    expect((await call('get_guide', { module: 'notes' })).json?.result).toMatchObject({ content: [{ text: fixtureGuides[0]?.text }] });
    expect((await call('call_tool', { name: 'get_guide', arguments: { module: 'notes' } })).json?.result).not.toHaveProperty('isError');
  });

  it('rejects unknown arguments of call_tool instead of ignoring them', async () => {
    const { json } = await call('call_tool', { name: 'get_note', argument: { note_id: '1' } });
    expect(fault(json?.result)).toMatchObject({
      code: 'validation_failed',
      param: 'argument',
      message: 'unknown argument "argument"; did you mean "arguments"?',
      allowed: ['name', 'arguments'],
    });
    expect(fault((await call('call_tool', { arguments: {} })).json?.result)).toMatchObject({ code: 'missing_fields', param: 'name' });
    expect(harness.calls).toEqual([]);
  });

  it('applies the filter to call_tool', async () => {
    const { json } = await call('call_tool', { name: 'delete_note', arguments: { note_id: '1' } }, { query: { read_only: 'true' } });
    expect(json?.error.code).toBe(-32602);
  });

  it('has no call_tool when it is off', async () => {
    expect((await legacy('tools/call', { name: 'call_tool', arguments: { name: 'get_note' } })).json?.error.code).toBe(-32602);
  });
});

it('rejects a catalog with the name of a local tool', () => {
  const document = structuredClone(fixtureDocument);
  Object.assign((document.paths['/api/v1/ext/labels'] as unknown as { get: Json }).get, { operationId: 'get_guide' });
  expect(() => new McpDispatcher({ catalog: buildCatalog(document), serverInfo: { name: 'x', version: '1' } })).toThrow(
    'Two tools are named "get_guide": the endpoint\'s own and GET /api/v1/ext/labels',
  );
});
