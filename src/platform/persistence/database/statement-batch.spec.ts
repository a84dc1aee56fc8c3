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

it('returns the same rows once they are built by a compiled constructor, with the prototype of the statement', async () => {
  class Row {}
  const text = `SELECT n, NULL AS nothing, '{"a":1}'::json AS json, ARRAY['x'] AS list, n + 1 AS "it's \\ ""odd""", n + 2 AS n
    FROM numbers`;
  const select = async () => (await client.query({ name: 'columns', text, queryMode: 'extended', prototype: Row.prototype })).rows;
  await insert(1);
  const [first, ...later] = [await select(), await select(), await select()];
  expect(first).toEqual([{ n: 3, nothing: null, json: { a: 1 }, list: ['x'], [`it's \\ "odd"`]: 2 }]);
  for (const rows of later) {
    expect(rows).toEqual(first);
    expect(Object.keys(rows[0])).toEqual(Object.keys(first[0]));
    expect(rows[0]).toBeInstanceOf(Row);
  }
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
  await client.query('ROLLBACK');
  expect(await numbers()).toEqual([]);
});

it('sends nothing more of a transaction of which a batch was not sent', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  client.collect();
  await Promise.all([begin(), insert(1)]);
  client.collect();
  await expect(insert(circular)).rejects.toThrow('circular');
  client.collect();
  const settled = await Promise.allSettled([insert(2), commit()]);
  for (const statement of ['SAVEPOINT later', { text: 'COMMIT' }]) settled.push(...(await Promise.allSettled([client.query(statement)])));
  expect(settled).toEqual(
    Array.from({ length: 4 }, () => ({ status: 'rejected', reason: expect.objectContaining({ name: 'TypeError' }) })),
  );
  await client.query('ROLLBACK');
  client.collect();
  await Promise.all([begin(), insert(3), commit()]);
  expect(await numbers()).toEqual([3]);
});

it('sends nothing more either if BEGIN was not sent, until a rollback, also one to a savepoint', async () => {
  client.collect();
  const unsendable = () => insert({ toPostgres: () => JSON.parse('{') as unknown });
  expect((await Promise.allSettled([begin(), unsendable()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  client.collect();
  expect((await Promise.allSettled([insert(1), commit()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await client.query('ROLLBACK');
  client.collect();
  await Promise.all([begin(), insert(2)]);
  await client.query('SAVEPOINT part');
  client.collect();
  await expect(unsendable()).rejects.toThrow('JSON');
  await client.query('ROLLBACK TO SAVEPOINT part');
  client.collect();
  await Promise.all([insert(3), commit()]);
  expect(await numbers()).toEqual([2, 3]);
});

it('sends statements after a single one that cannot be sent', async () => {
  await expect(insert({ toPostgres: () => JSON.parse('{') as unknown })).rejects.toThrow('JSON');
  await insert(1);
  expect(await numbers()).toEqual([1]);
});

it('does not rely on a statement that an unanswered batch prepares', async () => {
  const select = () => client.query({ name: 'one', text: 'SELECT 1 AS one' });
  const codes = async (statements: Promise<unknown>[]) =>
    (await Promise.allSettled(statements)).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : 'ok',
    );
  const sent = () => new Promise((resolve) => process.nextTick(resolve));
  client.collect();
  const first = codes([begin(), insert(-1), select()]);
  await sent();
  client.collect();
  // the error of the aborted transaction, not 26000 for the prepared statement, which would hide the cause
  expect([await codes([select()]), await first]).toEqual([['25P02'], ['ok', '23514', '23514']]);
  await client.query('ROLLBACK');
  client.collect();
  const again = codes([begin(), select()]);
  await sent();
  client.collect();
  expect([await codes([select(), select()]), await again, await codes([select(), commit()])]).toEqual([
    ['ok', 'ok'],
    ['ok', 'ok'],
    ['ok', 'ok'],
  ]);
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
