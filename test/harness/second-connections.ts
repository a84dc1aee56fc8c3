import { AsyncLocalStorage } from 'node:async_hooks';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../../src/platform/persistence/database/pool.js';
import type { ReadBatches } from '../../src/platform/persistence/database/read-batches.js';
import { PgStore } from '../../src/platform/persistence/transactions/pg-store.js';

/** How many transactions a request has open. */
const requests = new AsyncLocalStorage<{ open: number }>();

type Callback = (error: Error | undefined, client?: PoolClient, release?: () => void) => void;

/**
 * Fails a request that takes a connection from the pool while its transaction holds one: under load, such requests wait for each
 * other until all of them time out.
 */
export function forbidSecondConnections(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.addHook('onRequest', (_request, _reply, done) => requests.run({ open: 0 }, done));

  const pool = poolOf(app.get(DataSource)) as Pool & { connect(callback: Callback): void };
  const connect = pool.connect.bind(pool) as { (): Promise<PoolClient>; (callback: Callback): void };
  const connectOnce = (callback?: Callback) => {
    const request = requests.getStore();
    const error = secondConnection();
    if (error) return callback ? callback(error) : Promise.reject(error);
    // pool.query, which returns its connection at the end of the statement
    if (callback) return connect(callback);
    return request ? connect().then((client) => counted(client, request)) : connect();
  };
  pool.connect = connectOnce as typeof pool.connect;

  // whose connection is not the request's own, but which the request waits for
  const reads = app.get(PgStore)['shortReads'] as ReadBatches;
  const query = reads.query.bind(reads);
  reads.query = (statement) => {
    const error = secondConnection();
    return error ? Promise.reject(error) : query(statement);
  };
}

function secondConnection(): Error | undefined {
  if (!requests.getStore()?.open) return undefined;
  const error = new Error('A request took a second connection while its transaction was open: read on the connection of the write.');
  console.error(error);
  return error;
}

function counted(client: PoolClient, request: { open: number }): PoolClient {
  request.open++;
  const { release } = client;
  client.release = (error) => {
    request.open--;
    release.call(client, error);
  };
  return client;
}
