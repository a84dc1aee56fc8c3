import type { Pool, PoolClient } from 'pg';
import { Gauge, Histogram, type Registry } from 'prom-client';

const WAIT_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

type Connected = Parameters<Pool['connect']>[0];

/** Measures the connections of the pool that serves requests and jobs, and how long they are waited for. */
export function measurePool(pool: Pool, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Open connections of the database pool.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'db_client_connection_max',
    help: 'The most connections that the database pool opens.',
    registers,
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Statements and transactions that wait for a connection of the database pool.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  const waits = new Histogram({
    name: 'db_client_connection_wait_time_seconds',
    help: 'Time until the database pool gave a connection, or failed to.',
    buckets: WAIT_SECONDS,
    registers,
  });
  const connect = pool.connect.bind(pool) as (callback?: Connected) => Promise<PoolClient> | undefined;
  // `query` of the pool calls it as well, with a callback
  pool.connect = ((callback?: Connected) => {
    const startedAt = performance.now();
    const measure = () => waits.observe((performance.now() - startedAt) / 1_000);
    if (callback)
      return connect((error, client, release) => {
        measure();
        callback(error, client, release);
      });
    return connect()!.finally(measure);
  }) as Pool['connect'];
}
