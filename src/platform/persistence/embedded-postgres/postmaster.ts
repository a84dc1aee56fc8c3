import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { give } from './account.js';
import type { Binaries } from './binaries.js';
import { cleanEnvironment } from './cluster.js';
import type { ClusterLocation } from './cluster-location.js';
import { isAlive, mayServe } from './processes.js';

/** A server that accepts connections. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 10_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The running server of the cluster, once it is ready; undefined if there is none. */
export async function findRunning({ cluster }: ClusterLocation, deadline: number): Promise<Postmaster | undefined> {
  for (;;) {
    const lock = readLock(cluster);
    if (!lock || !isAlive(lock.pid) || !mayServe(lock.pid, cluster)) return undefined;
    if (lock.status === 'ready') return lock;
    if (Date.now() > deadline) throw new Error(`The embedded PostgreSQL (process ${lock.pid}) did not become ready.`);
    await sleep(POLL_MS);
  }
}

/** Starts a server; undefined if another process was faster, so that the attempt should be repeated. */
export async function tryStart(
  location: ClusterLocation,
  binaries: Binaries,
  logPath: string,
  settings: Readonly<Record<string, string>>,
  deadline: number,
): Promise<Postmaster | undefined> {
  removeStaleLock(location.cluster);
  const port = await freePort();
  const options = Object.entries({ ...SETTINGS, ...settings, port: String(port) });
  const log = openLog(logPath, location);
  const logStart = statSync(logPath).size;
  const child = spawn(binaries.postgres, ['-D', location.cluster, ...options.flatMap(([k, v]) => ['-c', `${k}=${v}`])], {
    ...location.account,
    // A separate process group: Ctrl-C in the terminal must not stop the database before the application has shut down.
    detached: true,
    stdio: ['ignore', log, log],
    cwd: location.home,
    env: cleanEnvironment(),
    windowsHide: true,
  });
  closeSync(log);
  const failure = new Promise<Error>((resolve) => child.once('error', resolve));
  child.unref();

  for (;;) {
    const lock = readLock(location.cluster);
    if (lock?.pid === child.pid && lock?.status === 'ready') return lock;
    if (child.pid === undefined) throw await failure;
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (Date.now() > deadline) throw new Error(`The embedded PostgreSQL did not become ready; its log is ${logPath}.`);
    await sleep(POLL_MS);
  }
  const reason = readFileSync(logPath).subarray(logStart).toString();
  if (/lock file|shared memory block|already in use|Address already/.test(reason)) return undefined;
  throw new Error(`The embedded PostgreSQL did not start:\n${reason.trim()}`);
}

/** Stops the server with SIGINT (clients are disconnected, data is flushed), only if it is still this cluster's server. */
export async function stopPostmaster({ pid }: Postmaster, { cluster, account }: ClusterLocation, { pgCtl }: Binaries): Promise<void> {
  const isOurs = () => isAlive(pid) && mayServe(pid, cluster);
  const patienceEnds = Date.now() + FAST_SHUTDOWN_MS;
  if (isOurs()) signal('INT');
  while (isOurs()) {
    // An immediate shutdown loses nothing: the next start replays the write-ahead log.
    if (Date.now() > patienceEnds) signal('QUIT');
    await sleep(POLL_MS);
  }

  function signal(name: 'INT' | 'QUIT'): void {
    if (process.platform === 'win32') spawnSync(pgCtl, ['kill', name, String(pid)], { ...account, stdio: 'ignore' });
    else process.kill(pid, `SIG${name}`);
  }
}

function readLock(cluster: string): (Postmaster & { status: string }) | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? 'starting' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** PostgreSQL removes the lock of a dead server itself, but not one whose process id now belongs to another program. */
function removeStaleLock(cluster: string): void {
  const lock = readLock(cluster);
  if (lock && isAlive(lock.pid) && !mayServe(lock.pid, cluster)) rmSync(join(cluster, 'postmaster.pid'));
}

function openLog(path: string, { account }: ClusterLocation): number {
  if (existsSync(path) && statSync(path).size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  const log = openSync(path, 'a', 0o600);
  give(path, account);
  return log;
}

/** Another program may take the port before PostgreSQL does; the start is then repeated. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
