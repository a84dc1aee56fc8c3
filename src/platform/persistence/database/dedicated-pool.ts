import type { Pool } from 'pg';
import { CONNECTION_LIMITS, LOCK_TIMEOUT_MS, QUERY_TIMEOUT_MS, sessionSettings, STATEMENT_TIMEOUT_MS } from './pool.js';
import { PooledClient } from './pooled-client.js';
import { WorkPool } from './work-pool.js';
import { surviveLoss } from '../connections/survive-loss.js';

export interface DedicatedPoolOptions {
  url: string;
  /** As PostgreSQL shows it. */
  name: string;
  lockTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** One by default. */
  connections?: number;
}

/** A small pool, for statements that do not wait for a connection of the requests' pool. */
export function dedicatedPool({
  url,
  name,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  connections = 1,
}: DedicatedPoolOptions): Pool {
  const options = {
    ...CONNECTION_LIMITS,
    connectionString: url,
    max: connections,
    Client: PooledClient as unknown as new () => PooledClient,
    pipeline: true,
    query_timeout: QUERY_TIMEOUT_MS,
    options: sessionSettings(lockTimeoutMs, statementTimeoutMs),
    application_name: `work-suite ${name}`,
    onConnect: surviveLoss,
  };
  const pool = new WorkPool(options);
  // a connection that is lost while idle is replaced by the next statement
  pool.on('error', () => undefined);
  return pool;
}
