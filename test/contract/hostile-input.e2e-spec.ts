import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pLimit from 'p-limit';
import type { BodyField, BodyRoute } from '../harness/body-fields.js';
import { Client } from '../harness/client.js';
import { sharedApp } from '../harness/hosted-app.js';
import type { Workspace } from '../harness/workspace.js';
import { contractsOf } from './module-contract.js';

const app = await sharedApp();
const host = app.inside<typeof import('../harness/body-fields.js')>('test/harness/body-fields.ts');

const declared = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const contracts = [...(await contractsOf(declared.modules)).values()];
const contexts = declared.routes.filter(({ plane, path }) => plane === 'keyed' && path.endsWith('/context'));

let space: Workspace;
let routes: BodyRoute[];
let distinct: BodyRoute[];
let session: Record<string, string>;
const keys = new Map<string, Record<string, string>>();

beforeAll(async () => {
  space = await app.workspace();
  routes = await host.bodyRoutes();
  distinct = await host.distinctBodyRoutes();
  session = (await space.signIn()).headers;
  for (const module of new Set(routes.flatMap((route) => (route.plane === 'keyed' ? [route.module as string] : []))))
    keys.set(module, (await space.key({ module, actor_user_id: space.owner.id })).client.headers);
});

/** The field's text in the route's sample; `text` is JSON, so that it may hold what no string can. */
function bodyWith({ sample }: BodyRoute, { at, maxItems }: BodyField, text: string): string {
  const body = structuredClone(sample);
  if ('project_id' in body) body.project_id = space.eng.id;
  let holder = body as Record<string | number, unknown>;
  for (const step of at.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[at.at(-1) as string] = maxItems === null ? 'HOLE' : ['HOLE'];
  return JSON.stringify(body).replace('"HOLE"', () => text);
}

async function send(route: BodyRoute, body: string): Promise<{ status: number; param?: string; message?: string }> {
  const caller = route.plane === 'keyed' ? keys.get(route.module as string) : route.plane === 'product' ? session : {};
  const client = new Client(app.url, { ...caller, 'content-type': 'application/json', accept: 'application/json' });
  const response = await client.send(route.method, route.path.replace(/\{[^}]+\}/g, randomUUID()), body);
  const { error } = response.body as { error?: { param: string; message: string } };
  return { status: response.status, param: error?.param, message: error?.message };
}

const nameOf = (route: BodyRoute) => `${route.method} ${route.path}`;

/** Tries all of them, some at a time: one after the other, most of the time is waiting. */
async function all<T>(cases: readonly T[], attempt: (one: T) => Promise<void>): Promise<void> {
  await pLimit(8).map(cases, attempt);
}

test('the context of a module is refused for an unknown project', async () => {
  expect(contexts.length).toBeGreaterThan(5);
  for (const { module, path } of contexts) {
    const response = await fetch(`${app.url}${path}?project_id=${randomUUID()}`, { headers: keys.get(module as string) });
    const { error } = (await response.json()) as { error: { code: string; param: string } };
    expect([path, response.status, error.code, error.param]).toEqual([path, 400, 'validation_failed', 'project_id']);
  }
});

/** The platform's. Those of a module stand in its contract, where a new one is added when it is made. */
const EMAIL_FIELDS = [
  'POST /api/v1/org/invitations email (email)',
  'POST /api/v1/org/members email (email)',
  'POST /api/v1/org/password-resets email (email)',
  'POST /api/v1/org/person-erasures email (email)',
  'POST /api/v1/org/session email (email)',
  'POST /console/reset email (string)',
  'POST /console/sign-in email (string)',
];

describe('an e-mail field', () => {
  const fieldsWhere = (of: readonly BodyRoute[], isMeant: (field: BodyField) => boolean) =>
    of.flatMap((route) => route.fields.filter(isMeant).map((field) => ({ route, field })));
  const emails = () => fieldsWhere(distinct, ({ kind }) => kind === 'email');

  test('is one of those that are known', () => {
    expect(
      fieldsWhere(routes, ({ at, kind }) => kind === 'email' || (kind === 'string' && /(^|_)email$/.test(String(at.at(-1)))))
        .map(({ route, field }) => `${nameOf(route)} ${field.at.join('.')} (${field.kind})`)
        .sort(),
    ).toEqual([...EMAIL_FIELDS, ...contracts.flatMap(({ emailFields = [] }) => emailFields)].sort());
  });

  test.each([
    ['an unpaired surrogate', '"\\ud800"'],
    ['an unpaired surrogate in an address', '"a\\udfff@example.com"'],
    ['a quoted line feed', '"\\"a\\\\\\nb\\"@example.com"'],
    ['a quoted carriage return', '"\\"a\\\\\\rBcc: b\\"@example.com"'],
    ['a NUL', '"a\\u0000@example.com"'],
    ['a line separator', '"\\"a\\u2028b\\"@example.com"'],
    ['too much text', `"${'a'.repeat(300)}@example.com"`],
  ])('rejects %s', async (_, text) => {
    await all(emails(), async ({ route, field }) => {
      const { status, param } = await send(route, bodyWith(route, field, text));
      // of a list, the item is named
      expect([nameOf(route), status, param?.replace(/\.0$/, '')]).toEqual([nameOf(route), 400, field.at.join('.')]);
    });
  });
});

describe('a date or time that is none', () => {
  const DAYS = ['0001-01-01', '0000-01-01', '-000001-01-01', '+012345-01-01', '2027-02-29', '2027-13-01', '10000-01-01'];
  const TIMES = [
    ...DAYS.map((day) => `${day}T00:00:00Z`),
    '2016-12-31T23:59:60Z',
    '1000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '2027-01-01T24:00:00Z',
    '2027-01-01T09:00:00',
    '2027-01-01T09:00:00+99:00',
  ];
  const [LIMIT_DAYS, LIMIT_TIMES] = [
    ['1000-01-01', '9999-12-31'],
    ['1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  ];

  // the rule of a kind is one function: all texts are tried on the first fields with it, which these tell from a field without a rule
  const [FEW_DAYS, FEW_TIMES] = [
    ['0001-01-01', '2027-02-29'],
    ['0001-01-01T00:00:00Z', '2027-01-01T09:00:00'],
  ];
  const MOST_WITH_ALL = 3;

  /** Counts the fields with the same rule; whether this one is one of the first. */
  function isFirst(counts: Map<string, number>, rule: string): boolean {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= MOST_WITH_ALL;
  }

  test('is rejected in every body by the name of the field, and the limits never are a failure of the suite', async () => {
    const fields = distinct.flatMap((route) => route.fields.map((field) => ({ route, field })));
    const dated = fields.filter(({ field }) => field.kind === 'date' || field.kind === 'date_time');
    expect(dated.length).toBeGreaterThan(50);
    const counts = new Map<string, number>();
    for (const { route, field } of dated) {
      const isDay = field.kind === 'date';
      const texts = isFirst(counts, `${field.kind} ${field.maxItems !== null} ${route.plane}`) ? [DAYS, TIMES] : [FEW_DAYS, FEW_TIMES];
      await all(texts[isDay ? 0 : 1], async (text) => {
        const { status, param } = await send(route, bodyWith(route, field, JSON.stringify(text)));
        const at = field.at.join('.');
        expect([nameOf(route), text, status, param?.replace(/\.0$/, '')]).toEqual([nameOf(route), text, 400, at]);
      });
      await all(isDay ? LIMIT_DAYS : LIMIT_TIMES, async (text) => {
        const { status } = await send(route, bodyWith(route, field, JSON.stringify(text)));
        expect([nameOf(route), field.at, text, status < 500]).toEqual([nameOf(route), field.at, text, true]);
      });
    }
  }, 300_000);

  const isComparable = (text: string) => text.startsWith('0001-');

  async function ask(path: string, name: string, text: string, headers = {}): Promise<{ status: number; params: string[] }> {
    const client = new Client(app.url, { ...headers, accept: 'application/json' });
    const { status, body } = await client.get(`${path.replace(/\{[^}]+\}/g, randomUUID())}?${new URLSearchParams({ [name]: text })}`);
    const { error } = body as { error?: { param: string; details?: { param: string }[] } };
    // other parameters may be missing
    return { status, params: error ? [error.param, ...(error.details ?? []).map(({ param }) => param)] : [] };
  }

  test('is rejected in every query by the name of the parameter', async () => {
    interface Parameter {
      name: string;
      in: string;
      schema: { format?: string; items?: { format?: string } };
    }
    // by the path without its plane: a member's route and its keyed twin have one handler
    const known = new Set<string>();
    const counts = new Map<string, number>();
    for (const file of ['openapi.json', 'openapi.org.json', 'openapi.public.json']) {
      const document = (await (await fetch(`${app.url}/${file}`)).json()) as {
        paths: Record<string, { get?: { tags?: string[]; parameters?: (Parameter | { $ref: string })[] } }>;
        components: { parameters: Record<string, Parameter> };
      };
      const resolved = (parameter: Parameter | { $ref: string }) =>
        '$ref' in parameter ? document.components.parameters[parameter.$ref.replace('#/components/parameters/', '')] : parameter;
      for (const [path, { get }] of Object.entries(document.paths))
        for (const { name, in: place, schema } of (get?.parameters ?? []).map(resolved)) {
          const format = schema.format ?? schema.items?.format;
          if (place !== 'query' || (format !== 'date' && format !== 'date-time')) continue;
          const parameter = `${path.replace(/^\/api\/v1\/\w+/, '')} ${name}`;
          if (known.has(parameter)) continue;
          known.add(parameter);
          const [, prefix] = /^\/api\/v1\/ext\/(\w+)\//.exec(path) ?? [];
          const module = declared.modules.find((each) => each.prefix === prefix)?.name;
          if (module && !keys.has(module)) keys.set(module, (await space.key({ module })).client.headers);
          const caller = module ? keys.get(module) : session;
          const compares = /_(?:after|before)$/.test(name);
          const texts = isFirst(counts, `${name} ${JSON.stringify(schema)}`) ? [DAYS, TIMES] : [FEW_DAYS, FEW_TIMES];
          await all(texts[format === 'date' ? 0 : 1], async (text) => {
            const { status, params } = await ask(path, name, text, caller);
            const isNamed = params.includes(name);
            // the years 1 to 999 can be compared; `from` and `to` are bounds of a filter or of a period
            if (!isComparable(text)) expect([path, text, status, isNamed]).toEqual([path, text, 400, true]);
            else if (compares) expect([path, name, text, isNamed]).toEqual([path, name, text, false]);
            else expect([path, name, text, status < 500]).toEqual([path, name, text, true]);
          });
          await all(format === 'date' ? LIMIT_DAYS : LIMIT_TIMES, async (text) =>
            expect([path, name, text, (await ask(path, name, text, caller)).status < 500]).toEqual([path, name, text, true]),
          );
        }
    }
    expect(known.size).toBeGreaterThan(50);
  }, 300_000);
});

describe('an unpaired surrogate', () => {
  test('is rejected in every text and map, and the error names the field', async () => {
    const texts = distinct.flatMap((route) =>
      route.fields.filter(({ kind }) => kind === 'string' || kind === 'map' || kind === 'text_or_map').map((field) => ({ route, field })),
    );
    expect(texts.length).toBeGreaterThan(100);
    await all(texts, async ({ route, field }) => {
      const inner = field.kind === 'map' ? '{"deep":[{"\\ud83d":1}]}' : '"x\\udc00"';
      const { status, param = '' } = await send(route, bodyWith(route, field, inner));
      const at = field.at.join('.');
      expect([nameOf(route), at, status, param.startsWith(at)]).toEqual([nameOf(route), at, 400, true]);
    });
  });

  test('is rejected in members that have no effect, too', async () => {
    await all(routes, async (route) => {
      const { status, param } = await send(route, '{"nobody_knows":{"this":"\\ud800"}}');
      expect([nameOf(route), status, param]).toEqual([nameOf(route), 400, 'nobody_knows.this']);
    });
  });

  test('is distinct from a complete pair', async () => {
    const endpoint = (description: string) =>
      fetch(`${app.url}/api/v1/org/developer/webhook-endpoints`, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json' },
        body: `{"url":"https://example.com/hooks","events":["*"],"description":"${description}"}`,
      });
    expect((await endpoint('Ada \\ud83d\\ude00')).status).toBe(201);
    expect((await endpoint('Ada \\ud83d\\ude00\\ud83d')).status).toBe(400);
  });
});

/** Sends a request as bytes: clients tidy paths up. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

describe('the documentation', () => {
  const PATHS = [
    '/docs',
    '/docs/',
    '/docs/swagger/swagger-ui.css',
    '/docs/swagger/swagger-ui-init.js',
    '/docs/swagger/favicon-16x16.png',
    '/docs/errors',
    '/openapi.json',
  ];
  const HEADERS = [
    'Range: bytes=9-1,x',
    'Range: nonsense',
    'If-Match: \u00ff"',
    'If-Match: "a',
    'If-None-Match: \u00ff',
    'If-Modified-Since: never',
  ];

  test.each(PATHS.flatMap((path) => HEADERS.map((header) => [path, header])))('%s is served with the header %s', async (path, header) => {
    const response = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`);
    expect(response.split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
  });

  test.each(['/docs/../x', '/docs/..%2f..%2fpackage.json', '/docs/%00', '/docs/%ff', '/docs/%zz', '/docs//', '/%00'])(
    'has nothing at %s',
    async (path) => {
      const response = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(response.split('\r\n')[0]).toMatch(/^HTTP\/1.1 40[04] /);
      expect(response).toContain('"request_id":"req_');
    },
  );
});
