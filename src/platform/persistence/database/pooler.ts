import { ConfigError } from '../../../kit/index.js';
import type { AppConfig } from '../../config/settings.js';
import { queryOnce } from '../connections/query-once.js';
import { IDLE_IN_TRANSACTION_TIMEOUT_MS, LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './pool.js';

/** What the suite sets in its own sessions; in those of a pooler the operator does, because a pooler passes no options on. */
const WANTED = {
  timezone: 'UTC',
  lock_timeout: LOCK_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};

/** For PgBouncer's `connect_query`, which it runs once in each session with PostgreSQL. */
const CONNECT_QUERY = Object.entries(WANTED)
  .map(([name, value]) => `SET ${name} TO ${value}`)
  .join('; ');

/** DATABASE_URL, if DATABASE_DIRECT_URL leads past it. */
export function poolerUrlOf({ databaseUrl, databaseDirectUrl }: Pick<AppConfig, 'databaseUrl' | 'databaseDirectUrl'>): string | undefined {
  return databaseDirectUrl && databaseUrl?.reveal();
}

const WHICH = 'pg_postmaster_start_time()::text AS started, current_database() AS name';

interface ServerIdentity {
  started: string;
  name: string;
}

/** @throws ConfigError if the pooler cannot be reached, leads to another database, or its sessions lack a setting */
export async function checkPooler(connectionString: string, directUrl: string): Promise<void> {
  const names = Object.keys(WANTED);
  const [behind] = await queryOnce<ServerIdentity & { settings: Record<string, string> }>(
    { connectionString, connectionTimeoutMillis: 5_000 },
    `SELECT ${WHICH}, (SELECT json_object_agg(name, setting) FROM pg_settings WHERE lower(name) = ANY($1)) AS settings`,
    [names],
  ).catch((error: Error) => {
    throw new ConfigError(`The pooler at DATABASE_URL cannot be used: ${error.message}.`);
  });
  const [direct] = await queryOnce<ServerIdentity>({ connectionString: directUrl }, `SELECT ${WHICH}`);
  if (behind.started !== direct.started || behind.name !== direct.name)
    throw new ConfigError('DATABASE_URL and DATABASE_DIRECT_URL are different databases: set both to the same one.');
  const lacking = Object.entries(behind.settings).find(
    ([name, setting]) => setting !== `${WANTED[name.toLowerCase() as keyof typeof WANTED]}`,
  );
  if (lacking)
    throw new ConfigError(
      `The sessions of the pooler at DATABASE_URL have ${lacking[0]} = ${lacking[1]}: ` +
        `set connect_query='${CONNECT_QUERY}' for the database in its configuration, and RECONNECT.`,
    );
}
