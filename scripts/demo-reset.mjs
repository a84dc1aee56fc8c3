// npm run demo:reset: back to the state of a fresh clone, by ending the running instance and deleting what it made.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './prepare.mjs';

const STOP_MS = 40_000;
/** Everything else in DATA_DIR is somebody else's and stays. */
const MADE_BY_THE_APP = /^(postgres(-password|-binaries-.*|\.log(\.old)?|\.draft-.*)?|secrets\.json|demo\.json|server\.pid)$/;

const wanted = resolve(ROOT, process.env.DATA_DIR || '.data');
if (process.env.NODE_ENV === 'production') refuse('demo:reset deletes the data, so it does not run with NODE_ENV=production.');
if (!existsSync(wanted)) finish(`There is nothing to reset: ${wanted} does not exist.`);
const dataDir = realpathSync(wanted);
const cluster = join(dataDir, 'postgres');

await end(pidIn(join(dataDir, 'server.pid')), isOurServer, 'SIGTERM', 'the running instance');
await end(pidIn(join(cluster, 'postmaster.pid')), isOurPostgres, 'SIGINT', 'the embedded PostgreSQL');

const outside = homeOutside();
if (outside) {
  rmSync(outside, { recursive: true });
  if (readdirSync(dirname(outside)).length === 0) rmdirSync(dirname(outside));
}
for (const name of readdirSync(dataDir)) {
  if (MADE_BY_THE_APP.test(name)) rmSync(join(dataDir, name), { recursive: true });
}
const left = readdirSync(dataDir);
if (left.length === 0) rmSync(dataDir, { recursive: true });
const remark = left.length ? ` Left alone: ${left.join(', ')}.` : '';
finish(
  process.env.DATABASE_URL
    ? `What ${dataDir} held is gone; the database of DATABASE_URL keeps its data.${remark}`
    : `The demo data in ${dataDir} is gone; the next npm start begins anew.${remark}`,
);

async function end(pid, isOurs, signal, what) {
  if (!pid || !isOurs(pid)) return;
  process.kill(pid, signal);
  const deadline = Date.now() + STOP_MS;
  while (isOurs(pid)) {
    if (Date.now() > deadline) refuse(`Nothing was deleted, because ${what} (process ${pid}) did not end on ${signal}.`);
    await sleep(50);
  }
}

function pidIn(path) {
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
}

/** A process number may belong to another program by now; what cannot be told apart is not signalled. */
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

/** The folder outside DATA_DIR that root's database uses; a copied .data links to the original's, which is not ours. */
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

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
