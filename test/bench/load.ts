import autocannon from 'autocannon';
import { loadavg } from 'node:os';
import type { CpuClock } from './cpu.js';

const CONNECTIONS = 10;
const WARM_UP_SECONDS = 2;

/** What is sent, again and again, and what a good answer looks like. */
export interface Work {
  server: { url: string; cpu: CpuClock };
  headers?: Record<string, string>;
  /** Sent by turns. */
  requests: { method?: 'GET' | 'POST' | 'PATCH'; path: string; body?: string }[];
  /** The path of the next request, where the same one cannot be sent twice. */
  nextPath?: () => string;
  isRight(body: unknown): boolean;
}

export interface Round {
  /** Requests per second. */
  rate: number;
  /** Processor time of a request, in microseconds. */
  serverCpu: number;
  databaseCpu: number;
}

export interface Rounds {
  base: Round[];
  ours: Round[];
}

/** Measures two works by turns, so that whatever else the machine does meets both. */
export async function compare(
  base: Work,
  ours: Work,
  database: CpuClock,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Rounds> {
  for (const work of [base, ours]) {
    await check(work);
    await run(work, database, WARM_UP_SECONDS);
  }
  const result: Rounds = { base: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    result.base.push(await run(base, database, seconds));
    result.ours.push(await run(ours, database, seconds));
  }
  return result;
}

/** An error that is answered fast would look like speed. */
async function check({ server, headers, requests, nextPath, isRight }: Work): Promise<void> {
  const { method = 'GET', body } = requests[0];
  const path = nextPath?.() ?? requests[0].path;
  const response = await fetch(server.url + path, { method, headers, body });
  const text = await response.text();
  if (!response.ok || !isRight(JSON.parse(text)))
    throw new Error(`${method} ${path} is not answered as it should be: ${response.status} ${text.slice(0, 500)}`);
}

async function run({ server, headers, requests, nextPath }: Work, database: CpuClock, duration: number): Promise<Round> {
  const sent = nextPath
    ? requests.map((request) => ({ ...request, setupRequest: (next: object) => ({ ...next, path: nextPath() }) }))
    : requests;
  const before = { server: server.cpu(), database: database() };
  const result = await autocannon({ url: server.url, connections: CONNECTIONS, duration, headers, requests: sent });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${requests[0].path}: ${result.non2xx} answers were not 2xx, ${result.errors} calls failed.`);
  const answers = result['2xx'];
  return {
    rate: answers / result.duration,
    serverCpu: (server.cpu() - before.server) / answers,
    databaseCpu: (database() - before.database) / answers,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How far the rounds lie apart, as a share of their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

export function load(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
}
