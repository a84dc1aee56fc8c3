import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MCP_PATH } from '../platform/config/mcp-address.js';
import { Draining } from '../platform/health/draining.js';
import { RouteRegistry, type Route } from '../platform/registry/route-registry.js';
import { dateBack } from './dated-calls.js';
import type { DemoFacts, DemoKey } from './demo-file.js';
import { demoModules } from './module-parts.js';

/** Of the demo's own calls. */
export const AGENT = 'work-suite-demo/1.0';
/** No body has this field. */
const WRONG_BODY = { unknown_field: 'refused' };
/** Odd, so that both modes, which alternate, get errors of each kind. */
const ONE_IN = 7;

/** How often each key reads. All calls together must leave most of the organization's calls per minute to those who try the demo. */
const ROUNDS = 4;

interface Call {
  key: DemoKey;
  method: 'GET' | 'POST';
  url: string;
  body?: object;
}

/**
 * Calls the API with the demo's keys, by REST and MCP, so that overview, logs and analytics of a new workspace show something. Some
 * calls are refused. The log's entries of those that change nothing are dated back, so that there is a previous period to compare with.
 * Ends early if the process stops.
 */
export async function callAsDemo(
  app: NestFastifyApplication,
  { keys, projects }: Pick<DemoFacts, 'keys' | 'projects'>,
  rounds = ROUNDS,
): Promise<void> {
  const draining = app.get(Draining);
  const { writes, others } = callsOf(app, keys, projects[0].id);
  try {
    // writes come first, so that the data changes no more soon after the start
    for (const call of writes) if (!draining.isDraining) await send(app, call);
    const read: string[] = [];
    for (const call of Array.from({ length: rounds }, () => others).flat()) if (!draining.isDraining) read.push(await send(app, call));
    if (!draining.isDraining) await dateBack(app, read);
  } catch (error) {
    new Logger('Demo').warn(`The demo's calls ended early: ${(error as Error).message}`);
  }
}

/** Returns the id of the request. */
async function send(app: NestFastifyApplication, { key, method, url, body }: Call): Promise<string> {
  const { headers } = await app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${key.secret}`,
      'user-agent': AGENT,
      accept: 'application/json, text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return String(headers['request-id']);
}

/** Calls that create something, and those that read or are refused. */
function callsOf(app: NestFastifyApplication, keys: readonly DemoKey[], projectId: string): { writes: Call[]; others: Call[] } {
  const routes = Map.groupBy(
    app.get(RouteRegistry).routes.filter(({ plane, endpoint }) => plane === 'keyed' && endpoint !== null),
    ({ module }) => module,
  );
  const unbound = keys.filter(({ project_id, actor_email }) => project_id === null && actor_email === null);
  const byModule = [...Map.groupBy(unbound, ({ module, mode }) => `${module} ${mode}`).values()].map((own) =>
    own.toSorted((one, other) => other.scopes.length - one.scopes.length),
  );
  const firstCalls = new Map(demoModules(app).map(({ name, demo }) => [name, demo.firstCall]));
  const writes = byModule.flatMap(([key]): Call[] => {
    const call = firstCalls.get(key.module);
    return call ? [{ key, method: 'POST', url: call.path, body: call.body(projectId) }] : [];
  });
  const others = byModule.flatMap((own, index) => {
    const all = routes.get(own[0].module) ?? [];
    return [...reads(own[0], all), ...refused(own, all, index)];
  });
  return { writes, others };
}

/** A list, by REST and MCP. */
function reads(key: DemoKey, routes: readonly Route[]): Call[] {
  const lists = routes.filter(({ path, endpoint }) => !path.includes('{') && endpoint?.operation.startsWith('list_'));
  const list = lists.find(({ path }) => path === creation(routes)?.path) ?? lists[0];
  if (!list) return [];
  const params = { name: list.endpoint?.operation, arguments: { limit: 5 } };
  return [
    { key, method: 'GET', url: `${list.path}?limit=5` },
    { key, method: 'POST', url: MCP_PATH, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } },
  ];
}

/** For some in turn, a row that does not exist, a wrong body, or a scope that the key does not have. */
function refused([key, readOnly]: readonly DemoKey[], routes: readonly Route[], index: number): Call[] {
  const one = routes.find(({ method, path }) => method === 'GET' && /^[^{]*\/\{id\}$/.test(path));
  const url = creation(routes)?.path;
  switch (index % ONE_IN) {
    case 0:
      return one ? [{ key, method: 'GET', url: one.path.replace('{id}', randomUUID()) }] : [];
    case 1:
      return url ? [{ key, method: 'POST', url, body: WRONG_BODY }] : [];
    case 2:
      return url && readOnly ? [{ key: readOnly, method: 'POST', url, body: WRONG_BODY }] : [];
    default:
      return [];
  }
}

function creation(routes: readonly Route[]): Route | undefined {
  return routes.find(({ method, path, bodyDto }) => method === 'POST' && bodyDto !== null && !path.includes('{'));
}
