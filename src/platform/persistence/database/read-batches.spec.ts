import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { PooledClient } from './pooled-client.js';
import { ReadBatches } from './read-batches.js';

let pool: Pool;
let reads: ReadBatches;
/** The number of PostgreSQL's answers. */
let answers: number;
let connected: number;

function open(connectionString: string | undefined): void {
  pool = new Pool({ connectionString, max: 4, pipeline: true, Client: PooledClient as never });
  reads = new ReadBatches(pool);
  answers = connected = 0;
  pool.on('connect', (client) => {
    connected++;
    client.on('error', () => undefined);
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('readyForQuery', () => answers++);
  });
}
beforeEach(() => open(process.env.TEST_SERVER_URL));
afterEach(() => pool.end());

const quotient = async (divisor: unknown) => {
  const statement = { name: 'quotient', text: 'SELECT 12 / $1::int AS value', values: [divisor] };
  return (await reads.query<{ value: number }>(statement)).rows[0].value;
};
const settled = async (divisors: unknown[]) =>
  (await Promise.allSettled(divisors.map(quotient))).map((result) =>
    result.status === 'fulfilled'
      ? result.value
      : ((result.reason as { code?: string }).code ?? (result.reason as Error).message.split('\n')[0]),
  );
const inLaterCallback = () => new Promise<number>((resolve) => process.nextTick(() => resolve(quotient(4))));

it('sends the reads of a turn of the event loop over one connection, which PostgreSQL answers once', async () => {
  await quotient(1);
  const before = answers;
  expect(await Promise.all([quotient(1), quotient(2), quotient(3), inLaterCallback()])).toEqual([12, 6, 4, 3]);
  expect([connected, answers - before]).toEqual([1, 1]);
});

it('belongs to no request, although one has begun it', async () => {
  const requests = new AsyncLocalStorage<string>();
  const contexts: unknown[] = [];
  pool.on('acquire', () => contexts.push(requests.getStore()));
  const after = requests.run('a request', async () => [await quotient(1), requests.getStore()]);
  expect([await after, contexts]).toEqual([[12, 'a request'], [undefined]]);
});

it('takes another connection for every eight reads', async () => {
  expect(await settled([1, 2, 3, 4, 6, 12, 1, 2, 3])).toEqual([12, 6, 4, 3, 2, 1, 12, 6, 4]);
  expect(connected).toBe(2);
});

it('rejects only the reads that fail themselves', async () => {
  expect(await settled([1, 0, 2, 'x', 3])).toEqual([12, '22012', 6, '22P02', 4]);
});

it('rejects only the read with a value that cannot be sent', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  expect(await settled([1, circular, 2])).toEqual([12, 'Converting circular structure to JSON', 6]);
});

it('rejects all reads of a connection that is lost', async () => {
  const lost = reads.query({ name: 'lost', text: 'SELECT pg_terminate_backend(pg_backend_pid()) AS is_lost, $1::int', values: [1] });
  expect(await Promise.all([lost.catch((error: { code: string }) => error.code), settled([1, 2])])).toEqual(['57P01', ['57P01', '57P01']]);
  expect(await quotient(3)).toBe(4);
});

it('rejects with a trace that leads to its caller', async () => {
  const stack = await quotient(0).then(String, (error: Error) => error.stack);
  expect(stack).toMatch(/division by zero[^]* quotient /);
});

it('rejects every read if there is no connection', async () => {
  await pool.end();
  open('postgres://nobody@127.0.0.1:1/none');
  expect(await settled([1, 2])).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
});
