import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { PooledClient } from './pooled-client.js';

let client: PooledClient;
/** The number of PostgreSQL's answers. */
let answers: number;

const CONNECTION = {
  connectionString: process.env.TEST_SERVER_URL,
  pipeline: true,
};

beforeEach(async () => {
  client = new PooledClient(CONNECTION);
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE numbers (n integer CHECK (n > 0))');
  answers = 0;
  (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('readyForQuery', () => answers++);
});
afterEach(() => client.end());

const begin = () => client.query({ name: 'begin', text: 'BEGIN' });
const insert = (n: unknown) => client.query({ name: 'insert', text: 'INSERT INTO numbers VALUES ($1)', values: [n] });
const commit = () => client.query({ name: 'commit', text: 'COMMIT' });
const numbers = async () => (await (client as Client).query<{ n: number }>('SELECT n FROM numbers ORDER BY 1')).rows.map(({ n }) => n);

it('returns the result of each statement, in one answer', async () => {
  client.collect();
  const select = () => client.query({ name: 'select', text: 'SELECT n, $1::text AS label FROM numbers', values: ['x'] });
  const results = await Promise.all([begin(), insert(1), insert(2), select(), commit()]);
  expect(results.map(({ command, rowCount }) => [command, rowCount])).toEqual([
    ['BEGIN', null],
    ['INSERT', 1],
    ['INSERT', 1],
    ['SELECT', 2],
    ['COMMIT', null],
  ]);
  expect(results[3].rows).toEqual([
    { n: 1, label: 'x' },
    { n: 2, label: 'x' },
  ]);
  expect(answers).toBe(1);
});

it('has PostgreSQL describe the result of a prepared statement once, also if it has no rows at first', async () => {
  let descriptions = 0;
  (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('rowDescription', () => descriptions++);
  const above = async (n: number) => {
    const statement = { name: 'above', text: 'SELECT n, now() AS time FROM numbers WHERE n > $1', values: [n] };
    return (await (client as Client).query<{ n: number; time: unknown }>(statement)).rows;
  };
  await insert(1);
  expect([await above(1), await above(0), await above(0)]).toEqual([
    [],
    [{ n: 1, time: expect.any(Date) }],
    [{ n: 1, time: expect.any(Date) }],
  ]);
  expect(descriptions).toBe(1);
});

it('returns the rows of a statement without a name or without columns', async () => {
  const query = (statement: object) => (client as Client).query(statement as { text: string; values?: unknown[] });
  expect((await query({ text: 'SELECT $1::int AS a', values: [1] })).rows).toEqual([{ a: 1 }]);
  expect((await query({ text: 'SELECT $1::int AS b', values: [2] })).rows).toEqual([{ b: 2 }]);
  for (let run = 0; run < 2; run++) expect((await query({ name: 'none', text: 'SELECT FROM generate_series(1, 2)' })).rowCount).toBe(2);
});

it('fails the statements after a failed one with its error, and the same statements can be sent again', async () => {
  client.collect();
  const settled = await Promise.allSettled([begin(), insert(1), insert(-1), insert(2), commit()]);
  expect(settled.map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'ok'))).toEqual([
    'ok',
    'ok',
    '23514',
    '23514',
    '23514',
  ]);
  await client.query('ROLLBACK');
  client.collect();
  await Promise.all([begin(), insert(3), commit()]);
  expect(await numbers()).toEqual([3]);
});

it('sends nothing if a value cannot be sent', async () => {
  client.collect();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const settled = await Promise.allSettled([begin(), insert(1), insert(circular), commit()]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  expect(await numbers()).toEqual([]);
});

it('precedes a statement that cannot be part of it', async () => {
  client.collect();
  const [, , found] = await Promise.all([begin(), insert(1), numbers(), commit()]);
  expect(found).toEqual([1]);
});

it('fails as a whole when the connection is lost', async () => {
  client.on('error', () => undefined);
  client.collect();
  const terminate = () => client.query({ name: 'terminate', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
  const settled = await Promise.allSettled([begin(), terminate(), insert(1), commit()]);
  expect(settled.slice(1).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
