import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BodyField, BodyRoute } from '../harness/body-fields.js';
import { connections } from '../harness/client.js';
import { sharedApp } from '../harness/hosted-app.js';
import type { Workspace } from '../harness/workspace.js';
import { contractsOf } from './module-contract.js';

// The most that one request can cost: every list and every map of every route, filled to the largest body that is read.

const MIB = 1024 * 1024;
/** For what fills a body; the rest of it is smaller than the difference. */
const ROOM = MIB - 32 * 1024;
/** The goal, about 50 ms, in the time that parsing a body of 15,000 members takes on this machine. */
const GOAL_IN_PARSES = 6;
/** What fails the test, in goals: CPU time, too, grows on a machine that is busy with something else. */
const MOST_TIMES = 2;
const MOST_RESPONSE_BYTES = 100_000;
const TRIES = 5;
/** Whether the lists of each module are tried, or one of each kind. */
const EACH_MODULE = process.env.BODY_COST_EACH_MODULE === 'yes';

const app = await sharedApp();
const host = app.inside<typeof import('../harness/body-fields.js')>('test/harness/body-fields.ts');

interface Attempt {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const { modules } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();

let space: Workspace;
let session: Record<string, string>;
const keys = new Map<string, Record<string, string>>();
/** By the path's part before the parameter. */
const resources: Record<string, string> = {};
/** By the field's name. */
const values: Record<string, string> = {};
/** With the module whose key sends it. */
const texts: { module: string; path: string; body: object }[] = [];
let routes: BodyRoute[];
let goalCpuMs: number;

beforeAll(async () => {
  space = await app.workspace();
  routes = await host.distinctBodyRoutes();
  session = (await space.signIn()).headers;
  for (const module of new Set(routes.flatMap((route) => (route.plane === 'keyed' ? [route.module as string] : []))))
    keys.set(module, (await space.key({ module, actor_user_id: space.owner.id })).client.headers);
  goalCpuMs = GOAL_IN_PARSES * (await host.parsingMs(`{${UNKNOWN_MEMBERS}}`));
  for (const [module, { largeBodies }] of await contractsOf(modules)) {
    const needed = await largeBodies?.(app, space);
    Object.assign(resources, needed?.resources);
    Object.assign(values, { project_id: space.eng.id }, needed?.values);
    texts.push(...Object.entries(needed?.texts ?? {}).map(([path, body]) => ({ module, path, body })));
  }
});

function pathOf({ path }: BodyRoute): string {
  return path.replace(/([^{}]*\/)\{[^}]+\}/g, (_, before: string) => {
    const known = Object.entries(resources).find(([end]) => before.endsWith(end));
    return before + (known?.[1] ?? randomUUID());
  });
}

function headersOf({ plane, module }: BodyRoute): Record<string, string> {
  const caller = plane === 'keyed' ? keys.get(module as string) : plane === 'product' ? session : {};
  return { ...caller, 'content-type': 'application/json' };
}

const HOLE = '"HOLE"';

/** The route's sample with a hole where the field stands, and real ids where they are needed to get further. */
function frameOf({ sample }: BodyRoute, at: readonly (string | number)[] | null): string {
  const body = structuredClone(sample);
  for (const [name, value] of Object.entries(values)) if (name in body) body[name] = value;
  if (at === null) return JSON.stringify(body).replace(/\}$/, `${Object.keys(body).length > 0 ? ',' : ''}${HOLE}}`);
  let holder = body as Record<string | number, unknown>;
  for (const step of at.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[at.at(-1) as string] = 'HOLE';
  return JSON.stringify(body);
}

/** As many items as given, padded to fill the body together with the rest of it. */
function list(open: string, close: string, item: (index: number, padding: string) => string, count: number): string {
  const padding = 'x'.repeat(Math.floor(ROOM / count) - item(count, '').length - 1);
  return `${open}${Array.from({ length: count }, (_, index) => item(index, padding)).join(',')}${close}`;
}

const wrongRow = (index: number, padding: string) => `{"k${index}":"${padding}"}`;
const wrongText = (index: number, padding: string) => `"${index}${padding}"`;

/** A flood has as many values as fit, which the parser refuses when it has read some of them; the others stay below its limit. */
const FLOOD = `"u":[${'0,'.repeat(ROOM / 2)}0]`;
const UNKNOWN_MEMBERS = list('', '', (index, padding) => `"u${index}${padding}":1`, 15_000);
const MEMBERS = list('{', '}', (index, padding) => `"k${index}${padding}":{}`, 9_000);
const ONE_LONG_LIST = list('{"k":[', ']}', wrongRow, 9_000);
const WRONG_ROWS = list('[', ']', wrongRow, 9_000);
const WRONG_TEXTS = list('[', ']', wrongText, 18_000);

function wideRows(count: number): string {
  const members = Array.from({ length: 9000 / count }, (_, key) => `"k${key}":1`).join(',');
  return list('[', ']', (_, padding) => `{${members},"p":"${padding}"}`, count);
}

/** How a list or map can be made expensive for the rules. */
function attacks({ kind, maxItems }: BodyField): [string, string][] {
  const isObject = kind === 'object' || kind === 'map';
  if (maxItems === null)
    return [
      ['9,000 members', MEMBERS],
      ['one long list', ONE_LONG_LIST],
    ];
  if (!isObject) return [['invalid items', WRONG_TEXTS]];
  return [['invalid items', WRONG_ROWS], ...(maxItems <= 1000 ? ([['wide items', wideRows(maxItems)]] as [string, string][]) : [])];
}

/** The bodies that the rules of the route's fields have to check; `most` attacks per field. */
function bodiesFor(route: BodyRoute, fields: readonly BodyField[], most: number): [string, string][] {
  return fields.flatMap((field) =>
    attacks(field)
      .slice(0, most)
      .map(([what, text]): [string, string] => [`${field.at.join('.')}: ${what}`, filled(route, field.at, text)]),
  );
}

/** Bodies that all routes with the same parser refuse alike. */
function bodiesForParser(route: BodyRoute): [string, string][] {
  return [
    ['15,000 unknown members', filled(route, null, UNKNOWN_MEMBERS)],
    ['a flood of values', filled(route, null, FLOOD)],
  ];
}

function filled(route: BodyRoute, at: BodyField['at'] | null, text: string): string {
  return frameOf(route, at).replace(HOLE, () => text);
}

interface Cost {
  status: number;
  cpu: number;
  bytes: number;
}

async function send({ method, path, headers, body }: Attempt): Promise<Cost> {
  const before = await host.cpuMs();
  // not `fetch`, which copies the body several times
  const response = await connections.request({ origin: app.url, path, method: method as 'POST', headers, body });
  const { byteLength } = await response.body.arrayBuffer();
  return { status: response.statusCode, cpu: (await host.cpuMs()) - before, bytes: byteLength };
}

/** Sends it again while it costs at least `most`, and takes the cheapest. */
async function costOf(attempt: Attempt, most: number): Promise<Cost> {
  let least = await send(attempt);
  for (let tries = 1; tries < TRIES && least.cpu >= most && least.status !== 429; tries++) {
    const again = await send(attempt);
    if (again.cpu < least.cpu) least = again;
  }
  return least;
}

async function tooCostly(what: string, attempt: Attempt): Promise<string[]> {
  const most = MOST_TIMES * goalCpuMs;
  const { status, cpu, bytes } = await costOf(attempt, most);
  const faults: string[] = [];
  if (cpu >= most) faults.push(`${what}: ${cpu.toFixed(0)} ms of CPU, goal ${goalCpuMs.toFixed(0)}, status ${status}`);
  if (bytes > MOST_RESPONSE_BYTES) faults.push(`${what}: a response of ${bytes} bytes`);
  // a rejected caller would cost nothing and test nothing; without a caller, 401 is the answer to credentials in the body
  const isRejected = [401, 403].includes(status) && ('authorization' in attempt.headers || 'cookie' in attempt.headers);
  if (status >= 500 || status === 429 || isRejected) faults.push(`${what}: status ${status}`);
  return faults;
}

/**
 * Whether another list of this kind was tried: what is sent is refused by the rules of its fields, whatever their names are, before code of
 * the module reads it. `npm run test:slow` tries those of each module. The keys of a map can matter later.
 */
function isKnown({ module, fields }: BodyRoute, { at, kind, maxItems }: BodyField, known: Set<string>): boolean {
  const inner = fields.filter((field) => field.at.length > at.length && at.every((step, index) => field.at[index] === step));
  const kinds = inner.map((field) => [field.at.length - at.length, field.kind, field.maxItems, field.maxProperties, field.required]);
  const rule = JSON.stringify(EACH_MODULE ? [module, at, kind, maxItems, inner] : [kind, maxItems, kinds]);
  const isRepeated = maxItems !== null && known.has(rule);
  known.add(rule);
  return isRepeated;
}

const isBulk = ({ kind, maxItems }: BodyField) => maxItems !== null || kind === 'map' || kind === 'text_or_map';

describe('a body of 1 MiB', () => {
  test('costs a few times what parsing takes on every route, whatever list or map fills it', async () => {
    const found: string[] = [];
    let sent = 0;
    const parsers = new Set<string>();
    const rules = new Set<string>();
    let fieldCount = 0;
    for (const route of routes) {
      const call = { method: route.method, path: pathOf(route), headers: headersOf(route) };
      // the parser is that of the plane
      const parser = `${route.plane} ${route.isPage}`;
      const fields = route.fields.filter((field) => isBulk(field) && !isKnown(route, field, rules));
      fieldCount += fields.length;
      const bodies = [...bodiesFor(route, fields, Infinity), ...(parsers.has(parser) ? [] : bodiesForParser(route))];
      parsers.add(parser);
      for (const [what, body] of bodies) {
        sent++;
        found.push(...(await tooCostly(`${route.method} ${route.path} ${what}`, { ...call, body })));
      }
    }
    expect(found).toEqual([]);
    expect(fieldCount).toBeGreaterThan(50);
    expect(sent).toBeGreaterThan(fieldCount + parsers.size);
  }, 300_000);

  test('of a long text costs no more', async () => {
    expect(texts.length).toBeGreaterThan(0);
    for (const { module, path, body } of texts) {
      const headers = { ...keys.get(module), 'content-type': 'application/json' };
      const most = MOST_TIMES * goalCpuMs;
      const { status, cpu } = await costOf({ method: 'POST', path, headers, body: JSON.stringify(body) }, most);
      expect([path, status]).toEqual([path, 200]);
      expect(cpu).toBeLessThan(most);
    }
  });

  test('costs no more as the arguments of a tool', async () => {
    const found: string[] = [];
    const tools = routes.filter(({ plane, operation }) => plane === 'keyed' && operation !== null);
    const tried = new Set<string>();
    for (const [index, route] of tools.entries()) {
      // the endpoint has one parser for all tools, and what is done with an argument before its rule, which the routes test, depends on its
      // kind and its depth
      const kindOf = ({ kind, maxItems, at }: BodyField) => `${route.method} ${kind} ${maxItems !== null} ${at.length}`;
      const fields = new Map(
        route.fields.filter((field) => isBulk(field) && !tried.has(kindOf(field))).map((field) => [kindOf(field), field]),
      );
      for (const kind of fields.keys()) tried.add(kind);
      const bodies = [...bodiesFor(route, [...fields.values()], 1), ...(index === 0 ? bodiesForParser(route) : [])];
      for (const [what, args] of bodies) {
        const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${route.operation}","arguments":${args}}}`;
        const attempt = {
          method: 'POST',
          path: '/api/v1/ext/mcp',
          headers: { ...headersOf(route), accept: 'application/json, text/event-stream' },
          body: call.slice(0, MIB),
        };
        found.push(...(await tooCostly(`tool ${route.operation} ${what}`, attempt)));
      }
    }
    expect(found).toEqual([]);
    expect(tried.size).toBeGreaterThan(5);
  });
});
