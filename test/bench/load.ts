import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { CpuClock } from './cpu.js';

const CONNECTIONS = 10;
const WARM_UP_SECONDS = 2;
/** After so many a server runs optimized code. */
export const WARM_UP_REQUESTS = 2_000;

/** Requests that are sent repeatedly, with a check of the response. */
export interface Workload {
  server: { url: string; cpu: CpuClock };
  headers?: Record<string, string>;
  /** Clients at once; 10 by default. */
  connections?: number;
  /** Sent in turn. */
  requests: { method?: 'GET' | 'POST' | 'PATCH'; path: string; body?: string }[];
  /** Writes are sent without an Idempotency-Key. */
  withoutKey?: true;
  /** Returns the path of the next request, if the same request cannot be sent twice. */
  nextPath?: () => string;
  /** Returns the body of the next request, if the same body cannot be sent twice. */
  nextBody?: () => string;
  /** Gets JSON parsed and any other body as text. */
  isExpected(body: unknown): boolean;
}

export interface Round {
  /** Requests per second. */
  rate: number;
  /** CPU time per request in microseconds. */
  serverCpu: number;
  databaseCpu: number;
}

export interface Rounds {
  base: Round[];
  ours: Round[];
}

/** How much is sent: for some seconds, or some requests. CPU time of slow requests needs the latter: those cut off are not counted. */
type Amount = { seconds: number; requests?: undefined } | { seconds?: undefined; requests: number };

export type Effort = Amount & { rounds: number };

/** Sends requests until a server runs optimized code, however slow the machine is. */
export async function warmUp(workload: Workload, database: CpuClock, requests: number): Promise<void> {
  await check(workload);
  await run(workload, database, { requests });
}

/** Measures two workloads alternately, so that other load on the machine affects both. */
export async function compare(base: Workload, ours: Workload, database: CpuClock, { rounds, ...amount }: Effort): Promise<Rounds> {
  for (const workload of [base, ours]) {
    await check(workload);
    await run(workload, database, { seconds: WARM_UP_SECONDS });
  }
  const result: Rounds = { base: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    result.base.push(await run(base, database, amount));
    result.ours.push(await run(ours, database, amount));
  }
  return result;
}

/** Measures one workload alone. */
export async function measure(workload: Workload, database: CpuClock, { rounds, ...amount }: Effort): Promise<Round[]> {
  await check(workload);
  const result: Round[] = [];
  for (let round = 0; round < rounds; round++) result.push(await run(workload, database, amount));
  return result;
}

/** A comparison of writes, and the same without an Idempotency-Key, which has no goal. */
export function withAndWithoutKey<C extends { name: string; goal: number | null; base: Workload; ours: Workload }>(line: C): C[] {
  const { base, ours } = line;
  const name = `${line.name}, no key`;
  return [line, { ...line, name, goal: null, base: { ...base, withoutKey: true }, ours: { ...ours, withoutKey: true } }];
}

/**
 * Verifies a response first, because fast errors would look like high throughput. A write is repeated with its key, which must get the
 * same response.
 */
async function check({ server, headers, requests, withoutKey, nextPath, nextBody, isExpected }: Workload): Promise<void> {
  const { method = 'GET' } = requests[0];
  const body = nextBody?.() ?? requests[0].body;
  const path = nextPath?.() ?? requests[0].path;
  const key = keyOf(requests[0], withoutKey);
  const send = async () => {
    const response = await fetch(server.url + path, { method, headers: { ...headers, ...key }, body });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const content: unknown = isJson ? JSON.parse(text) : text;
    if (!response.ok || !isExpected(content))
      throw new Error(`Unexpected response to ${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return content;
  };
  const first = await send();
  const isKept = Object.keys(key).length === 0 || isDeepStrictEqual(await send(), first);
  if (!isKept) throw new Error(`A repeat of ${method} ${path} with its Idempotency-Key got another response.`);
}

type SentRequest = Workload['requests'][number];

/** Whether it changes something. Tools that only read are called by POST, too. */
function isWrite({ method = 'GET', path }: SentRequest): boolean {
  return method !== 'GET' && !path.endsWith('/mcp');
}

/** Every write has a key of its own, as the README recommends. */
function keyOf(request: SentRequest, withoutKey = false): Record<string, string> {
  return isWrite(request) && !withoutKey ? { 'idempotency-key': randomUUID() } : {};
}

async function run(
  { server, headers, connections = CONNECTIONS, requests, withoutKey, nextPath, nextBody }: Workload,
  database: CpuClock,
  { seconds, requests: amount }: Amount,
): Promise<Round> {
  const sent = requests.map((request) => {
    if (!nextPath && !nextBody && !isWrite(request)) return request;
    const next = (own: object) => ({
      ...own,
      ...(nextPath && { path: nextPath() }),
      ...(nextBody && { body: nextBody() }),
      headers: { ...headers, ...keyOf(request, withoutKey) },
    });
    return { ...request, setupRequest: next };
  });
  const before = { server: server.cpu(), database: database() };
  const sentFor = seconds === undefined ? { amount } : { duration: seconds };
  const result = await autocannon({ url: server.url, connections, ...sentFor, headers, requests: sent });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${requests[0].path}: ${result.non2xx} responses were not 2xx, ${result.errors} calls failed.`);
  const responses = result['2xx'];
  if (responses === 0) throw new Error(`${requests[0].path}: no request was answered.`);
  return {
    rate: responses / result.duration,
    serverCpu: (server.cpu() - before.server) / responses,
    databaseCpu: (database() - before.database) / responses,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The range of the values, relative to their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

export function load(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
}
