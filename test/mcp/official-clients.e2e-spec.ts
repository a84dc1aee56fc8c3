import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sharedApp } from '../harness/hosted-app.js';

interface Tool {
  name: string;
  annotations?: { readOnlyHint?: boolean | undefined } | undefined;
  inputSchema: { required?: string[] | undefined };
}
interface CallResult {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}
/** The common interface of both client generations. */
interface Session {
  version: string | undefined;
  instructions: string | undefined;
  listTools(): Promise<Tool[]>;
  call(name: string, args: Record<string, unknown>): Promise<CallResult>;
  listResources(): Promise<{ uri: string; name: string }[]>;
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}
/** An MCP endpoint and a key. */
interface Target {
  url: string;
  key: string;
}
type Connect = (target: Target) => Promise<Session>;

const info = { name: 'official-clients-spec', version: '1.0.0' };
const requestInit = ({ key }: Target) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });
const textOf = (contents: readonly unknown[]): string => (contents[0] as { text: string }).text;

async function connectLegacy(target: Target): Promise<Session> {
  const client = new LegacyClient(info);
  const transport = new LegacyTransport(new URL(target.url), requestInit(target));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    version: transport.protocolVersion,
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as CallResult,
    listResources: async () => (await client.listResources()).resources,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

function connectModern(mode: 'legacy' | 'modern'): Connect {
  return async (target) => {
    const versionNegotiation = mode === 'legacy' ? ({ mode: 'legacy' } as const) : ({ mode: { pin: '2026-07-28' } } as const);
    const client = new ModernClient(info, { versionNegotiation });
    await client.connect(new ModernTransport(new URL(target.url), requestInit(target)));
    return {
      version: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      listTools: async () => (await client.listTools()).tools as Tool[],
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as CallResult,
      listResources: async () => (await client.listResources()).resources,
      read: async (uri) => textOf((await client.readResource({ uri })).contents),
      close: () => client.close(),
    };
  };
}

const CLIENTS: [string, string, Connect][] = [
  ['@modelcontextprotocol/sdk 1.x', '2025-11-25', connectLegacy],
  ['@modelcontextprotocol/client 2.x in the legacy era', '2025-11-25', connectModern('legacy')],
  ['@modelcontextprotocol/client 2.x in the modern era', '2026-07-28', connectModern('modern')],
];

const app = await sharedApp();
const workspace = await app.workspace();
const { secret } = await workspace.key({ module: 'tasks' });
const target: Target = { url: `${app.url}/api/v1/ext/mcp`, key: secret };

describe.each(CLIENTS)('%s', (_name, version, connect) => {
  let session: Session;

  beforeAll(async () => {
    session = await connect(target);
  });
  afterAll(() => session.close());

  it('negotiates its protocol revision and reads the instructions', () => {
    expect(session.version).toBe(version);
    expect(session.instructions).toContain('Look up records first');
  });

  it('lists tools and calls one', async () => {
    const tools = await session.listTools();
    const lookup = tools.find((tool) => tool.annotations?.readOnlyHint === true && (tool.inputSchema.required ?? []).length === 0);
    const result = await session.call(String(lookup?.name), {});
    expect(result.isError ?? false).toBe(false);
    expect(result.content[0]?.text).toBe(JSON.stringify(result.structuredContent));
    expect(result.structuredContent).toMatchObject({ object: 'list' });
  });

  it('receives the error of a failed call', async () => {
    const [tool] = await session.listTools();
    const result = await session.call(String(tool?.name), { no_such_argument: 1 });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'validation_failed', param: 'no_such_argument' } },
    });
  });

  it('receives an error for an unknown tool', async () => {
    await expect(session.call('no_such_tool', {})).rejects.toThrow('Unknown tool');
  });

  it('reads the same guide as a resource and with get_guide', async () => {
    const [guide] = await session.listResources();
    const text = await session.read(String(guide?.uri));
    expect((await session.call('get_guide', { module: guide?.name })).content[0]?.text).toBe(text);
  });

  it('cannot connect with an invalid key', async () => {
    await expect(connect({ ...target, key: 'svc_test_wrong' })).rejects.toThrow();
  });
});

it('accepts the result of a deletion, which says how to undo it', async () => {
  const client = new ModernClient({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${target.key}` };
  await client.connect(new ModernTransport(new URL(target.url), { requestInit: { headers } }));
  await client.listTools();
  const created = await client.callTool({ name: 'create_task', arguments: { project_id: workspace.eng.id, title: 'Short-lived' } });
  const { id } = created.structuredContent as { id: string };
  const result = await client.callTool({ name: 'delete_task', arguments: { id } });
  const message = expect.stringMatching(/^Deleted. restore_task with this id restores it until \d{4}-\d\d-\d\d\.$/);
  expect(result.structuredContent).toEqual({ deleted: true, id, message, restorable_until: expect.any(String) });
  expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
  expect(result.isError ?? false).toBe(false);
  await client.close();
});
