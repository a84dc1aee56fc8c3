import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { overTcp } from '../../../../test/harness/database-server.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { SingleProcessLock } from './database.js';

Logger.overrideLogger(false);
const HOLDERS = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'work-suite single process'`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: Client;
let url: string;
/** Whether the next answer to a request of the lock is lost: the connection breaks for the client, and the server does not notice. */
let losesAnswer = false;
let answersLost = 0;
const clients = new Set<Socket>();
const upstreams = new Set<Socket>();

const server = createServer((client) => {
  const { hostname, port } = new URL(database.url);
  const upstream = connect(Number(port), hostname);
  let loses = false;
  clients.add(client);
  upstreams.add(upstream);
  client.on('data', (chunk: Buffer) => {
    if (losesAnswer && chunk.includes('pg_try_advisory_lock')) {
      losesAnswer = false;
      loses = true;
    }
    upstream.write(chunk);
  });
  upstream.on('data', (chunk: Buffer) => {
    if (!loses) return void client.write(chunk);
    answersLost++;
    client.destroy();
  });
  for (const socket of [client, upstream]) socket.on('error', () => undefined);
  client.on('close', () => loses || upstream.destroy());
  upstream.on('close', () => client.destroy());
});

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = overTcp(database.url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  url = proxied.href;
});
afterAll(async () => {
  for (const socket of [...clients, ...upstreams]) socket.destroy();
  server.close();
  await sql.end();
  await database.drop();
});

test('the lock is acquired again after its connection broke and the answer to the next request was lost', async () => {
  const onLost = jest.fn();
  const lock = await SingleProcessLock.hold(url, onLost);
  const pids = async () => (await sql.query<{ pid: number }>(HOLDERS)).rows.map(({ pid }) => pid);
  const [first] = await pids();
  losesAnswer = true;
  for (const socket of clients) socket.destroy();
  await eventually(
    async () => answersLost,
    (count) => count > 0,
  );
  const [orphan] = await eventually(pids, (found) => found.length === 1 && found[0] !== first);
  await eventually(pids, (found) => (found.length === 1 && found[0] !== orphan) || onLost.mock.calls.length > 0);
  expect(onLost).not.toHaveBeenCalled();
  expect((await sql.query(SESSIONS)).rowCount).toBe(1);
  await lock.release();
  await eventually(
    async () => (await sql.query(SESSIONS)).rowCount,
    (count) => count === 0,
  );
});
