import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { request } from 'undici';
import { ApiDocument, isEventStream, type ApiOperation, type Json } from '../harness/api-document.js';
import { ownApp } from '../harness/hosted-app.js';
import type { Workspace } from '../harness/workspace.js';
import { Arbitraries, IdPool } from './arbitraries.js';
import { contractsOf } from './module-contract.js';

/** The default seed makes runs reproducible; set `PROPERTY_SEED` and `PROPERTY_RUNS` to explore more inputs. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);
/**
 * The calls of a seed end after this many without a new status, code or field in an answer: half of all calls then get 92 % of the
 * statuses and codes. `npm run test:slow` sends all.
 */
const QUIET = Number(process.env.PROPERTY_QUIET ?? 5);
/** How many seeds are tried for an operation until a call succeeds. */
const SEEDS = 8;
/** Fewer runs, because public routes such as sign-in are rate-limited by address. */
const PRODUCT_RUNS = Math.min(RUNS, QUIET === Infinity ? 12 : 8);
/**
 * A member's route with a keyed twin has the twin's handler, validation and errors, which all runs of the twin test, and describeModule
 * compares its answer to a valid call with the document. So only `npm run test:slow` calls it, except for the rows that others need.
 */
const TWIN_RUNS = Math.min(RUNS, 4);
const isCalled = ({ method, path }: ApiOperation) => QUIET === Infinity || (method === 'post' && !path.includes('{'));
/** Operations that may sign out their caller or lock out other members, so each gets an organization of its own. */
const ISOLATED = /^\/api\/v1\/org\/(session|members)/;
/** Look-ups whose ids the routes of every module name. In a new organization, others have no rows yet. */
const SHARED = ['members', 'projects'];
/** For a busy machine; an idle one takes a minute. */
const SLOW = 600_000 + RUNS * 1_000;

/** How many reads run at a time. */
const AT_ONCE = 4;

/** Compression is tested elsewhere, and takes time. */
const IDENTITY = { 'accept-encoding': 'identity' };

interface Request {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

// its rows are arbitrary, so other test files should not find them
const app = await ownApp();
const { modules } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const contracts = [...(await contractsOf(modules)).values()];
const documents = {
  keyed: await ApiDocument.at(`${app.url}/openapi.json`),
  product: await ApiDocument.at(`${app.url}/openapi.org.json`),
};

describe('a malformed path', () => {
  const { path } = documents.keyed.operations.find((operation) => operation.path.endsWith('/{id}'))!;
  const withId = (id: string) => path.replace('{id}', id);
  test.each(['/%zz', withId('%E0%A4%A'), withId('x'.repeat(8_000))])('%# returns 404 in the error envelope', async (malformed) => {
    const workspace = await app.workspace();
    const response = await fetch(app.url + malformed, { headers: (await workspace.key()).client.headers });
    const { error } = (await response.json()) as { error: Json };
    expect([response.status, error.code, error.request_id]).toEqual([404, 'not_found', response.headers.get('request-id')]);
  });
});

/** No input may cause a 5xx or a response that the OpenAPI document does not declare. */
describe(`responses to arbitrary input match the OpenAPI document (PROPERTY_SEED=${SEED})`, () => {
  test(
    'for API keys',
    async () => {
      const api = documents.keyed;
      const ending = api.operations.filter((operation) => !isEventStream(operation));
      const workspace = await app.workspace();
      const pool = new IdPool();
      pool.harvest([workspace.eng, workspace.ops].map(({ id }) => ({ object: 'project', id })));
      for (const { prepare } of contracts) await prepare?.(app, workspace, pool);
      const statuses = new Map<string, Set<number>>();
      // webhooks first, because other modules read what they store
      const isWebhook = (scopes: object) =>
        api.operations.some(({ path, source }) => path.startsWith('/api/v1/webhooks/') && scopeOf(source) in scopes);
      const ordered = modules.toSorted((a, b) => Number(isWebhook(b.scopes)) - Number(isWebhook(a.scopes)));
      for (const { name, scopes } of ordered) {
        const operations = inUsefulOrder(ending.filter(({ source }) => scopeOf(source) in scopes));
        const callers = await keysOf(workspace, name);
        await fillPool(operations, pool, callers[0]);
        for (const operation of operations) {
          const seen = new Set<number>();
          statuses.set(operation.id, seen);
          // which calls succeed also depends on the rows that earlier calls left
          for (let seed = SEED; seed < SEED + SEEDS && (seed === SEED || !(succeeded(seen) || rarelySucceeds(operation.id))); seed++)
            for (const status of await checkResponses(api, operation, pool, callers, { seed, numRuns: runsOf(operation) }))
              seen.add(status);
        }
      }
      expect([...statuses.keys()].sort()).toEqual(ending.map(({ id }) => id).sort());
      // each operation must have succeeded at least once, or its handler was hardly tested
      const failed = [...statuses].filter(([id, seen]) => !succeeded(seen) && !rarelySucceeds(id)).map(([id]) => id);
      expect(failed).toEqual([]);
    },
    SLOW,
  );

  test(
    'for signed-in members',
    async () => {
      const api = documents.product;
      // the lists with ids, which are the same in each new organization
      let sources: ApiOperation[] | undefined;
      const twins = new Set(documents.keyed.operations.map(({ method, path }) => `${method} ${path.replace('/ext/', '/org/')}`));
      for (const operations of Map.groupBy(api.operations, ({ id, path }) =>
        ISOLATED.test(path) ? id : path.split('/').slice(0, 5).join('/'),
      ).values()) {
        // one organization per group, so that related operations share data and unrelated ones do not interfere
        const isTwin = ({ method, path }: ApiOperation) => twins.has(`${method} ${path}`);
        if (operations.every((operation) => isTwin(operation) && !isCalled(operation))) continue;
        const workspace = await app.workspace();
        const pool = new IdPool();
        const caller = (await workspace.signIn()).headers;
        const module = moduleOf(operations[0]);
        const found = await fillPool(
          sources?.filter((source) => [module, ...SHARED].includes(moduleOf(source))) ?? api.operations,
          pool,
          caller,
        );
        sources ??= found;
        for (const operation of inUsefulOrder(operations.filter((one) => !isTwin(one) || isCalled(one)))) {
          const check = (seed: number, numRuns: number) => checkResponses(api, operation, pool, [caller], { seed, numRuns });
          const runs = isTwin(operation) ? TWIN_RUNS : runsOf(operation, PRODUCT_RUNS);
          const seen = await check(SEED, runs);
          if (!isTwin(operation) && runs < PRODUCT_RUNS && !succeeded(seen)) await check(SEED + 1, PRODUCT_RUNS - runs);
        }
      }
      expect(api.operations.length).toBeGreaterThan(10);
    },
    SLOW,
  );
});

/** Whether the operation's module says that few arbitrary calls can satisfy it. */
function rarelySucceeds(operation: string): boolean {
  // an arbitrary URL and type of event are none that exist; webhooks.e2e-spec.ts tries these
  if (/^(?!list_)\w+_developer_endpoint/.test(operation)) return true;
  return contracts.some(({ rarelySucceed = {} }) => operation in rarelySucceed);
}

/** The scope identifies an operation's module; the path of a webhook does not. */
function scopeOf({ security }: Json): string {
  return (security as { apiKey: string[] }[])[0].apiKey[0];
}

async function keysOf(workspace: Workspace, module: string): Promise<Record<string, string>[]> {
  const options = { module, actor_user_id: workspace.owner.id };
  const keys = [
    await workspace.key(options),
    await workspace.key({ ...options, project_id: workspace.eng.id }),
    await workspace.key({ ...options, mode: 'test' }),
  ];
  return keys.map(({ client }) => client.headers);
}

/** Of a member's route. */
function moduleOf({ path }: ApiOperation): string {
  return path.split('/')[4];
}

/** Sorts reads and creates first and deletes last, so that most operations find existing resources. */
function inUsefulOrder(operations: readonly ApiOperation[]): ApiOperation[] {
  const rank = ({ method, path }: ApiOperation) => (method === 'delete' ? 3 : path.includes('{') ? 2 : method === 'post' ? 1 : 0);
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

/** Fills the pool with ids from lists that require at most a project. Returns the operations with any. */
async function fillPool(operations: readonly ApiOperation[], pool: IdPool, caller: Record<string, string>): Promise<ApiOperation[]> {
  const lists = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  const required = ({ parameters }: ApiOperation) => parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const sources = new Set<ApiOperation>();
  const harvest = async (list: ApiOperation, target: string) => {
    const { body, data } = await send({ method: 'get', target, headers: caller, body: undefined });
    if (pool.harvest(body)) sources.add(list);
    return data;
  };
  for (const list of lists) if (required(list).length === 0) await harvest(list, list.path);
  const byProject = lists.filter((list) => required(list).join() === 'project_id');
  const projects = lists.find(({ id }) => id === 'list_projects') ?? byProject.at(0);
  if (!projects) return [...sources];
  for (const { id } of await harvest(projects, projects.path))
    for (const list of byProject) await harvest(list, `${list.path}?project_id=${id}`);
  return [...sources];
}

/**
 * Calls without a body vary less: of the answers that 60 of them get, a third of the calls gets 98 % by status and code if only ids are
 * in the path, and half of them 96 % if there is a query.
 */
function runsOf({ body, parameters }: ApiOperation, most = RUNS): number {
  if (body) return most;
  return Math.ceil(most / (parameters.some((parameter) => parameter.in === 'query') ? 2 : 3));
}

function succeeded(statuses: ReadonlySet<number>): boolean {
  return [...statuses].some((status) => status < 300);
}

/** Sends generated calls of one operation, checks every response and returns the statuses seen. */
async function checkResponses(
  api: ApiDocument,
  operation: ApiOperation,
  pool: IdPool,
  callers: readonly Record<string, string>[],
  { seed, numRuns }: { seed: number; numRuns: number },
): Promise<Set<number>> {
  const arbitraries = new Arbitraries(api, pool);
  const calls = fc.record({
    method: fc.constant(operation.method),
    target: arbitraries.target(operation),
    body: arbitraries.body(operation),
    headers: fc.tuple(fc.constantFrom(...callers), arbitraries.headers(operation)).map(([caller, headers]) => ({ ...caller, ...headers })),
  });
  const seen = new Set<number>();
  const answers = new Set<string>();
  let sinceNew = 0;
  // reads do not depend on each other, and waiting for one after the other takes longer than they do
  const atOnce = operation.method === 'get' ? AT_ONCE : 1;
  await fc.assert(
    fc.asyncProperty(fc.tuple(...Array.from({ length: atOnce }, () => calls)), async (some) => {
      if (sinceNew >= QUIET) throw new fc.PreconditionFailure(true);
      for (const { status, body, type } of await Promise.all(some.map(send))) {
        seen.add(status);
        const { code, param } = ((body as Json | undefined)?.error ?? {}) as { code?: string; param?: string };
        const answer = `${status} ${code} ${param}`;
        sinceNew = answers.has(answer) ? sinceNew + 1 : 0;
        answers.add(answer);
        if (status < 300) pool.harvest(body);
        const faults = api.responseFaults(operation, status, body, type);
        if (faults.length > 0)
          throw new Error(`${operation.id} returned ${status}: ${faults.join('; ')}\n${JSON.stringify(body).slice(0, 600)}`);
      }
    }),
    { seed, numRuns: Math.ceil(numRuns / atOnce) },
  );
  return seen;
}

async function send({
  method,
  target,
  headers,
  body,
}: Request): Promise<{ status: number; body: unknown; type: string | undefined; data: { id: string }[] }> {
  // not `fetch`, which takes longer than many of the routes
  const response = await request(app.url + target, {
    method: method.toUpperCase() as 'GET',
    headers: { ...headers, ...IDENTITY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body,
  });
  const text = await response.body.text();
  const type = response.headers['content-type'] as string | undefined;
  const parsed: unknown = text === '' || (type !== undefined && !type.startsWith('application/json')) ? undefined : JSON.parse(text);
  return { status: response.statusCode, body: parsed, type, data: ((parsed ?? {}) as { data?: { id: string }[] }).data ?? [] };
}
