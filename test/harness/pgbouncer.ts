import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAccount } from '../../src/platform/persistence/embedded-postgres/account.js';
import { databaseUrl, overTcp } from './database-server.js';
import { freePort } from './free-port.js';
import { explainSkippedTests } from './skipped-tests.js';

/** As the operator's guide has it. */
const CONNECT_QUERY =
  'SET timezone TO UTC; SET lock_timeout TO 8000; SET statement_timeout TO 20000; SET idle_in_transaction_session_timeout TO 20000';

export interface PgBouncer {
  /** The database through the pooler. */
  url: string;
  /** The same without the session settings. */
  bareUrl: string;
  stop(): Promise<void>;
}

/** Whether PgBouncer is installed; if not, says so. */
export function hasPgBouncer(): boolean {
  const { error } = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' });
  if (error) explainSkippedTests(`Tests that need PgBouncer are skipped: ${error.message}`);
  return !error;
}

/** PgBouncer in transaction mode in front of a database, with fewer sessions than a process of the suite has connections. */
export async function startPgBouncer(target: string, sessions: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = overTcp(target);
  const folder = await mkdtemp(join(tmpdir(), 'test-pgbouncer-'));
  const ownPort = await freePort();
  const server = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password='${decodeURIComponent(password)}'`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
     ready = ${server} connect_query='${CONNECT_QUERY}'
     bare = ${server}
     [pgbouncer]
     listen_addr = 127.0.0.1
     listen_port = ${ownPort}
     unix_socket_dir =
     auth_type = any
     pool_mode = transaction
     default_pool_size = ${sessions}`.replace(/^ +/gm, ''),
  );
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)]);
  // it refuses to run as root, as PostgreSQL does
  const child = spawn('pgbouncer', [file], { ...postgresAccount(folder), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of child.stderr) if (String(line).includes('process up')) break;
  const url = new URL(`postgres://${username}@127.0.0.1:${ownPort}`).href;
  return {
    url: databaseUrl(url, 'ready'),
    bareUrl: databaseUrl(url, 'bare'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
