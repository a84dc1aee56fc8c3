import { beforeEach, describe, expect, it } from '@jest/globals';
import { DispatcherHarness, envelope, fault, MODERN, REST_NOTE, type Options } from '../../../../test/mcp/dispatcher-harness.js';
import { META, type Json } from '../protocol/protocol.js';

let harness: DispatcherHarness;
const post = (body: unknown, options?: Options) => harness.post(body, options);
const legacy = (method: string, params?: Json, options?: Options) => harness.legacy(method, params, options);
const modern = (method: string, params?: Json, options?: Options) => harness.modern(method, params, options);

beforeEach(() => {
  harness = new DispatcherHarness();
});

describe('legacy revisions', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [MODERN, '2025-11-25'],
  ])('negotiate %s to %s, without a session', async (protocolVersion, expected) => {
    const { headers, json } = await legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'spec', version: '1' } });
    expect(json?.result).toMatchObject({
      protocolVersion: expected,
      capabilities: { tools: { listChanged: true }, resources: {} },
      serverInfo: { name: 'fixture' },
    });
    expect(json?.result['instructions']).toContain('idempotency_key');
    expect(Object.keys(headers)).not.toContain('mcp-session-id');
  });

  it('support ping and notifications, and reject methods that are not supported', async () => {
    expect((await legacy('ping')).json?.result).toEqual({});
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202, body: undefined });
    expect(await legacy('prompts/list')).toMatchObject({ status: 200, json: { error: { code: -32601 } } });
    expect((await legacy('resources/templates/list')).json?.result).toEqual({ resourceTemplates: [] });
  });

  it('reject an unknown version', async () => {
    expect(await legacy('tools/list', undefined, { headers: { 'mcp-protocol-version': '2025-01-01' } })).toMatchObject({
      status: 400,
      json: { error: { code: -32000 } },
    });
  });

  it('support batches in 2025-03-26 only', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_note', arguments: { note_id: '1' } } },
      { jsonrpc: '2.0', id: null, method: 'ping' },
    ];
    const { json, headers } = await post(batch);
    expect(headers['ratelimit-remaining']).toBe(59);
    expect(json).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { structuredContent: JSON.parse(REST_NOTE) } },
      { id: null, error: { code: -32600 } },
    ]);
    expect(harness.admitted).toHaveLength(3);
    expect(await post(batch, { headers: { 'mcp-protocol-version': '2025-06-18' } })).toMatchObject({
      status: 400,
      json: { error: { code: -32600 } },
    });
    expect(await post([])).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
    expect(await post([{ jsonrpc: '2.0', id: 1, method: 'initialize' }])).toMatchObject({ status: 400 });
    expect(await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toMatchObject({ status: 202 });
  });
});

describe('the modern revision', () => {
  it('has server/discover instead of initialize', async () => {
    expect((await modern('server/discover')).json?.result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: { listChanged: true }, resources: {} },
      cacheScope: 'private',
    });
    for (const method of ['initialize', 'ping', 'prompts/list']) {
      expect(await modern(method)).toMatchObject({ status: 404, json: { id: 7, error: { code: -32601 } } });
    }
  });

  it('acknowledges a subscription to changes of the tools, and ends one to anything else', async () => {
    const listen = async (notifications: Json) => {
      const { status, headers, text } = await modern('subscriptions/listen', { notifications });
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
      return text.split('\n\n').flatMap((frame) => (frame === '' ? [] : [JSON.parse(frame.replace('event: message\ndata: ', '')) as Json]));
    };
    const _meta = { [META.subscriptionId]: 7 };
    const acknowledged = (notifications: Json) => ({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta },
    });
    const ended = { jsonrpc: '2.0', id: 7, result: { resultType: 'complete', _meta: { ..._meta, [META.serverInfo]: expect.anything() } } };
    expect(await listen({ toolsListChanged: true, promptsListChanged: true })).toEqual([
      acknowledged({ toolsListChanged: true }),
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta } },
      ended,
    ]);
    expect(await listen({ promptsListChanged: true, resourceSubscriptions: ['guide://notes'] })).toEqual([acknowledged({}), ended]);
    for (const notifications of [undefined, [], { toolsListChanged: 'yes' }, { resourceSubscriptions: [1] }])
      expect(await modern('subscriptions/listen', { notifications })).toMatchObject({ status: 200, json: { error: { code: -32602 } } });
    expect(await legacy('subscriptions/listen', { notifications: {} })).toMatchObject({ json: { error: { code: -32601 } } });
  });

  it('requires the _meta envelope', async () => {
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
    for (const _meta of [undefined, {}, { [META.protocolVersion]: MODERN }, { [META.clientCapabilities]: {} }]) {
      expect(await legacy('tools/list', { ...(_meta && { _meta }) }, { headers })).toMatchObject({
        status: 400,
        json: { error: { code: -32602 } },
      });
    }
  });

  it.each([[{ 'mcp-method': 'tools/call' }], [{ 'mcp-method': 'TOOLS/LIST' }], [{ 'mcp-protocol-version': '2025-11-25' }]])(
    'rejects headers that contradict the body: %j',
    async (headers) => {
      expect(await modern('tools/list', {}, { headers })).toMatchObject({ status: 400, json: { id: 7, error: { code: -32020 } } });
    },
  );

  it('compares Mcp-Name, decoded, with the body', async () => {
    const call = (name: string) => modern('tools/call', { name: 'list_labels' }, { headers: { 'mcp-name': name } });
    expect((await call(' list_labels ')).status).toBe(200);
    expect((await call(`=?base64?${Buffer.from('list_labels').toString('base64')}?=`)).status).toBe(200);
    for (const name of ['list_notes', '=?base64?!!?=', '=?base64?gICA?=']) expect((await call(name)).json?.error.code).toBe(-32020);
  });

  it('returns the supported versions to a client with a newer one', async () => {
    const params = { _meta: { ...envelope, [META.protocolVersion]: '2027-01-01' } };
    const response = await post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params },
      { headers: { 'mcp-protocol-version': '2027-01-01' } },
    );
    expect(response).toMatchObject({
      status: 400,
      json: { error: { code: -32022, data: { supported: [MODERN], requested: '2027-01-01' } } },
    });
  });

  it('accepts notifications and rejects responses', async () => {
    const headers = { 'mcp-protocol-version': MODERN };
    expect(await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, { headers })).toMatchObject({
      status: 202,
    });
    expect(await post({ jsonrpc: '2.0', id: 1, result: {} }, { headers })).toMatchObject({ status: 400 });
    expect(await post([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], { headers })).toMatchObject({ status: 400 });
  });
});

describe('an invalid message', () => {
  it.each([
    ['{', -32700, null],
    ['', -32700, null],
    ['7', -32600, null],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1],
    ['{"jsonrpc":"2.0","id":1}', -32600, null],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600, 1],
  ])('%s is rejected with %d', async (body, code, id) => {
    expect(await post(body)).toMatchObject({ status: 400, json: { jsonrpc: '2.0', id, error: { code } } });
    expect(harness.admitted).toHaveLength(1);
  });

  it('is rejected however deep it nests', async () => {
    expect(await post('['.repeat(500_000))).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
    const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
    const call = (args: string) =>
      post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_note","arguments":${args}}}`);
    expect(fault((await call(`{"custom_fields":{"a":${deep}}}`)).json?.result)['message']).toContain('nested too deeply');
    expect(fault((await call(`{"nope":${deep}}`)).json?.result)['param']).toBe('nope');
  });
});
