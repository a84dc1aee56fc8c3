// npm run demo:reset: restores the state of a fresh clone. Stops the running instance and deletes its data.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT, ROOT } from './prepare.mjs';

const STOP_MS = 40_000;
/** Files that the app creates in DATA_DIR; all others are kept. */
const APP_FILES = /^(postgres(-password|-binaries-.*|\.log(\.old)?|\.draft-.*)?|secrets\.json|demo\.json|server\.pid)$/;

let dataDir;
let cluster;

export async function run() {
  const wanted = resolve(PROJECT, process.env.DATA_DIR || '.data');
  if (process.env.NODE_ENV === 'production') abort('demo:reset deletes the data, so it does not run with NODE_ENV=production.');
  if (!existsSync(wanted)) finish(`Nothing to reset: ${wanted} does not exist.`);
  dataDir = realpathSync(wanted);
  cluster = join(dataDir, 'postgres');

  await end(pidIn(join(dataDir, 'server.pid')), isOurServer, 'SIGTERM', 'the running instance');
  await end(pidIn(join(cluster, 'postmaster.pid')), isOurPostgres, 'SIGINT', 'the embedded PostgreSQL');

  const outside = homeOutside();
  if (outside) {
    rmSync(outside, { recursive: true });
    if (readdirSync(dirname(outside)).length === 0) rmdirSync(dirname(outside));
  }
  for (const name of readdirSync(dataDir)) {
    if (APP_FILES.test(name)) rmSync(join(dataDir, name), { recursive: true });
  }
  const left = readdirSync(dataDir);
  if (left.length === 0) rmSync(dataDir, { recursive: true });
  const remark = left.length ? ` Kept: ${left.join(', ')}.` : '';
  finish(
    process.env.DATABASE_URL
      ? `Deleted the contents of ${dataDir}; the database at DATABASE_URL keeps its data.${remark}`
      : `Deleted the demo data in ${dataDir}; the next npm start creates it again.${remark}`,
  );
}

async function end(pid, isOurs, signal, what) {
  if (!pid || !isOurs(pid)) return;
  process.kill(pid, signal);
  const deadline = Date.now() + STOP_MS;
  while (isOurs(pid)) {
    if (Date.now() > deadline) abort(`Nothing was deleted because ${what} (process ${pid}) did not stop on ${signal}.`);
    await sleep(50);
  }
}

function pidIn(path) {
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
}

/** The process id may have been reused by another program, which must not be signaled. */
function isOurServer(pid) {
  return commandOf(pid).some((word) => word === join(ROOT, 'dist', 'src', 'main.js'));
}

function isOurPostgres(pid) {
  const folder = statSync(cluster, { throwIfNoEntry: false });
  const working = statSync(`/proc/${pid}/cwd`, { throwIfNoEntry: false });
  return folder !== undefined && working?.ino === folder.ino && working.dev === folder.dev;
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The database folder outside DATA_DIR that is used if the user is root. In a copied .data it belongs to the original. */
function homeOutside() {
  if (!lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const home = dirname(readlinkSync(cluster));
  const ours = home.endsWith(`/work-suite/${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
  return ours && existsSync(home) ? home : undefined;
}

function finish(sentence) {
  console.log(sentence);
  process.exit(0);
}

function abort(sentence) {
  console.error(sentence);
  process.exit(1);
}
