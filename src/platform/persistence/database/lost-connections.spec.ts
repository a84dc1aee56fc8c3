import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Pool } from 'pg';
import { overTcp } from '../../../../test/harness/database-server.js';
import { PooledClient } from './pooled-client.js';

/** Test files of a process share modules: what others have logged is long ago. */
const AHEAD_MS = 2 * 3_600_000;

let logged: string[];
let server: Server;
let pool: Pool;
/** What the proxy has open. */
let sockets: Socket[];

beforeEach(() => {
  logged = [];
  sockets = [];
  const { timeOrigin } = performance;
  jest.spyOn(performance, 'now').mockImplementation(() => AHEAD_MS + Date.now() - timeOrigin);
  jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void logged.push(String(line)));
});
afterEach(async () => {
  await pool.end();
  for (const socket of sockets) socket.destroy();
  server.close();
  jest.restoreAllMocks();
});

/** A pool behind a proxy that forwards to PostgreSQL, or takes connections and never answers. */
async function open({ isSilent = false } = {}): Promise<void> {
  const url = overTcp(process.env.TEST_SERVER_URL as string);
  const target = { host: url.hostname, port: Number(url.port) };
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    if (isSilent) return;
    const upstream = connect(target).on('error', () => undefined);
    sockets.push(upstream);
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  pool = new Pool({ connectionString: url.href, max: 3, connectionTimeoutMillis: 300, Client: PooledClient as never });
  pool.on('error', () => undefined);
}

const ask = (count: number) => Promise.allSettled(Array.from({ length: count }, () => pool.query('SELECT pg_sleep(0.05)')));

test('connections that a proxy closes are one line for the operator', async () => {
  await open();
  await ask(3);
  expect(logged).toEqual([]);
  for (const socket of sockets) socket.end();
  await once(pool, 'remove');
  await ask(3);
  expect(logged).toEqual(['The connection to PostgreSQL failed: it was closed unexpectedly']);
});

test('connections that nobody answers are one line for the operator', async () => {
  await open({ isSilent: true });
  await ask(3);
  await ask(3);
  expect(logged).toEqual(['The connection to PostgreSQL failed: it could not be made']);
});

test('connections that end as they should are none', async () => {
  await open();
  await ask(3);
  await pool.end();
  expect(logged).toEqual([]);
  pool = new Pool();
});
