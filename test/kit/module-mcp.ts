import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from './api-document.js';
import { badBodies, badQueries, isObject } from './bad-values.js';
import type { Answer, Client } from './client.js';
import { logOf } from './module-answers.js';
import { comparable } from './module-refusals.js';
import { parametersOf, type KeyedRoute } from './module-routes.js';
import type { Call, Subject } from './module-world.js';

const MCP = '/api/v1/ext/mcp';

interface ToolResult {
  http: Answer;
  structured: Json | undefined;
  text: string | undefined;
  /** Of a file that is no text. */
  file: { mimeType: string; blob: string } | undefined;
  isError: boolean;
}

/** The route's tool: offered to those who may call it, and answering as the route does. */
export function checkMcp(route: KeyedRoute, subject: () => Subject): void {
  if (!route.path.startsWith('/api/v1/ext/')) return;
  const { operation, scope, status } = route.endpoint;

  test('is a tool for keys with its scope only; others are refused as by the route', async () => {
    const it = subject();
    const without = await it.world.keys.without(scope);
    expect([await isListed(await it.world.keys.good(), operation), await isListed(without, operation)]).toEqual([true, false]);
    const call = await it.world.sameCall(route);
    const { isError, structured } = await callTool(without, operation, argumentsOf(call));
    const rest = await it.send(without, call);
    expect([isError, comparable((structured?.error ?? {}) as Json)]).toEqual([true, comparable(rest.body.error as Json)]);
    expect(rest.body.error).toMatchObject({ code: 'insufficient_scope', required_scope: scope });
  });

  test('answers as a tool what it answers over REST, counts once and stands in the log as the tool', async () => {
    const it = subject();
    const client = await it.world.keys.limited(10);
    const call = await it.world.call(route);
    const key = randomUUID();
    const isReplayed = route.method === 'POST' || route.method === 'PATCH';
    const tool = await callTool(client, operation, { ...argumentsOf(call), ...(isReplayed ? { idempotency_key: key } : {}) });
    const isFile = route.endpoint.produces !== undefined && !route.endpoint.returns;
    const text = route.method === 'DELETE' ? 'Deleted.' : 'Done.';
    expect([tool.http.status, tool.isError]).toEqual([200, false]);
    if (!isFile) expect(tool.text).toBe(tool.structured === undefined ? text : JSON.stringify(tool.structured));
    expect(tool.http.headers['ratelimit-remaining']).toBe('9');
    expect(await logOf(it, tool.http)).toMatchObject({ via: 'mcp', tool: operation, route: route.path, operation, status, code: null });
    // of a write the REST answer is the replay of the tool's: equal to the last byte, or the arguments went astray
    const rest = await it.send(client, call, isReplayed ? { 'idempotency-key': key } : {});
    if (isFile) {
      expect(tool.file ?? tool.text).toEqual(
        tool.file
          ? expect.objectContaining({ mimeType: rest.headers['content-type'], blob: (rest.body as Buffer).toString('base64') })
          : rest.text,
      );
    } else if (route.method === 'DELETE') {
      expect([tool.structured, rest.status]).toEqual([undefined, 404]);
    } else if (route.method === 'PUT') {
      expect([rest.status, settled(rest.body)]).toEqual([status, settled(tool.structured)]);
    } else {
      const secrets = Object.fromEntries((route.endpoint.secrets ?? []).map((name) => [name, null]));
      expect([rest.status, rest.text === '' ? undefined : undated(rest.body)]).toEqual([
        status,
        tool.structured && undated({ ...tool.structured, ...secrets }),
      ]);
      expect(rest.headers['idempotent-replayed']).toBe(isReplayed ? 'true' : undefined);
    }
  });

  test('refuses as a tool what it refuses over REST, in the same words', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const call = await it.world.sameCall(route);
    const compared: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    const compare = async (what: string, spoilt: Call, args: Json) => {
      const [rest, tool] = await Promise.all([it.send(client, spoilt), callTool(client, operation, args)]);
      compared[what] = { isError: tool.isError, error: comparable((tool.structured?.error ?? {}) as Json) };
      expected[what] = { isError: true, error: comparable((rest.body?.error ?? { status: rest.status }) as Json) };
    };
    const args = argumentsOf(call);
    for (const parameter of parametersOf(route.path)) {
      for (const [what, id] of [
        ['an absent', randomUUID()],
        ['a malformed', 'not-an-id'],
      ]) {
        await compare(`${what} ${parameter}`, it.with(call, { ids: { ...call.ids, [parameter]: id } }), { ...args, [parameter]: id });
      }
    }
    for (const { what, param, input } of it.operation.body ? badBodies(it.world.api, it.operation, call.body ?? {}) : []) {
      const query = Object.fromEntries(Object.entries(args).filter(([name]) => !(name in (call.body ?? {}))));
      await compare(`${param} ${what}`, it.with(call, { body: input }), { ...query, ...input });
    }
    const bare = { ...call, args: call.body ?? {} };
    for (const { what, param, input } of badQueries(it.world.api, it.operation).filter((bad) => bad.what !== 'given twice')) {
      const value = new URLSearchParams(input).get(param);
      await compare(`${param} ${what}`, it.with(bare, { query: input }), { ...args, [param]: value });
    }
    expect(compared).toEqual(expected);
  });
}

function argumentsOf(call: Call): Json {
  return { ...call.ids, ...call.args };
}

async function callTool(client: Client, name: string, args: Json): Promise<ToolResult> {
  const http = await rpc(client, 'tools/call', { name, arguments: args });
  const result = (http.body.result ?? {}) as {
    structuredContent?: Json;
    content?: { text?: string; resource?: ToolResult['file'] }[];
    isError?: boolean;
  };
  const [content] = result.content ?? [];
  return { http, structured: result.structuredContent, text: content?.text, file: content?.resource, isError: result.isError === true };
}

async function isListed(client: Client, operation: string): Promise<boolean> {
  const { tools } = (await rpc(client, 'tools/list', {})).body.result as { tools: { name: string }[] };
  return tools.some(({ name }) => name === operation);
}

function rpc(client: Client, method: string, params: Json): Promise<Answer> {
  return client.post(MCP, { jsonrpc: '2.0', id: 1, method, params });
}

/** An answer without the time at which it was put together. */
function undated(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { generated_at: _, ...rest } = body;
  return rest;
}

/** A replaced resource without what each replacement changes. */
function settled(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { version: _v, updated_at: _u, ...rest } = body;
  return rest;
}
