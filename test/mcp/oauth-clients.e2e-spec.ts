import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { EVERY_KEY } from '../../src/platform/key-changes/key-changes.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';
import { sharedApp } from '../harness/hosted-app.js';
import { Browser, hiddenFields, resourceOf, returnAddress, scopesOn } from '../harness/oauth.js';

// Clients in use, which find out everything but the address of the endpoint by themselves.

const app = await sharedApp();
const workspace = await app.workspace();
const browser = new Browser(app.url);
const address = await resourceOf(app.url);
const REDIRECT = 'http://localhost:54321/callback';

beforeAll(async () => {
  await browser.signIn(workspace.owner.email);
});

/** Authorizes what the client asks for and returns where the browser is sent. */
async function authorize(request: URL): Promise<URL> {
  const asked = await browser.get(request.href);
  const consent = new URL(asked.headers.get('location')!).pathname;
  const page = await (await browser.get(consent)).text();
  const ticked = scopesOn(page).map(({ scope }) => [`scope.${scope}`, 'on']);
  const form = { ...hiddenFields(page), ...Object.fromEntries(ticked), mode: 'test', decision: 'authorize' };
  return returnAddress(await browser.post(consent, form));
}

/** The memory of a client, for both generations. */
function memory() {
  const kept: Record<string, unknown> = {};
  const asked: URL[] = [];
  return {
    kept,
    asked,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Official client', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (request: URL) => void asked.push(request),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
    discoveryState: () => kept.discovery as never,
  };
}

interface Session {
  connect(): Promise<void>;
  finish(parameters: URLSearchParams): Promise<void>;
  listTools(): Promise<string[]>;
  close(): Promise<void>;
}

const info = { name: 'oauth-clients-spec', version: '1.0.0' };

function legacy(provider: ReturnType<typeof memory>): Session {
  const client = new LegacyClient(info);
  const transport = new LegacyTransport(new URL(address), { authProvider: provider as never });
  return {
    connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
    finish: (parameters) => transport.finishAuth(parameters.get('code')!),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

const modern =
  (pin: '2025-11-25' | '2026-07-28') =>
  (provider: ReturnType<typeof memory>): Session => {
    const versionNegotiation = pin === '2026-07-28' ? { mode: { pin } } : { mode: 'legacy' as const };
    const client = new ModernClient(info, { versionNegotiation });
    const transport = new ModernTransport(new URL(address), { authProvider: provider as never });
    return {
      connect: () => client.connect(transport),
      finish: (parameters) => transport.finishAuth(parameters),
      listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
      close: () => client.close(),
    };
  };

describe.each([
  ['@modelcontextprotocol/sdk 1.x', legacy],
  ['@modelcontextprotocol/client 2.x in the legacy era', modern('2025-11-25')],
  ['@modelcontextprotocol/client 2.x in the modern era', modern('2026-07-28')],
])('%s', (_name, open) => {
  test('connects with the address alone, asks for all scopes, and refreshes by itself', async () => {
    const provider = memory();
    const first = open(provider);
    await expect(first.connect()).rejects.toThrow(/[Uu]nauthorized/);
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0].searchParams.get('resource')).toBe(address);
    expect(provider.asked[0].searchParams.get('scope')).toContain('tasks:task:write');
    await first.finish((await authorize(provider.asked[0])).searchParams);

    const session = open(provider);
    await session.connect();
    const tools = await session.listTools();
    // the connection spans all modules
    expect(tools).toEqual(['search_tools', 'describe_tool', 'call_tool', 'get_guide']);

    const before = provider.kept.tokens as { access_token: string };
    await app.sql.query(`UPDATE oauth_records SET expires_at = now() WHERE model = 'AccessToken' AND id = sha256($1::bytea)`, [
      Buffer.from(before.access_token),
    ]);
    await app.service<{ takeEffect(subject: string): Promise<void> }>('KeyChanges').takeEffect(EVERY_KEY);
    expect(await session.listTools()).toEqual(tools);
    expect((provider.kept.tokens as typeof before).access_token).not.toBe(before.access_token);
    expect(provider.asked).toHaveLength(1);
    await session.close();
  });
});

test('mcp-remote connects, with a browser for the member', async () => {
  const home = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  const port = await freePort();
  const script = join(PROJECT_ROOT, 'node_modules', 'mcp-remote', 'dist', 'client.js');
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: home, HOME: home, BROWSER: 'true', NO_COLOR: '1', FORCE_COLOR: '0' };
  const child = spawn(process.execPath, [script, address, String(port)], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  try {
    const request = await eventually(
      async () => /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(output)?.[0],
      (found) => found !== undefined,
    );
    if (request === undefined) throw new Error(`mcp-remote asked for nothing:\n${output}`);
    const sent = await authorize(new URL(request));
    expect(sent.port).toBe(String(port));
    expect((await fetch(sent)).status).toBe(200);
    await eventually(
      async () => output,
      (text) => text.includes('search_tools'),
    );
    expect(output).toContain('search_tools');
  } finally {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  }
});
