import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestLog } from '../../src/platform/request-log/request-log.js';
import type { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { sharedApp } from '../harness/hosted-app.js';
import type { IssuedKey } from '../harness/workspace.js';

const app = await sharedApp();
const workspace = await app.workspace();
const owner: Client = await workspace.signIn();
const url = new URL(`${app.url}/api/v1/ext/mcp`);
const KEYS = '/api/v1/org/developer/api-keys';
let regions = 0;

interface Tool {
  name: string;
  inputSchema: unknown;
}
/** The list of tools that a client has, which it reads again when it is told that the list has changed. */
interface Reader {
  tools: () => readonly Tool[];
  /** Resolves when the server has ended the stream; only the modern revision tells its client. */
  ended?: Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'list-changes-spec', version: '1.0.0' };
const requestInit = ({ secret }: IssuedKey) => ({ headers: { authorization: `Bearer ${secret}` } });

/** Options of a client, and the tools of which it was told. */
function listening() {
  let tools: readonly Tool[] = [];
  const onChanged = (_error: Error | null, changed: readonly Tool[] | null) => void (tools = changed ?? []);
  return { tools: () => tools, options: { listChanged: { tools: { onChanged, debounceMs: 0 } } } };
}

async function legacyReader(key: IssuedKey): Promise<Reader> {
  const { tools, options } = listening();
  const client = new LegacyClient(info, options);
  await client.connect(new LegacyTransport(url, { requestInit: requestInit(key) }) as Parameters<typeof client.connect>[0]);
  return { tools, close: () => client.close() };
}

function modernReader(mode: 'legacy' | { pin: string }) {
  return async (key: IssuedKey): Promise<Reader> => {
    const { tools, options } = listening();
    const client = new ModernClient(info, { versionNegotiation: { mode }, ...options } as ConstructorParameters<typeof ModernClient>[1]);
    await client.connect(new ModernTransport(url, { requestInit: requestInit(key) }));
    return { tools, ended: client.autoOpenedSubscription?.closed, close: () => client.close() };
  };
}

describe.each([
  ['@modelcontextprotocol/sdk 1.x', legacyReader],
  ['@modelcontextprotocol/client 2.x in the legacy era', modernReader('legacy')],
  ['@modelcontextprotocol/client 2.x in the modern era', modernReader({ pin: '2026-07-28' })],
])('%s', (_name, connect) => {
  let key: IssuedKey;
  let reader: Reader;

  beforeEach(async () => {
    key = await workspace.key({ module: 'tasks', scopes: ['tasks:task:read', 'tasks:task:write'] });
    reader = await connect(key);
  });
  afterEach(() => reader.close());

  test('lists the tools again when an administrator adds a custom field, and when the key loses a scope', async () => {
    const region = `region_${++regions}`;
    const field = { resource: 'task', key: region, label: 'Region', type: 'text' };
    expect((await owner.post('/api/v1/org/custom-fields', field)).status).toBe(201);
    const toolOf = (tool: string) => reader.tools().find((one) => one.name === tool);
    await eventually(
      async () => JSON.stringify(toolOf('create_task')?.inputSchema ?? {}),
      (schema) => schema.includes(region),
    );

    expect((await owner.patch(`${KEYS}/${key.id}`, { scopes: ['tasks:task:read'] })).status).toBe(200);
    await eventually(
      async () => [toolOf('list_tasks') !== undefined, toolOf('create_task') !== undefined],
      ([reads, writes]) => reads && !writes,
    );

    expect((await owner.post(`${KEYS}/${key.id}/revoke`)).status).toBe(200);
    if (reader.ended) expect(await reader.ended).toBe('graceful');
  });
});

describe('the stream of GET', () => {
  const opened: AbortController[] = [];
  afterEach(() => opened.splice(0).forEach((one) => one.abort()));

  async function open(key: IssuedKey, headers: Record<string, string> = {}) {
    const abort = new AbortController();
    opened.push(abort);
    const response = await fetch(url, {
      headers: { ...key.client.headers, accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25', ...headers },
      signal: abort.signal,
    });
    let text = '';
    const done = (async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    })().catch(() => undefined);
    const read = (has: (read: string) => boolean) => eventually(async () => text, has);
    return { response, read, done, abort: () => abort.abort() };
  }

  test('resumes: a client that missed a change while it was away is told at once', async () => {
    const key = await workspace.key({ module: 'tasks', scopes: ['tasks:task:read', 'tasks:task:write'] });
    const first = await open(key);
    const version = /\nid: (\S+)\ndata:\n\n/.exec(await first.read((text) => text.includes('id: ')))![1];
    first.abort();
    const same = await open(key, { 'last-event-id': version });
    await same.read((text) => text.includes(version));
    await owner.patch(`${KEYS}/${key.id}`, { scopes: ['tasks:task:read'] });
    // a notification when it opened would be the first, with the same version
    const [, notified] = /id: (\S+)\nevent: message\n/.exec(await same.read((text) => text.includes('list_changed')))!;
    expect(notified).not.toBe(version);
    same.abort();
    const later = await open(key, { 'last-event-id': version });
    expect(await later.read((text) => text.includes('list_changed'))).not.toContain(version);
  });

  test('ends when the key is revoked; it is one request of the log, which took as long as it took to open', async () => {
    const key = await workspace.key({ module: 'tasks' });
    const startedAt = performance.now();
    const { response, done } = await open(key);
    const openedAfter = performance.now() - startedAt;
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await owner.post(`${KEYS}/${key.id}/revoke`)).status).toBe(200);
    await done;
    const [entry] = await eventually(
      async () => {
        await app.service<RequestLog>('RequestLog').flush();
        const found = await app.sql.query('SELECT method, via, status, latency_ms FROM request_logs WHERE request_id = $1', [
          response.headers.get('request-id'),
        ]);
        return found.rows;
      },
      ({ length }) => length > 0,
    );
    expect(entry).toMatchObject({ method: 'GET', via: 'mcp', status: 200 });
    expect(Number(entry.latency_ms)).toBeLessThanOrEqual(openedAfter);
  });

  test('is refused with 405 to a key that has five, and a subscription with 429', async () => {
    const key = await workspace.key({ module: 'tasks' });
    for (let n = 0; n < 5; n++) expect((await open(key)).response.status).toBe(200);
    const refused = await open(key);
    expect([refused.response.status, refused.response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const subscription = await key.client.post(
      url.pathname,
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(subscription).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  });
});
