import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { snakeCase } from '../../../src/kit/internal.js';
import type { Json } from '../../harness/api-document.js';
import { isObject } from '../../../src/kit/index.js';
import { bodyWith, type Fault } from './invalid-values.js';
import type { ApiResponse, Client } from '../../harness/client.js';
import { logOf } from './module-responses.js';
import { comparable, expectAnswer } from './module-errors.js';
import { parametersOf, pathUpTo, type KeyedRoute } from './module-routes.js';
import type { Call, ModuleContext, Subject } from './module-context.js';
import { ONLY_OVER_REST, Refusals, type Refusal } from './module-refusals.js';
import { SampleFile } from './module-samples.js';

const MCP = '/api/v1/ext/mcp';

interface ToolResult {
  http: ApiResponse;
  structured: Json | undefined;
  text: string | undefined;
  /** The base64 of a file that is not text. */
  file: { mimeType: string; blob: string } | undefined;
  isError: boolean;
}

/** Checks the route's MCP tool: who is offered it, and that it returns what the route returns. */
export function checkMcp(route: KeyedRoute, subject: () => Subject): void {
  if (!route.path.startsWith('/api/v1/ext/')) return;
  const { operation, scope, status } = route.endpoint;

  test('is offered as a tool only to keys with its scope; others are rejected as by the route', async () => {
    const it = subject();
    const without = await it.context.keys.without(scope);
    const [withIt, others] = [await toolsOf(await it.context.keys.good()), await toolsOf(without)];
    expect([withIt.has(operation), others.has(operation)]).toEqual([true, false]);
    const call = await it.context.sameCall(route);
    const { isError, structured } = await callTool(without, operation, argumentsOf(call));
    const rest = await it.send(without, call);
    expectAnswer(rest, 403, 'the route');
    expect([isError, comparable((structured?.error ?? {}) as Json)]).toEqual([true, comparable(rest.body.error as Json)]);
    expect(rest.body.error).toMatchObject({ code: 'insufficient_scope', required_scope: scope });
  });

  test('rejects as a tool what it rejects over REST, with the same error', async () => {
    const it = subject();
    const client = await it.context.keys.good();
    const call = await it.context.sameCall(route);
    const compared: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    const compare = async (what: string, rest: ApiResponse, args: Json) => {
      const tool = await callTool(client, operation, args);
      compared[what] = { isError: tool.isError, error: comparable(withoutHints((tool.structured?.error ?? {}) as Json)) };
      expected[what] = { isError: true, error: comparable((rest.body?.error ?? { status: rest.status }) as Json) };
    };
    const send = (spoilt: Call) => it.send(client, spoilt);
    const args = argumentsOf(call);
    for (const parameter of parametersOf(route.path)) {
      if (it.context.putCreates(pathUpTo(route.path, parameter))) continue;
      for (const [what, id] of [
        ['an absent', randomUUID()],
        ['a malformed', 'not-an-id'],
      ]) {
        const ids = { ...call.ids, [parameter]: id };
        await compare(`${what} ${parameter}`, await send(it.with(call, { ids })), { ...args, [snakeCase(parameter)]: id });
      }
    }
    const refusals = Refusals.of(it);
    const query = Object.fromEntries(Object.entries(args).filter(([name]) => !(name in (call.body ?? {}))));
    const sentAs = (faults: readonly Fault[]) => faults.map(({ param, what }) => `${param} ${what}`).join(', ');
    for (const { faults: all, answer } of chosen(it, 'body', await refusals.bodies())) {
      const faults = all.filter(({ what }) => !ONLY_OVER_REST.includes(what));
      if (faults.length === 0) continue;
      const body = bodyWith(call.body ?? {}, faults);
      await compare(sentAs(faults), faults.length === all.length ? answer : await send(it.with(call, { body })), { ...query, ...body });
    }
    if (call.file) {
      const { body: _, ...rest } = args;
      await compare('no body', await send({ ...call, file: undefined }), rest);
      expect(compared['no body']).toMatchObject({ error: { code: 'missing_fields', param: 'body' } });
      const empty = it.with(call, { file: new SampleFile(call.file.contentType, '') });
      await compare('an empty body', await send(empty), { ...args, body: '' });
      for (const body of [null, {}, 5, [call.file.text]]) {
        const { structured } = await callTool(client, operation, { ...args, body });
        expect([body, structured]).toMatchObject([body, { error: { code: 'validation_failed', param: 'body' } }]);
      }
    }
    // a tool has one argument for a parameter, and answers an unknown one itself
    const queries = (await refusals.queries()).filter(({ faults }) => !faults.some(({ what }) => ONLY_OVER_REST.includes(what)));
    for (const { faults, answer } of chosen(it, 'query', queries))
      await compare(sentAs(faults), answer, { ...args, ...Object.fromEntries(faults.map(({ param, value }) => [param, String(value)])) });
    expect(compared).toEqual(expected);
  });

  test('returns as a tool what it returns over REST, counts once and is logged as the tool', async () => {
    const it = subject();
    const client = await it.context.keys.limited(10);
    const call = await it.context.lastCall(route);
    const key = randomUUID();
    const isReplayed = route.method === 'POST' || route.method === 'PATCH';
    const tool = await callTool(client, operation, {
      ...argumentsOf(call),
      ...(isReplayed ? { idempotency_key: key } : {}),
      ...(route.endpoint.returns && route.method === 'GET' && !route.endpoint.produces ? { fields: ['*'] } : {}),
    });
    const isFile = route.endpoint.produces !== undefined && !route.endpoint.returns;
    expect({ isError: tool.isError, text: tool.text }).toEqual({ isError: false, text: tool.text });
    if (!isFile) expect(tool.text).toBe(JSON.stringify(tool.structured));
    expect(tool.http.headers['ratelimit-remaining']).toBe('9');
    expect(await logOf(it, tool.http)).toMatchObject({ via: 'mcp', tool: operation, route: route.path, operation, status, code: null });
    // for a write the REST response is a replay of the tool's response, so both must be identical
    const rest = await it.send(client, call, isReplayed ? { 'idempotency-key': key } : {});
    if (isFile) {
      expect(tool.file ?? tool.text).toEqual(
        tool.file
          ? expect.objectContaining({ mimeType: rest.headers['content-type'], blob: (rest.body as Buffer).toString('base64') })
          : rest.text,
      );
    } else if (route.method === 'DELETE') {
      const undo = {
        message: expect.stringMatching(/^Deleted\. \w+ with [\w ]+ restores it until /),
        restorable_until: expect.any(String),
      };
      const id = call.ids[parametersOf(route.path).at(-1)!];
      expect([tool.structured, rest.status]).toEqual([{ deleted: true, id, ...(route.canBeUndone ? undo : {}) }, 404]);
    } else if (route.method === 'PUT') {
      expect([rest.status, settled(withValues(rest.body))]).toEqual([status, settled(withValues(tool.structured))]);
    } else {
      const secrets = Object.fromEntries((route.endpoint.secrets ?? []).map((name) => [name, null]));
      expect([rest.status, rest.text === '' ? undefined : withValues(undated(rest.body))]).toEqual([
        status,
        status === 204 ? undefined : withValues(undated({ ...tool.structured, ...secrets })),
      ]);
      expect(rest.headers['idempotent-replayed']).toBe(isReplayed ? 'true' : undefined);
    }
  });
}

const seen = new WeakMap<ModuleContext, Set<string>>();

/**
 * Those with another parameter of the route, or with a kind that is new in the module: where an argument is sent depends on the parameter,
 * and how on the kind of its value.
 */
function chosen({ context }: Subject, place: string, refusals: readonly Refusal[]): Refusal[] {
  const kinds = seen.get(context) ?? new Set<string>();
  seen.set(context, kinds);
  const params = new Set<string>();
  return refusals.filter(({ faults }) => {
    const isNew = faults.some(({ what, param }) => !params.has(param) || !kinds.has(`${place} ${what}`));
    for (const { what, param } of faults) {
      params.add(param);
      kinds.add(`${place} ${what}`);
    }
    return isNew;
  });
}

function argumentsOf(call: Call): Json {
  const ids = Object.fromEntries(Object.entries(call.ids).map(([name, id]) => [snakeCase(name), id]));
  return { ...ids, ...call.args, ...(call.file ? { body: call.file.text } : {}) };
}

async function callTool(client: Client, name: string, args: Json): Promise<ToolResult> {
  const http = await rpc(client, 'tools/call', { name, arguments: args });
  expectAnswer(http, 200, `the call of the tool ${name}`);
  const result = (http.body.result ?? {}) as {
    structuredContent?: Json;
    content?: { text?: string; resource?: ToolResult['file'] }[];
    isError?: boolean;
  };
  const [content] = result.content ?? [];
  return { http, structured: result.structuredContent, text: content?.text, file: content?.resource, isError: result.isError === true };
}

const offered = new WeakMap<Client, Promise<ReadonlySet<string>>>();

/** The tools of a key, which are listed once: they are the same for all routes. */
function toolsOf(client: Client): Promise<ReadonlySet<string>> {
  let tools = offered.get(client);
  if (!tools) offered.set(client, (tools = listTools(client)));
  return tools;
}

async function listTools(client: Client): Promise<ReadonlySet<string>> {
  const response = await rpc(client, 'tools/list', {});
  expectAnswer(response, 200, 'the list of tools');
  return new Set((response.body.result as { tools: { name: string }[] }).tools.map(({ name }) => name));
}

function rpc(client: Client, method: string, params: Json): Promise<ApiResponse> {
  return client.post(MCP, { jsonrpc: '2.0', id: 1, method, params });
}

/** The route knows no keys of projects. */
const UNKNOWN_KEYS = / has [\w, ]+, which (is the key|are keys) of no project that you can use/;
/** What only tools say about an id that is refused, or of which there is no record. */
const HINTS = / Check [\w ]+\.| Take \w+ from [\w, ]+\.| This key is in \w+ mode\.|; take ids( or keys)? from \w+(, \w+)*/g;

function withoutHints(error: Json): Json {
  const plain = ({ message, ...others }: Json): Json => ({
    message: String(message).replaceAll(HINTS, '').replace(UNKNOWN_KEYS, ' must be a UUID'),
    ...others,
  });
  const { param, details, ...rest } = plain(error);
  const isToldOnlyByTools = error['code'] === 'not_found' && rest['message'] !== error['message'];
  return {
    ...rest,
    ...(param === undefined || isToldOnlyByTools ? {} : { param }),
    ...(details === undefined ? {} : { details: (details as Json[]).map(plain) }),
  };
}

/** A value without members that have none, which tools leave out, and without the names of projects and keys, which only tools have. */
function withValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withValues);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withValues(member)] as const);
  return Object.fromEntries(members.filter(([name, member]) => !isToldByTools(name, value) && !isEmpty(member)));
}

function isToldByTools(name: string, { type }: Json): boolean {
  return name === 'project_key' || (name === 'name' && type === 'api_key');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** A response without the time at which it was generated. A cursor is encrypted anew each time: only its presence is kept. */
function undated(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { generated_at: _, ...rest } = body;
  return typeof rest['next_cursor'] === 'string' ? { ...rest, next_cursor: 'a cursor' } : rest;
}

/** A replaced resource without the fields that each replacement changes. */
function settled(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { version: _v, updated_at: _u, ...rest } = body;
  return rest;
}
